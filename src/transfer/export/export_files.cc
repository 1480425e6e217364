#include "transfer/export/export_files.h"

#include <optional>
#include <utility>

#include "store/row_key.h"

namespace keyfold::transfer {
namespace {

constexpr size_t kBlocksMax = 4;     // queued for the thread
constexpr size_t kSlotOffset = 6;    // where a row key has its slot
constexpr size_t kRoomBytes = 4096;  // longer than most lines

size_t PartOf(std::string_view row_key) {
  return size_t{LoadU16(row_key.data() + kSlotOffset)} * kExportParts / store::kSlots;
}

}  // namespace

ExportFiles::ExportFiles(Bucket& bucket, ExportLayout layout, ExportFileLimits limits)
    : limits_(limits), bucket_(bucket), layout_(std::move(layout)), blocks_(kBlocksMax), thread_([this] { Run(); }) {}

ExportFiles::~ExportFiles() { static_cast<void>(Join()); }

Status ExportFiles::Add(std::string_view row_key, FunctionRef<void(std::string& out)> print) {
  for (const size_t part = PartOf(row_key); part_ < part;) RETURN_IF_ERROR(EndPart());
  if (file_bytes_ >= limits_.file_bytes) RETURN_IF_ERROR(PassOn(/*ends_file=*/true));
  print(block_.text);
  ++block_.items;
  return block_.text.size() >= limits_.block_bytes ? PassOn(/*ends_file=*/false) : Ok();
}

Status ExportFiles::EndPart() {
  ++part_;
  return PassOn(/*ends_file=*/true);
}

Status ExportFiles::PassOn(bool ends_file) {
  block_.ends_file = ends_file;
  file_bytes_ = ends_file ? 0 : file_bytes_ + block_.text.size();
  Block next;
  next.text.reserve(limits_.block_bytes + kRoomBytes);
  if (!blocks_.Put(std::exchange(block_, std::move(next)))) return Join();
  return Ok();
}

// Waits until all queued blocks are written, and returns the status of the writes.
Status ExportFiles::Join() {
  blocks_.Close();
  if (thread_.joinable()) thread_.join();
  return std::move(written_);
}

Result<std::vector<ExportedFile>> ExportFiles::Finish() {
  while (part_ < kExportParts) RETURN_IF_ERROR(EndPart());
  RETURN_IF_ERROR(Join());
  return std::move(files_);
}

void ExportFiles::Run() {
  while (const std::optional<Block> block = blocks_.Take()) {
    written_ = Write(*block);
    if (!written_.ok()) return blocks_.Close();
  }
}

Status ExportFiles::Write(const Block& block) {
  const bool begins_file = !open_;
  if (begins_file) {
    open_ = std::make_unique<OpenFile>();
    open_->file.key = layout_.DataKey(files_.size());
    ASSIGN_OR_RETURN(open_->sink, bucket_.Write(open_->file.key, &open_->file.etag));
  }
  if (begins_file || !block.text.empty()) {
    const std::string member = files::GzipMember(block.text);
    open_->md5.Add(member);
    RETURN_IF_ERROR(open_->sink->Write(member));
    open_->file.items += block.items;
  }
  if (!block.ends_file) return Ok();
  RETURN_IF_ERROR(open_->sink->Finish());
  open_->file.md5 = open_->md5.Finish();
  files_.push_back(std::move(open_->file));
  open_.reset();
  return Ok();
}

}  // namespace keyfold::transfer

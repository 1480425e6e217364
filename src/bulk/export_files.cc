#include "bulk/export_files.h"

#include <utility>

#include "store/row_key.h"

namespace keyfold {
namespace {

constexpr size_t kBlocksMax = 4;     // that wait for the thread
constexpr size_t kSlotOffset = 6;    // in a row key
constexpr size_t kRoomBytes = 4096;  // more than most lines

size_t PartOf(std::string_view row_key) {
  return size_t{LoadU16(row_key.data() + kSlotOffset)} * kExportParts / kSlots;
}

}  // namespace

ExportFiles::ExportFiles(Bucket& bucket, ExportLayout layout, ExportFileLimits limits)
    : limits_(limits), bucket_(bucket), layout_(std::move(layout)), thread_([this] { Run(); }) {}

ExportFiles::~ExportFiles() {
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
    blocks_.clear();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

Status ExportFiles::Add(std::string_view row_key, FunctionRef<void(std::string& out)> print) {
  for (const size_t part = PartOf(row_key); part_ < part;) RETURN_IF_ERROR(EndPart());
  if (file_bytes_ >= limits_.file_bytes) RETURN_IF_ERROR(HandOver(/*ends_file=*/true));
  print(block_.text);
  ++block_.items;
  return block_.text.size() >= limits_.block_bytes ? HandOver(/*ends_file=*/false) : Ok();
}

Status ExportFiles::EndPart() {
  ++part_;
  return HandOver(/*ends_file=*/true);
}

Status ExportFiles::HandOver(bool ends_file) {
  block_.ends_file = ends_file;
  file_bytes_ = ends_file ? 0 : file_bytes_ + block_.text.size();
  std::string next;
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return failed_ || blocks_.size() < kBlocksMax; });
    if (failed_) return std::move(failure_);
    blocks_.push_back(std::move(block_));
    if (!spare_.empty()) {
      next = std::move(spare_.back());
      spare_.pop_back();
    }
  }
  changed_.notify_all();
  next.clear();
  next.reserve(limits_.block_bytes + kRoomBytes);
  block_ = {.text = std::move(next)};
  return Ok();
}

Result<std::vector<ExportedFile>> ExportFiles::Finish() {
  while (part_ < kExportParts) RETURN_IF_ERROR(EndPart());
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
  if (failed_) return std::move(failure_).TakeError();
  return std::move(files_);
}

void ExportFiles::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ended_ || !blocks_.empty(); });
    if (blocks_.empty()) return;
    Block block = std::move(blocks_.front());
    blocks_.pop_front();
    lock.unlock();
    changed_.notify_all();
    Status written = Write(block);
    lock.lock();
    if (!written.ok()) {
      failed_ = true;
      failure_ = std::move(written);
      changed_.notify_all();
      return;
    }
    spare_.push_back(std::move(block.text));
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
    const std::string member = GzipMember(block.text);
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

}  // namespace keyfold

#include "transfer/import/import_reader.h"

#include <algorithm>
#include <utility>

#include "base/background_task.h"
#include "base/stopping.h"
#include "transfer/bucket/source_fault.h"
#include "transfer/layout/export_manifest.h"

namespace keyfold::transfer {
namespace {

constexpr Rule<"The record is longer than any item can be"> kRecordSize{"import-record-size", Kind::kValidation};

}  // namespace

// The part of a file that is in memory: the start of a buffer. Used by one thread at a time.
class ImportReader::Window {
 public:
  Window(files::ByteSource& source, ImportBlocks& blocks)
      : source_(source), blocks_(blocks), buffer_(blocks.TakeBuffer()) {}
  ~Window() { blocks_.PutBuffer(std::move(buffer_)); }

  bool at_end() const { return at_end_; }
  std::string_view content() const { return std::string_view(buffer_).substr(0, used_); }

  // Reads until the buffer is full or the file ends.
  Status Fill() {
    while (!at_end_ && used_ < buffer_.size()) {
      ASSIGN_OR_RETURN(const size_t bytes, source_.Read(buffer_.data() + used_, buffer_.size() - used_));
      at_end_ = bytes == 0;
      used_ += bytes;
    }
    return Ok();
  }
  void Grow() { buffer_.resize(2 * buffer_.size()); }
  void Clear() { used_ = 0; }
  // Returns the buffer, and moves what follows `end` to another.
  std::string TakeUpTo(size_t end) {
    std::string next = blocks_.TakeBuffer();
    const std::string_view rest = content().substr(end);
    if (rest.size() > next.size()) next.resize(buffer_.size());
    rest.copy(next.data(), rest.size());
    used_ = rest.size();
    return std::exchange(buffer_, std::move(next));
  }

 private:
  files::ByteSource& source_;
  ImportBlocks& blocks_;
  std::string buffer_;
  size_t used_ = 0;
  bool at_end_ = false;
};

Status ImportReader::Read(const std::vector<SourceFile>& files, FunctionRef<bool()> stop) {
  for (size_t i = 0; i < files.size(); ++i) RETURN_IF_ERROR(ReadFile(i, files[i], stop));
  return Ok();
}

Status ImportReader::ReadFile(size_t index, const SourceFile& file, FunctionRef<bool()> stop) {
  Result<std::unique_ptr<files::ByteSource>> opened = bucket_.Read(file.key);
  if (!opened.ok()) return SourceFault(opened.error());
  const std::string where = bucket_.Name() + "/" + file.key;
  files::Md5 md5;
  const bool checked = !file.md5.empty();
  const auto see = [&](std::string_view bytes) {
    if (checked) md5.Add(bytes);
    job_.Advance(bytes.size());
  };
  const std::unique_ptr<files::ByteSource> source =
      files::MakeDecompressor(syntax_.compression, files::MakeWatched(*std::move(opened), see), where);
  RETURN_IF_ERROR(CutFile(index, *source, checked, stop));
  if (checked && md5.Finish() != file.md5) return DamagedSource(kExportFileChanged(where).message());
  return Ok();
}

// `to_the_end`: read the whole file even if the rest does not count.
Status ImportReader::CutFile(size_t index, files::ByteSource& source, bool to_the_end, FunctionRef<bool()> stop) {
  Window window(source, blocks_);
  std::shared_ptr<const std::vector<std::string>> header;
  while (!window.at_end()) {
    if (stop()) return kStopping();
    if (Status filled = window.Fill(); !filled.ok()) return SourceFault(std::move(filled).TakeError());
    if (ledger_.IsFileOver(index)) {
      if (!to_the_end) return Ok();
      window.Clear();
      continue;
    }
    const size_t whole = syntax_.cutter.WholeRecords(window.content(), window.at_end());
    if (whole == 0 && !window.at_end()) {
      const bool endless = window.content().size() > kTextRecordBytesMax;
      endless ? EndFile(index, window.content().size(), kRecordSize()) : window.Grow();
      continue;
    }
    size_t start = 0;
    if (!header) {
      Result<std::vector<std::string>> read = syntax_.parser.FileHeader(window.content().substr(0, whole), start);
      if (!read.ok()) {
        EndFile(index, whole, read.error());
        continue;
      }
      header = std::make_shared<const std::vector<std::string>>(*std::move(read));
    }
    const uint32_t number = ledger_.Begin(index, whole);
    if (!blocks_.Put({number, index, header, window.TakeUpTo(whole), start, whole})) return Ok();
  }
  return Ok();
}

// Ends a file whose remainder cannot be read.
void ImportReader::EndFile(size_t index, size_t bytes, const Error& fault) {
  BlockOutcome outcome;
  outcome.AddRecord();
  outcome.AddFault(fault.message(), /*ends_file=*/true);
  ledger_.End(ledger_.Begin(index, bytes), std::move(outcome));
}

}  // namespace keyfold::transfer

#include "transfer/verify/export_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/background_task.h"
#include "base/stopping.h"
#include "files/stream.h"
#include "transfer/bucket/source_fault.h"
#include "transfer/layout/export_manifest.h"
#include "transfer/layout/export_summary.h"

namespace keyfold::transfer {
namespace {

constexpr size_t kPieceBytes = 256 << 10;

// Counts non-empty lines of text that comes in pieces. Used by one thread at a time.
class LineCount {
 public:
  void Add(std::string_view piece) {
    while (!piece.empty()) {
      const size_t end = piece.find('\n');
      if (end != 0) open_ = true;
      if (end == std::string_view::npos) return;
      lines_ += open_ ? 1 : 0;
      open_ = false;
      piece.remove_prefix(end + 1);
    }
  }
  int64_t lines() const { return lines_ + (open_ ? 1 : 0); }

 private:
  int64_t lines_ = 0;
  bool open_ = false;  // there is text after the last line end
};

// Checks one export. Used by one thread at a time.
class ExportCheck {
 public:
  ExportCheck(Bucket& bucket, const std::string& folder, engine::VerifyProgress progress, engine::Verification& found)
      : bucket_(bucket), folder_(folder), progress_(progress), found_(found) {}

  // Returns false if there is no export.
  Result<bool> Run() {
    Result<std::vector<Bucket::Object>> listed = bucket_.List(folder_);
    if (!listed.ok()) {
      Unreadable(folder_, listed.error());
      return true;
    }
    if (listed->empty()) return false;
    Result<ExportManifests> manifests = ExportManifests::Find(bucket_, folder_);
    if (!manifests.ok()) {
      Unreadable(folder_, manifests.error());
      return true;
    }
    CheckStarted(*listed);
    const std::optional<int64_t> items = CheckSummary(*manifests);
    Result<ManifestFiles> files = manifests->ReadFiles();
    found_.files += 2;
    if (!files.ok()) {
      Unreadable(manifests->FilesKey(), files.error());
      return true;
    }
    CheckNames(*manifests, *files, *listed);
    CheckTotal(*manifests, *files, items);
    for (const auto& [key, file] : *files) RETURN_IF_ERROR(CheckData(key, file));
    return true;
  }

 private:
  std::string Where(std::string_view key) const { return bucket_.Name().append("/").append(key); }
  void Fault(std::string sentence) { found_.AddFault(std::move(sentence)); }
  // `error` is one of transfer/bucket/source_fault.h, or the bucket's.
  void Unreadable(const std::string& key, const Error& error) {
    if (BucketFaultCode(error) == "NoSuchKey") return Fault(kExportFileMissing(Where(key)).message());
    const std::string reported = FailureCodeOf(error).empty() ? SourceFault(error).message() : error.message();
    const std::string where = Where(key);
    Fault(reported.find(where) == std::string::npos ? fmt::format("{} cannot be read: {}", where, reported) : reported);
  }

  void CheckStarted(const std::vector<Bucket::Object>& listed) {
    const std::string key = folder_ + "_started";
    const auto it = std::find_if(listed.begin(), listed.end(), [&](const auto& object) { return object.key == key; });
    if (it == listed.end()) return;  // no manifest names it, so it may be missing
    ++found_.files;
    if (it->bytes > 0) Fault(fmt::format("{} is damaged: it must be empty", Where(key)));
  }

  std::optional<int64_t> CheckSummary(const ExportManifests& manifests) {
    found_.files += 2;
    const Result<std::string> text = manifests.ReadSummary();
    if (!text.ok()) {
      Unreadable(manifests.SummaryKey(), text.error());
      return std::nullopt;
    }
    const std::optional<ExportSummary> summary = ReadExportSummary(Where(folder_), *text);
    if (summary) return summary->items;
    Fault(kExportSummaryUnclear(Where(manifests.SummaryKey())).message());
    return std::nullopt;
  }

  void CheckNames(const ExportManifests& manifests, const ManifestFiles& files,
                  const std::vector<Bucket::Object>& listed) {
    for (const Bucket::Object& object : listed) {
      const auto place = ExportPlace::Of(object.key);
      const bool data = place && place->IsData() && object.key.back() != '/';
      if (!data || files.contains(object.key)) continue;
      Fault(kExportFileUnnamed(Where(object.key), Where(manifests.FilesKey())).message());
    }
  }

  void CheckTotal(const ExportManifests& manifests, const ManifestFiles& files, std::optional<int64_t> items) {
    int64_t sum = 0;
    for (const auto& [key, file] : files) sum += file.items.value_or(0);
    if (!items || *items == sum) return;
    Fault(fmt::format("{} is damaged: it counts {} items, but {} counts {}", Where(manifests.SummaryKey()), *items,
                      Where(manifests.FilesKey()), sum));
  }

  Status CheckData(const std::string& key, const ManifestFile& file) {
    if (!progress_(found_)) return kStopping();
    ++found_.files;
    Result<std::unique_ptr<files::ByteSource>> opened = bucket_.Read(key);
    if (!opened.ok()) {
      Unreadable(key, opened.error());
      return Ok();
    }
    files::Md5 md5;
    LineCount items;
    auto stored = files::MakeWatched(*std::move(opened), [&](std::string_view bytes) { md5.Add(bytes); });
    const auto source = files::MakeDecompressor(files::Compression::kGzip, std::move(stored), Where(key));
    ASSIGN_OR_RETURN(const bool read, ReadData(key, *source, items));
    if (!read) return Ok();
    if (md5.Finish() != file.md5) {
      Fault(kExportFileChanged(Where(key)).message());
    } else if (file.items && *file.items != items.lines()) {
      Fault(fmt::format("{} is damaged: it has {} items, but its export's manifest says {}", Where(key), items.lines(),
                        *file.items));
    }
    return Ok();
  }

  // Returns false if it could not read to the end; the fault is recorded.
  Result<bool> ReadData(const std::string& key, files::ByteSource& source, LineCount& items) {
    for (;;) {
      if (!progress_(found_)) return kStopping();
      const Result<size_t> bytes = source.Read(piece_.data(), piece_.size());
      if (!bytes.ok()) {
        Unreadable(key, bytes.error());
        return false;
      }
      if (*bytes == 0) return true;
      const int64_t before = items.lines();
      items.Add(std::string_view(piece_).substr(0, *bytes));
      found_.done += static_cast<uint64_t>(items.lines() - before);
    }
  }

  Bucket& bucket_;
  const std::string& folder_;
  const engine::VerifyProgress progress_;
  engine::Verification& found_;
  std::string piece_ = std::string(kPieceBytes, '\0');
};

}  // namespace

// Faults count only after the whole export was checked: an export that is removed during the check has none.
Result<bool> VerifyExport(Bucket& bucket, const std::string& folder, engine::VerifyProgress progress,
                          engine::Verification& found) {
  engine::Verification with_this = found;
  ASSIGN_OR_RETURN(const bool there, ExportCheck(bucket, folder, progress, with_this).Run());
  if (!there) return false;
  if (with_this.faults > found.faults) {
    const Result<std::vector<Bucket::Object>> left = bucket.List(folder);
    if (left.ok() && left->empty()) return false;
  }
  found = std::move(with_this);
  return true;
}

}  // namespace keyfold::transfer

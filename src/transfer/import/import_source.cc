#include "transfer/import/import_source.h"

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "transfer/bucket/source_fault.h"
#include "transfer/layout/export.h"
#include "transfer/layout/export_manifest.h"
#include "transfer/layout/export_summary.h"

namespace keyfold::transfer {
namespace {

constexpr Rule<"{} is an export in {} with GZIP compression, but the request is for {} with {} compression">
    kOtherFormat{"import-export-format", Kind::kValidation};
constexpr Rule<"{} and {} are both present, but increments apply to a single export"> kSeveralExports{
    "import-several-exports", Kind::kValidation};

// Reads the bucket for one import. Used by one thread at a time.
class SourceFinder {
 public:
  explicit SourceFinder(Bucket& bucket) : bucket_(bucket) {}

  Result<std::vector<SourceFile>> Find(const ImportOrder& order) {
    std::vector<SourceFile> files;
    RETURN_IF_ERROR(AddPrefix(order.prefix.value_or(""), files));
    std::vector<ExportSummary> full = std::exchange(summaries_, {});
    for (const std::string& increment : order.increments) RETURN_IF_ERROR(AddIncrement(increment, files));
    RETURN_IF_ERROR(FitTogether(order, full, summaries_));
    RETURN_IF_ERROR(AddSizes(files));
    return files;
  }

 private:
  // Checks that the exports match the order, and that the increments follow the full export.
  static Status FitTogether(const ImportOrder& order, const std::vector<ExportSummary>& full,
                            const std::vector<ExportSummary>& increments) {
    for (const std::vector<ExportSummary>* exports : {&full, &increments}) {
      for (const ExportSummary& one : *exports) {
        if (!one.format || (one.format == order.format && order.compression == files::Compression::kGzip)) continue;
        return UnfitSource(kOtherFormat(one.name, *one.format, order.format, order.compression).message());
      }
    }
    if (!increments.empty() && full.size() > 1) {
      return UnfitSource(kSeveralExports(full[0].name, full[1].name).message());
    }
    Status follow = IncrementsFollow(full.empty() ? std::nullopt : std::optional(full.front()), increments);
    return follow.ok() ? Ok() : Status(UnfitSource(follow.message()));
  }

  // Sets the sizes of files that a manifest names but the prefix does not include.
  Status AddSizes(std::vector<SourceFile>& files) {
    std::map<std::string, uint64_t, std::less<>> sizes;
    std::set<std::string> listed;
    for (SourceFile& file : files) {
      if (!file.changes) continue;
      const std::string folder = file.key.substr(0, file.key.rfind('/') + 1);
      if (listed.insert(folder).second) {
        ASSIGN_OR_RETURN(const std::vector<Bucket::Object> objects, FromSource(bucket_.List(folder)));
        for (const Bucket::Object& object : objects) sizes[object.key] = object.bytes;
      }
      const auto it = sizes.find(file.key);
      if (it == sizes.end()) return DamagedSource(kExportFileMissing(Where(file.key)).message());
      file.bytes = it->second;
    }
    return Ok();
  }

  std::string Where(std::string_view key) const { return bucket_.Name().append("/").append(key); }

  Status AddPrefix(const std::string& prefix, std::vector<SourceFile>& files) {
    ASSIGN_OR_RETURN(const std::vector<Bucket::Object> objects, FromSource(bucket_.List(prefix)));
    std::set<std::string> folders;
    for (const Bucket::Object& object : objects) {
      if (const auto place = ExportPlace::Of(object.key)) folders.insert(place->Folder());
    }
    ManifestFiles named;
    std::map<std::string, std::string> manifests;  // by folder: the key of the manifest that names its files
    for (const std::string& folder : folders) {
      ASSIGN_OR_RETURN(const ExportManifests of, ExportManifests::Find(bucket_, folder));
      if (of.empty()) {
        RETURN_IF_ERROR(WasNotBegun(folder, of));
        continue;
      }
      RETURN_IF_ERROR(ReadManifests(folder, of, named));
      manifests[folder] = of.FilesKey();
    }
    std::set<std::string_view> present;
    for (const Bucket::Object& object : objects) {
      present.insert(object.key);
      const auto place = ExportPlace::Of(object.key);
      const bool data = object.key.back() != '/' && (!place || place->IsData());
      if (!data) continue;
      const auto it = named.find(object.key);
      const auto manifest = place ? manifests.find(place->Folder()) : manifests.end();
      if (it == named.end() && manifest != manifests.end()) {
        return DamagedSource(kExportFileUnnamed(Where(object.key), Where(manifest->second)).message());
      }
      files.push_back({.key = object.key, .md5 = it == named.end() ? "" : it->second.md5, .bytes = object.bytes});
    }
    return AreThere(named, prefix, present);
  }

  // An export that was begun but has no manifests is in progress or was abandoned: it is incomplete.
  Status WasNotBegun(const std::string& folder, const ExportManifests& none) {
    const std::string mark = folder + "_started";
    ASSIGN_OR_RETURN(const std::vector<Bucket::Object> begun, FromSource(bucket_.List(mark)));
    const bool there = !begun.empty() && begun.front().key == mark;  // the first key with this prefix
    return there ? Status(DamagedSource(kExportFileMissing(Where(none.SummaryKey())).message())) : Ok();
  }

  // Checks that the named files below the prefix exist.
  Status AreThere(const ManifestFiles& named, const std::string& prefix,
                  const std::set<std::string_view>& present) const {
    for (const auto& [key, file] : named) {
      const bool missing = key.starts_with(prefix) && !present.contains(key);
      if (missing) return DamagedSource(kExportFileMissing(Where(key)).message());
    }
    return Ok();
  }

  Status AddIncrement(std::string folder, std::vector<SourceFile>& files) {
    if (!folder.ends_with('/')) folder += '/';
    ASSIGN_OR_RETURN(const ExportManifests of, ExportManifests::Find(bucket_, folder));
    if (of.empty()) return DamagedSource(kExportFileMissing(Where(of.FilesKey())).message());
    ManifestFiles named;
    RETURN_IF_ERROR(ReadManifests(folder, of, named));
    for (const auto& [key, file] : named) files.push_back({.key = key, .md5 = file.md5, .changes = true});
    return Ok();
  }

  Status ReadManifests(const std::string& folder, const ExportManifests& of, ManifestFiles& named) {
    ASSIGN_OR_RETURN(const std::string summary, of.ReadSummary());
    ASSIGN_OR_RETURN(ManifestFiles files, of.ReadFiles());
    named.merge(files);
    std::optional<ExportSummary> read = ReadExportSummary(Where(folder), summary);
    if (!read) return DamagedSource(kExportSummaryUnclear(Where(of.SummaryKey())).message());
    summaries_.push_back(*std::move(read));
    return Ok();
  }

  Bucket& bucket_;
  std::vector<ExportSummary> summaries_;  // summaries of the manifests that were read
};

}  // namespace

Result<std::vector<SourceFile>> FindSourceFiles(Bucket& bucket, const ImportOrder& order) {
  return SourceFinder(bucket).Find(order);
}

}  // namespace keyfold::transfer

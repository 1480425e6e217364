// An export's manifests, read back, for whoever reads what they name: they are what their checksum files say, and know
// each data file by its key, MD5 and number of items. The layout stands in transfer/layout/export.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/error.h"
#include "transfer/bucket/bucket.h"

namespace keyfold {

// What may be wrong with a file of an export, whoever finds it. Names are s3://BUCKET/KEY.
inline constexpr Rule<"{} is missing: the export is not whole"> kExportFileMissing{"import-file-missing",
                                                                                   Kind::kValidation};
inline constexpr Rule<"{} is not one of the files that {} names"> kExportFileUnnamed{"import-file-unnamed",
                                                                                     Kind::kValidation};
inline constexpr Rule<"{} is damaged: it is not what the manifest of its export says it was"> kExportFileChanged{
    "import-file-md5", Kind::kValidation};
inline constexpr Rule<"{} is damaged: it does not say what the export is of"> kExportSummaryUnclear{"import-summary",
                                                                                                    Kind::kValidation};

// Where a key stands in an export's layout: root/ID/rest, root ending in "AWSDynamoDB/". Borrows the key.
struct ExportPlace {
  std::string_view root, id, rest;

  // Nothing where the key is not in one. What several incremental exports share, root/data/x, is of none of them.
  static std::optional<ExportPlace> Of(std::string_view key);
  std::string Folder() const { return std::string(root).append(id).append("/"); }
  bool IsData() const { return rest.starts_with("data/"); }
};

struct ManifestFile {
  std::string md5;               // 16 bytes
  std::optional<int64_t> items;  // none: it is not said
};
// By key. A manifest knows its files by the keys that they were written to. The whole may stand elsewhere now: what is
// behind the root counts.
using ManifestFiles = std::map<std::string, ManifestFile, std::less<>>;

// Immutable. Errors are those of transfer/bucket/source_fault.h. `bucket` outlives it.
class ExportManifests {
 public:
  // Of the export in `folder` (PREFIX/AWSDynamoDB/ID/).
  static Result<ExportManifests> Find(Bucket& bucket, std::string folder);

  bool empty() const { return present_.empty(); }  // none of the four objects is there
  std::string SummaryKey() const { return folder_ + "manifest-summary.json"; }
  std::string FilesKey() const { return folder_ + "manifest-files.json"; }
  // The content of manifest-summary.json.
  Result<std::string> ReadSummary() const;
  Result<ManifestFiles> ReadFiles() const;

 private:
  ExportManifests(Bucket& bucket, std::string folder, std::set<std::string> present)
      : bucket_(&bucket), folder_(std::move(folder)), present_(std::move(present)) {}
  std::string Where(std::string_view key) const { return bucket_->Name().append("/").append(key); }
  Result<std::string> ReadChecked(const std::string& stem) const;
  Result<std::string> ReadWhole(const std::string& key) const;

  Bucket* bucket_;
  std::string folder_;
  std::set<std::string> present_;  // keys
};

}  // namespace keyfold

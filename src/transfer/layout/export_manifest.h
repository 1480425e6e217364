// Reads the manifests of an export: they are checked against their checksum files, and give each data file's key, MD5
// and number of items. transfer/layout/export.h describes the layout.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/error.h"
#include "transfer/bucket/bucket.h"

namespace keyfold::transfer {

// Faults of an export's files, shared by everything that reads them. Names are s3://BUCKET/KEY.
inline constexpr Rule<"{} is missing: the export is incomplete"> kExportFileMissing{"import-file-missing",
                                                                                    Kind::kValidation};
inline constexpr Rule<"{} is not among the files that {} lists"> kExportFileUnnamed{"import-file-unnamed",
                                                                                    Kind::kValidation};
inline constexpr Rule<"{} is damaged: it does not match its export's manifest"> kExportFileChanged{"import-file-md5",
                                                                                                   Kind::kValidation};
inline constexpr Rule<"{} is damaged: it does not describe the export"> kExportSummaryUnclear{"import-summary",
                                                                                              Kind::kValidation};

// A key divided according to an export's layout: root/ID/rest, root ending in "AWSDynamoDB/". Borrows the key.
struct ExportPlace {
  std::string_view root, id, rest;

  // Returns nullopt if the key is not in an export. Data that incremental exports share, root/data/x, is not in any of
  // them.
  static std::optional<ExportPlace> Of(std::string_view key);
  std::string Folder() const { return std::string(root).append(id).append("/"); }
  bool IsData() const { return rest.starts_with("data/"); }
};

struct ManifestFile {
  std::string md5;               // 16 bytes
  std::optional<int64_t> items;  // nullopt if not given
};
// By key. A manifest has the keys that its files were written to. The export may have been moved since: only the part
// after the root counts.
using ManifestFiles = std::map<std::string, ManifestFile, std::less<>>;

// Immutable. Errors are those of transfer/bucket/source_fault.h. `bucket` must outlive it.
class ExportManifests {
 public:
  // Finds the manifests of the export in `folder` (PREFIX/AWSDynamoDB/ID/).
  static Result<ExportManifests> Find(Bucket& bucket, std::string folder);

  bool empty() const { return present_.empty(); }  // none of the four objects exists
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

}  // namespace keyfold::transfer

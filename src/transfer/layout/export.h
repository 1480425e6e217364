// An export: a table's items at a moment, or the changes of a period, as text in a bucket. The catalog keeps it as a
// note; its objects have AWS's layout:
//
//   PREFIX/AWSDynamoDB/ID/_started               empty: shows that the bucket is writable
//   PREFIX/AWSDynamoDB/ID/data/NAME.json.gz      the items; for a period PREFIX/AWSDynamoDB/data/NAME.json.gz
//   PREFIX/AWSDynamoDB/ID/manifest-files.json    a line for each of these, and manifest-files.md5
//   PREFIX/AWSDynamoDB/ID/manifest-summary.json  written last: with it the export is complete; manifest-summary.md5
//
// AWS's guide names the checksum files .checksum, but its service writes .md5.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/arn.h"
#include "engine/catalog/catalog.h"
#include "transfer/format/format.h"

namespace keyfold::transfer {

// The period of an incremental export.
struct ExportPeriod {
  enum class View : uint8_t { kNewImage, kNewAndOldImages };

  Micros from = 0;
  std::optional<Micros> to;  // exclusive; nullopt: the current second
  std::optional<View> view;
  bool operator==(const ExportPeriod&) const = default;
};

// The request, as it was given. Two requests with the same token are the same if these are equal.
struct ExportOrder {
  enum class Kind : uint8_t { kFull, kIncremental };

  std::string table;           // name
  std::optional<Micros> time;  // nullopt: now
  std::string bucket;
  std::optional<std::string> prefix, bucket_owner;
  std::optional<std::string> encryption, encryption_key;  // S3SseAlgorithm and S3SseKmsKeyId, in S3's terms
  std::optional<DataFormat> format;
  std::optional<Kind> kind;
  std::optional<ExportPeriod> period;  // set if and only if kind is kIncremental
  std::optional<std::string> token;

  bool IsIncremental() const { return kind == Kind::kIncremental; }
  DataFormat Format() const { return format.value_or(DataFormat::kDynamoDbJson); }
  ExportPeriod::View ShownView() const { return period->view.value_or(ExportPeriod::View::kNewAndOldImages); }
  bool operator==(const ExportOrder&) const = default;
};

struct Export {
  enum class Status : uint8_t { kInProgress, kCompleted, kFailed };

  std::string id;  // 01715094384000-73d8d5bc: milliseconds and eight random hex digits
  ExportOrder order;
  store::TableId table_id = 0;
  std::string table_uuid;
  Micros from = 0;      // start of the period, if incremental
  Micros time = 0;      // the moment, or the end of the period if incremental
  bool latest = false;  // the moment is that of the catalog change that added the export
  std::string stem;     // unique prefix of its data files' names
  Status status = Status::kInProgress;
  Micros started = 0, ended = 0;
  int64_t items = 0, billed_bytes = 0;
  std::string failure_code, failure_message;

  bool operator==(const Export&) const = default;
};

using ExportPtr = std::shared_ptr<const Export>;

std::string_view NameOf(Export::Status status);
std::string_view NameOf(ExportOrder::Kind kind);
std::string_view NameOf(ExportPeriod::View view);
std::string_view NameOf(DataFormat format);

// The catalog's note of an export. Decoding a note of a newer version returns nullopt.
std::string ExportNote(std::string_view id);  // name of the note
std::string EncodeExport(const Export& made);
std::optional<Export> DecodeExport(std::string_view bytes);

// Returns null if there is none.
ExportPtr FindExport(const engine::CatalogSnapshot& snapshot, std::string_view id);
// In ascending order of id.
std::vector<ExportPtr> AllExports(const engine::CatalogSnapshot& snapshot);

// Keys of an export's objects. Immutable.
class ExportLayout {
 public:
  explicit ExportLayout(const Export& of);

  const std::string& folder() const { return folder_; }  // PREFIX/AWSDynamoDB/ID/
  const std::string& data() const { return data_; }      // folder of its data files, possibly shared with other exports
  // The prefix that the keys of its data files, and no others, have.
  std::string StemKey() const { return data_ + stem_; }
  std::string DataKey(size_t number) const;  // a name of 26 characters and a suffix, as on AWS

  std::string Started() const { return folder_ + "_started"; }
  std::string Files() const { return folder_ + "manifest-files.json"; }
  std::string FilesChecksum() const { return folder_ + "manifest-files.md5"; }
  std::string Summary() const { return folder_ + "manifest-summary.json"; }
  std::string SummaryChecksum() const { return folder_ + "manifest-summary.md5"; }

 private:
  std::string folder_, data_, stem_, ending_;
};

// Makes a stem that no other export has from 40 bits of each argument: 16 of the characters that AWS uses in its names.
std::string MakeExportStem(uint64_t high, uint64_t low);

struct ExportedFile {
  std::string key;
  int64_t items = 0;
  std::string md5;   // 16 bytes
  std::string etag;  // from the bucket
};

std::string FilesManifest(const std::vector<ExportedFile>& files);
std::string SummaryManifest(const Export& made, const engine::Identity& identity);
// The content of a manifest's checksum file: its MD5 in base64.
std::string ManifestChecksum(std::string_view manifest);

}  // namespace keyfold::transfer

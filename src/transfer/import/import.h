// An import: files of a bucket that become a new table. The catalog keeps it as a note, for ninety days after its end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/table.h"
#include "files/stream.h"
#include "transfer/format/format.h"

namespace keyfold {

// What was asked for, as it was given.
struct ImportOrder {
  struct Csv {
    std::optional<std::string> delimiter;
    std::optional<std::vector<std::string>> header;
    bool operator==(const Csv&) const = default;
  };

  std::string token;
  std::string bucket;
  std::optional<std::string> prefix, bucket_owner;
  DataFormat format = DataFormat::kDynamoDbJson;
  Compression compression = Compression::kNone;
  std::optional<Csv> csv;
  // Incremental exports that are applied over what the prefix has, each by its own folder (PREFIX/AWSDynamoDB/ID/), in
  // the same bucket, format and compression. The API has no word for them.
  std::vector<std::string> increments;
  bool operator==(const ImportOrder&) const = default;
};

// What was read. Each is of what counts: of a file, the records up to the first that is none.
struct ImportTally {
  int64_t processed = 0;  // records: imported ones and errors
  int64_t imported = 0;   // items that fit the table, of one key each of them
  int64_t errors = 0;
  int64_t bytes = 0;  // of the files, decompressed
  bool operator==(const ImportTally&) const = default;
};

struct Import {
  enum class Status : uint8_t { kInProgress, kCompleted, kCancelled, kFailed };

  std::string id;  // 01715094384000-73d8d5bc: milliseconds and eight random digits
  ImportOrder order;
  Table table;  // as it was created
  Status status = Status::kInProgress;
  Micros started = 0, ended = 0;
  ImportTally tally;
  std::string failure_code, failure_message;

  bool operator==(const Import&) const = default;
};

using ImportPtr = std::shared_ptr<const Import>;

std::string_view NameOf(Import::Status status);
std::string_view NameOf(Compression compression);

// The catalog's note of an import. Those of a newer program are refused (nullopt).
std::string ImportNote(std::string_view id);  // its name
std::string EncodeImport(const Import& made);
std::optional<Import> DecodeImport(std::string_view bytes);

// Null where there is none.
ImportPtr FindImport(const CatalogSnapshot& snapshot, std::string_view id);
// Ascending by id.
std::vector<ImportPtr> AllImports(const CatalogSnapshot& snapshot);

}  // namespace keyfold

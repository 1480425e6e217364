// An import: files of a bucket that become a new table. The catalog keeps it as a note until ninety days after its end.
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

namespace keyfold::transfer {

// The request, as it was given.
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
  files::Compression compression = files::Compression::kNone;
  std::optional<Csv> csv;
  // Incremental exports to apply on top of what the prefix has, each given by its folder (PREFIX/AWSDynamoDB/ID/), in
  // the same bucket, format and compression. The AWS API has no parameter for them.
  std::vector<std::string> increments;
  bool operator==(const ImportOrder&) const = default;
};

// What was read: of each file, the records up to and including the first malformed one.
struct ImportTally {
  int64_t processed = 0;  // records: imported ones and errors
  int64_t imported = 0;   // items that fit the table, including several with the same key
  int64_t errors = 0;
  int64_t bytes = 0;  // bytes of the files after decompression
  bool operator==(const ImportTally&) const = default;
};

struct Import {
  enum class Status : uint8_t { kInProgress, kCompleted, kCancelled, kFailed };

  std::string id;  // 01715094384000-73d8d5bc: milliseconds and eight random hex digits
  ImportOrder order;
  engine::Table table;  // as created
  Status status = Status::kInProgress;
  Micros started = 0, ended = 0;
  ImportTally tally;
  std::string failure_code, failure_message;

  bool operator==(const Import&) const = default;
};

using ImportPtr = std::shared_ptr<const Import>;

std::string_view NameOf(Import::Status status);

// The catalog's note of an import. Decoding a note of a newer version returns nullopt.
std::string ImportNote(std::string_view id);  // name of the note
std::string EncodeImport(const Import& made);
std::optional<Import> DecodeImport(std::string_view bytes);

// Returns null if there is none.
ImportPtr FindImport(const engine::CatalogSnapshot& snapshot, std::string_view id);
// In ascending order of id.
std::vector<ImportPtr> AllImports(const engine::CatalogSnapshot& snapshot);

}  // namespace keyfold::transfer

// A backup: a table's items at one moment, in record files next to the data. The catalog lists it by its id. The folder
// of that name also holds the same information (MANIFEST), so that a backup can be moved elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/table.h"
#include "files/record_file.h"

namespace keyfold::engine {

struct Backup {
  enum class Kind : uint8_t { kUser, kSystem };  // kSystem: of a table that was deleted while recovery was on
  enum class Status : uint8_t { kCreating, kAvailable };

  std::string id;  // 01489602797149-73d8d5bc: milliseconds and eight random digits
  std::string name;
  Kind kind = Kind::kUser;
  Status status = Status::kCreating;
  Micros created = 0;
  Micros expires = 0;         // 0: never
  store::CommitStamp moment;  // commit 0: the catalog change that is being written
  Table table;                // as it was at that moment
  int64_t items = 0, bytes = 0;
  std::vector<files::RecordFileSummary> files;
};

using BackupPtr = std::shared_ptr<const Backup>;

// A new backup, not made yet, of the table at the catalog change that adds it.
Backup BackupToMake(const Table& table, Backup::Kind kind, std::string name, Micros now, uint64_t random);
// The hold on the table while the backup is being made.
LogHold HoldOf(const Backup& backup);
// A table named `name` with the keys and indexes of `source` and the settings that a restore keeps: billing,
// throughput, class, encryption. TableLifecycle::Create fills in ids and times.
Table RestoredTable(const Table& source, std::string name);

// Encodes a backup for the catalog and for its MANIFEST. Decoding bytes of a newer version returns nullopt.
std::string EncodeBackup(const Backup& backup);
std::optional<Backup> DecodeBackup(std::string_view bytes);

}  // namespace keyfold::engine

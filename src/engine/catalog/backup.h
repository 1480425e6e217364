// A backup: a table's items at one moment, in record files of its own beside the data. The catalog knows it by its id;
// the folder of that name also has all of it (MANIFEST), so that it can be carried elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/table.h"
#include "files/record_file.h"

namespace keyfold {

struct Backup {
  enum class Kind : uint8_t { kUser, kSystem };  // kSystem: of a table that was deleted with recovery on
  enum class Status : uint8_t { kCreating, kAvailable };

  std::string id;  // 01489602797149-73d8d5bc: milliseconds and eight random digits
  std::string name;
  Kind kind = Kind::kUser;
  Status status = Status::kCreating;
  Micros created = 0;
  Micros expires = 0;  // 0: never
  CommitStamp moment;  // commit 0: of the catalog change that is being written
  Table table;         // as it was
  int64_t items = 0, bytes = 0;
  std::vector<RecordFileSummary> files;
};

using BackupPtr = std::shared_ptr<const Backup>;

// A backup that is to be made of the table as it is at the catalog change that puts it there.
Backup BackupToMake(const Table& table, Backup::Kind kind, std::string name, Micros now, uint64_t random);
// What the table is held by meanwhile.
LogHold HoldOf(const Backup& backup);
// A table of that name with the keys and indexes of `source` and the settings that a restore keeps: billing,
// throughput, class, encryption. Ids and times are for TableLifecycle::Create.
Table RestoredTable(const Table& source, std::string name);

// The catalog's own bytes for a backup, and its MANIFEST's. Those of a newer program are refused (nullopt).
std::string EncodeBackup(const Backup& backup);
std::optional<Backup> DecodeBackup(std::string_view bytes);

}  // namespace keyfold

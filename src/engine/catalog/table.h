// A table as the engine sees it: keys, indexes, settings and lifecycle state. Immutable once it is in the catalog; a
// change makes a new one. Settings that are only stored and described (class, encryption) stay in DynamoDB's own words.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "store/row_key.h"
#include "store/store.h"
#include "value/key_schema.h"

namespace keyfold::engine {

enum class TableStatus : uint8_t { kCreating, kUpdating, kDeleting, kActive };
enum class IndexStatus : uint8_t { kCreating, kUpdating, kDeleting, kActive };
enum class ProjectionKind : uint8_t { kAll, kKeysOnly, kInclude };
// What a stream shows of a change. kNone: the table has no stream.
enum class StreamViewType : uint8_t { kNone, kKeysOnly, kNewImage, kOldImage, kNewAndOldImages };

std::string_view NameOf(TableStatus status);
std::string_view NameOf(IndexStatus status);
std::string_view NameOf(ProjectionKind kind);
std::string_view NameOf(StreamViewType type);  // "KEYS_ONLY"; "" for kNone
std::optional<StreamViewType> StreamViewTypeByName(std::string_view name);

struct Throughput {
  int64_t read_units = 0, write_units = 0;
  Micros last_increase = 0, last_decrease = 0;  // 0: never
  int64_t decreases_today = 0;
  bool operator==(const Throughput&) const = default;
};

// OnDemandThroughput and WarmThroughput; -1 means "no limit" in DynamoDB.
struct UnitPair {
  std::optional<int64_t> read_units, write_units;
  bool operator==(const UnitPair&) const = default;
};

struct Index {
  store::IndexId id = 0;
  std::string name;
  bool global = false;
  KeySchema key;
  ProjectionKind projection = ProjectionKind::kAll;
  std::vector<std::string> included;  // NonKeyAttributes, in request order
  Throughput throughput;              // for global indexes only, like the next two
  std::optional<UnitPair> on_demand, warm;
  IndexStatus status = IndexStatus::kActive;
  bool backfilling = false;

  // Returns true if writers maintain its rows: always, unless it is being deleted.
  bool IsMaintained() const { return status != IndexStatus::kDeleting; }
  bool IsReadable() const { return status == IndexStatus::kActive || status == IndexStatus::kUpdating; }
  bool operator==(const Index&) const = default;
};

struct StreamSettings {
  bool enabled = false;
  StreamViewType view_type = StreamViewType::kNone;
  std::string label;  // label of the latest stream; empty if there was none
  bool operator==(const StreamSettings&) const = default;
};

// Time to live.
struct ExpirySettings {
  bool enabled = false;
  std::string attribute;
  store::IndexId index = 0;  // index of the internal rows that find due items; a new id each time expiry is enabled
  bool filled = false;       // true if every item has its expiry row
  bool operator==(const ExpirySettings&) const = default;
};

// Point-in-time recovery: the log is kept for `days` days.
struct RecoverySettings {
  bool enabled = false;
  int32_t days = 35;
  store::CommitStamp since;  // when it was enabled; commit 0: by the catalog change that is being written
  bool operator==(const RecoverySettings&) const = default;

  // The earliest time that can be restored from the log.
  Micros EarliestAt(Micros now) const { return std::max(since.time, now - days * kDay); }
};

// A reader that reads the table as it was at a moment and needs its log from there on.
struct LogHold {
  std::string by;            // id of the backup, restored table or export
  store::CommitStamp since;  // commit 0: the catalog change that is being written
  bool operator==(const LogHold&) const = default;
};

// The source of a restored table's items: a backup, or a table at a moment.
struct RestoreSource {
  std::string backup;  // id; empty: from the table and its log
  std::string table;   // name
  store::TableId table_id = 0;
  Micros time = 0;
  bool latest = false;  // the moment is the restore request itself
  bool operator==(const RestoreSource&) const = default;
};

struct EncryptionSettings {
  bool enabled = false;
  std::string type, key_arn;
  bool operator==(const EncryptionSettings&) const = default;
};

struct Table {
  store::TableId id = 0;
  std::string name;
  std::string uuid;
  KeySchema key;
  std::vector<KeyAttribute> attributes;  // AttributeDefinitions, in request order
  std::vector<Index> indexes;            // local ones first, each kind in request order
  store::IndexId next_index_id = 1;

  bool on_demand_billing = false;
  Micros on_demand_since = 0;
  Throughput throughput;
  std::optional<UnitPair> on_demand, warm;
  std::string table_class;  // empty: never set
  Micros table_class_since = 0;
  bool deletion_protection = false;
  EncryptionSettings encryption;
  StreamSettings stream;
  ExpirySettings expiry;
  RecoverySettings recovery;
  std::vector<LogHold> holds;
  Micros log_ended = 0;  // when logging stopped, while old records remain; 0 if none remain
  std::optional<RestoreSource> restored;
  bool filling = false;  // by a restore or an import; rows are invisible until all are there
  std::vector<std::pair<std::string, std::string>> tags;

  Micros created = 0;
  Micros creating_until = 0, updating_until = 0;
  bool deleting = false;
  Micros deleting_until = 0;

  TableStatus StatusAt(Micros now) const;
  // Returns true if items can be read and written.
  bool IsUsableAt(Micros now) const { return !deleting && !filling && now >= creating_until; }

  // Returns true if no background work is due: the table is not being deleted or filled, its indexes are ACTIVE, and
  // its expiry index, if any, is filled.
  bool IsAtRest() const;

  const Index* FindIndex(std::string_view index_name) const;
  bool HasLocalIndexes() const;
  bool HasBackfillingIndex() const;
  // Returns true if changes of its items go to the store's log, with both images.
  bool IsLogged() const { return stream.enabled || recovery.enabled || !holds.empty(); }
  // Stamps everything that begins with the catalog change being written.
  void Stamp(store::CommitStamp stamp);
  std::optional<Type> TypeOf(std::string_view attribute) const;  // by AttributeDefinitions
  bool operator==(const Table&) const = default;
};

using TablePtr = std::shared_ptr<const Table>;

// Encodes a table for the catalog. Decoding bytes of a newer version returns nullopt.
std::string EncodeTable(const Table& table);
std::optional<Table> DecodeTable(std::string_view bytes);

}  // namespace keyfold::engine

#include "engine/catalog/backup.h"

#include <fmt/format.h>

#include "engine/catalog/catalog_codec.h"

namespace keyfold::engine {
namespace archive {

template <typename Archive, Is<files::RecordFileSummary> T>
void Fields(Archive& a, T& v) {
  a(v.name), a(v.bytes), a(v.records), a(v.checksum);
}
// All fields except the table, which has its own version.
template <typename Archive, Is<Backup> T>
void Fields(Archive& a, T& v) {
  a(v.id), a(v.name), a(v.kind), a(v.status), a(v.created), a(v.expires), a(v.moment);
  a(v.items), a(v.bytes), a(v.files);
}

}  // namespace archive

namespace {

constexpr uint8_t kBackupVersion = 1;
constexpr Micros kSystemBackupLife = 35 * kDay;

}  // namespace

Backup BackupToMake(const Table& table, Backup::Kind kind, std::string name, Micros now, uint64_t random) {
  Backup backup;
  backup.id = fmt::format("{:014}-{:08x}", now / kMillisecond, static_cast<uint32_t>(random));
  backup.name = std::move(name);
  backup.kind = kind;
  backup.created = now;
  if (kind == Backup::Kind::kSystem) backup.expires = now + kSystemBackupLife;
  backup.table = table;
  backup.table.holds.clear();
  return backup;
}

LogHold HoldOf(const Backup& backup) { return {"backup/" + backup.id, backup.moment}; }

Table RestoredTable(const Table& source, std::string name) {
  Table table;
  table.name = std::move(name);
  table.key = source.key;
  table.attributes = source.attributes;
  for (const Index& index : source.indexes) {
    if (!index.IsMaintained()) continue;
    Index& copy = table.indexes.emplace_back(index);
    copy.id = 0;
    copy.status = IndexStatus::kActive;
    copy.backfilling = false;
  }
  table.on_demand_billing = source.on_demand_billing;
  table.throughput = {.read_units = source.throughput.read_units, .write_units = source.throughput.write_units};
  table.on_demand = source.on_demand;
  table.table_class = source.table_class;
  table.encryption = source.encryption;
  table.filling = true;
  return table;
}

std::string EncodeBackup(const Backup& backup) {
  archive::Writer writer(kBackupVersion);
  writer(backup);
  writer(EncodeTable(backup.table));
  return writer.Take();
}

std::optional<Backup> DecodeBackup(std::string_view bytes) {
  archive::Reader reader(bytes, kBackupVersion);
  Backup backup;
  std::string table_bytes;
  reader(backup);
  reader(table_bytes);
  if (!reader.Whole()) return std::nullopt;
  std::optional<Table> table = DecodeTable(table_bytes);
  if (!table) return std::nullopt;
  backup.table = *std::move(table);
  return backup;
}

}  // namespace keyfold::engine

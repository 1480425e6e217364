// Encoding of a table in the catalog.
#include "engine/catalog/catalog_codec.h"
#include "engine/catalog/table.h"

namespace keyfold::engine {
namespace archive {

template <typename Archive, Is<Throughput> T>
void Fields(Archive& a, T& v) {
  a(v.read_units), a(v.write_units), a(v.last_increase), a(v.last_decrease), a(v.decreases_today);
}
template <typename Archive, Is<UnitPair> T>
void Fields(Archive& a, T& v) {
  a(v.read_units), a(v.write_units);
}
template <typename Archive, Is<Index> T>
void Fields(Archive& a, T& v) {
  a(v.id), a(v.name), a(v.global), a(v.key), a(v.projection), a(v.included);
  a(v.throughput), a(v.on_demand), a(v.warm), a(v.status), a(v.backfilling);
}
template <typename Archive, Is<StreamSettings> T>
void Fields(Archive& a, T& v) {
  a(v.enabled), a(v.view_type), a(v.label);
}
template <typename Archive, Is<EncryptionSettings> T>
void Fields(Archive& a, T& v) {
  a(v.enabled), a(v.type), a(v.key_arn);
}
template <typename Archive, Is<ExpirySettings> T>
void Fields(Archive& a, T& v) {
  a(v.enabled), a(v.attribute), a(v.index), a(v.filled);
}
template <typename Archive, Is<RecoverySettings> T>
void Fields(Archive& a, T& v) {
  a(v.enabled), a(v.days), a(v.since);
}
template <typename Archive, Is<LogHold> T>
void Fields(Archive& a, T& v) {
  a(v.by), a(v.since);
}
template <typename Archive, Is<RestoreSource> T>
void Fields(Archive& a, T& v) {
  a(v.backup), a(v.table), a(v.table_id), a(v.time), a(v.latest);
}
template <typename Archive, Is<Table> T>
void Fields(Archive& a, T& v) {
  a(v.id), a(v.name), a(v.uuid), a(v.key), a(v.attributes), a(v.indexes), a(v.next_index_id);
  a(v.on_demand_billing), a(v.on_demand_since), a(v.throughput), a(v.on_demand), a(v.warm);
  a(v.table_class), a(v.table_class_since), a(v.deletion_protection), a(v.encryption), a(v.stream), a(v.tags);
  a(v.created), a(v.creating_until), a(v.updating_until), a(v.deleting), a(v.deleting_until);
  if (a.version() >= 2) a(v.expiry);
  if (a.version() >= 3) a(v.recovery), a(v.holds), a(v.log_ended), a(v.restored), a(v.filling);
}

}  // namespace archive

namespace {

// Version 1 is the first. 2 adds expiry; 3 adds recovery, holds and restores.
constexpr uint8_t kTableVersion = 3;

}  // namespace

std::string EncodeTable(const Table& table) {
  archive::Writer writer(kTableVersion);
  writer(table);
  return writer.Take();
}

std::optional<Table> DecodeTable(std::string_view bytes) {
  archive::Reader reader(bytes, kTableVersion);
  Table table;
  reader(table);
  if (!reader.Whole()) return std::nullopt;
  return table;
}

}  // namespace keyfold::engine

#include "testing/engine/forwarding_store.h"

#include <utility>

namespace keyfold::engine {

Status ForwardingStore::Mutate(store::CatalogVersion catalog, std::span<const store::RowKey> keys, store::Decide decide,
                               store::Access access) {
  return store_.Mutate(catalog, keys, decide, access);
}

Status ForwardingStore::Get(std::span<const store::RowKey> keys, std::vector<store::Row>& rows, store::Access access) {
  return store_.Get(keys, rows, access);
}

Status ForwardingStore::GetAtomic(std::span<const store::RowKey> keys, std::vector<store::Row>& rows,
                                  store::Access access) {
  return store_.GetAtomic(keys, rows, access);
}

Status ForwardingStore::Range(const store::PartitionRange& range, store::Visit visit, store::Access access) {
  return store_.Range(range, visit, access);
}

Status ForwardingStore::RangeWithBase(const store::PartitionRange& range, BaseKey base_key, VisitPair visit,
                                      store::Access access) {
  return store_.RangeWithBase(range, base_key, visit, access);
}

Status ForwardingStore::ScanSlots(const store::SlotRange& range, store::Visit visit, store::Access access) {
  return store_.ScanSlots(range, visit, access);
}

Result<store::LogPosition> ForwardingStore::ReadLog(const store::LogRange& range, store::VisitLog visit) {
  return store_.ReadLog(range, visit);
}

Status ForwardingStore::TrimLog(store::TableId table, Micros before) { return store_.TrimLog(table, before); }

store::CatalogState ForwardingStore::ReadCatalog() { return store_.ReadCatalog(); }

Status ForwardingStore::WriteCatalog(store::CatalogVersion expected, MakeCatalogChanges make) {
  return store_.WriteCatalog(expected, make);
}

store::Tally ForwardingStore::ReadTally(store::TableId table, store::IndexId index) {
  return store_.ReadTally(table, index);
}

Result<store::Tally> ForwardingStore::ScanWithTally(store::TableId table, store::IndexId index, store::Visit visit,
                                                    store::Access access) {
  return store_.ScanWithTally(table, index, visit, access);
}

Result<std::unique_ptr<store::Ingest>> ForwardingStore::BeginIngest() { return store_.BeginIngest(); }

Status ForwardingStore::Purge(store::TableId table, store::IndexId index) { return store_.Purge(table, index); }

store::CommitNumber ForwardingStore::Durable() const { return store_.Durable(); }

store::CommitNumber ForwardingStore::LogEnd() const { return store_.LogEnd(); }

void ForwardingStore::WhenDurable(store::CommitNumber number, std::function<void()> done) {
  store_.WhenDurable(number, std::move(done));
}

void ForwardingStore::SyncSoon() { store_.SyncSoon(); }

store::DiskSpace ForwardingStore::Disk() const { return store_.Disk(); }

Status ForwardingStore::HasRoomForFiles(uint64_t bytes) const { return store_.HasRoomForFiles(bytes); }

store::StoreInfo ForwardingStore::Info() const { return store_.Info(); }

std::string ForwardingStore::LastError() const { return store_.LastError(); }

}  // namespace keyfold::engine

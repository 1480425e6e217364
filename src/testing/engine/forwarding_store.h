// A store that forwards every call to another store. Tests derive from it and override some of the calls.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "store/store.h"

namespace keyfold::engine {

// Thread-safe if the other store is, which outlives it.
class ForwardingStore : public store::Store {
 public:
  explicit ForwardingStore(store::Store& store) : store_(store) {}

  Status Mutate(store::CatalogVersion catalog, std::span<const store::RowKey> keys, store::Decide decide,
                store::Access access) override;
  Status Get(std::span<const store::RowKey> keys, std::vector<store::Row>& rows, store::Access access) override;
  Status GetAtomic(std::span<const store::RowKey> keys, std::vector<store::Row>& rows, store::Access access) override;
  Status Range(const store::PartitionRange& range, store::Visit visit, store::Access access) override;
  Status RangeWithBase(const store::PartitionRange& range, BaseKey base_key, VisitPair visit,
                       store::Access access) override;
  Status ScanSlots(const store::SlotRange& range, store::Visit visit, store::Access access) override;
  Result<store::LogPosition> ReadLog(const store::LogRange& range, store::VisitLog visit) override;
  Status TrimLog(store::TableId table, Micros before) override;
  store::CatalogState ReadCatalog() override;
  Status WriteCatalog(store::CatalogVersion expected, MakeCatalogChanges make) override;
  store::Tally ReadTally(store::TableId table, store::IndexId index) override;
  Result<store::Tally> ScanWithTally(store::TableId table, store::IndexId index, store::Visit visit,
                                     store::Access access) override;
  Result<std::unique_ptr<store::Ingest>> BeginIngest() override;
  Status Purge(store::TableId table, store::IndexId index) override;
  store::CommitNumber Durable() const override;
  store::CommitNumber LogEnd() const override;
  void WhenDurable(store::CommitNumber number, std::function<void()> done) override;
  void SyncSoon() override;
  store::DiskSpace Disk() const override;
  Status HasRoomForFiles(uint64_t bytes) const override;
  store::StoreInfo Info() const override;
  std::string LastError() const override;

 private:
  store::Store& store_;
};

}  // namespace keyfold::engine

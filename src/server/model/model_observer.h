// Connects the engine and the model: records what one request reads and writes for the observers of the tables it
// touches. It checks written items and refuses them if the model is enforced.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/items/request_observer.h"
#include "ops/operation.h"
#include "server/model/attached_models.h"

namespace keyfold::server {

// One run of one request. Used by one thread at a time.
class ModelObserver final : public engine::RequestObserver {
 public:
  // `operation` must outlive it.
  ModelObserver(std::shared_ptr<const AttachedModels::ByTable> models, const ops::Operation& operation);
  ~ModelObserver() override;

  void PageRow(const engine::Table& table, ItemView row) override;
  void PageRead(const engine::PageRequest& request, const expr::KeyQuery* query, bool forward,
                const engine::QueryOutcome& outcome) override;
  void ItemsRead(const engine::Table& table, std::span<const ItemView> keys, std::span<const store::Row> rows) override;
  void TransactionRead(std::span<const engine::TransactRead> reads,
                       std::span<const engine::TransactReadOutcome> outcomes) override;
  Status Decided(size_t position, const engine::ItemWrite& write, const engine::Table& table,
                 std::optional<ItemView> old, std::optional<ItemView> made, size_t bytes_after) override;
  void Wrote(std::span<const engine::ItemWrite> writes, std::span<const engine::WriteOutcome> outcomes,
             bool transaction) override;

  // Called when the request has succeeded at that cost, or failed.
  void Finish(const ops::Account& account, bool ok);
  // Value of the header x-keyfold-model; empty if there is no warning or the mode does not report it.
  std::string Warning() const;
  // Counts the request. Called once, after Finish.
  void Record(Micros latency) const;

 private:
  struct Watched {
    model::Observer* observer = nullptr;  // one of models_
    model::Trace trace;
    std::vector<model::WriteShape> batch;  // writes of a BatchWriteItem so far
    bool batch_is_known = true;            // each of them belongs to an entity
    size_t batch_call = 0;                 // its index in trace.calls, plus one
    bool refused = false;

    void Clear();  // keeps its memory
  };
  // A write whose outcome was decided.
  struct Slot {
    Watched* watched = nullptr;  // null: no model watches its table, or it was not decided
    std::optional<model::EntityId> entity;
    size_t bytes = 0;
    std::vector<model::Drift> drifts;
    std::string example;  // the item's key, if it drifts
    bool refused = false;
    std::vector<model::Trace::Key> index_keys;  // their units are added later

    void Clear();  // keeps its memory
  };
  // The memory of an observer; reused by the next one on the thread.
  struct Workspace {
    std::vector<std::unique_ptr<Watched>> watched;
    size_t watched_used = 0;
    std::vector<Slot> slots;
    size_t slots_used = 0;
    std::vector<model::WriteShape> shapes;
  };
  static std::vector<std::unique_ptr<Workspace>>& Spare();  // per thread

  std::span<const std::unique_ptr<Watched>> watched() const { return {work_->watched.data(), work_->watched_used}; }
  std::span<Slot> slots() { return {work_->slots.data(), work_->slots_used}; }
  void SetSlots(size_t count);  // new ones are clear
  Watched* Find(const engine::Table& table);
  Watched& Take(model::Observer& observer);
  static void AddRead(Watched& watched, std::optional<model::EntityId> entity);
  static void AddKey(Watched& watched, std::optional<model::IndexId> index, std::span<const ValueView> values,
                     double reads, double writes);
  void GotItem(Watched& watched, const engine::Table& table, ItemView key, const store::Row& row);
  void GotItems(Watched& watched, const engine::Table& table, std::span<const ItemView> keys,
                std::span<const store::Row> rows);
  void AddIndexKeys(Slot& slot);
  static void MoveDrifts(Slot& slot);  // into the trace
  void WroteOne(Watched& watched, const engine::ItemWrite& write, const engine::WriteOutcome& outcome, Slot* slot,
                model::Trace::Call& call);
  void AddWrites(Watched& watched, model::Operation operation, std::span<const engine::ItemWrite> writes,
                 std::span<const engine::WriteOutcome> outcomes);
  void AddToBatch(Watched& watched, const engine::ItemWrite& write, const engine::WriteOutcome& outcome);
  void MatchBatches();
  void AddCosts(const ops::Account& account);

  const std::shared_ptr<const AttachedModels::ByTable> models_;
  const ops::Operation& operation_;
  std::unique_ptr<Workspace> work_;
  // The table looked up last, by its id: rows of one table come one after another.
  std::optional<store::TableId> last_table_;
  Watched* last_ = nullptr;
  model::JudgeRoom& room_;                            // per thread
  double exact_read_units_ = 0, key_read_units_ = 0;  // sums over all tables, watched or not
};

}  // namespace keyfold::server

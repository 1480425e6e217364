#include "server/model/model_observer.h"

#include <algorithm>
#include <utility>

#include "engine/items/capacity.h"
#include "model/observe/request_words.h"

namespace keyfold::server {
namespace {

constexpr Rule<"One or more parameter values were invalid: The model of table {} refuses this item: L49: {}: {}">
    kRefused{"model-refused", Kind::kValidation};
constexpr size_t kWarningBytesMax = 1000;
constexpr size_t kSpareMax = 64;
constexpr size_t kSideAttributesMax = 4;

model::JudgeRoom& ThreadRoom() {
  thread_local model::JudgeRoom room;
  return room;
}

model::SortRange::Op OpOf(expr::KeyTerm::Op op) {
  using Op = model::SortRange::Op;
  switch (op) {
    case expr::KeyTerm::Op::kLt:
      return Op::kLess;
    case expr::KeyTerm::Op::kLe:
      return Op::kLessEqual;
    case expr::KeyTerm::Op::kGt:
      return Op::kGreater;
    case expr::KeyTerm::Op::kGe:
      return Op::kGreaterEqual;
    case expr::KeyTerm::Op::kBetween:
      return Op::kBetween;
    case expr::KeyTerm::Op::kBeginsWith:
      return Op::kBeginsWith;
    default:
      return Op::kNone;
  }
}

model::Verb VerbOf(engine::ItemWrite::Action action) {
  switch (action) {
    case engine::ItemWrite::Action::kUpdate:
      return model::Verb::kUpdate;
    case engine::ItemWrite::Action::kDelete:
    case engine::ItemWrite::Action::kExpire:
      return model::Verb::kDelete;
    case engine::ItemWrite::Action::kCheck:
      return model::Verb::kCheck;
    case engine::ItemWrite::Action::kPut:
      break;
  }
  return model::Verb::kPut;
}

model::Operation SingleWriteOf(engine::ItemWrite::Action action) {
  switch (VerbOf(action)) {
    case model::Verb::kUpdate:
      return model::Operation::kUpdateItem;
    case model::Verb::kDelete:
      return model::Operation::kDeleteItem;
    default:
      return model::Operation::kPutItem;
  }
}

std::optional<model::IndexId> IndexNamed(const model::Model& model, std::string_view name) {
  for (model::IndexId id = 0; id < model.indexes.size(); ++id) {
    if (model.indexes[id].name == name) return id;
  }
  return std::nullopt;
}

// The values of one part of a key: the partition key or the sort key.
class KeyValues {
 public:
  explicit KeyValues(const std::vector<Value>& values) {
    for (const Value& value : values) Add(value.view());
  }
  // Empty if a value is missing.
  KeyValues(ItemView item, const std::vector<KeyAttribute>& side) {
    for (const KeyAttribute& attribute : side) {
      const ValueView value = model::FindValue(item, attribute.name);
      if (value.bytes().empty()) {
        count_ = 0;
        return;
      }
      Add(value);
    }
  }
  operator std::span<const ValueView>() const { return {values_, count_}; }  // NOLINT: implicit by intent

 private:
  void Add(ValueView value) {
    CHECK(count_ < std::size(values_));
    values_[count_++] = value;
  }

  ValueView values_[kSideAttributesMax];
  size_t count_ = 0;
};

model::WriteShape ShapeOf(const engine::ItemWrite& write, model::EntityId entity) {
  return {VerbOf(write.action), entity, write.condition != nullptr || write.must_be_new, write.update};
}

}  // namespace

ModelObserver::ModelObserver(std::shared_ptr<const AttachedModels::ByTable> models, const ops::Operation& operation)
    : models_(std::move(models)), operation_(operation), room_(ThreadRoom()) {
  if (Spare().empty()) {
    work_ = std::make_unique<Workspace>();
  } else {
    work_ = std::move(Spare().back());
    Spare().pop_back();
  }
}

ModelObserver::~ModelObserver() {
  if (Spare().size() == kSpareMax) return;
  for (const auto& one : watched()) one->Clear();
  work_->watched_used = work_->slots_used = 0;
  Spare().push_back(std::move(work_));
}

void ModelObserver::Watched::Clear() {
  observer = nullptr;
  trace.calls.clear();
  trace.items.clear();
  trace.touched.clear();
  trace.keys.clear();
  trace.drifts.clear();
  batch.clear();
  batch_is_known = true;
  batch_call = 0;
  refused = false;
}

void ModelObserver::Slot::Clear() {
  watched = nullptr;
  entity.reset();
  bytes = 0;
  drifts.clear();
  example.clear();
  refused = false;
  index_keys.clear();
}

std::vector<std::unique_ptr<ModelObserver::Workspace>>& ModelObserver::Spare() {
  thread_local std::vector<std::unique_ptr<Workspace>> spare;
  return spare;
}

void ModelObserver::SetSlots(size_t count) {
  if (work_->slots.size() < count) work_->slots.resize(count);
  for (; work_->slots_used < count; ++work_->slots_used) work_->slots[work_->slots_used].Clear();
  work_->slots_used = count;
}

ModelObserver::Watched* ModelObserver::Find(const engine::Table& table) {
  if (last_table_ == table.id) return last_;
  last_table_ = table.id;
  last_ = nullptr;
  if (models_->size() == 1) {  // the usual case
    if (models_->begin()->first == table.name) last_ = &Take(*models_->begin()->second);
  } else if (const auto it = models_->find(table.name); it != models_->end()) {
    last_ = &Take(*it->second);
  }
  return last_;
}

ModelObserver::Watched& ModelObserver::Take(model::Observer& observer) {
  for (const auto& one : watched()) {
    if (one->observer == &observer) return *one;
  }
  if (work_->watched.size() == work_->watched_used) work_->watched.push_back(std::make_unique<Watched>());
  Watched& taken = *work_->watched[work_->watched_used++];
  taken.observer = &observer;
  return taken;
}

void ModelObserver::AddRead(Watched& watched, std::optional<model::EntityId> entity) {
  auto& items = watched.trace.items;
  if (!items.empty() && items.back().did == model::Trace::Did::kRead && items.back().entity == entity) {
    ++items.back().count;
  } else {
    items.push_back({entity, model::Trace::Did::kRead, 1, 0});
  }
}

void ModelObserver::AddKey(Watched& watched, std::optional<model::IndexId> index, std::span<const ValueView> values,
                           double reads, double writes) {
  model::Trace& trace = watched.trace;
  const auto begin = static_cast<uint32_t>(trace.keys.size());
  model::AppendKeyText(values, trace.keys);
  trace.touched.push_back(
      {model::PlaceOf(index), begin, static_cast<uint32_t>(trace.keys.size()) - begin, reads, writes});
}

void ModelObserver::PageRow(const engine::Table& table, ItemView row) {
  Watched* watched = Find(table);
  if (watched) AddRead(*watched, watched->observer->judge().EntityOfItem(row, room_));
}

void ModelObserver::PageRead(const engine::PageRequest& request, const expr::KeyQuery* query, bool forward,
                             const engine::QueryOutcome& outcome) {
  const double units = outcome.units.Total();
  exact_read_units_ += units;
  Watched* watched = Find(*outcome.table);
  if (!watched) return;
  const model::PatternMatcher& patterns = watched->observer->patterns();
  const std::optional<model::IndexId> index =
      outcome.index ? IndexNamed(patterns.model(), outcome.index->name) : std::nullopt;
  const bool known = !outcome.index || index;
  model::Trace::Call call;
  call.continued = request.start.has_value();
  call.items = static_cast<uint64_t>(outcome.count);
  call.bytes = outcome.bytes;
  call.read_units = units;
  const std::string_view index_name = outcome.index ? std::string_view(outcome.index->name) : std::string_view();
  if (!query) {
    if (known) call.pattern = patterns.OfScan(index, request.filter != nullptr);
    if (!call.pattern) call.shape = model::ScanWords(index_name);
    if (known) AddKey(*watched, index, {}, units, 0);
    watched->trace.calls.push_back(std::move(call));
    return;
  }
  const KeyValues partition(query->partition), sort(query->sort_equal);
  model::ReadShape shape{index, partition, sort};
  if (query->range) {
    shape.op = OpOf(query->range->op);
    shape.low = query->range->first.view();
    if (shape.op == model::SortRange::Op::kBetween) shape.high = query->range->second.view();
  }
  shape.limit = request.limit;
  shape.forward = forward;
  shape.filtered = request.filter != nullptr;
  if (known) call.pattern = patterns.OfRead(model::Operation::kQuery, shape);
  // A statement that specifies a full key is a get, although it runs as a query.
  if (!call.pattern && known && request.of_statement) call.pattern = patterns.OfRead(model::Operation::kGetItem, shape);
  if (!call.pattern) call.shape = model::QueryWords(patterns.model(), index_name, shape);
  if (known) AddKey(*watched, index, partition, units, 0);
  watched->trace.calls.push_back(std::move(call));
}

// For a GetItem, cost and item size are known only at the end.
void ModelObserver::GotItem(Watched& watched, const engine::Table& table, ItemView key, const store::Row& row) {
  const KeyValues partition(key, table.key.partition), sort(key, table.key.sort);
  const model::ReadShape shape{std::nullopt, partition, sort};
  const model::Model& model = watched.observer->model();
  model::Trace::Call& call = watched.trace.calls.emplace_back();
  call.pattern = watched.observer->patterns().OfRead(model::Operation::kGetItem, shape);
  if (!call.pattern) call.shape = model::GetWords(model, shape);
  call.items = row.exists ? 1 : 0;
  if (operation_.name != "GetItem") {
    call.bytes = row.exists ? ItemSize(ItemView(row.value)) : 0;
    call.read_units = engine::ReadUnits(call.bytes, engine::ReadKind::kEventual);
    key_read_units_ += call.read_units;
  }
  AddKey(watched, std::nullopt, partition, call.read_units, 0);
  if (!row.exists) return;
  AddRead(watched,
          call.pattern ? model.patterns[*call.pattern].entities[0] : watched.observer->judge().EntityOfKey(key, room_));
}

// Records a BatchGetItem.
void ModelObserver::GotItems(Watched& watched, const engine::Table& table, std::span<const ItemView> keys,
                             std::span<const store::Row> rows) {
  const model::PatternMatcher& patterns = watched.observer->patterns();
  constexpr auto kBatch = model::Operation::kBatchGetItem;
  model::Trace::Call call;
  std::vector<model::EntityId> entities;
  bool known = true;
  for (size_t i = 0; i < keys.size(); ++i) {
    const size_t bytes = rows[i].exists ? ItemSize(ItemView(rows[i].value)) : 0;
    const double units = engine::ReadUnits(bytes, engine::ReadKind::kEventual);
    key_read_units_ += units;
    AddKey(watched, std::nullopt, KeyValues(keys[i], table.key.partition), units, 0);
    call.items += rows[i].exists ? 1 : 0;
    call.bytes += bytes;
    call.read_units += units;
    const std::optional<model::EntityId> entity = watched.observer->judge().EntityOfKey(keys[i], room_);
    if (rows[i].exists) AddRead(watched, entity);
    known = known && entity;
    if (entity) entities.push_back(*entity);
  }
  if (known) call.pattern = patterns.OfKeys(kBatch, entities);
  if (!call.pattern) call.shape = model::KeysWords(patterns.model(), kBatch, entities, known);
  watched.trace.calls.push_back(std::move(call));
}

void ModelObserver::ItemsRead(const engine::Table& table, std::span<const ItemView> keys,
                              std::span<const store::Row> rows) {
  if (Watched* watched = Find(table)) {
    if (operation_.name == "BatchGetItem") return GotItems(*watched, table, keys, rows);
    for (size_t i = 0; i < keys.size(); ++i) GotItem(*watched, table, keys[i], rows[i]);
    return;
  }
  for (const store::Row& row : rows) {
    key_read_units_ += engine::ReadUnits(row.exists ? ItemSize(ItemView(row.value)) : 0, engine::ReadKind::kEventual);
  }
}

void ModelObserver::TransactionRead(std::span<const engine::TransactRead> reads,
                                    std::span<const engine::TransactReadOutcome> outcomes) {
  struct Part {
    model::Trace::Call call;
    std::vector<model::EntityId> entities;
    bool known = true;
  };
  std::map<Watched*, Part> parts;
  for (size_t i = 0; i < reads.size(); ++i) {
    const engine::Table& table = *outcomes[i].table;
    const store::Row& row = outcomes[i].row;
    const size_t bytes = row.exists ? ItemSize(ItemView(row.value)) : 0;
    const double units = engine::ReadUnits(bytes, engine::ReadKind::kTransactional);
    exact_read_units_ += units;
    Watched* watched = Find(table);
    if (!watched) continue;
    Part& part = parts[watched];
    const std::optional<model::EntityId> entity = watched->observer->judge().EntityOfKey(reads[i].key, room_);
    part.known = part.known && entity;
    if (entity) part.entities.push_back(*entity);
    part.call.items += row.exists ? 1 : 0;
    part.call.bytes += bytes;
    part.call.read_units += units;
    if (row.exists) AddRead(*watched, entity);
    AddKey(*watched, std::nullopt, KeyValues(reads[i].key, table.key.partition), units, 0);
  }
  for (auto& [watched, part] : parts) {
    const model::PatternMatcher& patterns = watched->observer->patterns();
    if (part.known) part.call.pattern = patterns.OfKeys(model::Operation::kTransactGetItems, part.entities);
    if (!part.call.pattern) {
      part.call.shape =
          model::KeysWords(patterns.model(), model::Operation::kTransactGetItems, part.entities, part.known);
    }
    watched->trace.calls.push_back(std::move(part.call));
  }
}

Status ModelObserver::Decided(size_t position, const engine::ItemWrite& write, const engine::Table& table,
                              std::optional<ItemView> old, std::optional<ItemView> made, size_t bytes_after) {
  if (work_->slots_used <= position) SetSlots(position + 1);
  Slot& slot = work_->slots[position];
  slot.Clear();
  slot.watched = Find(table);
  if (!slot.watched) return Ok();
  model::Observer& observer = *slot.watched->observer;
  slot.bytes = bytes_after;
  const bool writes =
      write.action == engine::ItemWrite::Action::kPut || write.action == engine::ItemWrite::Action::kUpdate;
  if (!writes || !made) {
    slot.entity = observer.judge().EntityOfKey(write.item, room_);
    if (!old || write.action == engine::ItemWrite::Action::kCheck) return Ok();
    observer.judge().TakeApart(*old, room_);
  } else {
    slot.entity = observer.judge().Judge(*made, observer.clock(), room_, slot.drifts);
    if (!slot.drifts.empty()) slot.example = model::KeyForPeople(observer.model(), *made);
    if (!slot.drifts.empty() && observer.mode() == model::ObserveMode::kEnforce) {
      slot.refused = true;
      const model::Drift& first = slot.drifts.front();
      const std::string_view subject =
          first.entity ? std::string_view(observer.model().entities[*first.entity].name) : "no entity";
      return kRefused(table.name, subject, first.message);
    }
  }
  AddIndexKeys(slot);
  return Ok();
}

// Adds the index keys of the item judged last, as they are after the write or were before. Which of them cost units is
// known later.
void ModelObserver::AddIndexKeys(Slot& slot) {
  const model::Observer& observer = *slot.watched->observer;
  model::Trace& trace = slot.watched->trace;
  for (model::IndexId id = 0; id < observer.model().indexes.size(); ++id) {
    ValueView values[kSideAttributesMax];
    const size_t count = observer.judge().PartitionOf(id, room_, values);
    if (count == 0) continue;
    const auto begin = static_cast<uint32_t>(trace.keys.size());
    model::AppendKeyText({values, count}, trace.keys);
    slot.index_keys.push_back({model::PlaceOf(id), begin, static_cast<uint32_t>(trace.keys.size()) - begin, 0, 0});
  }
}

// Records units, keys and the item of one write; the caller matches the pattern.
void ModelObserver::WroteOne(Watched& watched, const engine::ItemWrite& write, const engine::WriteOutcome& outcome,
                             Slot* slot, model::Trace::Call& call) {
  const bool replayed = !slot;
  const double units = outcome.units.Total();
  (replayed ? call.read_units : call.write_units) += units;
  AddKey(watched, std::nullopt, KeyValues(write.item, outcome.table->key.partition), replayed ? outcome.units.table : 0,
         replayed ? 0 : outcome.units.table);
  if (replayed || write.action == engine::ItemWrite::Action::kCheck) return;
  call.items += 1;
  call.bytes += slot->bytes;
  MoveDrifts(*slot);
  for (const engine::Consumed::OfIndex& of : outcome.units.indexes) {
    for (const engine::Index& index : outcome.table->indexes) {
      if (index.id != of.index) continue;
      const std::optional<model::IndexId> id = IndexNamed(watched.observer->model(), index.name);
      for (model::Trace::Key& key : slot->index_keys) {
        if (!id || key.place != model::PlaceOf(id)) continue;
        key.write_units = of.units;
        watched.trace.touched.push_back(key);
      }
    }
  }
  using Did = model::Trace::Did;
  const Did did = write.action == engine::ItemWrite::Action::kPut      ? Did::kPut
                  : write.action == engine::ItemWrite::Action::kUpdate ? Did::kUpdate
                                                                       : Did::kDelete;
  watched.trace.items.push_back({slot->entity, did, 1, slot->bytes});
}

void ModelObserver::MoveDrifts(Slot& slot) {
  for (model::Drift& drift : slot.drifts) slot.watched->trace.drifts.push_back({std::move(drift), slot.example});
  slot.drifts.clear();
}

void ModelObserver::Wrote(std::span<const engine::ItemWrite> writes, std::span<const engine::WriteOutcome> outcomes,
                          bool transaction) {
  SetSlots(writes.size());
  if (transaction) {
    std::vector<Watched*> done;
    for (const engine::WriteOutcome& outcome : outcomes) {
      Watched* watched = Find(*outcome.table);
      if (!watched || std::find(done.begin(), done.end(), watched) != done.end()) continue;
      done.push_back(watched);
      AddWrites(*watched, model::Operation::kTransactWriteItems, writes, outcomes);
    }
  } else {
    CHECK(writes.size() == 1);
    if (Watched* watched = Find(*outcomes[0].table)) {
      operation_.name == "BatchWriteItem" ? AddToBatch(*watched, writes[0], outcomes[0])
                                          : AddWrites(*watched, SingleWriteOf(writes[0].action), writes, outcomes);
    }
  }
  SetSlots(0);
}

// Records the writes to the watched table as one request.
void ModelObserver::AddWrites(Watched& watched, model::Operation operation, std::span<const engine::ItemWrite> writes,
                              std::span<const engine::WriteOutcome> outcomes) {
  const model::PatternMatcher& patterns = watched.observer->patterns();
  std::vector<model::WriteShape>& shapes = work_->shapes;
  shapes.clear();
  model::Trace::Call& call = watched.trace.calls.emplace_back();
  bool known = true;
  for (size_t i = 0; i < writes.size(); ++i) {
    if (Find(*outcomes[i].table) != &watched) continue;
    Slot* slot = work_->slots[i].watched ? &work_->slots[i] : nullptr;
    const std::optional<model::EntityId> entity =
        slot ? slot->entity : watched.observer->judge().EntityOfKey(writes[i].item, room_);
    known = known && entity;
    if (entity) shapes.push_back(ShapeOf(writes[i], *entity));
    WroteOne(watched, writes[i], outcomes[i], slot, call);
  }
  if (known) call.pattern = patterns.OfWrites(operation, shapes);
  if (!call.pattern) call.shape = model::WritesWords(patterns.model(), operation, shapes, known);
}

void ModelObserver::AddToBatch(Watched& watched, const engine::ItemWrite& write, const engine::WriteOutcome& outcome) {
  if (watched.batch_call == 0) {
    watched.trace.calls.emplace_back();
    watched.batch_call = watched.trace.calls.size();
  }
  Slot* slot = work_->slots[0].watched ? &work_->slots[0] : nullptr;
  WroteOne(watched, write, outcome, slot, watched.trace.calls[watched.batch_call - 1]);
  if (slot && slot->entity) {
    watched.batch.push_back(ShapeOf(write, *slot->entity));
  } else {
    watched.batch_is_known = false;
  }
}

void ModelObserver::MatchBatches() {
  for (const auto& one : watched()) {
    if (one->batch_call == 0) continue;
    model::Trace::Call& call = one->trace.calls[one->batch_call - 1];
    const model::PatternMatcher& patterns = one->observer->patterns();
    constexpr auto kBatch = model::Operation::kBatchWriteItem;
    if (one->batch_is_known) call.pattern = patterns.OfWrites(kBatch, one->batch);
    if (!call.pattern) call.shape = model::WritesWords(patterns.model(), kBatch, one->batch, one->batch_is_known);
  }
}

// Whether a GetItem or BatchGetItem was consistent, and so cost twice as much, is known only at the end; so is the size
// of a GetItem's item.
void ModelObserver::AddCosts(const ops::Account& account) {
  if (exact_read_units_ != 0) return;
  if (operation_.name == "GetItem") {
    for (const auto& one : watched()) {
      for (model::Trace::Call& call : one->trace.calls) {
        call.bytes = account.item_bytes;
        call.read_units = account.read_units;
      }
      for (model::Trace::Key& key : one->trace.touched) key.read_units = account.read_units;
    }
  }
  if (key_read_units_ <= 0 || account.read_units <= 0 || account.read_units == key_read_units_) return;
  const double factor = account.read_units / key_read_units_;
  for (const auto& one : watched()) {
    for (model::Trace::Call& call : one->trace.calls) call.read_units *= factor;
    for (model::Trace::Key& key : one->trace.touched) key.read_units *= factor;
  }
}

void ModelObserver::Finish(const ops::Account& account, bool ok) {
  if (!ok) {
    for (const auto& one : watched()) {
      one->trace.calls.clear();
      one->trace.items.clear();
      one->trace.touched.clear();
      one->trace.drifts.clear();
    }
    for (Slot& slot : slots()) {
      if (!slot.refused) continue;
      slot.watched->refused = true;
      MoveDrifts(slot);
    }
    return;
  }
  MatchBatches();
  AddCosts(account);
}

std::string ModelObserver::Warning() const {
  std::string out;
  const auto add = [&](std::string_view rule, std::string_view subject, std::string_view text) {
    if (!out.empty()) out += "; ";
    out.append(rule).append(" ").append(subject).append(": ").append(text);
  };
  for (const auto& one : watched()) {
    if (one->observer->mode() == model::ObserveMode::kObserve) continue;
    const model::Model& model = one->observer->model();
    for (const model::Trace::Drifted& drifted : one->trace.drifts) {
      const auto entity = drifted.drift.entity;
      add("L49", entity ? std::string_view(model.entities[*entity].name) : "no entity", drifted.drift.message);
    }
    for (const model::Trace::Call& call : one->trace.calls) {
      if (!call.pattern) add("L50", "no pattern", call.shape);
    }
  }
  if (out.size() > kWarningBytesMax) out.resize(kWarningBytesMax);
  // A header value must be plain ASCII.
  for (char& c : out) c = c >= ' ' && c <= '~' ? c : '?';
  return out;
}

void ModelObserver::Record(Micros latency) const {
  for (const auto& one : watched()) {
    one->refused ? one->observer->RecordRefusal(one->trace) : one->observer->Record(one->trace, latency);
  }
}

}  // namespace keyfold::server

#include "model/observe/ledger.h"

#include <algorithm>
#include <cmath>

namespace keyfold::model {
namespace {

uint64_t Halves(double units) { return static_cast<uint64_t>(std::llround(units * 2)); }

size_t LatencyBucketOf(Micros latency) {
  return static_cast<size_t>(std::lower_bound(kLatencyBounds.begin(), kLatencyBounds.end(), latency) -
                             kLatencyBounds.begin());
}

}  // namespace

int64_t PatternTotals::LatencyQuantile(double share) const {
  const uint64_t wanted = static_cast<uint64_t>(share * static_cast<double>(requests()));
  uint64_t below = 0;
  if (requests() == 0) return 0;
  for (size_t i = 0; i < kLatencyBounds.size(); ++i) {
    below += latency[i];
    if (below > wanted || below == requests()) return kLatencyBounds[i];
  }
  return kLatencyBounds.back();
}

Ledger::Lane::Lane(const Ledger& of, bool is_shared)
    : shared(is_shared), patterns(of.patterns_ + 1), entities(of.entities_ + 1), places(of.places_) {}

Ledger::Ledger(size_t patterns, size_t entities, size_t places)
    : patterns_(patterns), entities_(entities), places_(places) {}

Ledger::Lane& Ledger::OwnLane() {
  static std::atomic<size_t> threads{0};
  thread_local const size_t own = std::min(threads.fetch_add(1, std::memory_order_relaxed), kLanes - 1);
  if (Lane* lane = lanes_[own].load(std::memory_order_acquire)) return *lane;
  MutexLock lock(mutex_);
  if (!lanes_[own].load(std::memory_order_relaxed)) {
    owned_lanes_.push_back(std::make_unique<Lane>(*this, own == kLanes - 1));
    lanes_[own].store(owned_lanes_.back().get(), std::memory_order_release);
  }
  return *lanes_[own].load(std::memory_order_relaxed);
}

template <typename Take>
void Ledger::EachLane(Take&& take) const {
  for (const std::atomic<Lane*>& lane : lanes_) {
    if (const Lane* one = lane.load(std::memory_order_acquire)) take(*one);
  }
}

void Ledger::AddCall(PatternCounters& c, const Trace::Call& call, Micros latency, Micros now, bool shared) {
  (call.continued ? c.pages : c.calls).Add(1, shared);
  c.items.Add(call.items, shared);
  c.bytes.Add(call.bytes, shared);
  if (call.read_units != 0) c.read_units_x2.Add(Halves(call.read_units), shared);
  if (call.write_units != 0) c.write_units_x2.Add(Halves(call.write_units), shared);
  c.latency[LatencyBucketOf(latency)].Add(1, shared);
  c.latency_micros.Add(static_cast<uint64_t>(std::max<Micros>(latency, 0)), shared);
  c.last_seen.Set(static_cast<uint64_t>(now));
}

void Ledger::Add(const Trace& trace, Micros latency, Micros now) {
  Lane& lane = OwnLane();
  for (const Trace::Call& call : trace.calls) {
    AddCall(call.pattern ? lane.patterns[*call.pattern] : lane.patterns.back(), call, latency, now, lane.shared);
    if (!call.pattern) AddShape(call, now);
  }
  for (const Trace::Item& item : trace.items) {
    EntityCounters& c = item.entity ? lane.entities[*item.entity] : lane.entities.back();
    c.did[static_cast<size_t>(item.did)].Add(item.count, lane.shared);
    if (item.did == Trace::Did::kPut || item.did == Trace::Did::kUpdate) c.bytes_written.Add(item.bytes, lane.shared);
  }
  for (const Trace::Key& key : trace.touched) {
    PlaceCounters& c = lane.places[key.place];
    if (key.read_units != 0) c.read_units_x2.Add(Halves(key.read_units), lane.shared);
    if (key.write_units != 0) c.write_units_x2.Add(Halves(key.write_units), lane.shared);
    if (key.size != 0) c.hot.Add(trace.TextOf(key), key.read_units, key.write_units, now);
  }
  if (!trace.drifts.empty()) AddDrifts(trace, false, now);
}

void Ledger::AddRefusal(const Trace& trace, Micros now) { AddDrifts(trace, true, now); }

void Ledger::AddDrifts(const Trace& trace, bool refused, Micros now) {
  MutexLock lock(mutex_);
  for (const Trace::Drifted& drifted : trace.drifts) {
    const Drift& drift = drifted.drift;
    const DriftKey key(drift.kind, drift.entity, drift.index, drift.attribute, drift.other);
    if (drifts_.size() >= kDriftsMax && drifts_.find(key) == drifts_.end()) continue;
    DriftTotals& totals = drifts_[key];
    ++totals.count;
    totals.refused += refused ? 1 : 0;
    totals.last = drift;
    totals.example = drifted.example;
    if (totals.first_seen == 0) totals.first_seen = now;
    totals.last_seen = now;
  }
}

void Ledger::AddShape(const Trace::Call& call, Micros now) {
  MutexLock lock(mutex_);
  const bool room = shapes_.size() < kShapesMax || shapes_.find(call.shape) != shapes_.end();
  ShapeTotals& totals = shapes_[room ? call.shape : "other"];
  ++totals.count;
  totals.read_units += call.read_units;
  totals.write_units += call.write_units;
  totals.last_seen = now;
}

Totals Ledger::Read() const {
  Totals totals;
  std::vector<PatternTotals> patterns(patterns_ + 1);
  std::vector<EntityTotals> entities(entities_ + 1);
  totals.places.resize(places_);
  EachLane([&](const Lane& lane) {
    for (size_t i = 0; i < patterns.size(); ++i) AddTo(patterns[i], lane.patterns[i]);
    for (size_t i = 0; i < entities.size(); ++i) AddTo(entities[i], lane.entities[i]);
    for (size_t i = 0; i < totals.places.size(); ++i) {
      totals.places[i].read_units += static_cast<double>(lane.places[i].read_units_x2.value()) / 2;
      totals.places[i].write_units += static_cast<double>(lane.places[i].write_units_x2.value()) / 2;
    }
  });
  totals.unplanned = patterns.back();
  patterns.pop_back();
  totals.patterns = std::move(patterns);
  totals.strangers = entities.back();
  entities.pop_back();
  totals.entities = std::move(entities);
  MutexLock lock(mutex_);
  for (const auto& [key, drift] : drifts_) totals.drifts.push_back(drift);
  totals.shapes = shapes_;
  return totals;
}

void Ledger::AddTo(PatternTotals& t, const PatternCounters& c) {
  t.calls += c.calls.value();
  t.pages += c.pages.value();
  t.items += c.items.value();
  t.bytes += c.bytes.value();
  t.read_units += static_cast<double>(c.read_units_x2.value()) / 2;
  t.write_units += static_cast<double>(c.write_units_x2.value()) / 2;
  for (size_t b = 0; b < t.latency.size(); ++b) t.latency[b] += c.latency[b].value();
  t.latency_micros += c.latency_micros.value();
  t.last_seen = std::max(t.last_seen, static_cast<Micros>(c.last_seen.value()));
}

void Ledger::AddTo(EntityTotals& t, const EntityCounters& c) {
  t.reads += c.did[static_cast<size_t>(Trace::Did::kRead)].value();
  t.puts += c.did[static_cast<size_t>(Trace::Did::kPut)].value();
  t.updates += c.did[static_cast<size_t>(Trace::Did::kUpdate)].value();
  t.deletes += c.did[static_cast<size_t>(Trace::Did::kDelete)].value();
  t.bytes_written += c.bytes_written.value();
}

HotKeys::Reading Ledger::ReadHotKeys(PlaceId place, Micros now, size_t most) const {
  std::vector<HotKeys::Reading> readings;
  EachLane([&](const Lane& lane) { readings.push_back(lane.places[place].hot.Read(now)); });
  return Merge(readings, most);
}

}  // namespace keyfold::model

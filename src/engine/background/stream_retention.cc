#include "engine/background/stream_retention.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/log.h"
#include "engine/catalog/stream_lookup.h"

namespace keyfold::engine {
namespace {

constexpr Rule<"The shard {} is closed"> kShardClosed{"split-closed-shard", Kind::kValidation};
constexpr Rule<"The shard {} has one slot and cannot be split"> kShardTooSmall{"split-small-shard", Kind::kValidation};
constexpr Rule<"The stream would have {} open shards; the maximum is {}"> kTooManyShards{"split-too-many-shards",
                                                                                         Kind::kLimitExceeded};
constexpr Rule<"The stream {} is disabled"> kStreamDisabled{"split-disabled-stream", Kind::kValidation};

constexpr std::chrono::milliseconds kRetentionPoll{1000};
constexpr Micros kTrimInterval = kMinute;

using SlotRanges = std::vector<std::pair<store::Slot, store::Slot>>;

SlotRanges Halves(const Shard& shard) {
  const store::Slot middle = static_cast<store::Slot>(shard.first + (shard.last - shard.first) / 2);
  return {{shard.first, middle}, {static_cast<store::Slot>(middle + 1), shard.last}};
}

// Shards that closed before `horizon` are dropped; shards that were opened at or before `opened_until` are replaced by
// a child.
struct Bounds {
  Micros horizon = 0, opened_until = 0;

  bool Drops(const Shard& shard) const { return shard.closed && shard.end.time < horizon; }
  bool Replaces(const Shard& shard) const { return !shard.closed && shard.start.time <= opened_until; }
};

void Age(const Bounds& bounds, Stream& stream) {
  std::erase_if(stream.shards, [&](const Shard& s) { return bounds.Drops(s); });
  for (size_t i = 0, n = stream.shards.size(); i < n; ++i) {
    const Shard shard = stream.shards[i];
    if (bounds.Replaces(shard)) stream.ReplaceShard(i, SlotRanges{{shard.first, shard.last}});
  }
}

// Returns the streams that change, in their new state.
std::vector<Stream> AgedStreams(const Bounds& bounds, const CatalogSnapshot& snapshot) {
  std::vector<Stream> aged;
  for (const auto& [name, stream] : snapshot.streams) {
    const auto due = [&](const Shard& s) { return bounds.Drops(s) || bounds.Replaces(s); };
    if (std::none_of(stream->shards.begin(), stream->shards.end(), due)) continue;
    Age(bounds, aged.emplace_back(*stream));
  }
  return aged;
}

// For each table with a log: the time from which on its records are still needed.
std::map<store::TableId, Micros> LogHorizons(const CatalogSnapshot& snapshot, Micros now) {
  std::map<store::TableId, Micros> horizons;
  const auto need = [&](store::TableId table, Micros from) {
    const auto [it, fresh] = horizons.try_emplace(table, from);
    if (!fresh) it->second = std::min(it->second, from);
  };
  for (const auto& [name, stream] : snapshot.streams) need(stream->table_id, now - kStreamRetention);
  for (const auto& [name, table] : snapshot.tables) {
    if (table->recovery.enabled) need(table->id, table->recovery.EarliestAt(now));
    for (const LogHold& hold : table->holds) need(table->id, hold.since.time);
    if (table->log_ended > 0 && !horizons.contains(table->id)) need(table->id, table->log_ended + 1);
  }
  for (const auto& [id, table] : snapshot.departed) {
    for (const LogHold& hold : table->holds) need(id, hold.since.time);
  }
  return horizons;
}

Status SplitAt(Stream& stream, size_t place) {
  const Shard shard = stream.shards[place];
  if (shard.closed) return kShardClosed(ShardIdOf(shard.name()));
  if (shard.first == shard.last) return kShardTooSmall(ShardIdOf(shard.name()));
  stream.ReplaceShard(place, Halves(shard));
  return Ok();
}

}  // namespace

StreamRetention::StreamRetention(const Database& db, Micros shard_age)
    : db_(db), shard_age_(shard_age), task_([this] { return WorkOnce(); }) {}

std::optional<std::chrono::milliseconds> StreamRetention::WorkOnce() {
  MutexLock lock(work_mutex_);
  if (const Status status = Work(); !status.ok()) LogError("cannot apply stream retention: {}", status.message());
  return kRetentionPoll;
}

Status StreamRetention::Work() {
  const SnapshotPtr snapshot = db_.catalog.Current();
  const Micros now = db_.clock.Now();
  const Bounds bounds{now - kStreamRetention, now - shard_age_};
  const std::vector<Stream> due = AgedStreams(bounds, *snapshot);
  std::set<store::TableId> ending;  // trimmed now, so that a removed stream leaves no log records
  for (const Stream& stream : due) {
    if (stream.shards.empty()) ending.insert(stream.table_id);
  }
  RETURN_IF_ERROR(TrimLogs(*snapshot, now, ending));
  if (due.empty()) return Ok();
  return db_.catalog.Change([&](const CatalogSnapshot& current, CatalogEdit& edit) -> Status {
    for (Stream& stream : AgedStreams(bounds, current)) {
      if (!stream.shards.empty()) {
        edit.stream_puts.push_back(std::move(stream));
      } else if (ending.contains(stream.table_id)) {
        edit.stream_removes.push_back(StreamName(stream.table, stream.label));
      }
    }
    return Ok();
  });
}

Status StreamRetention::TrimLogs(const CatalogSnapshot& snapshot, Micros now, const std::set<store::TableId>& ending) {
  // The second condition is true if the clock has been set back since next_trim_ was computed.
  const bool all = now >= next_trim_ || now < next_trim_ - kTrimInterval;
  if (all) next_trim_ = now + kTrimInterval;
  for (const auto& [table, horizon] : LogHorizons(snapshot, now)) {
    if (all || ending.contains(table)) RETURN_IF_ERROR(db_.store.TrimLog(table, horizon));
  }
  return all ? ForgetEndedLogs(snapshot) : Ok();
}

// Clears log_ended of tables whose last log records have been trimmed.
Status StreamRetention::ForgetEndedLogs(const CatalogSnapshot& trimmed) {
  std::vector<TablePtr> ended;
  for (const auto& [name, table] : trimmed.tables) {
    if (table->log_ended > 0 && !trimmed.HasStreams(table->id)) ended.push_back(table);
  }
  if (ended.empty()) return Ok();
  return db_.catalog.Change([&](const CatalogSnapshot& current, CatalogEdit& edit) -> Status {
    for (const TablePtr& table : ended) {
      const TablePtr present = current.Find(table->name);
      if (!present || present->id != table->id || present->log_ended != table->log_ended) continue;
      Table next = *present;
      next.log_ended = 0;
      edit.puts.push_back(std::move(next));
    }
    return Ok();
  });
}

Status SplitShards(const Database& db, const Identity& identity, std::string_view stream_arn,
                   std::optional<std::string_view> shard_id) {
  return db.catalog.Change([&](const CatalogSnapshot& snapshot, CatalogEdit& edit) -> Status {
    ASSIGN_OR_RETURN(const StreamPtr found, FindStream(snapshot, identity, stream_arn));
    if (!found->enabled()) return kStreamDisabled(stream_arn);
    Stream next = *found;
    if (shard_id) {
      ASSIGN_OR_RETURN(const Shard* shard, FindShard(*found, *shard_id));
      RETURN_IF_ERROR(SplitAt(next, static_cast<size_t>(shard - found->shards.data())));
    } else {
      for (size_t i = 0, n = next.shards.size(); i < n; ++i) {
        if (!next.shards[i].closed) RETURN_IF_ERROR(SplitAt(next, i));
      }
    }
    const auto open = static_cast<size_t>(
        std::count_if(next.shards.begin(), next.shards.end(), [](const Shard& s) { return !s.closed; }));
    if (open > kOpenShardsMax) return kTooManyShards(open, kOpenShardsMax);
    edit.stream_puts.push_back(std::move(next));
    return Ok();
  });
}

}  // namespace keyfold::engine

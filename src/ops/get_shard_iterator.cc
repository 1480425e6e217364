// GetShardIterator: a position in a shard to read from.
#include "engine/catalog/stream_lookup.h"
#include "engine/catalog/stream_sequence.h"
#include "ops/handlers.h"
#include "ops/shard_iterator.h"
#include "wire/requests/streams.h"

namespace keyfold::ops {
namespace {

constexpr Rule<
    "One or more parameter values were invalid: SequenceNumber must be specified when ShardIteratorType is {}">
    kSequenceNumberMissing{"sequence-number-missing", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: SequenceNumber cannot be specified when ShardIteratorType is {}">
    kSequenceNumberUnneeded{"sequence-number-unneeded", Kind::kValidation};
constexpr Rule<"Invalid SequenceNumber: {}"> kNoSequenceNumber{"sequence-number-form", Kind::kValidation};
constexpr Rule<"Invalid SequenceNumber for the shard"> kForeignSequenceNumber{"sequence-number-range",
                                                                              Kind::kValidation};

using IteratorType = wire::ShardIteratorType;

Status CheckGetShardIterator(const wire::GetShardIteratorRequest& r) {
  const bool by_number = r.shard_iterator_type == IteratorType::kAtSequenceNumber ||
                         r.shard_iterator_type == IteratorType::kAfterSequenceNumber;
  if (by_number && !r.sequence_number) return kSequenceNumberMissing(r.shard_iterator_type);
  if (!by_number && r.sequence_number) return kSequenceNumberUnneeded(r.shard_iterator_type);
  return Ok();
}

// The position after which the record at `at` comes next.
store::LogPosition Before(store::LogPosition at) {
  if (at.ordinal > 0) return {at.commit, static_cast<uint16_t>(at.ordinal - 1)};
  return store::LogPosition::AfterCommit(at.commit - 1);
}

// Parses a sequence number of the shard: of a record, or of one of its bounds. Numbers after the end of the log are
// refused, as none was ever returned.
Result<engine::SequencePoint> PointInShard(const std::string& number, const engine::Shard& shard,
                                           store::CommitNumber log_end, Micros now) {
  const std::optional<engine::SequencePoint> point = engine::ParseSequenceNumber(number);
  if (!point) return kNoSequenceNumber(number);
  const bool above = shard.closed ? number > engine::EndingSequenceNumber(shard) : point->at.commit > log_end;
  if (number < engine::StartingSequenceNumber(shard) || above || point->at.commit == 0) return kForeignSequenceNumber();
  if (point->second + kSecond <= now - engine::kStreamRetention) return engine::kDataTrimmed();
  return *point;
}

Result<store::LogPosition> StartOf(const wire::GetShardIteratorRequest& r, const engine::Database& db,
                                   store::CommitNumber log_end, const engine::Shard& shard) {
  if (r.shard_iterator_type == IteratorType::kTrimHorizon) return store::LogPosition::AfterCommit(shard.start.commit);
  if (r.shard_iterator_type == IteratorType::kLatest) return store::LogPosition::AfterCommit(log_end);
  ASSIGN_OR_RETURN(const engine::SequencePoint point, PointInShard(*r.sequence_number, shard, log_end, db.clock.Now()));
  return r.shard_iterator_type == IteratorType::kAtSequenceNumber ? Before(point.at) : point.at;
}

}  // namespace

Status GetShardIterator(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::GetShardIteratorRequest r, wire::Decode<wire::GetShardIteratorRequest>(request));
  RETURN_IF_ERROR(CheckGetShardIterator(r));
  const engine::Database& db = call.service.db;
  const store::CommitNumber log_end = db.store.LogEnd();
  const engine::SnapshotPtr snapshot = db.catalog.Current();
  ASSIGN_OR_RETURN(const engine::StreamPtr stream, engine::FindStream(*snapshot, call.service.identity, r.stream_arn));
  ASSIGN_OR_RETURN(const engine::Shard* shard, engine::FindShard(*stream, r.shard_id));
  call.account.table = stream->table;
  ShardIterator iterator;
  iterator.cursor.stream = engine::StreamName(stream->table, stream->label);
  iterator.cursor.table_id = stream->table_id;
  iterator.cursor.shard = shard->number;
  ASSIGN_OR_RETURN(iterator.cursor.after, StartOf(r, db, log_end, *shard));
  iterator.issued = db.clock.Now();
  answer.BeginObject();
  answer.Member("ShardIterator", SealIterator(snapshot->secret, iterator));
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops

// GetShardIterator: a position in a shard to read from.
#include "engine/catalog/stream_lookup.h"
#include "engine/catalog/stream_sequence.h"
#include "ops/handlers.h"
#include "ops/shard_iterator.h"
#include "wire/requests/streams.h"

namespace keyfold {
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

using Type = ShardIteratorType;

Status Check(const GetShardIteratorRequest& r) {
  const bool by_number =
      r.shard_iterator_type == Type::kAtSequenceNumber || r.shard_iterator_type == Type::kAfterSequenceNumber;
  if (by_number && !r.sequence_number) return kSequenceNumberMissing(r.shard_iterator_type);
  if (!by_number && r.sequence_number) return kSequenceNumberUnneeded(r.shard_iterator_type);
  return Ok();
}

// The position after which the record at `at` comes next.
LogPosition Before(LogPosition at) {
  if (at.ordinal > 0) return {at.commit, static_cast<uint16_t>(at.ordinal - 1)};
  return LogPosition::AfterCommit(at.commit - 1);
}

// Parses a sequence number of the shard: of a record, or of one of its bounds. Numbers after the end of the log are
// refused, as none was ever returned.
Result<SequencePoint> PointInShard(const std::string& number, const Shard& shard, CommitNumber log_end, Micros now) {
  const std::optional<SequencePoint> point = ParseSequenceNumber(number);
  if (!point) return kNoSequenceNumber(number);
  const bool above = shard.closed ? number > EndingSequenceNumber(shard) : point->at.commit > log_end;
  if (number < StartingSequenceNumber(shard) || above || point->at.commit == 0) return kForeignSequenceNumber();
  constexpr Micros kSecond = 1'000'000;
  if (point->second + kSecond <= now - kStreamRetention) return kDataTrimmed();
  return *point;
}

Result<LogPosition> StartOf(const GetShardIteratorRequest& r, const Database& db, CommitNumber log_end,
                            const Shard& shard) {
  if (r.shard_iterator_type == Type::kTrimHorizon) return LogPosition::AfterCommit(shard.start.commit);
  if (r.shard_iterator_type == Type::kLatest) return LogPosition::AfterCommit(log_end);
  ASSIGN_OR_RETURN(const SequencePoint point, PointInShard(*r.sequence_number, shard, log_end, db.clock.Now()));
  return r.shard_iterator_type == Type::kAtSequenceNumber ? Before(point.at) : point.at;
}

}  // namespace

Status GetShardIterator(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const GetShardIteratorRequest r, Decode<GetShardIteratorRequest>(request));
  RETURN_IF_ERROR(Check(r));
  const Database& db = call.service.db;
  const CommitNumber log_end = db.store.LogEnd();
  const SnapshotPtr snapshot = db.catalog.Current();
  ASSIGN_OR_RETURN(const StreamPtr stream, FindStream(*snapshot, call.service.identity, r.stream_arn));
  ASSIGN_OR_RETURN(const Shard* shard, FindShard(*stream, r.shard_id));
  call.account.table = stream->table;
  ShardIterator iterator;
  iterator.cursor.stream = StreamName(stream->table, stream->label);
  iterator.cursor.table_id = stream->table_id;
  iterator.cursor.shard = shard->number;
  ASSIGN_OR_RETURN(iterator.cursor.after, StartOf(r, db, log_end, *shard));
  iterator.issued = db.clock.Now();
  answer.BeginObject();
  answer.Member("ShardIterator", SealIterator(snapshot->secret, iterator));
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold

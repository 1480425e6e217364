// GetRecords: a page of a shard's records, and the iterator for the next page.
#include "base/hash.h"
#include "base/text/hex.h"
#include "engine/catalog/stream_sequence.h"
#include "ops/handlers.h"
#include "ops/shard_iterator.h"
#include "wire/attribute_value.h"
#include "wire/requests/streams.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"Invalid ShardIterator"> kBadIterator{"shard-iterator", Kind::kValidation};
constexpr Rule<"The provided iterator exceeds the maximum age allowed."> kExpired{"shard-iterator-expired",
                                                                                  Kind::kExpiredIterator};

constexpr int32_t kRecordsPerPage = 1000;

std::string_view EventName(engine::StreamRecord::Event event) {
  switch (event) {
    case engine::StreamRecord::Event::kInsert:
      return "INSERT";
    case engine::StreamRecord::Event::kModify:
      return "MODIFY";
    case engine::StreamRecord::Event::kRemove:
      break;
  }
  return "REMOVE";
}

// Unique to a record, and the same whenever it is read.
std::string EventId(const engine::Stream& stream, store::LogPosition at) {
  const uint64_t parts[] = {Hash64(engine::StreamName(stream.table, stream.label)), at.commit << 16 | at.ordinal};
  std::string id;
  for (const uint64_t part : parts) {
    for (int shift = 56; shift >= 0; shift -= 8) AppendHex(id, static_cast<uint8_t>(part >> shift));
  }
  return id;
}

void WriteImage(json::Writer& out, std::string_view name, const std::optional<ItemView>& image) {
  if (!image) return;
  out.Key(name);
  wire::Write(out, *image);
}

void WriteChange(json::Writer& out, const engine::Stream& stream, const engine::StreamRecord& record) {
  out.Key("dynamodb");
  out.BeginObject();
  out.Member("ApproximateCreationDateTime", record.time / kSecond);
  WriteImage(out, "Keys", record.keys);
  WriteImage(out, "NewImage", record.new_image);
  WriteImage(out, "OldImage", record.old_image);
  out.Member("SequenceNumber", engine::SequenceNumberOf(record.at, record.time));
  out.Member("SizeBytes", record.bytes);
  out.Member("StreamViewType", NameOf(stream.view_type));
  out.EndObject();
}

void WriteRecord(json::Writer& out, const engine::Identity& identity, const engine::Stream& stream,
                 const engine::StreamRecord& record) {
  out.BeginObject();
  out.Member("eventID", EventId(stream, record.at));
  out.Member("eventName", EventName(record.event));
  out.Member("eventVersion", "1.1");
  out.Member("eventSource", "aws:dynamodb");
  out.Member("awsRegion", identity.region);
  WriteChange(out, stream, record);
  if (record.expired) {
    out.Key("userIdentity");
    out.BeginObject();
    out.Member("PrincipalId", "dynamodb.amazonaws.com");
    out.Member("Type", "Service");
    out.EndObject();
  }
  out.EndObject();
}

}  // namespace

Status GetRecords(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::GetRecordsRequest r, wire::Decode<wire::GetRecordsRequest>(request));
  const engine::Database& db = call.service.db;
  const engine::SnapshotPtr snapshot = db.catalog.Current();
  std::optional<ShardIterator> iterator = UnsealIterator(snapshot->secret, r.shard_iterator);
  if (!iterator) return kBadIterator();
  const Micros now = db.clock.Now();
  if (now - iterator->issued > kIteratorLife) return kExpired();
  answer.BeginObject();
  answer.Key("Records");
  answer.BeginArray();
  const auto emit = [&](const engine::Stream& stream, const engine::StreamRecord& record) {
    call.account.table = stream.table;
    ++call.account.items_returned;
    WriteRecord(answer, call.service.identity, stream, record);
  };
  const size_t limit = static_cast<size_t>(r.limit.value_or(kRecordsPerPage));
  ASSIGN_OR_RETURN(const engine::ShardPage page, engine::ReadShard(db, iterator->cursor, limit, emit, call.access));
  answer.EndArray();
  if (!page.ended) {
    iterator->cursor.after = page.reached;
    iterator->issued = now;
    answer.Member("NextShardIterator", SealIterator(snapshot->secret, *iterator));
  }
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops

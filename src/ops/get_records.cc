// GetRecords: a page of a shard's records, and the iterator for the next page.
#include "base/hash.h"
#include "engine/catalog/stream_sequence.h"
#include "ops/handlers.h"
#include "ops/shard_iterator.h"
#include "wire/attribute_value.h"
#include "wire/requests/streams.h"

namespace keyfold {
namespace {

constexpr Rule<"Invalid ShardIterator"> kBadIterator{"shard-iterator", Kind::kValidation};
constexpr Rule<"The provided iterator exceeds the maximum age allowed."> kExpired{"shard-iterator-expired",
                                                                                  Kind::kExpiredIterator};

constexpr int32_t kRecordsPerPage = 1000;

std::string_view NameOf(StreamRecord::Event event) {
  switch (event) {
    case StreamRecord::Event::kInsert:
      return "INSERT";
    case StreamRecord::Event::kModify:
      return "MODIFY";
    case StreamRecord::Event::kRemove:
      break;
  }
  return "REMOVE";
}

// Unique to a record, and the same whenever it is read.
std::string EventId(const Stream& stream, LogPosition at) {
  uint64_t parts[] = {Hash64(StreamName(stream.table, stream.label)), at.commit << 16 | at.ordinal};
  std::string id;
  for (uint64_t part : parts) {
    for (int shift = 60; shift >= 0; shift -= 4) id.push_back("0123456789abcdef"[part >> shift & 0xF]);
  }
  return id;
}

void WriteImage(json::Writer& out, std::string_view name, const std::optional<ItemView>& image) {
  if (!image) return;
  out.Key(name);
  Write(out, *image);
}

void WriteChange(json::Writer& out, const Stream& stream, const StreamRecord& record) {
  out.Key("dynamodb");
  out.BeginObject();
  out.Member("ApproximateCreationDateTime", record.time / 1'000'000);
  WriteImage(out, "Keys", record.keys);
  WriteImage(out, "NewImage", record.new_image);
  WriteImage(out, "OldImage", record.old_image);
  out.Member("SequenceNumber", SequenceNumberOf(record.at, record.time));
  out.Member("SizeBytes", record.bytes);
  out.Member("StreamViewType", stream.view_type);
  out.EndObject();
}

void WriteRecord(json::Writer& out, const Identity& identity, const Stream& stream, const StreamRecord& record) {
  out.BeginObject();
  out.Member("eventID", EventId(stream, record.at));
  out.Member("eventName", NameOf(record.event));
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
  ASSIGN_OR_RETURN(const GetRecordsRequest r, Decode<GetRecordsRequest>(request));
  const Database& db = call.service.db;
  const SnapshotPtr snapshot = db.catalog.Current();
  std::optional<ShardIterator> iterator = UnsealIterator(snapshot->secret, r.shard_iterator);
  if (!iterator) return kBadIterator();
  const Micros now = db.clock.Now();
  if (now - iterator->issued > kIteratorLife) return kExpired();
  answer.BeginObject();
  answer.Key("Records");
  answer.BeginArray();
  const auto emit = [&](const Stream& stream, const StreamRecord& record) {
    call.account.table = stream.table;
    ++call.account.items_returned;
    WriteRecord(answer, call.service.identity, stream, record);
  };
  const size_t limit = static_cast<size_t>(r.limit.value_or(kRecordsPerPage));
  ASSIGN_OR_RETURN(const ShardPage page, ReadShard(db, iterator->cursor, limit, emit, call.access));
  answer.EndArray();
  if (!page.ended) {
    iterator->cursor.after = page.reached;
    iterator->issued = now;
    answer.Member("NextShardIterator", SealIterator(snapshot->secret, *iterator));
  }
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold

// DescribeStream: a stream's settings and a page of its shards.
#include "engine/catalog/stream_lookup.h"
#include "engine/catalog/stream_sequence.h"
#include "ops/handlers.h"
#include "ops/table_description.h"
#include "ops/time_member.h"
#include "wire/requests/streams.h"

namespace keyfold::ops {
namespace {

constexpr int32_t kShardsPerPage = 100;

void WriteShard(json::Writer& out, const engine::Shard& shard) {
  out.BeginObject();
  out.Member("ShardId", engine::ShardIdOf(shard.name()));
  out.Key("SequenceNumberRange");
  out.BeginObject();
  out.Member("StartingSequenceNumber", engine::StartingSequenceNumber(shard));
  if (shard.closed) out.Member("EndingSequenceNumber", engine::EndingSequenceNumber(shard));
  out.EndObject();
  if (shard.parent) out.Member("ParentShardId", engine::ShardIdOf(*shard.parent));
  out.EndObject();
}

bool IsWanted(const wire::DescribeStreamRequest& r, const engine::Shard& shard) {
  if (r.exclusive_start_shard_id && engine::ShardIdOf(shard.name()) <= *r.exclusive_start_shard_id) return false;
  if (!r.shard_filter) return true;
  return shard.parent && engine::ShardIdOf(*shard.parent) == r.shard_filter->shard_id;
}

// In ascending order of number, which is also that of id.
void WriteShards(json::Writer& out, const wire::DescribeStreamRequest& r, const engine::Stream& stream) {
  const int32_t limit = r.limit.value_or(kShardsPerPage);
  int32_t written = 0;
  const engine::Shard* last = nullptr;
  bool more = false;
  out.Key("Shards");
  out.BeginArray();
  for (const engine::Shard& shard : stream.shards) {
    if (!IsWanted(r, shard)) continue;
    more = written == limit;
    if (more) break;
    WriteShard(out, shard);
    last = &shard;
    ++written;
  }
  out.EndArray();
  if (more) out.Member("LastEvaluatedShardId", engine::ShardIdOf(last->name()));
}

}  // namespace

Status DescribeStream(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::DescribeStreamRequest r, wire::Decode<wire::DescribeStreamRequest>(request));
  const engine::SnapshotPtr snapshot = call.service.db.catalog.Current();
  ASSIGN_OR_RETURN(const engine::StreamPtr stream, engine::FindStream(*snapshot, call.service.identity, r.stream_arn));
  call.account.table = stream->table;
  answer.BeginObject();
  answer.Key("StreamDescription");
  answer.BeginObject();
  answer.Member("StreamArn", engine::StreamArn(call.service.identity, stream->table, stream->label));
  answer.Member("StreamLabel", stream->label);
  answer.Member("StreamStatus", stream->enabled() ? "ENABLED" : "DISABLED");
  answer.Member("StreamViewType", NameOf(stream->view_type));
  WriteTime(answer, "CreationRequestDateTime", stream->created);
  answer.Member("TableName", stream->table);
  WriteKeySchema(answer, stream->key);
  WriteShards(answer, r, *stream);
  answer.EndObject();
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops

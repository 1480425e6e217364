// ListStreams: the streams of one table or of all, including those disabled within the last day.
#include <algorithm>

#include "ops/handlers.h"
#include "wire/requests/streams.h"

namespace keyfold::ops {
namespace {

constexpr int32_t kStreamsPerPage = 100;

void WriteStreamSummary(json::Writer& out, const engine::Identity& identity, const engine::Stream& stream) {
  out.BeginObject();
  out.Member("StreamArn", engine::StreamArn(identity, stream.table, stream.label));
  out.Member("TableName", stream.table);
  out.Member("StreamLabel", stream.label);
  out.EndObject();
}

}  // namespace

Status ListStreams(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::ListStreamsRequest r, wire::Decode<wire::ListStreamsRequest>(request));
  const engine::Identity& identity = call.service.identity;
  const engine::SnapshotPtr snapshot = call.service.db.catalog.Current();
  const auto& streams = snapshot->streams;
  const std::string prefix = r.table_name ? engine::StreamName(*r.table_name, "") : "";
  auto it = streams.lower_bound(prefix);
  if (r.exclusive_start_stream_arn) {
    ASSIGN_OR_RETURN(const engine::StreamOfArn start, engine::ParseStreamArn(identity, *r.exclusive_start_stream_arn));
    it = streams.upper_bound(std::max(engine::StreamName(start.table, start.label), prefix));
  }
  const auto more = [&] { return it != streams.end() && it->first.starts_with(prefix); };
  const int32_t limit = r.limit.value_or(kStreamsPerPage);
  const engine::Stream* last = nullptr;
  answer.BeginObject();
  answer.Key("Streams");
  answer.BeginArray();
  for (int32_t n = 0; n < limit && more(); ++n, ++it) {
    last = it->second.get();
    WriteStreamSummary(answer, identity, *last);
  }
  answer.EndArray();
  if (more()) answer.Member("LastEvaluatedStreamArn", engine::StreamArn(identity, last->table, last->label));
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops

#include "engine/catalog/stream_lookup.h"

namespace keyfold::engine {
namespace {

constexpr Rule<"Requested resource not found: Stream: {} not found"> kNoStream{"no-such-stream",
                                                                               Kind::kResourceNotFound};
constexpr Rule<"Requested resource not found: Shard does not exist"> kNoShard{"no-such-shard", Kind::kResourceNotFound};

}  // namespace

Result<StreamPtr> FindStream(const CatalogSnapshot& snapshot, const Identity& identity, std::string_view arn) {
  ASSIGN_OR_RETURN(const StreamOfArn named, ParseStreamArn(identity, arn));
  const auto it = snapshot.streams.find(StreamName(named.table, named.label));
  if (it == snapshot.streams.end()) return kNoStream(arn);
  return it->second;
}

Result<const Shard*> FindShard(const Stream& stream, std::string_view id) {
  const std::optional<ShardName> name = ParseShardId(id);
  const Shard* shard = name ? stream.Find(name->number) : nullptr;
  if (!shard || ShardIdOf(shard->name()) != id) return kNoShard();
  return shard;
}

}  // namespace keyfold::engine

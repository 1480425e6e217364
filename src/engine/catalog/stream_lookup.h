// Looks up streams and shards by the names that requests use.
#pragma once

#include <string_view>

#include "engine/catalog/arn.h"
#include "engine/catalog/catalog.h"

namespace keyfold::engine {

Result<StreamPtr> FindStream(const CatalogSnapshot& snapshot, const Identity& identity, std::string_view arn);
Result<const Shard*> FindShard(const Stream& stream, std::string_view id);

}  // namespace keyfold::engine

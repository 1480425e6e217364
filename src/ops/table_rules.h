// Checks of keys, indexes and settings for CreateTable and UpdateTable, and their conversion to the engine's types.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/catalog/arn.h"
#include "engine/catalog/table.h"
#include "wire/shapes.h"

namespace keyfold {

// Checks the key schema of a table or an index: its attributes are defined, HASH comes first, names differ.
Status KeySchemaIsSound(const std::vector<KeySchemaElement>& schema, std::span<const AttributeDefinition> definitions,
                        bool global_index);
Status DefinitionsAreDistinct(std::span<const AttributeDefinition> definitions);
// Checks that every definition is a key of the table or of an index.
Status DefinitionsAreUsed(std::span<const KeyAttribute> attributes, const KeySchema& key,
                          std::span<const Index> indexes);

// The first of the indexes in a request, which are checked one by one. The limit is far above a table's; of a million
// indexes only their number is reported.
template <typename T>
std::span<const T> FirstOf(const std::vector<T>& indexes) {
  constexpr size_t kLookedAtMax = 100;
  return std::span<const T>(indexes).first(std::min(indexes.size(), kLookedAtMax));
}

Status LocalIndexesAreSound(const std::vector<LocalSecondaryIndex>& indexes,
                            const std::vector<KeySchemaElement>& table_key,
                            std::span<const AttributeDefinition> definitions);
Status GlobalIndexIsSound(const GlobalSecondaryIndex& index, std::span<const AttributeDefinition> definitions,
                          bool on_demand);
Status IndexNamesAreDistinct(std::span<const Index> indexes);
Status ProjectedAttributesAreFew(std::span<const Index> indexes);

Status ThroughputIsInBounds(const ProvisionedThroughput& throughput);

KeySchema KeySchemaOf(const std::vector<KeySchemaElement>& schema, std::span<const AttributeDefinition> definitions);
std::vector<KeyAttribute> AttributesOf(std::span<const AttributeDefinition> definitions);
std::vector<AttributeDefinition> DefinitionsOf(std::span<const KeyAttribute> attributes);
Index LocalIndexOf(const LocalSecondaryIndex& index, std::span<const AttributeDefinition> definitions);
Index GlobalIndexOf(const GlobalSecondaryIndex& index, std::span<const AttributeDefinition> definitions);
std::optional<UnitPair> UnitsOf(const std::optional<OnDemandThroughput>& throughput);
std::optional<UnitPair> UnitsOf(const std::optional<WarmThroughput>& throughput);

Result<StreamSettings> StreamOf(const StreamSpecification& specification);
EncryptionSettings EncryptionOf(const SSESpecification& specification, const Identity& identity);

using Tags = std::vector<std::pair<std::string, std::string>>;
// Checks and converts tags.
Result<Tags> TagsOf(const std::vector<ResourceTag>& tags);
// Adds tags, replacing those with the same key; at most 50 in all.
Status MergeTags(Tags& present, Tags added);

}  // namespace keyfold

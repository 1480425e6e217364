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

namespace keyfold::ops {

inline constexpr Rule<
    "One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when "
    "BillingMode is PAY_PER_REQUEST">
    kThroughputUnneeded{"throughput-unneeded", Kind::kValidation};
inline constexpr Rule<
    "One or more parameter values were invalid: ProvisionedThroughput must be specified for index: {}">
    kIndexThroughputMissing{"index-throughput-missing", Kind::kValidation};
inline constexpr Rule<
    "One or more parameter values were invalid: GlobalSecondaryIndex count exceeds the per-table limit of 20">
    kTooManyGlobal{"too-many-global", Kind::kValidation};

// Checks the key schema of a table or an index: its attributes are defined, HASH comes first, names differ.
Status KeySchemaIsSound(const std::vector<wire::KeySchemaElement>& schema,
                        std::span<const wire::AttributeDefinition> definitions, bool global_index);
Status DefinitionsAreDistinct(std::span<const wire::AttributeDefinition> definitions);
// Checks that every definition is a key of the table or of an index.
Status DefinitionsAreUsed(std::span<const KeyAttribute> attributes, const KeySchema& key,
                          std::span<const engine::Index> indexes);

// The first of the indexes in a request, which are checked one by one. The limit is far above a table's; of a million
// indexes only their number is reported.
template <typename T>
std::span<const T> FirstOf(const std::vector<T>& indexes) {
  constexpr size_t kLookedAtMax = 100;
  return std::span<const T>(indexes).first(std::min(indexes.size(), kLookedAtMax));
}

Status LocalIndexesAreSound(const std::vector<wire::LocalSecondaryIndex>& indexes,
                            const std::vector<wire::KeySchemaElement>& table_key,
                            std::span<const wire::AttributeDefinition> definitions);
Status GlobalIndexIsSound(const wire::GlobalSecondaryIndex& index,
                          std::span<const wire::AttributeDefinition> definitions, bool on_demand);
Status IndexNamesAreDistinct(std::span<const engine::Index> indexes);
Status ProjectedAttributesAreFew(std::span<const engine::Index> indexes);

Status ThroughputIsInBounds(const wire::ProvisionedThroughput& throughput);

KeySchema KeySchemaOf(const std::vector<wire::KeySchemaElement>& schema,
                      std::span<const wire::AttributeDefinition> definitions);
std::vector<KeyAttribute> AttributesOf(std::span<const wire::AttributeDefinition> definitions);
std::vector<wire::AttributeDefinition> DefinitionsOf(std::span<const KeyAttribute> attributes);
engine::Index LocalIndexOf(const wire::LocalSecondaryIndex& index,
                           std::span<const wire::AttributeDefinition> definitions);
engine::Index GlobalIndexOf(const wire::GlobalSecondaryIndex& index,
                            std::span<const wire::AttributeDefinition> definitions);
std::optional<engine::UnitPair> UnitsOf(const std::optional<wire::OnDemandThroughput>& throughput);
std::optional<engine::UnitPair> UnitsOf(const std::optional<wire::WarmThroughput>& throughput);

Result<engine::StreamSettings> StreamOf(const wire::StreamSpecification& specification);
engine::EncryptionSettings EncryptionOf(const wire::SSESpecification& specification, const engine::Identity& identity);

using Tags = std::vector<std::pair<std::string, std::string>>;
// Checks and converts tags.
Result<Tags> TagsOf(const std::vector<wire::ResourceTag>& tags);
// Adds tags, replacing those with the same key; at most 50 in all.
Status MergeTags(Tags& present, Tags added);

}  // namespace keyfold::ops

// What CreateTable and UpdateTable check of keys, indexes and settings, and how a request's words become the engine's.
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

// Of one key schema, of the table (`index` empty) or an index: its attributes are defined, HASH comes first, names
// differ.
Status KeySchemaIsSound(const std::vector<KeySchemaElement>& schema, std::span<const AttributeDefinition> definitions,
                        bool global_index);
Status DefinitionsAreDistinct(std::span<const AttributeDefinition> definitions);
// Every definition is a key of the table or of an index.
Status DefinitionsAreUsed(std::span<const KeyAttribute> attributes, const KeySchema& key,
                          std::span<const Index> indexes);

// Of the indexes a request wants, as many as are looked at one by one: far more than a table may have, so that of a
// million of them only their number is told.
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
// Checked tags.
Result<Tags> TagsOf(const std::vector<ResourceTag>& tags);
// Puts `added` over what is there; at most 50 in all.
Status MergeTags(Tags& present, Tags added);

}  // namespace keyfold

#include "ops/table_rules.h"

#include <algorithm>
#include <cctype>

#include "base/text/distinct_texts.h"
#include "base/text/utf8.h"
#include "value/limits.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"Invalid KeySchema: Some index key attribute have no definition"> kKeyUndefined{"key-undefined",
                                                                                               Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: Some index key attributes are not defined in AttributeDefinitions. "
    "Keys: [{}], AttributeDefinitions: [{}]">
    kKeysUndefined{"keys-undefined", Kind::kValidation};
constexpr Rule<"Both the Hash Key and the Range Key element in the KeySchema have the same name"> kSameName{
    "key-same-name", Kind::kValidation};
constexpr Rule<"Invalid KeySchema: The first KeySchemaElement is not a HASH key type"> kFirstNotHash{
    "key-first-not-hash", Kind::kValidation};
constexpr Rule<"Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"> kSecondNotRange{
    "key-second-not-range", Kind::kValidation};
constexpr Rule<"Invalid KeySchema: All HASH KeySchemaElements must precede all RANGE KeySchemaElements">
    kHashAfterRange{"key-hash-after-range", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: Number of {} key attributes in the KeySchema exceeds the limit of {}">
    kTooManyKeyParts{"key-too-many-parts", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: Number of attributes in KeySchema does not exactly match number of "
    "attributes defined in AttributeDefinitions">
    kDefinitionCount{"definition-count", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: Some AttributeDefinitions are not used. AttributeDefinitions: [{}], "
    "keys used: [{}]">
    kDefinitionUnused{"definition-unused", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: Duplicate AttributeName in AttributeDefinitions: {}">
    kDefinedTwice{"defined-twice", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: List of LocalSecondaryIndexes is empty"> kNoLocalIndexes{
    "local-indexes-empty", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: Table KeySchema does not have a range key, which is required when "
    "specifying a LocalSecondaryIndex">
    kLocalNeedsSort{"local-needs-sort", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: Index KeySchema does not have a range key for index: {}">
    kLocalWithoutSort{"local-without-sort", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: Index KeySchema does not have the same leading hash key as table "
    "KeySchema for index: {}. index hash key: {}, table hash key: {}">
    kLocalOtherHash{"local-other-hash", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: Number of LocalSecondaryIndexes exceeds per-table limit of 5">
    kTooManyLocal{"too-many-local", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: Unknown ProjectionType: null"> kNoProjectionType{
    "no-projection-type", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: ProjectionType is {}, but NonKeyAttributes is specified">
    kIncludedUnneeded{"included-unneeded", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: ProjectionType is INCLUDE, but NonKeyAttributes is not specified">
    kIncludedMissing{"included-missing", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: Duplicate attribute in NonKeyAttributes: {}"> kIncludedTwice{
    "included-twice", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: ProvisionedThroughput should not be specified for index: {} when "
    "BillingMode is PAY_PER_REQUEST">
    kIndexThroughputUnneeded{"index-throughput-unneeded", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: Duplicate index name: {}"> kIndexTwice{"index-twice",
                                                                                                  Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: Number of projected attributes exceeds the limit of 100 user-specified "
    "projected attributes across all local and global secondary indexes">
    kTooManyProjected{"too-many-projected", Kind::kValidation};
constexpr Rule<"Given value {} for {} is out of bounds"> kThroughputBounds{"throughput-bounds", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: StreamViewType must be specified when StreamEnabled is true">
    kViewTypeMissing{"view-type-missing", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: StreamViewType cannot be specified when StreamEnabled is false">
    kViewTypeUnneeded{"view-type-unneeded", Kind::kValidation};
constexpr Rule<"The Tag Key provided is invalid, Key: {}"> kTagKey{"tag-key", Kind::kValidation};
constexpr Rule<"The Tag Value provided is invalid, Value: {}"> kTagValue{"tag-value", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: Too many tags: a resource has at most {}"> kTooManyTags{
    "too-many-tags", Kind::kValidation};

constexpr size_t kTagKeyCharactersMax = 128, kTagValueCharactersMax = 256;
constexpr int64_t kThroughputMax = 1'000'000'000'000;

// Letters and digits of any script, blanks, and + - = . _ : / @.
bool IsTagText(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return u >= 0x80 || std::isalnum(u) || std::string_view(" +-=._:/@").find(c) != std::string_view::npos;
  });
}

template <typename Range, typename Name>
std::string Join(const Range& range, const Name& name) {
  std::string out;
  for (const auto& e : range) {
    if (!out.empty()) out += ", ";
    out += name(e);
  }
  return out;
}

const wire::AttributeDefinition* FindDefinition(std::span<const wire::AttributeDefinition> definitions,
                                                const std::string& name) {
  const auto it =
      std::find_if(definitions.begin(), definitions.end(), [&](const auto& d) { return d.attribute_name == name; });
  return it == definitions.end() ? nullptr : &*it;
}

Type TypeOf(wire::ScalarAttributeType type) {
  switch (type) {
    case wire::ScalarAttributeType::kB:
      return Type::kB;
    case wire::ScalarAttributeType::kN:
      return Type::kN;
    case wire::ScalarAttributeType::kS:
      break;
  }
  return Type::kS;
}

Status KeyOrderIsSound(const std::vector<wire::KeySchemaElement>& schema, bool global_index) {
  if (schema.front().key_type != wire::KeyType::kHash) return kFirstNotHash();
  if (!global_index) {
    if (schema.size() > 1 && schema[1].key_type != wire::KeyType::kRange) return kSecondNotRange();
    return Ok();
  }
  size_t hashes = 0, ranges = 0;
  for (const wire::KeySchemaElement& e : schema) {
    if (e.key_type == wire::KeyType::kHash && ranges > 0) return kHashAfterRange();
    ++(e.key_type == wire::KeyType::kHash ? hashes : ranges);
  }
  if (hashes > kIndexKeyPartsMax) return kTooManyKeyParts(std::string_view("HASH"), kIndexKeyPartsMax);
  if (ranges > kIndexKeyPartsMax) return kTooManyKeyParts(std::string_view("RANGE"), kIndexKeyPartsMax);
  return Ok();
}

Status ProjectionIsSound(const wire::IndexProjection& projection) {
  if (!projection.projection_type) return kNoProjectionType();
  const bool include = *projection.projection_type == wire::ProjectionType::kInclude;
  if (!include && projection.non_key_attributes) return kIncludedUnneeded(wire::NameOf(*projection.projection_type));
  if (!include) return Ok();
  if (!projection.non_key_attributes) return kIncludedMissing();
  const auto& names = *projection.non_key_attributes;
  DistinctTexts seen;
  for (const std::string& name : names) {
    if (!seen.Add(name)) return kIncludedTwice(name);
  }
  return Ok();
}

engine::ProjectionKind KindOf(wire::ProjectionType type) {
  switch (type) {
    case wire::ProjectionType::kInclude:
      return engine::ProjectionKind::kInclude;
    case wire::ProjectionType::kKeysOnly:
      return engine::ProjectionKind::kKeysOnly;
    case wire::ProjectionType::kAll:
      break;
  }
  return engine::ProjectionKind::kAll;
}

engine::Index IndexOf(const std::string& name, const std::vector<wire::KeySchemaElement>& schema,
                      const wire::IndexProjection& projection, std::span<const wire::AttributeDefinition> definitions) {
  engine::Index index;
  index.name = name;
  index.key = KeySchemaOf(schema, definitions);
  index.projection = KindOf(*projection.projection_type);
  if (projection.non_key_attributes) index.included = *projection.non_key_attributes;
  return index;
}

}  // namespace

Status DefinitionsAreDistinct(std::span<const wire::AttributeDefinition> definitions) {
  DistinctTexts names;
  for (const wire::AttributeDefinition& d : definitions) {
    if (!names.Add(d.attribute_name)) return kDefinedTwice(d.attribute_name);
  }
  return Ok();
}

Status KeySchemaIsSound(const std::vector<wire::KeySchemaElement>& schema,
                        std::span<const wire::AttributeDefinition> definitions, bool global_index) {
  if (!global_index && schema.size() > definitions.size()) return kKeyUndefined();
  const auto undefined = [&](const wire::KeySchemaElement& e) {
    return !FindDefinition(definitions, e.attribute_name);
  };
  if (std::any_of(schema.begin(), schema.end(), undefined)) {
    return kKeysUndefined(Join(schema, [](const auto& e) { return e.attribute_name; }),
                          Join(definitions, [](const auto& d) { return d.attribute_name; }));
  }
  for (auto it = schema.begin(); it != schema.end(); ++it) {
    const auto same = [&](const wire::KeySchemaElement& e) { return e.attribute_name == it->attribute_name; };
    if (std::find_if(schema.begin(), it, same) != it) return kSameName();
  }
  return KeyOrderIsSound(schema, global_index);
}

Status DefinitionsAreUsed(std::span<const KeyAttribute> attributes, const KeySchema& key,
                          std::span<const engine::Index> indexes) {
  const auto used = [&](const KeyAttribute& a) {
    return key.Names(a.name) ||
           std::any_of(indexes.begin(), indexes.end(), [&](const engine::Index& i) { return i.key.Names(a.name); });
  };
  if (std::all_of(attributes.begin(), attributes.end(), used)) return Ok();
  if (indexes.empty()) return kDefinitionCount();
  std::vector<KeyAttribute> used_ones;
  std::copy_if(attributes.begin(), attributes.end(), std::back_inserter(used_ones), used);
  const auto name = [](const KeyAttribute& a) { return a.name; };
  return kDefinitionUnused(Join(attributes, name), Join(used_ones, name));
}

Status LocalIndexesAreSound(const std::vector<wire::LocalSecondaryIndex>& indexes,
                            const std::vector<wire::KeySchemaElement>& table_key,
                            std::span<const wire::AttributeDefinition> definitions) {
  if (indexes.empty()) return kNoLocalIndexes();
  if (table_key.size() != 2) return kLocalNeedsSort();
  const std::string& table_hash = table_key.front().attribute_name;
  for (const wire::LocalSecondaryIndex& index : FirstOf(indexes)) {
    RETURN_IF_ERROR(KeySchemaIsSound(index.key_schema, definitions, false));
    if (index.key_schema.size() != 2) return kLocalWithoutSort(index.index_name);
    const std::string& hash = index.key_schema.front().attribute_name;
    if (hash != table_hash) return kLocalOtherHash(index.index_name, hash, table_hash);
    RETURN_IF_ERROR(ProjectionIsSound(index.projection));
  }
  if (indexes.size() > kLocalIndexesMax) return kTooManyLocal();
  return Ok();
}

Status GlobalIndexIsSound(const wire::GlobalSecondaryIndex& index,
                          std::span<const wire::AttributeDefinition> definitions, bool on_demand) {
  RETURN_IF_ERROR(KeySchemaIsSound(index.key_schema, definitions, true));
  RETURN_IF_ERROR(ProjectionIsSound(index.projection));
  if (on_demand && index.provisioned_throughput) return kIndexThroughputUnneeded(index.index_name);
  if (!on_demand && !index.provisioned_throughput) return kIndexThroughputMissing(index.index_name);
  if (index.provisioned_throughput) RETURN_IF_ERROR(ThroughputIsInBounds(*index.provisioned_throughput));
  return Ok();
}

Status IndexNamesAreDistinct(std::span<const engine::Index> indexes) {
  for (auto it = indexes.begin(); it != indexes.end(); ++it) {
    const auto same = [&](const engine::Index& i) { return i.name == it->name; };
    if (std::find_if(indexes.begin(), it, same) != it) return kIndexTwice(it->name);
  }
  return Ok();
}

Status ProjectedAttributesAreFew(std::span<const engine::Index> indexes) {
  size_t count = 0;
  for (const engine::Index& i : indexes) count += i.included.size();
  if (count > kProjectedAttributesMax) return kTooManyProjected();
  return Ok();
}

Status ThroughputIsInBounds(const wire::ProvisionedThroughput& throughput) {
  if (throughput.read_capacity_units > kThroughputMax) {
    return kThroughputBounds(throughput.read_capacity_units, std::string_view("ReadCapacityUnits"));
  }
  if (throughput.write_capacity_units > kThroughputMax) {
    return kThroughputBounds(throughput.write_capacity_units, std::string_view("WriteCapacityUnits"));
  }
  return Ok();
}

KeySchema KeySchemaOf(const std::vector<wire::KeySchemaElement>& schema,
                      std::span<const wire::AttributeDefinition> definitions) {
  KeySchema key;
  for (const wire::KeySchemaElement& e : schema) {
    const Type type = TypeOf(FindDefinition(definitions, e.attribute_name)->attribute_type);
    (e.key_type == wire::KeyType::kHash ? key.partition : key.sort).push_back({e.attribute_name, type});
  }
  return key;
}

std::vector<KeyAttribute> AttributesOf(std::span<const wire::AttributeDefinition> definitions) {
  std::vector<KeyAttribute> attributes;
  for (const wire::AttributeDefinition& d : definitions)
    attributes.push_back({d.attribute_name, TypeOf(d.attribute_type)});
  return attributes;
}

std::vector<wire::AttributeDefinition> DefinitionsOf(std::span<const KeyAttribute> attributes) {
  std::vector<wire::AttributeDefinition> definitions;
  for (const KeyAttribute& a : attributes) {
    definitions.push_back({a.name, *wire::EnumByName<wire::ScalarAttributeType>(NameOf(a.type))});
  }
  return definitions;
}

engine::Index LocalIndexOf(const wire::LocalSecondaryIndex& index,
                           std::span<const wire::AttributeDefinition> definitions) {
  return IndexOf(index.index_name, index.key_schema, index.projection, definitions);
}

engine::Index GlobalIndexOf(const wire::GlobalSecondaryIndex& index,
                            std::span<const wire::AttributeDefinition> definitions) {
  engine::Index out = IndexOf(index.index_name, index.key_schema, index.projection, definitions);
  out.global = true;
  if (index.provisioned_throughput) {
    out.throughput.read_units = index.provisioned_throughput->read_capacity_units;
    out.throughput.write_units = index.provisioned_throughput->write_capacity_units;
  }
  out.on_demand = UnitsOf(index.on_demand_throughput);
  out.warm = UnitsOf(index.warm_throughput);
  return out;
}

std::optional<engine::UnitPair> UnitsOf(const std::optional<wire::OnDemandThroughput>& throughput) {
  if (!throughput) return std::nullopt;
  return engine::UnitPair{throughput->max_read_request_units, throughput->max_write_request_units};
}

std::optional<engine::UnitPair> UnitsOf(const std::optional<wire::WarmThroughput>& throughput) {
  if (!throughput) return std::nullopt;
  return engine::UnitPair{throughput->read_units_per_second, throughput->write_units_per_second};
}

Result<engine::StreamSettings> StreamOf(const wire::StreamSpecification& specification) {
  if (specification.stream_enabled && !specification.stream_view_type) return kViewTypeMissing();
  if (!specification.stream_enabled && specification.stream_view_type) return kViewTypeUnneeded();
  engine::StreamSettings stream;
  if (!specification.stream_enabled) return stream;
  stream.enabled = true;
  stream.view_type = *engine::StreamViewTypeByName(wire::NameOf(*specification.stream_view_type));
  return stream;
}

engine::EncryptionSettings EncryptionOf(const wire::SSESpecification& specification, const engine::Identity& identity) {
  engine::EncryptionSettings settings;
  settings.enabled = specification.enabled.value_or(false);
  if (!settings.enabled) return settings;
  settings.type = wire::NameOf(specification.sse_type.value_or(wire::SSEType::kKms));
  const std::string key = specification.kms_master_key_id.value_or("alias/aws/dynamodb");
  settings.key_arn = key.rfind("arn:", 0) == 0 ? key
                                               : "arn:aws:kms:" + identity.region + ":" + identity.account +
                                                     (key.rfind("alias/", 0) == 0 ? ":" : ":key/") + key;
  return settings;
}

Result<Tags> TagsOf(const std::vector<wire::ResourceTag>& tags) {
  Tags out;
  for (const wire::ResourceTag& tag : tags) {
    const std::string key = tag.key.value_or("null");
    if (!tag.key || key.empty() || CountCharacters(key) > kTagKeyCharactersMax || !IsTagText(key)) return kTagKey(key);
    const std::string value = tag.value.value_or("null");
    if (!tag.value || CountCharacters(value) > kTagValueCharactersMax || !IsTagText(value)) return kTagValue(value);
    out.emplace_back(key, value);
  }
  return out;
}

Status MergeTags(Tags& present, Tags added) {
  for (auto& tag : added) {
    const auto it = std::find_if(present.begin(), present.end(), [&](const auto& t) { return t.first == tag.first; });
    it == present.end() ? void(present.push_back(tag)) : void(it->second = tag.second);
    if (present.size() > kTagsMax) return kTooManyTags(kTagsMax);
  }
  return Ok();
}

}  // namespace keyfold::ops

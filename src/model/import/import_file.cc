#include "model/import/import_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/import/tokens.h"

namespace keyfold::model {
namespace {

constexpr Rule<"NoSQL Workbench version {} is not supported; use version 3.0"> kUnsupportedVersion{"import-version",
                                                                                                   Kind::kValidation};
constexpr Rule<"table {}: {} is missing"> kMemberMissing{"import-missing", Kind::kValidation};
constexpr Rule<"table {}: two indexes are named {}"> kTwice{"import-twice", Kind::kValidation};
constexpr Rule<"the template has no AWS::DynamoDB::Table among its Resources"> kNoTable{"import-no-table",
                                                                                        Kind::kValidation};
constexpr Rule<
    "the file is neither NoSQL Workbench JSON (DataModel), nor a CloudFormation template (Resources), nor a "
    "CreateTable request (KeySchema)">
    kUnknownFile{"import-format", Kind::kValidation};

std::optional<json::Value> Member(json::Value object, std::string_view name, json::Type type) {
  const auto value = object.is_object() ? json::Find(object, name) : std::nullopt;
  return value && value->type() == type ? value : std::nullopt;
}

StoredType KeyType(std::string_view name) {
  return name == "N" ? StoredType::kN : name == "B" ? StoredType::kB : StoredType::kS;
}

// KeyAttributes{PartitionKey{AttributeName,AttributeType},SortKey{…}}
bool ReadWorkbenchKey(json::Value object, KeyDefinition& out) {
  const auto key = Member(object, "KeyAttributes", json::Type::kObject);
  if (!key) return false;
  for (const auto& [member, side] : {std::pair("PartitionKey", &out.pk), std::pair("SortKey", &out.sk)}) {
    const auto attribute = Member(*key, member, json::Type::kObject);
    if (!attribute || json::TextAt(*attribute, "AttributeName").empty()) continue;
    side->push_back(
        {std::string(json::TextAt(*attribute, "AttributeName")), KeyType(json::TextAt(*attribute, "AttributeType"))});
  }
  return !out.pk.empty();
}

Result<IndexDefinition> ReadWorkbenchIndex(json::Value object) {
  IndexDefinition index;
  index.name = json::TextAt(object, "IndexName");
  if (!ReadWorkbenchKey(object, index.key)) return kMemberMissing(index.name, "KeyAttributes");
  const auto projection = Member(object, "Projection", json::Type::kObject);
  const std::string_view type = projection ? json::TextAt(*projection, "ProjectionType") : std::string_view();
  index.project = type == "KEYS_ONLY" ? Project::kKeys : type == "INCLUDE" ? Project::kInclude : Project::kAll;
  const auto included =
      projection ? Member(*projection, "NonKeyAttributes", json::Type::kArray) : std::optional<json::Value>();
  if (included && index.project == Project::kInclude) {
    for (const json::Value each : included->elements()) {
      if (each.is_string()) index.included.emplace_back(each.AsString());
    }
  }
  std::sort(index.included.begin(), index.included.end());
  return index;
}

std::string SampledKeyText(const SampledItem& item, const KeyDefinition& key) {
  std::string out;
  for (const auto* side : {&key.pk, &key.sk}) {
    for (const KeyAttribute& each : *side) {
      const SampledValue* value = item.Find(each.name);
      if (value == nullptr) return {};
      out.append(value->text).push_back('\0');
    }
  }
  return out;
}

// Adds the items of `TableData` and returns how many there were. If a key repeats, the first item stays.
size_t AddItems(json::Value object, const std::string& facet, ImportSource& out, std::set<std::string>& keys) {
  const auto data = Member(object, "TableData", json::Type::kArray);
  if (!data) return 0;
  size_t count = 0;
  for (const json::Value each : data->elements()) {
    std::optional<SampledItem> item = ReadSampledItem(each);
    const std::string key = item ? SampledKeyText(*item, out.sample.table.key) : std::string();
    if (key.empty()) continue;
    ++count;
    if (!keys.insert(key).second) continue;
    item->hint = facet;
    out.sample.items.push_back(*std::move(item));
  }
  return count;
}

void ReadFacets(json::Value table, ImportSource& out, std::set<std::string>& keys) {
  const auto facets = Member(table, "TableFacets", json::Type::kArray);
  if (!facets) return;
  for (const json::Value each : facets->elements()) {
    Facet facet;
    facet.name = json::TextAt(each, "FacetName");
    if (const auto alias = Member(each, "KeyAttributeAlias", json::Type::kObject)) {
      facet.pk_alias = json::TextAt(*alias, "PartitionKeyAlias");
      facet.sk_alias = json::TextAt(*alias, "SortKeyAlias");
    }
    if (const auto names = Member(each, "NonKeyAttributes", json::Type::kArray)) {
      for (const json::Value name : names->elements()) {
        if (name.is_string()) facet.attributes.emplace_back(name.AsString());
      }
    }
    facet.has_items = AddItems(each, facet.name, out, keys) > 0;
    if (!facet.name.empty()) out.facets.push_back(std::move(facet));
  }
}

Result<ImportSource> ReadWorkbenchTable(json::Value table) {
  ImportSource out;
  out.format = "NoSQL Workbench 3.0";
  TableDefinition& definition = out.sample.table;
  definition.name = json::TextAt(table, "TableName");
  if (definition.name.empty()) return kMemberMissing("in DataModel", "TableName");
  if (!ReadWorkbenchKey(table, definition.key)) return kMemberMissing(definition.name, "KeyAttributes");
  definition.billing =
      json::TextAt(table, "BillingMode") == "PROVISIONED" ? BillingMode::kProvisioned : BillingMode::kOnDemand;
  if (const auto indexes = Member(table, "GlobalSecondaryIndexes", json::Type::kArray)) {
    for (const json::Value each : indexes->elements()) {
      ASSIGN_OR_RETURN(IndexDefinition index, ReadWorkbenchIndex(each));
      definition.indexes.push_back(std::move(index));
    }
  }
  if (const auto attributes = Member(table, "NonKeyAttributes", json::Type::kArray)) {
    for (const json::Value each : attributes->elements()) {
      out.types[std::string(json::TextAt(each, "AttributeName"))] = json::TextAt(each, "AttributeType");
    }
  }
  std::set<std::string> keys;
  ReadFacets(table, out, keys);
  AddItems(table, {}, out, keys);
  return out;
}

Result<std::vector<ImportSource>> ReadWorkbench(json::Value root, json::Value tables) {
  const auto metadata = Member(root, "ModelMetadata", json::Type::kObject);
  const std::string_view version = metadata ? json::TextAt(*metadata, "Version") : std::string_view();
  if (version != "3.0") return kUnsupportedVersion(version.empty() ? "unsaid" : version);
  std::vector<ImportSource> out;
  for (const json::Value each : tables.elements()) {
    ASSIGN_OR_RETURN(ImportSource one, ReadWorkbenchTable(each));
    out.push_back(std::move(one));
  }
  if (out.empty()) return kMemberMissing("in the file", "DataModel");
  return out;
}

Result<std::vector<ImportSource>> ReadTemplate(json::Value resources) {
  std::vector<ImportSource> out;
  for (const json::Member each : resources.members()) {
    const std::string_view type = json::TextAt(each.value, "Type");
    const auto properties = Member(each.value, "Properties", json::Type::kObject);
    if ((type != "AWS::DynamoDB::Table" && type != "AWS::DynamoDB::GlobalTable") || !properties) continue;
    ImportSource source;
    source.format = "CloudFormation";
    ASSIGN_OR_RETURN(source.sample.table, ReadDefinition(*properties));
    // A computed name is unknown here, so the resource's own name replaces it.
    if (source.sample.table.name.empty()) source.sample.table.name = each.name;
    out.push_back(std::move(source));
  }
  if (out.empty()) return kNoTable();
  return out;
}

// Turns "USER#userId" into a template: words in capitals are literals, everything else is a placeholder.
std::string TemplateOfAlias(std::string_view alias, std::string_view separator, std::string_view key,
                            std::vector<std::string>& names) {
  std::string out;
  for (const std::string_view token : SplitKey(alias, separator)) {
    if (!out.empty()) out += separator;
    if (IsCapitals(token) && token != key) {
      out += token;
      continue;
    }
    std::string name = token == key ? std::string(key) : CamelCase(token, false);
    if (name.empty()) name = CamelCase(key, false) + "Part";
    names.push_back(name);
    out += fmt::format("{{{}}}", name);
  }
  return out;
}

std::string LeadingLiteral(std::string_view text) { return std::string(text.substr(0, text.find('{'))); }

bool HasEntity(const Draft& draft, std::string_view name) {
  return std::any_of(draft.entities.begin(), draft.entities.end(),
                     [&](const DraftEntity& entity) { return entity.name == name; });
}

// Applies the facets to an inferred model. Used by one thread at a time.
class Faceting {
 public:
  Faceting(const ImportSource& source, Draft& draft) : source_(source), draft_(draft) {}

  void Apply() {
    const bool unknown = source_.sample.items.empty();
    bool added = false;
    for (const Facet& facet : source_.facets) {
      if (facet.has_items || facet.pk_alias.empty() || HasEntity(draft_, facet.name)) continue;
      added |= !Rename(facet);
      if (added && !HasEntity(draft_, facet.name)) Add(facet);
    }
    // the placeholder entity of a table without items
    if (unknown && added) draft_.entities.erase(draft_.entities.begin());
  }

 private:
  const std::string& KeyName(size_t i) const {
    const KeyDefinition& key = source_.sample.table.key;
    return i == 0 ? key.pk[0].name : key.sk[0].name;
  }
  bool HasSort() const { return !source_.sample.table.key.sk.empty(); }

  // Renames an inferred entity whose keys start as the facet's aliases say.
  bool Rename(const Facet& facet) {
    if (source_.sample.items.empty()) return false;
    std::vector<std::string> names;
    const std::string pk = TemplateOfAlias(facet.pk_alias, draft_.separator, KeyName(0), names);
    const std::string sk = HasSort() ? TemplateOfAlias(facet.sk_alias, draft_.separator, KeyName(1), names) : "";
    if (LeadingLiteral(pk).empty() && LeadingLiteral(sk).empty()) return false;
    for (DraftEntity& entity : draft_.entities) {
      const bool same = LeadingLiteral(entity.keys[0].second) == LeadingLiteral(pk) &&
                        (!HasSort() || LeadingLiteral(entity.keys[1].second) == LeadingLiteral(sk));
      if (!same) continue;
      Retarget(entity.name, facet.name);
      entity.name = facet.name;
      return true;
    }
    return false;
  }

  void Retarget(const std::string& from, const std::string& to) {
    for (DraftEntity& entity : draft_.entities) {
      if (entity.per && entity.per->parent == from) entity.per->parent = to;
    }
  }

  void Add(const Facet& facet) {
    DraftEntity entity;
    entity.name = facet.name;
    entity.comments.push_back("guess: the facet has no items; templates are read from its key aliases");
    std::vector<std::string> names;
    entity.keys.emplace_back(KeyName(0), TemplateOfAlias(facet.pk_alias, draft_.separator, KeyName(0), names));
    if (HasSort()) {
      const std::string& alias = facet.sk_alias.empty() ? KeyName(1) : facet.sk_alias;
      entity.keys.emplace_back(KeyName(1), TemplateOfAlias(alias, draft_.separator, KeyName(1), names));
    }
    names.insert(names.end(), facet.attributes.begin(), facet.attributes.end());
    std::set<std::string> done;
    for (const std::string& name : names) {
      if (name.empty() || !done.insert(name).second) continue;
      entity.attributes.push_back({name, TypeOf(name), false, {}});
    }
    draft_.entities.push_back(std::move(entity));
  }

  std::string TypeOf(const std::string& name) const {
    for (const auto* side : {&source_.sample.table.key.pk, &source_.sample.table.key.sk}) {
      for (const KeyAttribute& each : *side) {
        if (each.name == name && each.type == StoredType::kN) return "number";
        if (each.name == name && each.type == StoredType::kB) return "binary";
      }
    }
    const auto at = source_.types.find(name);
    const std::string_view type = at == source_.types.end() ? std::string_view("S") : at->second;
    if (type == "N") return "number";
    if (type == "B") return "binary";
    if (type == "BOOL") return "bool";
    if (type == "M") return "map";
    return type == "L" || (type.ends_with('S') && type.size() == 2) ? "list" : "string";
  }

  const ImportSource& source_;
  Draft& draft_;
};

Result<std::vector<ImportSource>> ReadSources(json::Value root) {
  if (const auto tables = Member(root, "DataModel", json::Type::kArray)) return ReadWorkbench(root, *tables);
  if (const auto resources = Member(root, "Resources", json::Type::kObject)) return ReadTemplate(*resources);
  const auto description = Member(root, "Table", json::Type::kObject);
  const json::Value object = description ? *description : root;
  if (!Member(object, "KeySchema", json::Type::kArray)) return kUnknownFile();
  ImportSource source;
  source.format = description ? "DescribeTable" : "CreateTable";
  ASSIGN_OR_RETURN(source.sample.table, ReadDefinition(object));
  if (source.sample.table.name.empty()) return kMemberMissing("in the file", "TableName");
  std::vector<ImportSource> out;
  out.push_back(std::move(source));
  return out;
}

bool HasNames(const KeyDefinition& key) {
  const auto unnamed = [](const auto& part) { return part.name.empty(); };
  return std::none_of(key.pk.begin(), key.pk.end(), unnamed) && std::none_of(key.sk.begin(), key.sk.end(), unnamed);
}

// A model identifies indexes and attributes by name.
Status HasNames(const TableDefinition& table) {
  if (!HasNames(table.key)) return kMemberMissing(table.name, "AttributeName of a key");
  std::set<std::string_view> names;
  for (const IndexDefinition& index : table.indexes) {
    if (index.name.empty()) return kMemberMissing(table.name, "IndexName");
    if (!HasNames(index.key)) return kMemberMissing(table.name, "AttributeName of a key");
    if (!names.insert(index.name).second) return kTwice(table.name, index.name);
  }
  return Ok();
}

}  // namespace

Result<std::vector<ImportSource>> ReadImportFile(json::Value root) {
  ASSIGN_OR_RETURN(std::vector<ImportSource> sources, ReadSources(root));
  for (const ImportSource& source : sources) RETURN_IF_ERROR(HasNames(source.sample.table));
  return sources;
}

Draft DraftFrom(const ImportSource& source) {
  Draft draft = InferModel(source.sample);
  Faceting(source, draft).Apply();
  return draft;
}

}  // namespace keyfold::model

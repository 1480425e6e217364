#include "model/diff/definition.h"

#include <algorithm>
#include <map>

#include "json/writer.h"

namespace keyfold::model {
namespace {

constexpr Rule<"the table's {} is missing"> kNoMember{"definition-member", Kind::kValidation};
constexpr Rule<"the key attribute {} has no type in AttributeDefinitions"> kKeyWithoutType{"definition-type",
                                                                                           Kind::kValidation};
constexpr Rule<"{} is not a type of a key attribute; use S, N or B"> kBadType{"definition-bad-type", Kind::kValidation};
constexpr Rule<"KeySchema has no HASH attribute"> kNoHash{"definition-hash", Kind::kValidation};

constexpr std::string_view kViewTypes[] = {"", "KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"};

bool IsTrueAt(json::Value object, std::string_view name) {
  const auto value = json::Find(object, name);
  if (!value) return false;
  return value->is_string() ? value->AsString() == "true" : value->type() == json::Type::kBool && value->AsBool();
}

uint64_t CountAt(json::Value object, std::string_view name) {
  const auto value = json::Find(object, name);
  const bool integer = value && value->type() == json::Type::kInteger;
  return integer ? static_cast<uint64_t>(value->AsInt64().value_or(0)) : 0;
}

using Types = std::map<std::string, StoredType, std::less<>>;

Result<Types> ReadTypes(json::Value object) {
  const auto all = json::Find(object, "AttributeDefinitions");
  if (!all || !all->is_array()) return kNoMember("AttributeDefinitions");
  Types types;
  for (const json::Value each : all->elements()) {
    const std::string_view type = json::TextAt(each, "AttributeType");
    if (type != "S" && type != "N" && type != "B") return kBadType(type);
    types[std::string(json::TextAt(each, "AttributeName"))] = type == "S"   ? StoredType::kS
                                                              : type == "N" ? StoredType::kN
                                                                            : StoredType::kB;
  }
  return types;
}

Result<KeyDefinition> ReadKeySchema(json::Value object, const Types& types) {
  const auto schema = json::Find(object, "KeySchema");
  if (!schema || !schema->is_array()) return kNoMember("KeySchema");
  KeyDefinition key;
  for (const json::Value each : schema->elements()) {
    const std::string_view name = json::TextAt(each, "AttributeName");
    const auto type = types.find(name);
    if (type == types.end()) return kKeyWithoutType(name);
    (json::TextAt(each, "KeyType") == "HASH" ? key.pk : key.sk).push_back({std::string(name), type->second});
  }
  if (key.pk.empty()) return kNoHash();
  return key;
}

void ReadProjection(json::Value object, IndexDefinition& out) {
  const auto projection = json::Find(object, "Projection");
  if (!projection || !projection->is_object()) return;
  const std::string_view type = json::TextAt(*projection, "ProjectionType");
  out.project = type == "KEYS_ONLY" ? Project::kKeys : type == "INCLUDE" ? Project::kInclude : Project::kAll;
  const auto included = json::Find(*projection, "NonKeyAttributes");
  if (out.project != Project::kInclude || !included || !included->is_array()) return;
  for (const json::Value each : included->elements()) {
    if (each.is_string()) out.included.emplace_back(each.AsString());
  }
  std::sort(out.included.begin(), out.included.end());
}

Status ReadIndexes(json::Value object, std::string_view member, bool local, const Types& types, TableDefinition& out) {
  const auto all = json::Find(object, member);
  if (!all || !all->is_array()) return Ok();
  for (const json::Value each : all->elements()) {
    IndexDefinition index;
    index.name = json::TextAt(each, "IndexName");
    index.local = local;
    const std::string_view status = json::TextAt(each, "IndexStatus");
    index.active = status.empty() || status == "ACTIVE" || status == "UPDATING";
    index.deleting = status == "DELETING";
    ASSIGN_OR_RETURN(index.key, ReadKeySchema(each, types));
    ReadProjection(each, index);
    out.indexes.push_back(std::move(index));
  }
  return Ok();
}

void ReadSettings(json::Value object, TableDefinition& out) {
  std::string_view mode = json::TextAt(object, "BillingMode");
  if (const auto summary = json::Find(object, "BillingModeSummary")) mode = json::TextAt(*summary, "BillingMode");
  out.billing = mode == "PAY_PER_REQUEST" ? BillingMode::kOnDemand : BillingMode::kProvisioned;
  std::string_view table_class = json::TextAt(object, "TableClass");
  if (const auto summary = json::Find(object, "TableClassSummary")) table_class = json::TextAt(*summary, "TableClass");
  if (table_class == "STANDARD_INFREQUENT_ACCESS") out.table_class = TableClass::kStandardInfrequentAccess;
  if (const auto stream = json::Find(object, "StreamSpecification"); stream && stream->is_object()) {
    const std::string_view view = json::TextAt(*stream, "StreamViewType");  // CloudFormation has no StreamEnabled
    const bool off = json::Find(*stream, "StreamEnabled").has_value() && !IsTrueAt(*stream, "StreamEnabled");
    const auto found = std::find(std::begin(kViewTypes) + 1, std::end(kViewTypes), view);
    if (!off && found != std::end(kViewTypes)) out.stream = static_cast<Stream>(found - std::begin(kViewTypes));
  }
  if (const auto ttl = json::Find(object, "TimeToLiveSpecification"); ttl && ttl->is_object()) {
    if (IsTrueAt(*ttl, "Enabled")) out.ttl = json::TextAt(*ttl, "AttributeName");
  }
  if (const auto pitr = json::Find(object, "PointInTimeRecoverySpecification"); pitr && pitr->is_object()) {
    out.pitr = IsTrueAt(*pitr, "PointInTimeRecoveryEnabled");
  }
}

// The type of a key attribute is that of its first template. An attribute that no entity has is a string.
StoredType TypeOf(const Model& model, std::string_view name) {
  for (const Entity& entity : model.entities) {
    if (const KeyTemplate* key = entity.FindKey(name)) return key->value.type;
  }
  return StoredType::kS;
}

KeyDefinition KeyOf(const Model& model, const KeySide& pk, const KeySide& sk) {
  KeyDefinition key;
  for (const std::string& name : pk) key.pk.push_back({name, TypeOf(model, name)});
  for (const std::string& name : sk) key.sk.push_back({name, TypeOf(model, name)});
  return key;
}

bool HasName(const KeyDefinition& key, std::string_view name) {
  const auto is = [&](const KeyAttribute& each) { return each.name == name; };
  return std::any_of(key.pk.begin(), key.pk.end(), is) || std::any_of(key.sk.begin(), key.sk.end(), is);
}

void WriteKeySchemaJson(json::Writer& w, const KeyDefinition& key) {
  w.Key("KeySchema");
  w.BeginArray();
  const auto write = [&](const std::vector<KeyAttribute>& side, std::string_view type) {
    for (const KeyAttribute& each : side) {
      w.BeginObject();
      w.Member("AttributeName", std::string_view(each.name));
      w.Member("KeyType", type);
      w.EndObject();
    }
  };
  write(key.pk, "HASH");
  write(key.sk, "RANGE");
  w.EndArray();
}

void WriteThroughput(json::Writer& w, const ProvisionedUnits& units) {
  w.Key("ProvisionedThroughput");
  w.BeginObject();
  w.Member("ReadCapacityUnits", units.read);
  w.Member("WriteCapacityUnits", units.write);
  w.EndObject();
}

void WriteIndexes(json::Writer& w, const TableDefinition& table, bool local, const ProvisionedUnits* units) {
  const auto is = [&](const IndexDefinition& index) { return index.local == local; };
  if (std::none_of(table.indexes.begin(), table.indexes.end(), is)) return;
  w.Key(local ? "LocalSecondaryIndexes" : "GlobalSecondaryIndexes");
  w.BeginArray();
  for (const IndexDefinition& index : table.indexes) {
    if (is(index)) w.Raw(IndexBody(index, local ? nullptr : units));
  }
  w.EndArray();
}

}  // namespace

const IndexDefinition* TableDefinition::Find(std::string_view index) const {
  for (const IndexDefinition& each : indexes) {
    if (each.name == index) return &each;
  }
  return nullptr;
}

std::string_view ViewTypeOf(Stream stream) { return kViewTypes[static_cast<size_t>(stream)]; }

TableDefinition DefinitionOf(const Model& model) {
  TableDefinition out;
  const Table& table = model.table;
  out.name = table.name;
  out.key = KeyOf(model, table.pk, table.sk);
  out.ttl = table.ttl;
  out.stream = table.stream;
  out.billing = table.billing;
  out.table_class = table.table_class;
  out.pitr = table.pitr;
  for (const Index& from : model.indexes) {
    IndexDefinition index;
    index.name = from.name;
    index.key = KeyOf(model, from.pk, from.sk);
    index.project = from.project;
    index.local = from.local;
    if (from.project == Project::kInclude) index.included = from.included;
    // The type attribute is always projected, because readers need it to tell entries apart.
    if (from.project == Project::kInclude && !table.type_attribute.empty()) {
      index.included.push_back(table.type_attribute);
    }
    std::erase_if(index.included,
                  [&](const std::string& name) { return HasName(index.key, name) || HasName(out.key, name); });
    std::sort(index.included.begin(), index.included.end());
    index.included.erase(std::unique(index.included.begin(), index.included.end()), index.included.end());
    if (index.project == Project::kInclude && index.included.empty()) index.project = Project::kKeys;
    out.indexes.push_back(std::move(index));
  }
  return out;
}

Result<TableDefinition> ReadDefinition(json::Value object) {
  TableDefinition out;
  out.name = json::TextAt(object, "TableName");
  ASSIGN_OR_RETURN(const Types types, ReadTypes(object));
  ASSIGN_OR_RETURN(out.key, ReadKeySchema(object, types));
  RETURN_IF_ERROR(ReadIndexes(object, "GlobalSecondaryIndexes", false, types, out));
  RETURN_IF_ERROR(ReadIndexes(object, "LocalSecondaryIndexes", true, types, out));
  ReadSettings(object, out);
  const std::string_view status = json::TextAt(object, "TableStatus");
  out.active = status.empty() || status == "ACTIVE";
  out.items = CountAt(object, "ItemCount");
  out.bytes = CountAt(object, "TableSizeBytes");
  return out;
}

std::string NameOf(const KeyDefinition& key) {
  std::string out;
  for (const auto* side : {&key.pk, &key.sk}) {
    for (const KeyAttribute& each : *side) {
      out.append(out.empty() ? "" : ", ").append(each.name).append(" (").append(NameOf(each.type)).append(")");
    }
  }
  return out;
}

std::string AttributeDefinitionsBody(const std::vector<const KeyDefinition*>& keys) {
  std::map<std::string_view, StoredType> types;
  for (const KeyDefinition* key : keys) {
    for (const KeyAttribute& each : key->pk) types.emplace(each.name, each.type);
    for (const KeyAttribute& each : key->sk) types.emplace(each.name, each.type);
  }
  std::string out;
  json::Writer w(out);
  w.BeginArray();
  for (const auto& [name, type] : types) {
    w.BeginObject();
    w.Member("AttributeName", name);
    w.Member("AttributeType", NameOf(type));
    w.EndObject();
  }
  w.EndArray();
  return out;
}

std::string IndexBody(const IndexDefinition& index, const ProvisionedUnits* units) {
  std::string out;
  json::Writer w(out);
  w.BeginObject();
  w.Member("IndexName", std::string_view(index.name));
  WriteKeySchemaJson(w, index.key);
  w.Key("Projection");
  w.BeginObject();
  constexpr std::string_view kTypes[] = {"KEYS_ONLY", "ALL", "INCLUDE"};
  w.Member("ProjectionType", kTypes[static_cast<size_t>(index.project)]);
  if (index.project == Project::kInclude) {
    w.Key("NonKeyAttributes");
    w.BeginArray();
    for (const std::string& name : index.included) w.String(name);
    w.EndArray();
  }
  w.EndObject();
  if (units != nullptr) WriteThroughput(w, *units);
  w.EndObject();
  return out;
}

std::string CreateTableBody(const TableDefinition& table, ProvisionedUnits units) {
  const bool provisioned = table.billing == BillingMode::kProvisioned;
  std::vector<const KeyDefinition*> keys{&table.key};
  for (const IndexDefinition& index : table.indexes) keys.push_back(&index.key);
  std::string out;
  json::Writer w(out);
  w.BeginObject();
  w.Member("TableName", std::string_view(table.name));
  w.Key("AttributeDefinitions");
  w.Raw(AttributeDefinitionsBody(keys));
  WriteKeySchemaJson(w, table.key);
  WriteIndexes(w, table, true, nullptr);
  WriteIndexes(w, table, false, provisioned ? &units : nullptr);
  w.Member("BillingMode", provisioned ? "PROVISIONED" : "PAY_PER_REQUEST");
  if (provisioned) WriteThroughput(w, units);
  if (table.table_class != TableClass::kStandard) w.Member("TableClass", "STANDARD_INFREQUENT_ACCESS");
  if (table.stream != Stream::kOff) {
    w.Key("StreamSpecification");
    w.BeginObject();
    w.Member("StreamEnabled", true);
    w.Member("StreamViewType", ViewTypeOf(table.stream));
    w.EndObject();
  }
  w.EndObject();
  return out;
}

}  // namespace keyfold::model

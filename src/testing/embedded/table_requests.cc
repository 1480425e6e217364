#include "testing/embedded/table_requests.h"

#include <iterator>

namespace keyfold::embedded {
namespace {

constexpr size_t kGlobalIndexesWanted = 4;

std::string ArnOf(const engine::Table& table) { return "arn:aws:dynamodb:us-east-1:123456789012:table/" + table.name; }

}  // namespace

Type TableRequests::TypeFor(std::string_view attribute, Types& types) {
  const auto it = types.find(attribute);
  if (it != types.end()) return it->second;
  return types.emplace(attribute, values_.KeyType()).first->second;
}

TableRequests::Names TableRequests::PickAttributes(size_t count, Names& from) {
  Names picked;
  while (picked.size() < count && !from.empty()) {
    const auto at = from.begin() + static_cast<std::ptrdiff_t>(values_.Below(from.size()));
    picked.push_back(*at);
    from.erase(at);
  }
  return picked;
}

void TableRequests::WriteKeySchema(const Names& partition, const Names& sort, json::Writer& out) {
  out.Key("KeySchema");
  out.BeginArray();
  for (const Names* side : {&partition, &sort}) {
    for (const std::string& name : *side) {
      out.BeginObject();
      out.Member("AttributeName", name);
      out.Member("KeyType", side == &partition ? "HASH" : "RANGE");
      out.EndObject();
    }
  }
  out.EndArray();
}

void TableRequests::WriteDefinitions(const Types& types, json::Writer& out) {
  out.Key("AttributeDefinitions");
  out.BeginArray();
  for (const auto& [name, type] : types) {
    out.BeginObject();
    out.Member("AttributeName", name);
    out.Member("AttributeType", NameOf(type));
    out.EndObject();
  }
  out.EndArray();
}

void TableRequests::WriteProjection(json::Writer& out) {
  const std::string_view type = values_.Word({"ALL", "KEYS_ONLY", "INCLUDE"});
  out.Key("Projection");
  out.BeginObject();
  out.Member("ProjectionType", type);
  if (type == "INCLUDE") {
    out.Key("NonKeyAttributes");
    out.Raw(values_.Word({R"(["s"])", R"(["n","m"])", R"(["ss","any","l"])"}));
  }
  out.EndObject();
}

void TableRequests::WriteThroughput(json::Writer& out) {
  out.Key("ProvisionedThroughput");
  out.BeginObject();
  out.Member("ReadCapacityUnits", 1 + values_.Below(5));
  out.Member("WriteCapacityUnits", 1 + values_.Below(5));
  out.EndObject();
}

void TableRequests::WriteLocalIndexes(Types& types, json::Writer& out) {
  Names from{"l1", "l2", "g1"};
  const Names sorts = PickAttributes(1 + values_.Below(3), from);
  out.Key("LocalSecondaryIndexes");
  out.BeginArray();
  for (const std::string& sort : sorts) {
    TypeFor(sort, types);
    out.BeginObject();
    out.Member("IndexName", "local-" + sort);
    WriteKeySchema({"pk"}, {sort}, out);
    WriteProjection(out);
    out.EndObject();
  }
  out.EndArray();
}

void TableRequests::WriteGlobalIndex(std::string_view name, bool provisioned, Types& types, json::Writer& out) {
  Names from(std::begin(kIndexAttributes), std::end(kIndexAttributes));
  if (values_.OneIn(3)) from.push_back("pk");
  if (values_.OneIn(3) && types.count("sk") != 0) from.push_back("sk");
  const Names partition = PickAttributes(values_.OneIn(4) ? 2 + values_.Below(3) : 1, from);
  const Names sort = PickAttributes(values_.OneIn(4) ? 2 + values_.Below(3) : values_.Below(2), from);
  for (const Names* side : {&partition, &sort}) {
    for (const std::string& attribute : *side) TypeFor(attribute, types);
  }
  out.Member("IndexName", name);
  WriteKeySchema(partition, sort, out);
  WriteProjection(out);
  if (provisioned) WriteThroughput(out);
}

void TableRequests::WriteGlobalIndexes(bool provisioned, Types& types, json::Writer& out) {
  out.Key("GlobalSecondaryIndexes");
  out.BeginArray();
  const size_t count = 1 + values_.Below(3);
  for (size_t i = 0; i < count; ++i) {
    out.BeginObject();
    WriteGlobalIndex("global-" + std::to_string(i), provisioned, types, out);
    out.EndObject();
  }
  out.EndArray();
}

void TableRequests::WriteTags(json::Writer& out) {
  out.Key("Tags");
  out.BeginArray();
  for (const std::string_view key : {"team", "stage"}) {
    out.BeginObject();
    out.Member("Key", key);
    out.Member("Value", values_.Word({"a", "b", ""}));
    out.EndObject();
  }
  out.EndArray();
}

void TableRequests::WriteSettings(json::Writer& out) {
  if (values_.OneIn(8)) WriteTags(out);
  if (values_.OneIn(8)) out.Member("DeletionProtectionEnabled", values_.OneIn(2));
  if (values_.OneIn(8)) out.Member("TableClass", "STANDARD_INFREQUENT_ACCESS");
  if (!values_.OneIn(8)) return;
  out.Key("StreamSpecification");
  out.Raw(R"({"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"})");
}

void TableRequests::CreateTable(json::Writer& out) {
  Types types;
  TypeFor("pk", types);
  const bool has_sort = !values_.OneIn(5);
  if (has_sort) TypeFor("sk", types);
  const bool provisioned = values_.OneIn(4);
  out.Member("TableName", values_.Word({"table0", "table1", "table2", "table3", "large"}));
  WriteKeySchema({"pk"}, has_sort ? Names{"sk"} : Names{}, out);
  out.Member("BillingMode", provisioned ? "PROVISIONED" : "PAY_PER_REQUEST");
  if (provisioned) WriteThroughput(out);
  if (has_sort && values_.OneIn(2)) WriteLocalIndexes(types, out);
  if (!values_.OneIn(3)) WriteGlobalIndexes(provisioned, types, out);
  WriteSettings(out);
  WriteDefinitions(types, out);
}

void TableRequests::WriteIndexUpdate(const engine::Table& table, json::Writer& out) {
  Types types;
  for (const KeyAttribute& a : table.attributes) types.emplace(a.name, a.type);
  std::vector<std::string> present, absent;
  for (size_t i = 0; i < kGlobalIndexesWanted; ++i) {
    std::string name = "global-" + std::to_string(i);
    (table.FindIndex(name) ? present : absent).push_back(std::move(name));
  }
  const bool remove = absent.empty() || (!present.empty() && values_.OneIn(2));
  out.Key("GlobalSecondaryIndexUpdates");
  out.BeginArray();
  out.BeginObject();
  out.Key(remove ? "Delete" : "Create");
  out.BeginObject();
  if (remove) {
    out.Member("IndexName", values_.OneOf(present));
  } else {
    WriteGlobalIndex(values_.OneOf(absent), !table.on_demand_billing, types, out);
  }
  out.EndObject();
  out.EndObject();
  out.EndArray();
  if (!remove) WriteDefinitions(types, out);
}

void TableRequests::UpdateTable(const engine::Table& table, json::Writer& out) {
  if (!values_.OneIn(4)) return WriteIndexUpdate(table, out);
  if (table.deletion_protection || values_.OneIn(4)) return out.Member("DeletionProtectionEnabled", values_.OneIn(6));
  if (!table.on_demand_billing && values_.OneIn(2)) return WriteThroughput(out);
  if (values_.OneIn(2)) return out.Member("TableClass", values_.Word({"STANDARD", "STANDARD_INFREQUENT_ACCESS"}));
  out.Key("StreamSpecification");
  out.Raw(table.stream.enabled ? R"({"StreamEnabled":false})"
                               : R"({"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"})");
}

void TableRequests::TagResource(const engine::Table& table, json::Writer& out) {
  out.Member("ResourceArn", ArnOf(table));
  WriteTags(out);
}

void TableRequests::UntagResource(const engine::Table& table, json::Writer& out) {
  out.Member("ResourceArn", ArnOf(table));
  out.Key("TagKeys");
  out.Raw(values_.Word({R"(["team"])", R"(["stage","none"])"}));
}

// Mostly what the table accepts; any attribute may be chosen, whatever the type of its values.
void TableRequests::UpdateTimeToLive(const engine::Table& table, json::Writer& out) {
  const bool on = table.expiry.enabled;
  std::string_view attribute = values_.OneIn(4) ? values_.PlainAttribute().name : "n";
  if (on && !values_.OneIn(5)) attribute = table.expiry.attribute;
  out.Key("TimeToLiveSpecification");
  out.BeginObject();
  out.Member("Enabled", values_.OneIn(5) ? on : !on);
  out.Member("AttributeName", attribute);
  out.EndObject();
}

void TableRequests::ListTagsOfResource(const engine::Table& table, json::Writer& out) {
  out.Member("ResourceArn", ArnOf(table));
}

}  // namespace keyfold::embedded

#include "cli/commands/imported_table.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>

#include "base/read_file.h"
#include "cli/commands/answer.h"
#include "copy/table_description.h"
#include "json/document.h"
#include "json/raw_json.h"
#include "json/writer.h"

namespace keyfold::cli {
namespace {

constexpr Rule<"{} is not a key of the form pk:S, with S, N or B as its type"> kNoKey{"cli-import-key",
                                                                                      Kind::kValidation};
constexpr Rule<"{} is not an index of the form NAME:pk:S or NAME:pk:S,sk:N"> kNoIndex{"cli-import-index",
                                                                                      Kind::kValidation};
constexpr Rule<"{} is given two types"> kTwoTypes{"cli-import-two-types", Kind::kValidation};
constexpr Rule<"the table is missing: give --key, --like or --schema"> kNoImportedTable{"cli-import-no-table",
                                                                                        Kind::kValidation};
constexpr Rule<"{} cannot be read: {}"> kNoFile{"cli-import-schema-file", Kind::kValidation};
constexpr Rule<"{}: {}"> kBadFile{"cli-import-schema-content", Kind::kValidation};
constexpr Rule<"it is not valid JSON"> kSchemaNotJson{"cli-import-schema-json", Kind::kValidation};
constexpr Rule<"it has no members of CreateTable: KeySchema is missing"> kNoSchema{"cli-import-schema",
                                                                                   Kind::kValidation};

constexpr size_t kSchemaBytesMax = 1 << 20;
constexpr std::string_view kLocal = "LocalSecondaryIndexes", kGlobal = "GlobalSecondaryIndexes";
// The members of CreateTable that ImportTable accepts, except the attributes.
constexpr std::string_view kTaken[] = {"KeySchema",          "BillingMode",      "ProvisionedThroughput",
                                       "OnDemandThroughput", "SSESpecification", kGlobal};

// The partition key and, if there is one, the sort key.
using Keys = std::vector<std::string>;

// Collects attributes and writes keys. Used by one thread at a time.
class Attributes {
 public:
  // `text` is "pk:S"; a name may contain colons.
  Status Add(const std::string& text, Keys& keys) {
    const size_t colon = text.rfind(':');
    const std::string type = colon == std::string::npos ? "" : text.substr(colon + 1);
    if (colon == 0 || (type != "S" && type != "N" && type != "B")) return kNoKey(text);
    const std::string name = text.substr(0, colon);
    const auto [it, added] = types_.emplace(name, type);
    if (!added && it->second != type) return kTwoTypes(name);
    keys.push_back(name);
    return Ok();
  }
  void WriteDefinitions(json::Writer& out) const {
    out.Key("AttributeDefinitions");
    out.BeginArray();
    for (const auto& [name, type] : types_) {
      out.BeginObject();
      out.Member("AttributeName", name);
      out.Member("AttributeType", type);
      out.EndObject();
    }
    out.EndArray();
  }

 private:
  std::map<std::string, std::string> types_;
};

void WriteKeySchema(json::Writer& out, const Keys& keys) {
  out.Key("KeySchema");
  out.BeginArray();
  for (size_t i = 0; i < keys.size(); ++i) {
    out.BeginObject();
    out.Member("AttributeName", keys[i]);
    out.Member("KeyType", i == 0 ? "HASH" : "RANGE");
    out.EndObject();
  }
  out.EndArray();
}

struct NamedIndex {
  std::string name;
  Keys keys;
};

Result<NamedIndex> ReadIndex(const std::string& text, Attributes& attributes) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos || colon == 0) return kNoIndex(text);
  NamedIndex index{text.substr(0, colon), {}};
  const std::string keys = text.substr(colon + 1);
  const size_t comma = keys.find(',');
  RETURN_IF_ERROR(attributes.Add(keys.substr(0, comma), index.keys));
  if (comma != std::string::npos) RETURN_IF_ERROR(attributes.Add(keys.substr(comma + 1), index.keys));
  return index;
}

void WriteIndexes(json::Writer& out, const std::vector<NamedIndex>& indexes) {
  if (indexes.empty()) return;
  out.Key(kGlobal);
  out.BeginArray();
  for (const NamedIndex& index : indexes) {
    out.BeginObject();
    out.Member("IndexName", index.name);
    WriteKeySchema(out, index.keys);
    out.Key("Projection");
    out.BeginObject();
    out.Member("ProjectionType", "ALL");
    out.EndObject();
    out.EndObject();
  }
  out.EndArray();
}

void AddKeyNames(std::string_view of, std::set<std::string_view>& names) {
  const auto schema = FindRaw(of, "KeySchema");
  const auto keys = schema ? RawElementsOf(*schema) : std::nullopt;
  if (!keys) return;
  for (const std::string_view key : *keys) names.insert(FindRaw(key, "AttributeName").value_or(""));
}

// Writes the definitions of the attributes in the table's key and its global indexes' keys. Attributes of local indexes
// only may not be defined.
void WriteUsedDefinitions(json::Writer& out, std::string_view create) {
  std::set<std::string_view> used;
  AddKeyNames(create, used);
  const auto global = FindRaw(create, kGlobal);
  const auto indexes = global ? RawElementsOf(*global) : std::nullopt;
  for (const std::string_view index : indexes ? *indexes : std::vector<std::string_view>()) AddKeyNames(index, used);
  const auto given = FindRaw(create, "AttributeDefinitions");
  const auto definitions = given ? RawElementsOf(*given) : std::nullopt;
  out.Key("AttributeDefinitions");
  out.BeginArray();
  for (const std::string_view one : definitions ? *definitions : std::vector<std::string_view>()) {
    if (used.contains(FindRaw(one, "AttributeName").value_or(""))) out.Raw(one);
  }
  out.EndArray();
}

Result<std::string> ReadSchemaFile(const std::string& path) {
  Result<std::string> text = ReadFile(path, kSchemaBytesMax);
  if (!text.ok()) return kNoFile(path, text.error().message());
  return text;
}

}  // namespace

void AddImportedTableOptions(OptionParser& parser, ImportedTableOptions& options) {
  parser.Text("--key", options.key, "Partition key of the new table and its type, such as pk:S");
  parser.Text("--sort-key", options.sort_key, "Sort key, such as sk:N").Needs("--key");
  parser
      .Texts("--index", options.indexes,
             "Global index with all attributes, as NAME:pk:S or NAME:pk:S,sk:N; may be repeated")
      .OneEach()
      .Needs("--key");
  parser.Text("--like", options.like, "Instead: keys, indexes and billing of this table").Excludes("--key");
  parser
      .Text("--schema", options.schema,
            "Instead: JSON file with CreateTable's members, or the output of aws dynamodb describe-table")
      .Excludes("--key")
      .Excludes("--like");
}

Result<ImportedTable> TableByKeys(std::string_view name, const ImportedTableOptions& options) {
  Attributes attributes;
  Keys keys;
  RETURN_IF_ERROR(attributes.Add(options.key, keys));
  if (!options.sort_key.empty()) RETURN_IF_ERROR(attributes.Add(options.sort_key, keys));
  std::vector<NamedIndex> indexes;
  for (const std::string& text : options.indexes) {
    ASSIGN_OR_RETURN(NamedIndex index, ReadIndex(text, attributes));
    indexes.push_back(std::move(index));
  }
  ImportedTable table;
  json::Writer out(table.parameters);
  out.BeginObject();
  out.Member("TableName", name);
  attributes.WriteDefinitions(out);
  WriteKeySchema(out, keys);
  out.Member("BillingMode", "PAY_PER_REQUEST");
  WriteIndexes(out, indexes);
  out.EndObject();
  return table;
}

Result<ImportedTable> TableByDescription(std::string_view name, const std::string& json) {
  if (!json::Parser().Parse(json)) return kSchemaNotJson();
  std::string create = json;
  if (FindRaw(json, "Table")) {
    ASSIGN_OR_RETURN(const copy::TableDescription description, copy::TableDescription::Read(json));
    create = description.CreateBody(name, copy::CopiedSettings{}, "");
  }
  if (!FindRaw(create, "KeySchema")) return kNoSchema();
  ImportedTable table;
  json::Writer out(table.parameters);
  out.BeginObject();
  out.Member("TableName", name);
  WriteUsedDefinitions(out, create);
  for (const std::string_view member : kTaken) {
    const auto value = FindRaw(create, member);
    if (!value || *value == "null") continue;
    out.Key(member);
    out.Raw(*value);
  }
  out.EndObject();
  const auto local = FindRaw(create, kLocal);
  if (local && local->find('{') != std::string_view::npos) {
    table.note = "local indexes are left out: an import cannot create them";
  }
  return table;
}

Result<ImportedTable> ChooseTable(std::string_view name, const ImportedTableOptions& options,
                                  client::ApiCaller& caller) {
  if (!options.key.empty()) return TableByKeys(name, options);
  if (!options.like.empty()) {
    ASSIGN_OR_RETURN(const std::string answer, caller.Call("DescribeTable", BodyOf({{"TableName", options.like}})));
    return TableByDescription(name, answer);
  }
  if (options.schema.empty()) return kNoImportedTable();
  ASSIGN_OR_RETURN(const std::string text, ReadSchemaFile(options.schema));
  Result<ImportedTable> table = TableByDescription(name, text);
  if (!table.ok()) return kBadFile(options.schema, table.error().message());
  return table;
}

}  // namespace keyfold::cli

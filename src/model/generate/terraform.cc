// The table as a Terraform resource of the AWS provider.
#include <map>

#include "model/diff/definition.h"
#include "model/generate/code.h"
#include "model/generate/languages.h"

namespace keyfold::model {
namespace {

// The first release whose indexes accept key_schema, and therefore keys of several attributes.
constexpr std::string_view kProvider = ">= 6.30";
constexpr int64_t kInitialUnits = 5;  // initial capacity of a provisioned table

// An HCL string: ${ and %{ start a template unless they are doubled.
std::string HclQuoted(std::string_view text) {
  std::string out = "\"";
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool opens = (c == '$' || c == '%') && i + 1 < text.size() && text[i + 1] == '{';
    if (c == '"' || c == '\\') out += '\\';
    if (opens) out += c;
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + '"';
}

// The settings of one block, with aligned equal signs.
class Block {
 public:
  void Set(std::string name, std::string value) { settings_.emplace_back(std::move(name), std::move(value)); }
  void WriteTo(Code& code) const {
    size_t width = 0;
    for (const auto& [name, value] : settings_) width = std::max(width, name.size());
    for (const auto& [name, value] : settings_) {
      code.Add(name + std::string(width - name.size(), ' ') + " = " + value);
    }
  }

 private:
  std::vector<std::pair<std::string, std::string>> settings_;
};

void WriteKeySchemaBlocks(Code& code, const std::vector<KeyAttribute>& side, std::string_view type) {
  for (const KeyAttribute& each : side) {
    code.Add();
    code.Open("key_schema {");
    Block block;
    block.Set("attribute_name", HclQuoted(each.name));
    block.Set("key_type", HclQuoted(type));
    block.WriteTo(code);
    code.Close("}");
  }
}

void WriteIndex(Code& code, const IndexDefinition& index, bool provisioned) {
  constexpr std::string_view kTypes[] = {"KEYS_ONLY", "ALL", "INCLUDE"};
  code.Add();
  code.Open(index.local ? "local_secondary_index {" : "global_secondary_index {");
  Block block;
  block.Set("name", HclQuoted(index.name));
  if (index.local && !index.key.sk.empty()) block.Set("range_key", HclQuoted(index.key.sk[0].name));
  block.Set("projection_type", HclQuoted(kTypes[static_cast<size_t>(index.project)]));
  if (index.project == Project::kInclude) {
    std::vector<std::string> names;
    for (const std::string& name : index.included) names.push_back(HclQuoted(name));
    block.Set("non_key_attributes", '[' + Joined(names) + ']');
  }
  if (provisioned && !index.local) {
    block.Set("read_capacity", std::to_string(kInitialUnits));
    block.Set("write_capacity", std::to_string(kInitialUnits));
  }
  block.WriteTo(code);
  if (!index.local) {
    WriteKeySchemaBlocks(code, index.key.pk, "HASH");
    WriteKeySchemaBlocks(code, index.key.sk, "RANGE");
  }
  code.Close("}");
}

void WriteAttributes(Code& code, const TableDefinition& table) {
  std::map<std::string, StoredType> types;
  const auto add = [&](const KeyDefinition& key) {
    for (const KeyAttribute& each : key.pk) types.emplace(each.name, each.type);
    for (const KeyAttribute& each : key.sk) types.emplace(each.name, each.type);
  };
  add(table.key);
  for (const IndexDefinition& index : table.indexes) add(index.key);
  for (const auto& [name, type] : types) {
    code.Add();
    code.Open("attribute {");
    code.Add("name = " + HclQuoted(name));
    code.Add("type = " + HclQuoted(NameOf(type)));
    code.Close("}");
  }
}

void WriteSettings(Code& code, const TableDefinition& table) {
  Block block;
  const bool provisioned = table.billing == BillingMode::kProvisioned;
  const bool infrequent = table.table_class == TableClass::kStandardInfrequentAccess;
  block.Set("name", HclQuoted(table.name));
  block.Set("billing_mode", provisioned ? "\"PROVISIONED\"" : "\"PAY_PER_REQUEST\"");
  if (provisioned) {
    block.Set("read_capacity", std::to_string(kInitialUnits));
    block.Set("write_capacity", std::to_string(kInitialUnits));
  }
  block.Set("table_class", infrequent ? "\"STANDARD_INFREQUENT_ACCESS\"" : "\"STANDARD\"");
  block.Set("hash_key", HclQuoted(table.key.pk[0].name));
  if (!table.key.sk.empty()) block.Set("range_key", HclQuoted(table.key.sk[0].name));
  if (table.stream != Stream::kOff) {
    block.Set("stream_enabled", "true");
    block.Set("stream_view_type", HclQuoted(ViewTypeOf(table.stream)));
  }
  block.WriteTo(code);
}

}  // namespace

std::string WriteTerraform(const Model& model, std::string_view origin) {
  const TableDefinition table = DefinitionOf(model);
  Code code("  ");
  code.Add("# " + std::string(origin) + ".");
  code.Open("terraform {");
  code.Open("required_providers {");
  code.Open("aws = {");
  code.Add("source  = \"hashicorp/aws\"");
  code.Add("version = " + HclQuoted(kProvider));
  code.Close("}");
  code.Close("}");
  code.Close("}");
  code.Add();
  code.Open("resource \"aws_dynamodb_table\" " + HclQuoted(Cased(Case::kSnake, table.name)) + " {");
  WriteSettings(code, table);
  WriteAttributes(code, table);
  for (const IndexDefinition& index : table.indexes)
    WriteIndex(code, index, table.billing == BillingMode::kProvisioned);
  if (!table.ttl.empty()) {
    code.Add();
    code.Open("ttl {");
    code.Add("attribute_name = " + HclQuoted(table.ttl));
    code.Add("enabled        = true");
    code.Close("}");
  }
  code.Add();
  code.Open("point_in_time_recovery {");
  code.Add(table.pitr ? "enabled = true" : "enabled = false");
  code.Close("}");
  code.Close("}");
  return code.text();
}

}  // namespace keyfold::model

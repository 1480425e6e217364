// Generates TypeScript on top of the AWS SDK v3: entity types, key builders, one function per pattern, the table. This
// file writes the frame of the program; entity.h and function.h write the parts.
#include <fmt/format.h>

#include "base/text/ascii.h"
#include "model/diff/definition.h"
#include "model/generate/code.h"
#include "model/generate/languages.h"
#include "model/generate/literal.h"
#include "model/generate/runtime.h"
#include "model/generate/typescript/entity.h"
#include "model/generate/typescript/function.h"

namespace keyfold::model {
namespace typescript {
namespace {

void WriteTable(const Model& model, Code& code) {
  const TableDefinition table = DefinitionOf(model);
  code.Add();
  code.Add("/** The CreateTable request. */");
  code.Add("export const tableDefinition: CreateTableCommandInput = " +
           LaidOut(CreateTableBody(table, {}), Layout::kJson) + ';');
  code.Add();
  code.Add("/** Creates the table and waits until it is active. */");
  code.Open("export async function createTable(client: DynamoDBClient, table: string = TABLE_NAME): Promise<void> {");
  code.Add("await client.send(new CreateTableCommand({ ...tableDefinition, TableName: table }));");
  code.Add("await waitUntilTableExists({ client, maxWaitTime: 600 }, { TableName: table });");
  if (!table.ttl.empty()) {
    code.Open("await client.send(new UpdateTimeToLiveCommand({");
    code.Add("TableName: table,");
    code.Add(fmt::format("TimeToLiveSpecification: {{ AttributeName: {}, Enabled: true }},", QuotedText(table.ttl)));
    code.Close("}));");
  }
  if (table.pitr) {
    code.Open("try {");
    code.Open("await client.send(new UpdateContinuousBackupsCommand({");
    code.Add("TableName: table,");
    code.Add("PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },");
    code.Close("}));");
    code.Close();
    code.Open("} catch (error) {");
    code.Add("// A test endpoint may not support backups.");
    code.Add("if ((error as Error).name !== \"UnknownOperationException\") throw error;");
    code.Close("}");
  }
  code.Close("}");
}

// Returns true if the name occurs, and not only as the end of a longer one.
bool UsesName(std::string_view body, std::string_view name) {
  for (size_t at = body.find(name); at != std::string_view::npos; at = body.find(name, at + 1)) {
    if (at == 0 || !IsLetterOrDigit(body[at - 1])) return true;
  }
  return false;
}

// Imports what the program uses of the SDK, in two lists.
std::string Imports(std::string_view body) {
  const auto used = [&](std::initializer_list<std::string_view> all) {
    std::vector<std::string> names;
    for (const std::string_view name : all) {
      if (!UsesName(body, name)) continue;
      const bool type = name.ends_with("Input") || name == "DynamoDBClient";
      names.push_back((type ? "type " : "") + std::string(name));
    }
    return Joined(names, ",\n  ");
  };
  return fmt::format(
      "import {{\n  {},\n}} from \"@aws-sdk/client-dynamodb\";\nimport {{\n  {},\n}} from \"@aws-sdk/lib-dynamodb\";\n",
      used({"CreateTableCommand", "CreateTableCommandInput", "DynamoDBClient", "UpdateContinuousBackupsCommand",
            "UpdateTimeToLiveCommand", "waitUntilTableExists"}),
      used({"BatchGetCommand", "BatchWriteCommand", "BatchWriteCommandInput", "DeleteCommand", "DynamoDBDocumentClient",
            "GetCommand", "NumberValue", "PutCommand", "QueryCommand", "QueryCommandInput", "ScanCommand",
            "ScanCommandInput", "TransactGetCommand", "TransactWriteCommand", "UpdateCommand"}));
}

// `runtime` is the text of the functions that use the constants written here.
void WriteTop(const Model& model, std::string_view runtime, Code& top) {
  top.Add();
  top.Add(fmt::format("/** The default table name of connect. */\nexport const TABLE_NAME = {};",
                      QuotedText(model.table.name)));
  std::vector<std::string> key;
  for (const KeySide* side : {&model.table.pk, &model.table.sk}) {
    for (const std::string& name : *side) key.push_back(QuotedText(name));
  }
  const auto add_used = [&](std::string_view name, std::string_view type, const std::string& value) {
    if (runtime.find(name) != std::string_view::npos) top.Add(fmt::format("const {}{} = {};", name, type, value));
  };
  add_used("TABLE_KEY", "", fmt::format("[{}]", Joined(key)));
  // Typed as string: TypeScript would reject comparing the literal type with an empty string.
  add_used("TYPE_ATTRIBUTE", ": string", QuotedText(model.table.type_attribute));
  add_used("SEPARATOR", ": string", QuotedText(model.table.separator));
  top.Add();
  top.Add(TypescriptRuntime().top);
}

}  // namespace
}  // namespace typescript

std::string WriteTypescript(const Program& program, std::string_view origin) {
  using namespace typescript;  // NOLINT: the parts of this language
  const Model& model = program.model;
  const Values values;
  Scope scope(kReserved);
  for (const Snippet& one : TypescriptRuntime().snippets) scope.Take(std::string(one.name));
  const std::vector<std::string> functions = NameFunctions(program, Case::kCamel, scope);
  std::vector<EntityNames> names;
  for (const Entity& entity : model.entities) names.push_back(NameEntity(model, entity, Case::kCamel, scope));
  Code code("  ");
  for (EntityId id = 0; id < model.entities.size(); ++id)
    EntityCode(model, model.entities[id], names[id], code).Write();
  for (size_t i = 0; i < functions.size(); ++i)
    FunctionCode(program, names, values, program.accesses[i], functions[i], scope, code).Write();
  for (const Unserved& one : program.unserved) {
    code.Add();
    code.Add(
        fmt::format("// {} has no function: {}.", Commented(model.patterns[one.pattern].name), Commented(one.message)));
  }
  WriteTable(model, code);
  const std::string runtime = UsedSnippets(TypescriptRuntime().snippets, code.text());
  Code top("  ");
  WriteTop(model, runtime, top);
  const std::string body = top.text() + code.text() + runtime;
  return fmt::format("// {}. Do not edit: change the model and generate it again.\n", origin) + Imports(body) + body;
}

}  // namespace keyfold::model

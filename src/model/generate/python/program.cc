// Generates Python for a client of boto3: entity types, key builders, one function per pattern, the table. This file
// writes the frame of the program; entity.h and function.h write the parts.
#include <fmt/format.h>

#include <algorithm>

#include "base/text/ascii.h"
#include "model/diff/definition.h"
#include "model/generate/code.h"
#include "model/generate/languages.h"
#include "model/generate/literal.h"
#include "model/generate/python/entity.h"
#include "model/generate/python/function.h"
#include "model/generate/runtime.h"

namespace keyfold::model {
namespace python {
namespace {

void WriteTable(const Model& model, Code& code) {
  const TableDefinition table = DefinitionOf(model);
  code.Add("\n\n");
  code.Add("# The CreateTable request.");
  code.Add("TABLE_DEFINITION: Item = " + LaidOut(CreateTableBody(table, {}), Layout::kPython));
  code.Add("\n\n");
  code.Open("def create_table(db: Db) -> None:");
  code.Add("\"\"\"Creates the table and waits until it is active.\"\"\"");
  code.Add("db.client.create_table(**{**TABLE_DEFINITION, \"TableName\": db.table})");
  code.Add("db.client.get_waiter(\"table_exists\").wait(TableName=db.table)");
  if (!table.ttl.empty()) {
    code.Open("db.client.update_time_to_live(");
    code.Add("TableName=db.table,");
    code.Add(
        fmt::format("TimeToLiveSpecification={{\"AttributeName\": {}, \"Enabled\": True}},", QuotedText(table.ttl)));
    code.Close(")");
  }
  if (table.pitr) {
    code.Open("try:");
    code.Open("db.client.update_continuous_backups(");
    code.Add("TableName=db.table,");
    code.Add("PointInTimeRecoverySpecification={\"PointInTimeRecoveryEnabled\": True},");
    code.Close(")");
    code.Close();
    code.Open("except Exception as error:");
    code.Add("# A test endpoint may not support backups.");
    code.Open("if _code_of(error) != \"UnknownOperationException\":");
    code.Add("raise");
    code.Close();
    code.Close();
  }
  code.Close();
}

// Returns the end of the string literal at `at`.
size_t EndOfString(std::string_view source, size_t at) {
  const bool triple = source.substr(at, 3) == std::string(3, source[at]);
  const std::string_view quote = source.substr(at, triple ? 3 : 1);
  for (size_t i = at + quote.size(); i < source.size(); ++i) {
    if (source[i] == '\\') {
      ++i;
    } else if (source.substr(i, quote.size()) == quote) {
      return i + quote.size();
    }
  }
  return source.size();
}

// Appends the expressions in braces of a formatted string literal. Double braces stand for themselves.
void AppendExpressions(std::string_view literal, std::string& out) {
  int depth = 0;
  for (size_t i = 0; i < literal.size(); ++i) {
    const char c = literal[i];
    if (depth == 0 && literal.substr(i, 2) == "{{") {
      ++i;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && depth > 0) {
      --depth;
      out += ' ';
    } else if (depth > 0) {
      out += c;
    }
  }
}

// Returns Python source without its comments and the texts of its string literals.
std::string CodeWithoutTexts(std::string_view source) {
  std::string out;
  for (size_t at = 0; at < source.size();) {
    const char c = source[at];
    if (c == '#') {
      at = std::min(source.find('\n', at), source.size());
    } else if (c == '"' || c == '\'') {
      const size_t end = EndOfString(source, at);
      if (at > 0 && source[at - 1] == 'f') AppendExpressions(source.substr(at, end - at), out);
      out += ' ';
      at = end;
    } else {
      out += c;
      ++at;
    }
  }
  return out;
}

// Returns true if the word occurs, followed by `next` if that is not 0.
bool UsesWord(std::string_view text, std::string_view word, char next = 0) {
  const auto is_letter = [](char c) { return IsLetterOrDigit(c) || c == '_'; };
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool starts = at == 0 || !is_letter(text[at - 1]);
    const char after = end < text.size() ? text[end] : '\n';
    if (starts && (next != 0 ? after == next : !is_letter(after))) return true;
  }
  return false;
}

// Imports what the code uses of the standard library.
void WriteImports(std::string_view code, Code& top) {
  struct Module {
    std::string_view name;
    std::vector<std::string> members;
  };
  const Module modules[] = {
      {"base64", {}},
      {"heapq", {}},
      {"json", {}},
      {"random", {}},
      {"re", {}},
      {"time", {}},
      {"collections.abc", {"Callable", "Iterable", "Iterator", "Mapping", "Sequence"}},
      {"concurrent.futures", {"ThreadPoolExecutor"}},
      {"datetime", {"datetime", "timedelta", "timezone"}},
      {"decimal", {"Decimal"}},
      {"itertools", {"chain", "islice"}},
      {"typing",
       {"AbstractSet", "Any", "Generic", "Literal", "NamedTuple", "NotRequired", "Protocol", "TypedDict", "TypeVar",
        "Union", "cast"}},
  };
  for (const auto& [module, members] : modules) {
    std::vector<std::string> used;
    for (const std::string& name : members)
      if (UsesWord(code, name)) used.push_back(name);
    if (!used.empty()) {
      const std::string head = fmt::format("from {} import ", module);
      const bool fits = head.size() + Joined(used).size() <= 100;
      fits ? top.Add(head + Joined(used)) : top.AddList(head + '(', used, ")");
    } else if (members.empty() && UsesWord(code, module, '.')) {
      top.Add(fmt::format("import {}", module));
    }
  }
  top.Add();
}

// Writes the client's type with the methods that the code calls, so that a stand-in in a test needs no others.
void WriteClient(std::string_view code, Code& top) {
  top.Open("class Client(Protocol):");
  top.Add("\"\"\"What the functions of this file use of boto3's low-level client, boto3.client(\"dynamodb\").\"\"\"");
  constexpr std::string_view kMethod = "\ndef {}(self, *args: Any, **kwargs: Any) -> {}: ...";
  for (const std::string_view method : {"batch_get_item", "batch_write_item", "create_table", "delete_item", "get_item",
                                        "put_item", "query", "scan", "transact_get_items", "transact_write_items",
                                        "update_continuous_backups", "update_item", "update_time_to_live"}) {
    if (UsesWord(code, "client." + std::string(method))) top.Add(fmt::format(kMethod, method, "Mapping[str, Any]"));
  }
  top.Add(fmt::format(kMethod, "get_waiter", "Any"));
  top.Close();
  top.Add("\n");
}

void WriteTop(const Model& model, std::string_view origin, std::string_view body, Code& top) {
  top.Add(fmt::format("\"\"\"{}. Do not edit: change the model and generate it again.\"\"\"", origin));
  top.Add("from __future__ import annotations");
  top.Add();
  const std::string code = CodeWithoutTexts(std::string(PythonRuntime().top) + std::string(body));
  WriteImports(code + " Protocol Mapping", top);
  top.Add(fmt::format("# The default table name of connect.\nTABLE_NAME = {}", QuotedText(model.table.name)));
  std::vector<std::string> key;
  for (const KeySide* side : {&model.table.pk, &model.table.sk}) {
    for (const std::string& name : *side) key.push_back(QuotedText(name));
  }
  top.Add(fmt::format("TABLE_KEY = [{}]", Joined(key)));
  top.Add(fmt::format("TYPE_ATTRIBUTE = {}", QuotedText(model.table.type_attribute)));
  top.Add(fmt::format("SEPARATOR = {}", QuotedText(model.table.separator)));
  top.Add("\n");
  WriteClient(code, top);
  top.Add(PythonRuntime().top);
}

}  // namespace
}  // namespace python

std::string WritePython(const Program& program, std::string_view origin) {
  using namespace python;  // NOLINT: the parts of this language
  const Model& model = program.model;
  const Values values;
  Scope scope(ReservedIn(Place::kModule));
  for (const Snippet& one : PythonRuntime().snippets) scope.Take(std::string(one.name));
  const std::vector<std::string> functions = NameFunctions(program, Case::kSnake, scope);
  std::vector<EntityNames> names;
  for (const Entity& entity : model.entities) names.push_back(NameEntity(model, entity, Case::kSnake, scope));
  Code code("    ");
  for (EntityId id = 0; id < model.entities.size(); ++id)
    EntityCode(model, model.entities[id], names[id], code).Write();
  for (size_t i = 0; i < functions.size(); ++i)
    FunctionCode(program, names, values, program.accesses[i], functions[i], scope, code).Write();
  for (const Unserved& one : program.unserved) {
    code.Add(fmt::format("\n\n# {} has no function: {}.", Commented(model.patterns[one.pattern].name),
                         Commented(one.message)));
  }
  WriteTable(model, code);
  const std::string body = UsedSnippets(PythonRuntime().snippets, code.text(), "\n\n") + code.text();
  Code top("    ");
  WriteTop(model, origin, body, top);
  return top.text() + body;
}

}  // namespace keyfold::model

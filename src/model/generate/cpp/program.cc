// Generates a C++20 header that needs no SDK: entity types, key builders, and for each pattern a function that makes
// its requests. This file writes the frame of the header; entity.h and function.h write the parts.
#include <fmt/format.h>

#include <algorithm>

#include "model/diff/definition.h"
#include "model/generate/code.h"
#include "model/generate/cpp/entity.h"
#include "model/generate/cpp/function.h"
#include "model/generate/languages.h"
#include "model/generate/runtime.h"

namespace keyfold::model {
namespace cpp {
namespace {

NamedEntity Named(const Model& model, const Entity& entity, Scope& scope) {
  NamedEntity named{NameEntity(model, entity, Case::kCamel, scope), {}};
  Scope members(kReserved);
  for (const Attribute& one : entity.attributes) AddName(members, named.members, one.name);
  return named;
}

// Writes the functions that make cursors.
void WriteCursors(Code& code) {
  code.Add(
      "\n// The cursor after a page: for each request of the pattern's function the LastEvaluatedKey of its response, as");
  code.Add(
      "// JSON, or empty if it has none. To take only some of a response's items, give the key of the last one taken.");
  code.Add("// Empty if there is no next page. A cursor is text that can be stored, sent as JSON or put into a URL.");
  code.Open(
      "inline std::string nextCursor(const std::vector<Request>& requests, const std::vector<std::string>& keys) {");
  code.Add("return detail::cursorAfter(requests, keys);");
  code.Close("}");
  code.Open("inline std::string nextCursor(const Request& request, const std::string& key) {");
  code.Add("return detail::cursorAfter({request}, {key});");
  code.Close("}");
}

void WriteBody(const Program& program, Code& code) {
  const Model& model = program.model;
  const Values values;
  Scope scope(kReserved);
  const std::vector<std::string> functions = NameFunctions(program, Case::kCamel, scope);
  std::vector<NamedEntity> entities;
  for (const Entity& entity : model.entities) entities.push_back(Named(model, entity, scope));
  for (EntityId id = 0; id < model.entities.size(); ++id)
    EntityCode(model, model.entities[id], entities[id].names, entities[id].members, code).Write();
  for (size_t i = 0; i < functions.size(); ++i)
    FunctionCode(program, entities, values, program.accesses[i], functions[i], scope, code).Write();
  for (const Unserved& one : program.unserved) {
    code.Add(fmt::format("\n// {} has no function: {}.", Commented(model.patterns[one.pattern].name),
                         Commented(one.message)));
  }
  const auto paged = [&](const Access& one) {
    return !one.reads.empty() && IsOnePage(model.patterns[one.pattern]) &&
           (one.operation == Operation::kQuery || one.operation == Operation::kScan);
  };
  if (std::any_of(program.accesses.begin(), program.accesses.end(), paged)) WriteCursors(code);
  code.Add("\n// The CreateTable request. Time to live and recovery need separate calls.");
  code.Open("inline Request createTable() {");
  code.Add(fmt::format("return {{\"CreateTable\", {}}};", Quote(CreateTableBody(DefinitionOf(model), {}))));
  code.Close("}");
}

}  // namespace
}  // namespace cpp

std::string WriteCpp(const Program& program, std::string_view origin) {
  using namespace cpp;  // NOLINT: the parts of this language
  const Model& model = program.model;
  Code code("  ");
  WriteBody(program, code);
  // The runtime is ordered so that each function comes after those it uses.
  std::string body = code.text();
  std::string bare = body;
  for (size_t at = bare.find("detail::"); at != std::string::npos; at = bare.find("detail::", at))
    bare.replace(at, 8, " ");
  const std::string runtime = UsedSnippets(CppRuntime().snippets, bare + " object( quoted(");
  const std::string space = Scope(kReserved).Take(Cased(Case::kSnake, model.table.name));
  std::string out =
      fmt::format("// {}. Do not edit: change the model and generate it again.\n#pragma once\n\n", origin);
  for (const std::string_view header :
       {"algorithm", "cctype", "chrono", "cstddef", "cstdint", "cstdio", "cstdlib", "ctime", "map", "optional",
        "random", "set", "stdexcept", "string", "string_view", "type_traits", "utility", "vector"})
    out += fmt::format("#include <{}>\n", header);
  out += fmt::format(
      "\nnamespace {} {{\n\n// The default table name of the functions.\ninline constexpr char "
      "kTableName[] = {};\n",
      space, Quote(model.table.name));
  (out += '\n') += CppRuntime().top;
  out +=
      fmt::format("\nnamespace detail {{\n\ninline constexpr char kSeparator[] = {};\n", Quote(model.table.separator));
  return out + runtime + "\n}  // namespace detail\n" + body + fmt::format("\n}}  // namespace {}\n", space);
}

}  // namespace keyfold::model

// Lowered statements as short text, for tests: conditions in prefix form, values as in ValueNotation.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "expr/key_condition.h"
#include "partiql/statement.h"
#include "testing/expr/value_notation.h"

namespace keyfold::partiql {

inline std::string PrintPath(const expr::Path& path) {
  std::string out = path.root;
  for (const expr::PathStep& step : path.steps) {
    out += step.is_index ? "[" + std::to_string(step.index) + "]" : "." + step.name;
  }
  return out;
}

inline std::string Print(const expr::Operand& operand) {
  switch (operand.kind) {
    case expr::Operand::Kind::kValue:
      return expr::ValueNotation::Print(operand.value.view());
    case expr::Operand::Kind::kPath:
      return PrintPath(operand.path);
    case expr::Operand::Kind::kSize:
      return "size(" + PrintPath(operand.path) + ")";
    case expr::Operand::Kind::kSizeOfValue:
      return "size(" + expr::ValueNotation::Print(operand.value.view()) + ")";
  }
  return {};
}

// op(child or operand, …)
inline std::string Print(const expr::Condition& condition) {
  static constexpr const char* kNames[] = {"and",        "or",   "not",    "eq",       "ne",           "lt",
                                           "le",         "gt",   "ge",     "between",  "in",           "exists",
                                           "not_exists", "type", "begins", "contains", "not_contains", "true"};
  std::string inside;
  for (const expr::Condition& child : condition.children) inside += (inside.empty() ? "" : ", ") + Print(child);
  for (const expr::Operand& operand : condition.operands) inside += (inside.empty() ? "" : ", ") + Print(operand);
  const std::string name = kNames[static_cast<size_t>(condition.op)];
  return inside.empty() ? name : name + "(" + inside + ")";
}

inline std::string Print(const expr::UpdateOperand& operand) {
  static constexpr const char* kNames[] = {"", "", "if_not_exists", "list_append", "plus", "minus"};
  if (operand.kind == expr::UpdateOperand::Kind::kValue) return expr::ValueNotation::Print(operand.value.view());
  if (operand.kind == expr::UpdateOperand::Kind::kPath) return PrintPath(operand.path);
  std::string inside;
  for (const expr::UpdateOperand& child : operand.children) inside += (inside.empty() ? "" : ", ") + Print(child);
  return std::string(kNames[static_cast<size_t>(operand.kind)]) + "(" + inside + ")";
}

inline std::string Print(const expr::Update& update) {
  std::string out;
  for (const expr::Update::Set& set : update.sets) out += " SET " + PrintPath(set.path) + "=" + Print(set.operand);
  for (const expr::Path& path : update.removes) out += " REMOVE " + PrintPath(path);
  for (const expr::Update::Change& add : update.adds) {
    out += " ADD " + PrintPath(add.path) + " " + expr::ValueNotation::Print(add.value.view());
  }
  for (const expr::Update::Change& change : update.deletes) {
    out += " DELETE " + PrintPath(change.path) + " " + expr::ValueNotation::Print(change.value.view());
  }
  return out;
}

inline std::string Print(Returning returning) {
  static constexpr const char* kNames[] = {"", " all old", " modified old", " all new", " modified new"};
  return kNames[static_cast<size_t>(returning)];
}

inline std::string Print(const Select& select) {
  std::string out = "select";
  for (const expr::Path& path : select.projection.paths) out += " " + PrintPath(path);
  out += " from " + select.table + (select.index.empty() ? "" : "/" + select.index);
  if (select.has_where) out += " where " + Print(select.where);
  for (const OrderKey& order : select.order) out += " by " + order.attribute + (order.descending ? " down" : "");
  return out;
}

inline std::string Print(const Statement& statement) {
  if (const auto* select = std::get_if<Select>(&statement)) return Print(*select);
  if (const auto* exists = std::get_if<Exists>(&statement)) return "exists " + Print(exists->select);
  if (const auto* insert = std::get_if<Insert>(&statement)) {
    return "insert " + insert->table + " " + expr::ValueNotation::Print(insert->item.view());
  }
  if (const auto* change = std::get_if<Change>(&statement)) {
    return "update " + change->table + Print(change->update) + " where " + Print(change->where) +
           Print(change->returning);
  }
  const Delete& deletion = std::get<Delete>(statement);
  return "delete " + deletion.table + " where " + Print(deletion.where) + Print(deletion.returning);
}

inline std::string Print(const expr::KeyCondition& condition) {
  static constexpr const char* kNames[] = {"=", "<", "<=", ">", ">=", "between", "begins", "?"};
  std::string out;
  for (const expr::KeyTerm& term : condition.terms) {
    out += (out.empty() ? "" : " ") + term.attribute + kNames[static_cast<size_t>(term.op)] +
           expr::ValueNotation::Print(term.first.view());
    if (term.op == expr::KeyTerm::Op::kBetween) out += ".." + expr::ValueNotation::Print(term.second.view());
  }
  return out;
}

// A list in ValueNotation, as parameters.
inline std::vector<Value> ReadParameters(std::string_view list) {
  std::vector<Value> parameters;
  const Value read = expr::ValueNotation::Read(list);
  for (const ValueView value : read.view().values()) parameters.emplace_back(value);
  return parameters;
}

}  // namespace keyfold::partiql

// Builds the expressions of one request: aliases for names and values, and a model's conditions in DynamoDB's syntax.
// Private to access*.cc.
#pragma once

#include <string>
#include <string_view>

#include "model/compile/access.h"
#include "model/core/condition.h"

namespace keyfold::model {

// Used by one thread at a time.
class ExpressionWriter {
 public:
  explicit ExpressionWriter(Aliases& aliases) : aliases_(aliases) {}

  // Returns the alias "#name" of an attribute.
  std::string Name(std::string_view attribute);
  // Returns the alias "#input" of a name that an input gives.
  std::string GivenName(std::string_view input);
  // Returns "#a.#b[0]" for a document path below an attribute.
  std::string Path(std::string_view path, std::string_view attribute);
  // Returns ":hint", with a number appended if another value has that name.
  std::string Value(std::string_view hint, const Formula&);
  // Writes a comparison or a tree of them. `formula_of` returns the value of an operand of a comparison.
  using FormulaOf = FunctionRef<Formula(const Comparison&, const Operand&)>;
  std::string Compare(const Comparison&, FormulaOf);
  std::string Compare(const ConditionNode&, FormulaOf);

  static void Join(std::string& all, const std::string& one) { (all += all.empty() ? "" : " AND ") += one; }

 private:
  std::string FreeAlias(std::string_view name) const;

  Aliases& aliases_;
};

// An operand as a value: a literal, an input of the attribute's type, or the current time. Without an attribute, as for
// a path that nothing is declared for, an input is a string.
Formula OperandFormula(const Operand&, const Attribute* attribute);
// The attribute whose type a comparison's operand has: the declared one, an element of a set for contains(), a number
// for size(). Returns nullptr if nothing is declared.
const Attribute* OperandAttribute(const Comparison&, const Attribute* declared);
// Returns true if the expression uses the alias of a name or value.
bool UsesAlias(std::string_view expression, std::string_view alias);
// The name hint for the value in an expression.
std::string_view HintOf(const Operand&, std::string_view attribute);

}  // namespace keyfold::model

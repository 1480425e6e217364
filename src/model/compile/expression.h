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
  // Returns "#a.#b[0]" for a document path below an attribute.
  std::string Path(std::string_view path, std::string_view attribute);
  // Returns ":hint", with a number appended if another value has that name.
  std::string Value(std::string_view hint, const Formula&);
  // Writes one comparison. `attribute` is the declaration at the head of its path.
  std::string Compare(const Comparison&, const Attribute& attribute, const Formula& right);

  static void Join(std::string& all, const std::string& one) { (all += all.empty() ? "" : " AND ") += one; }

 private:
  Aliases& aliases_;
};

// An operand as a value: a literal, an input of the attribute's type, or the current time.
Formula OperandFormula(const Operand&, const Attribute* attribute, bool whole_attribute);
// Returns true if the expression uses the alias of a name or value.
bool UsesAlias(std::string_view expression, std::string_view alias);
// The name hint for the value in an expression.
std::string_view HintOf(const Operand&, std::string_view attribute);

}  // namespace keyfold::model

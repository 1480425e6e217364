// Builds the expressions of one request: aliases for names and values, and conditions of a model as DynamoDB writes
// them. Private to access*.cc.
#pragma once

#include <string>
#include <string_view>

#include "model/compile/access.h"
#include "model/core/condition.h"

namespace keyfold::model {

// One thread at a time.
class ExpressionWriter {
 public:
  explicit ExpressionWriter(Aliases& aliases) : aliases_(aliases) {}

  // "#name" of an attribute.
  std::string Name(std::string_view attribute);
  // "#a.#b[0]" of a document path below an attribute.
  std::string Path(std::string_view path, std::string_view attribute);
  // ":hint", or with a number behind it where another value has that name.
  std::string Value(std::string_view hint, const Formula&);
  // One comparison; `attribute` is the declaration at the head of its path.
  std::string Compare(const Comparison&, const Attribute& attribute, const Formula& right);

  static void Join(std::string& all, const std::string& one) { (all += all.empty() ? "" : " AND ") += one; }

 private:
  Aliases& aliases_;
};

// An operand as a value: a literal, an input of the attribute's type, or the present.
Formula OperandFormula(const Operand&, const Attribute* attribute, bool whole_attribute);
// What the value is called in an expression.
std::string_view HintOf(const Operand&, std::string_view attribute);

}  // namespace keyfold::model

// Expressions for a request's values in a target language. What is the same in all languages (which function formats
// which placeholder) is in target.cc; each language overrides the rest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "model/compile/formula.h"
#include "model/core/model.h"
#include "model/generate/program.h"

namespace keyfold::model {

// A run of text: a literal, or an expression for the text.
struct Segment {
  bool literal = true;
  std::string text;
};

// What names refer to at one place of a program.
struct Names {
  FunctionRef<std::string(std::string_view)> input;  // an expression for an input, or for an attribute of an item
  const std::vector<std::string>* bounds = nullptr;  // inputs for which the start of a value is enough
  std::string shard = "shard";                       // the variables of a fan-out
  std::string bucket = "bucket";
};

// Immutable.
class Target {
 public:
  virtual ~Target() = default;

  virtual std::string Quoted(std::string_view text) const = 0;
  // `function` is in camel case; each language converts it to its own case.
  virtual std::string Call(std::string_view function, const std::vector<std::string>& arguments) const = 0;
  // Joins the segments into one text. There is at least one.
  virtual std::string Concatenated(const std::vector<Segment>&) const = 0;
  // A value in a request: from a variable with an attribute's type, from a text, from a literal.
  virtual std::string Stored(AttributeType, const std::string& value) const = 0;
  virtual std::string StoredText(const std::string& text) const = 0;
  virtual std::string StoredLiteral(StoredType, std::string_view text) const = 0;
  // A literal as a variable of the attribute's type would hold it.
  virtual std::string TypedLiteral(AttributeType, std::string_view text) const = 0;
  // The current time as a variable of the attribute's type would hold it.
  std::string Now(AttributeType) const;
  // A test whether a value exists.
  virtual std::string IsThere(const std::string& value) const = 0;

  // An expression for a formula in a request.
  std::string Value(const Formula&, const Names&) const;
  // The key that a template builds from an item's attributes. A random shard comes from the `shard` variable.
  std::string Key(const Entity&, const Template&, const Names&) const;
  // The text of a placeholder.
  std::string Text(const TemplatePart& shape, std::string_view name, const std::string& value, bool lenient) const;
  // A condition on values that the program has; empty if it always holds. `value_of` returns an expression for an
  // attribute, or empty if its value is not available here, in which case it counts as missing.
  using ValueOf = FunctionRef<std::string(std::string_view)>;
  std::string Condition(const model::Condition&, const Entity&, ValueOf value_of) const;
  // A condition that the program tests itself, on the attribute of an item as it is stored.
  std::string OwnTestOf(const OwnTest&, AttributeType, ValueOf input) const;
  // Both hold; empty ones always do.
  std::string Both(const std::string& left, const std::string& right) const;
  std::string Not(const std::string& test) const;

 protected:
  virtual std::string And() const = 0;
  virtual std::string Or() const = 0;
  virtual std::string NotSign() const = 0;
  virtual std::string False() const = 0;
  virtual std::string Missing() const = 0;
  virtual std::string IsMissing(const std::string& value) const = 0;
  // A value inside an attribute. `path` is what follows the attribute's name, such as .a[0].
  virtual std::string Below(const std::string& value, std::string_view path) const;
  virtual std::string Literal(const Operand&) const = 0;
  // An attribute of `item` as it is stored; undefined if it is missing.
  virtual std::string Member(std::string_view attribute) const = 0;
  // A value of the type as `holds` compares it with what is stored.
  virtual std::string Compared(AttributeType, const std::string& value) const = 0;

 private:
  Segment SegmentOf(const Piece&, const Names&) const;
  std::string TimeText(const TemplatePart& shape, const std::string& value, bool lenient) const;
  // One comparison with one value.
  std::string Test(const std::string& left, bool size, std::string_view sign, const std::string& right) const;
  std::string Compare(const Comparison&, const Entity&, ValueOf) const;
  std::string Node(const ConditionNode&, const Entity&, ValueOf) const;
};

// The operator as the runtimes' `holds` takes it; empty if it has no right-hand side.
std::string_view SignOf(Comparator);

}  // namespace keyfold::model

// How a language says a request's values. What is the same everywhere (which function formats which placeholder) is
// target.cc's; each language overrides the rest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "model/compile/formula.h"
#include "model/core/model.h"
#include "model/generate/program.h"

namespace keyfold::model {

// A run of text: as it stands, or an expression for it.
struct Segment {
  bool literal = true;
  std::string text;
};

// What names mean at one place of a program.
struct Names {
  FunctionRef<std::string(std::string_view)> input;  // an expression for an input, or for an attribute of an item
  const std::vector<std::string>* bounds = nullptr;  // inputs of which a start will do
  std::string shard = "shard";                       // the variables of a fan-out
  std::string bucket = "bucket";
};

// Immutable.
class Target {
 public:
  virtual ~Target() = default;

  virtual std::string Quoted(std::string_view text) const = 0;
  // `function` in camel case; each language has its own case.
  virtual std::string Call(std::string_view function, const std::vector<std::string>& arguments) const = 0;
  // One text of many; never empty.
  virtual std::string Concatenated(const std::vector<Segment>&) const = 0;
  // A value of a request: of a variable with an attribute's type, of a text, of a literal.
  virtual std::string Stored(AttributeType, const std::string& value) const = 0;
  virtual std::string StoredText(const std::string& text) const = 0;
  virtual std::string StoredLiteral(StoredType, std::string_view text) const = 0;
  // A literal as a variable with an attribute's type holds it.
  virtual std::string TypedLiteral(AttributeType, std::string_view text) const = 0;

  // The value of a formula in a request.
  std::string Value(const Formula&, const Names&) const;
  // The key that a template makes of an item's attributes; `random` where an entity's shard is.
  std::string Key(const Entity&, const Template&, const Names&) const;
  // A placeholder's text.
  std::string Text(const TemplatePart& shape, std::string_view name, const std::string& value, bool lenient) const;
  // A condition on values that the program has, or empty where it holds for all. `value_of` is an expression for an
  // attribute, or empty: not known here, and so taken as not holding.
  std::string Condition(const model::Condition&, const Entity&,
                        FunctionRef<std::string(std::string_view)> value_of) const;

 protected:
  virtual std::string And() const = 0;
  virtual std::string False() const = 0;
  virtual std::string IsMissing(const std::string& value) const = 0;
  virtual std::string IsThere(const std::string& value) const = 0;
  // A value below an attribute: `path` is what follows its name, as .a[0].
  virtual std::string Below(const std::string& value, std::string_view path) const;
  virtual std::string Literal(const Operand&) const = 0;

 private:
  Segment SegmentOf(const Piece&, const Names&) const;
  std::string TimeText(Format, const std::string& value, bool lenient) const;
  std::string Compare(const Comparison&, const Attribute&, const std::string& value) const;
};

// As the runtimes' `holds` takes it; empty where there is nothing on the right.
std::string_view SignOf(Comparator);

}  // namespace keyfold::model

// Names, types, literals and values in TypeScript syntax.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/generate/target.h"

namespace keyfold::model::typescript {

// Keywords, and names that the program itself defines at its top or in its functions.
extern const std::string_view kReserved;

// A property name in an object or a type: unquoted if it is an identifier.
std::string Property(std::string_view name);
std::string MemberOf(std::string_view object, std::string_view name);

// `input` selects the type that callers may pass: times can also be Dates.
std::string TypeOf(const Attribute&, bool input);

// How the runtime reads and writes a value: the name of a type, or an object with those of a map's fields.
std::string ShapeOf(const Attribute&);

// Immutable.
class Values final : public Target {
 public:
  std::string Quoted(std::string_view text) const override;
  std::string Call(std::string_view function, const std::vector<std::string>& arguments) const override;
  std::string Concatenated(const std::vector<Segment>&) const override;
  std::string Stored(AttributeType, const std::string& value) const override;
  std::string StoredText(const std::string& text) const override { return text; }
  std::string StoredLiteral(StoredType, std::string_view text) const override;
  std::string IsThere(const std::string& value) const override { return value + " !== undefined"; }
  std::string TypedLiteral(AttributeType, std::string_view text) const override;

 private:
  std::string And() const override { return " && "; }
  std::string Or() const override { return " || "; }
  std::string NotSign() const override { return "!"; }
  std::string Missing() const override { return "undefined"; }
  std::string False() const override { return "false"; }
  std::string IsMissing(const std::string& value) const override { return value + " === undefined"; }
  std::string Literal(const Operand&) const override;
  std::string Member(std::string_view attribute) const override { return MemberOf("item", attribute); }
  std::string Compared(AttributeType, const std::string& value) const override;
};

}  // namespace keyfold::model::typescript

// Names, types, literals and values in Python syntax.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/generate/entity_names.h"
#include "model/generate/target.h"

namespace keyfold::model::python {

// Words that cannot be names, with spaces around each: keywords, and what the program itself uses there.
enum class Place : uint8_t { kModule, kParameter, kMember };
std::string_view ReservedIn(Place);

// A parameter's name: the declared name, if Python allows it.
std::string ParameterName(const std::string& declared);

std::string MemberOf(std::string_view object, std::string_view name);
// The same for a member that may be missing.
std::string Get(std::string_view object, std::string_view name);

// `input` selects the type that callers may pass: times can also be datetimes, and numbers of any kind.
std::string TypeOf(const Attribute&, bool input, const MapNames&);

// How the runtime reads and writes a value: the name of a type, or a dictionary with those of a map's fields.
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
  std::string IsThere(const std::string& value) const override { return value + " is not None"; }
  std::string TypedLiteral(AttributeType type, std::string_view text) const override {
    return StoredLiteral(StoredAs(type), text);
  }

 private:
  std::string And() const override { return " and "; }
  std::string Or() const override { return " or "; }
  std::string NotSign() const override { return "not "; }
  std::string Missing() const override { return "None"; }
  std::string False() const override { return "False"; }
  std::string IsMissing(const std::string& value) const override { return value + " is None"; }
  std::string Literal(const Operand&) const override;
  std::string Member(std::string_view attribute) const override { return Get("item", attribute); }
  std::string Compared(AttributeType, const std::string& value) const override;
};

}  // namespace keyfold::model::python

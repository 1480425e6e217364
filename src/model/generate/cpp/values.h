// Names, types, literals and values in C++ syntax.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/generate/code.h"
#include "model/generate/target.h"

namespace keyfold::model::cpp {

// Keywords, and names that the header itself defines.
extern const std::string_view kReserved;

// Writes control characters as octal escapes, because other escapes do not end by themselves.
std::string Quote(std::string_view text);

// Puts a dereferenced pointer in parentheses, so that a member can follow.
std::string Dereferenced(const std::string& value);

std::string TypeOf(const Attribute&);
// The comment after a member: what the type alone does not say.
std::string NoteOf(const Attribute&);

// Identifiers of a struct's members, by their name in the model.
using MemberNames = std::map<std::string, std::string, std::less<>>;
void AddName(Scope&, MemberNames&, const std::string& name);

// Immutable.
class Values final : public Target {
 public:
  std::string Quoted(std::string_view text) const override { return Quote(text); }
  std::string Call(std::string_view function, const std::vector<std::string>& arguments) const override;
  std::string Concatenated(const std::vector<Segment>&) const override;
  std::string Stored(AttributeType, const std::string& value) const override;
  std::string StoredText(const std::string& text) const override { return Call("stringValue", {text}); }
  std::string StoredLiteral(StoredType, std::string_view text) const override;
  std::string IsThere(const std::string& value) const override { return '!' + Call("missing", {value}); }
  std::string TypedLiteral(AttributeType, std::string_view text) const override;

 private:
  std::string And() const override { return " && "; }
  std::string Or() const override { return " || "; }
  std::string NotSign() const override { return "!"; }
  std::string Missing() const override { return "std::optional<std::string>()"; }
  std::string False() const override { return "false"; }
  std::string IsMissing(const std::string& value) const override { return Call("missing", {value}); }
  // A list or map is opaque JSON here, so values inside it are not available.
  std::string Below(const std::string&, std::string_view) const override { return "std::optional<std::string>()"; }
  std::string Literal(const Operand&) const override;
  // The header reads no items.
  std::string Member(std::string_view) const override { return Missing(); }
  std::string Compared(AttributeType, const std::string& value) const override { return value; }
};

}  // namespace keyfold::model::cpp

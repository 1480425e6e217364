// Values in a short text notation, for the tests and fuzzers of src/expr: 'text' is S, 12.5 is N, x'6869' is B, true
// false null, [list], {map=1}, and <'a', 'b'> is a set of its elements' type. Input is trusted: a mistake ends the
// program.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/text/hex.h"
#include "expr/placeholders.h"
#include "value/item.h"
#include "value/number.h"

namespace keyfold::expr {

class ValueNotation {
 public:
  static Value Read(std::string_view text) {
    std::string bytes;
    ValueNotation(text, bytes).WriteValue();
    return Value(std::move(bytes));
  }
  static Item ReadItem(std::string_view text) {
    const Value map = Read(text);
    return Item(std::string(map.view().bytes().substr(1)));
  }

  static std::string Print(ValueView value) {
    std::string out;
    switch (value.type()) {
      case Type::kL:
        for (const ValueView element : value.values()) Join(out, Print(element));
        return "[" + out + "]";
      case Type::kM:
        for (const Entry entry : value.entries()) Join(out, std::string(entry.name) + "=" + Print(entry.value));
        return "{" + out + "}";
      case Type::kSS:
      case Type::kBS:
      case Type::kNS:
        for (const std::string_view element : value.elements()) Join(out, PrintElement(value.type(), element));
        return "<" + out + ">";
      case Type::kNull:
        return "null";
      case Type::kBool:
        return value.AsBool() ? "true" : "false";
      case Type::kN:
        return PrintElement(Type::kNS, value.AsEncodedNumber());
      default:
        return PrintElement(value.type() == Type::kS ? Type::kSS : Type::kBS, value.AsText());
    }
  }
  static std::string Print(ItemView item) {
    std::string bytes(1, static_cast<char>(Tag::kM));
    bytes += item.bytes();
    return Print(ValueView(bytes));
  }

 private:
  ValueNotation(std::string_view text, std::string& out) : rest_(text), writer_(out) {}

  static void Join(std::string& out, const std::string& next) { out += (out.empty() ? "" : ", ") + next; }

  static std::string PrintElement(Type set, std::string_view element) {
    if (set == Type::kNS) return Number::Decode(element).ToString();
    if (set == Type::kSS) return "'" + std::string(element) + "'";
    return "x'" + Hex(element) + "'";
  }

  void SkipSpaces() {
    while (!rest_.empty() && rest_[0] == ' ') rest_.remove_prefix(1);
  }

  bool Accept(std::string_view token) {
    SkipSpaces();
    if (rest_.substr(0, token.size()) != token) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  std::string_view Until(char end) {
    const size_t at = rest_.find(end);
    CHECK(at != std::string_view::npos);
    const std::string_view text = rest_.substr(0, at);
    rest_.remove_prefix(at + 1);
    return text;
  }

  std::string ReadBinary() {
    std::optional<std::string> bytes = FromHex(Until('\''));
    CHECK(bytes.has_value());
    return *std::move(bytes);
  }

  std::string ReadNumber() {
    const size_t end = rest_.find_first_not_of("+-.0123456789eE");
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(text.size());
    const Result<Number> number = Number::Parse(text);
    CHECK(number.ok());
    std::string encoded;
    number->EncodeTo(encoded);
    return encoded;
  }

  void WriteSet() {
    std::vector<std::string> owned;
    Tag tag = Tag::kNS;
    do {
      if (Accept("'")) {
        tag = Tag::kSS;
        owned.emplace_back(Until('\''));
      } else if (Accept("x'")) {
        tag = Tag::kBS;
        owned.push_back(ReadBinary());
      } else {
        owned.push_back(ReadNumber());
      }
    } while (Accept(","));
    CHECK(Accept(">"));
    std::vector<std::string_view> elements(owned.begin(), owned.end());
    CHECK(writer_.Set(tag, elements));
  }

  void WriteList() {
    writer_.BeginList();
    uint32_t count = 0;
    while (!Accept("]")) {
      WriteValue();
      Accept(",");
      ++count;
    }
    writer_.EndList(count);
  }

  void WriteMap() {
    writer_.BeginMap();
    while (!Accept("}")) {
      writer_.Name(Until('='));
      WriteValue();
      Accept(",");
      SkipSpaces();
    }
    writer_.EndMap();
  }

  void WriteValue() {
    if (Accept("'")) return writer_.String(Until('\''));
    if (Accept("x'")) return writer_.Binary(ReadBinary());
    if (Accept("[")) return WriteList();
    if (Accept("{")) return WriteMap();
    if (Accept("<")) return WriteSet();
    if (Accept("true")) return writer_.Bool(true);
    if (Accept("false")) return writer_.Bool(false);
    if (Accept("null")) return writer_.Null();
    writer_.EncodedNumber(ReadNumber());
  }

  std::string_view rest_;
  ValueWriter writer_;
};

// The #names and :values of the tests' expressions.
class PlaceholdersForTest {
 public:
  explicit PlaceholdersForTest(std::string_view values) : map_(ValueNotation::Read(values)) {
    for (const auto& [placeholder, name] :
         {std::pair("#a", "a"), std::pair("#b", "b"), std::pair("#c", "c"), std::pair("#three", "[3]"),
          std::pair("#dot", "x.y"), std::pair("#and", "and")}) {
      placeholders_.AddName(placeholder, name);
    }
    for (const Entry entry : map_.view().entries()) placeholders_.AddValue(entry.name, entry.value);
  }
  Placeholders& get() { return placeholders_; }

 private:
  Value map_;
  Placeholders placeholders_;
};

}  // namespace keyfold::expr

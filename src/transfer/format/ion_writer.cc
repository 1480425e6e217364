#include "transfer/format/ion_writer.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/bytes.h"
#include "base/text/base64.h"
#include "base/text/hex.h"
#include "json/output.h"
#include "transfer/format/ion_syntax.h"
#include "value/number.h"

namespace keyfold::transfer {
namespace {

// Estimates of the bytes that are not text: `:"",` around an attribute, and the line's own words plus the room reserved
// for a number.
constexpr size_t kAroundEntryBytes = 4, kAroundItemBytes = 256;

size_t GuessBytes(ItemView item) { return item.bytes().size() + item.count() * kAroundEntryBytes + kAroundItemBytes; }

// An Ion decimal has digits and a power of ten, so no zeros need to be made up: 103., 6d2, 1.5, 0.001, 1d-7. The last
// form is for numbers below a millionth. `to` has room for Number::kTextBytesMax bytes and a few more.
char* PutDecimal(char* to, const Number& number) {
  char* const end = number.PrintTo(to);
  char* const digits = to + (*to == '-');
  char* const point = std::find(digits, end, '.');
  if (point == end) {
    char* last = end;
    while (last - digits > 1 && last[-1] == '0') --last;
    if (last == end) {
      *last = '.';
      return last + 1;
    }
    const auto power = end - last;
    *last++ = 'd';
    return std::to_chars(last, last + 8, power).ptr;
  }
  constexpr int kZerosMax = 5;  // between the point and the first digit
  if (*digits != '0') return end;
  char* const first = std::find_if(point + 1, end, [](char c) { return c != '0'; });
  if (first - (point + 1) <= kZerosMax) return end;
  const auto power = end - (point + 1);
  char* last = std::copy(first, end, digits);
  *last++ = 'd';
  *last++ = '-';
  return std::to_chars(last, last + 8, power).ptr;
}

// Each function takes the well-formed bytes at `p` and returns where they end. Used by one thread at a time.
class Printer {
 public:
  Printer(std::string& out, size_t bytes) : out_(out, bytes) {}

  const char* Value(const char* p);
  const char* Map(const char* p);  // `p` is after the tag; an item is a map
  void Image(ItemView item) { Map(item.bytes().data()); }
  void Decimal(const keyfold::Number& number) {
    out_.NeedRoom(keyfold::Number::kTextBytesMax + 8);
    out_.set_at(PutDecimal(out_.at(), number));
  }
  template <size_t n>
  void Literal(const char (&text)[n]) {
    out_.NeedRoom(n);
    out_.Literal(text);
  }

 private:
  template <typename Element>
  const char* List(const char* p, Element element);
  const char* Name(const char* p);
  const char* Text(const char* p);
  const char* Number(const char* p);
  const char* Binary(const char* p);
  void QuotedSymbol(std::string_view name);

  json::Output out_;
};

const char* Printer::Value(const char* p) {
  out_.NeedRoom(0);
  switch (static_cast<Tag>(*p++)) {
    case Tag::kS:
      return Text(p);
    case Tag::kN:
      return Number(p);
    case Tag::kB:
      return Binary(p);
    case Tag::kSS:
      out_.Literal("$dynamodb_SS::");
      return List(p, [this](const char* element) { return Text(element); });
    case Tag::kNS:
      out_.Literal("$dynamodb_NS::");
      return List(p, [this](const char* element) { return Number(element); });
    case Tag::kBS:
      out_.Literal("$dynamodb_BS::");
      return List(p, [this](const char* element) { return Binary(element); });
    case Tag::kM:
      return Map(p);
    case Tag::kL:
      return List(p, [this](const char* element) { return Value(element); });
    case Tag::kNull:
      out_.Literal("null");
      return p;
    case Tag::kFalse:
      out_.Literal("false");
      return p;
    case Tag::kTrue:
      out_.Literal("true");
      return p;
  }
  return p;
}

// Elements leave at least half of the margin free, so commas and brackets fit.
const char* Printer::Map(const char* p) {
  const char* const end = p + 4 + LoadU32(p);
  p += 8;
  out_.Byte('{');
  while (p != end) {
    p = Name(p);
    out_.Byte(':');
    p = Value(p);
    if (p != end) out_.Byte(',');
  }
  out_.NeedRoom(0);
  out_.Byte('}');
  return p;
}

template <typename Element>
const char* Printer::List(const char* p, Element element) {
  const char* const end = p + 4 + LoadU32(p);
  p += 8;
  out_.Byte('[');
  while (p != end) {
    p = element(p);
    if (p != end) out_.Byte(',');
  }
  out_.NeedRoom(0);
  out_.Byte(']');
  return p;
}

const char* Printer::Name(const char* p) {
  const uint64_t bytes = ReadVarint(p);
  const std::string_view name(p, bytes);
  if (ion::IsPlainSymbol(name)) {
    out_.NeedRoom(bytes);
    std::memcpy(out_.at(), p, bytes);
    out_.set_at(out_.at() + bytes);
  } else {
    QuotedSymbol(name);
  }
  return p + bytes;
}

// Writes 'it\'s', with control characters as \x07. Attribute names seldom need it.
void Printer::QuotedSymbol(std::string_view name) {
  constexpr size_t kEscapeBytesMax = 4;
  out_.NeedRoom(name.size() * kEscapeBytesMax + 2);
  out_.Byte('\'');
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < 0x20) {
      out_.Literal("\\x");
      out_.Byte(kHexDigits[c >> 4]);
      out_.Byte(kHexDigits[c & 15]);
      continue;
    }
    if (c == '\'' || c == '\\') out_.Byte('\\');
    out_.Byte(c);
  }
  out_.Byte('\'');
}

// JSON strings are also valid in Ion, with all their escapes.
const char* Printer::Text(const char* p) {
  const uint64_t bytes = ReadVarint(p);
  out_.Quoted({p, bytes});
  return p + bytes;
}

const char* Printer::Number(const char* p) {
  const size_t bytes = keyfold::Number::LengthAt(p);
  Decimal(keyfold::Number::Decode({p, bytes}));
  return p + bytes;
}

const char* Printer::Binary(const char* p) {
  const uint64_t bytes = ReadVarint(p);
  out_.NeedRoom(Base64Length(bytes) + 4);
  out_.Literal("{{");
  out_.set_at(PutBase64(out_.at(), {p, bytes}));
  out_.Literal("}}");
  return p + bytes;
}

}  // namespace

void AppendIonItemLine(std::string& out, ItemView item) {
  Printer printer(out, GuessBytes(item));
  printer.Literal("$ion_1_0 {Item:");
  printer.Image(item);
  printer.Literal("}\n");
}

void AppendIonChangeLine(std::string& out, const ChangeLine& change) {
  size_t guess = GuessBytes(change.keys);
  for (const auto& image : {change.before, change.after}) guess += image ? GuessBytes(*image) : 0;
  Printer printer(out, guess);
  printer.Literal("$ion_1_0 {Metadata:{WriteTimestampMicros:");
  printer.Decimal(Number(change.written));
  printer.Literal("},Keys:");
  printer.Image(change.keys);
  if (change.before) {
    printer.Literal(",OldImage:");
    printer.Image(*change.before);
  }
  if (change.after) {
    printer.Literal(",NewImage:");
    printer.Image(*change.after);
  }
  printer.Literal("}\n");
}

}  // namespace keyfold::transfer

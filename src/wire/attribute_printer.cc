// The inverse of attribute_value.h: prints the item form as DynamoDB's JSON, in one pass over its bytes.
#include "base/bytes.h"
#include "base/text/base64.h"
#include "json/output.h"
#include "value/number.h"
#include "wire/attribute_value.h"

namespace keyfold::wire {
namespace {

// Estimates of the bytes that are not text: `"":{"S":""},` around an attribute, less what the item form has there; and
// per item, a map or two plus the room reserved for a number.
constexpr size_t kAroundEntryBytes = 12, kAroundItemBytes = 256;

// Each function takes the well-formed bytes at `p` and returns where they end. Used by one thread at a time.
class Printer {
 public:
  Printer(std::string& out, size_t bytes) : out_(out, bytes) {}

  const char* Value(const char* p);
  const char* Map(const char* p);  // `p` is after the tag; an item is a map

 private:
  const char* List(const char* p);
  template <typename Element>
  const char* Set(const char* p, Element element);
  const char* Text(const char* p);
  const char* Number(const char* p);
  const char* Binary(const char* p);

  json::Output out_;
};

const char* Printer::Value(const char* p) {
  out_.NeedRoom(0);
  switch (static_cast<Tag>(*p++)) {
    case Tag::kS:
      out_.Literal("{\"S\":");
      p = Text(p);
      break;
    case Tag::kN:
      out_.Literal("{\"N\":");
      p = Number(p);
      break;
    case Tag::kB:
      out_.Literal("{\"B\":");
      p = Binary(p);
      break;
    case Tag::kSS:
      out_.Literal("{\"SS\":");
      p = Set(p, [this](const char* element) { return Text(element); });
      break;
    case Tag::kNS:
      out_.Literal("{\"NS\":");
      p = Set(p, [this](const char* element) { return Number(element); });
      break;
    case Tag::kBS:
      out_.Literal("{\"BS\":");
      p = Set(p, [this](const char* element) { return Binary(element); });
      break;
    case Tag::kM:
      out_.Literal("{\"M\":");
      p = Map(p);
      break;
    case Tag::kL:
      out_.Literal("{\"L\":");
      p = List(p);
      break;
    case Tag::kNull:
      out_.Literal("{\"NULL\":true");
      break;
    case Tag::kFalse:
      out_.Literal("{\"BOOL\":false");
      break;
    case Tag::kTrue:
      out_.Literal("{\"BOOL\":true");
      break;
  }
  out_.Byte('}');
  return p;
}

// Every element leaves the margin free except for its own closing brace, so commas and brackets fit.
const char* Printer::Map(const char* p) {
  const char* const end = p + 4 + LoadU32(p);
  p += 8;
  out_.Byte('{');
  while (p != end) {
    p = Text(p);
    out_.Byte(':');
    p = Value(p);
    if (p != end) out_.Byte(',');
  }
  out_.NeedRoom(0);
  out_.Byte('}');
  return p;
}

const char* Printer::List(const char* p) {
  const char* const end = p + 4 + LoadU32(p);
  p += 8;
  out_.Byte('[');
  while (p != end) {
    p = Value(p);
    if (p != end) out_.Byte(',');
  }
  out_.NeedRoom(0);
  out_.Byte(']');
  return p;
}

template <typename Element>
const char* Printer::Set(const char* p, Element element) {
  const char* const end = p + 4 + LoadU32(p);
  p += 8;
  out_.Byte('[');
  while (p != end) {
    p = element(p);
    if (p != end) out_.Byte(',');
  }
  out_.Byte(']');
  return p;
}

const char* Printer::Text(const char* p) {
  const uint64_t bytes = ReadVarint(p);
  out_.Quoted({p, bytes});
  return p + bytes;
}

const char* Printer::Number(const char* p) {
  const std::string_view encoded(p, keyfold::Number::LengthAt(p));
  out_.NeedRoom(keyfold::Number::kTextBytesMax + 2);
  out_.Byte('"');
  out_.set_at(keyfold::Number::Decode(encoded).PrintTo(out_.at()));
  out_.Byte('"');
  return p + encoded.size();
}

const char* Printer::Binary(const char* p) {
  const uint64_t bytes = ReadVarint(p);
  out_.NeedRoom(Base64Length(bytes) + 2);
  out_.Byte('"');
  out_.set_at(PutBase64(out_.at(), {p, bytes}));
  out_.Byte('"');
  return p + bytes;
}

}  // namespace

void AppendJson(std::string& out, ValueView value) {
  Printer(out, value.bytes().size() + kAroundEntryBytes).Value(value.bytes().data());
}

void AppendJson(std::string& out, ItemView item) {
  const size_t guess = item.bytes().size() + item.count() * kAroundEntryBytes + kAroundItemBytes;
  Printer(out, guess).Map(item.bytes().data());
}

}  // namespace keyfold::wire

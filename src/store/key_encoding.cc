// Encodes key attributes to bytes and back. S and B share one escape scheme; N uses value/number.h's encoding
// unchanged.
#include "store/key_encoding.h"

#include "base/text/utf8.h"
#include "value/number.h"

namespace keyfold::store {
namespace {

constexpr char kZero = '\x00';
constexpr char kEscaped = '\xFF';  // after a zero byte: the zero is content
constexpr char kEnd = '\x00';      // after a zero byte: the part ends

void AppendEscaped(std::string& out, std::string_view content) {
  for (size_t at; (at = content.find(kZero)) != std::string_view::npos; content.remove_prefix(at + 1)) {
    out.append(content.substr(0, at + 1));
    out.push_back(kEscaped);
  }
  out.append(content);
}

// An escaped part: its bytes without the terminator, and the number of escapes among them.
struct EscapedPart {
  std::string_view bytes;
  size_t escapes = 0;
};

bool FindEscaped(std::string_view bytes, EscapedPart& part) {
  for (size_t at = 0; (at = bytes.find(kZero, at)) != std::string_view::npos; at += 2) {
    if (at + 1 == bytes.size()) return false;
    if (bytes[at + 1] == kEnd) {
      part.bytes = bytes.substr(0, at);
      return true;
    }
    if (bytes[at + 1] != kEscaped) return false;
    ++part.escapes;
  }
  return false;
}

bool TakeText(std::string_view& bytes, Tag tag, std::string& value_out) {
  EscapedPart part;
  if (!FindEscaped(bytes, part)) return false;
  const size_t before = value_out.size();
  value_out.push_back(static_cast<char>(tag));
  AppendVarint(value_out, part.bytes.size() - part.escapes);
  const size_t content = value_out.size();
  std::string_view rest = part.bytes;
  for (size_t at; (at = rest.find(kZero)) != std::string_view::npos; rest.remove_prefix(at + 2)) {
    value_out.append(rest.substr(0, at + 1));
  }
  value_out.append(rest);
  if (tag == Tag::kS && !IsUtf8(std::string_view(value_out).substr(content))) {
    value_out.resize(before);
    return false;
  }
  bytes.remove_prefix(part.bytes.size() + 2);
  return true;
}

bool TakeNumber(std::string_view& bytes, std::string& value_out) {
  const size_t length = Number::EncodedLength(bytes);
  if (length == 0) return false;
  ValueWriter(value_out).EncodedNumber(bytes.substr(0, length));
  bytes.remove_prefix(length);
  return true;
}

}  // namespace

void AppendKeyPart(std::string& out, ValueView value) {
  if (value.type() == Type::kN) {
    out.append(value.AsEncodedNumber());
    return;
  }
  CHECK(value.type() == Type::kS || value.type() == Type::kB);
  AppendEscaped(out, value.AsText());
  out.push_back(kZero);
  out.push_back(kEnd);
}

void AppendKeyPrefix(std::string& out, std::string_view prefix) { AppendEscaped(out, prefix); }

std::string AfterPrefix(std::string_view bytes) {
  const size_t last = bytes.find_last_not_of('\xFF');
  if (last == std::string_view::npos) return {};
  std::string after(bytes.substr(0, last + 1));
  after.back() = static_cast<char>(after.back() + 1);
  return after;
}

bool TakeKeyPart(std::string_view& bytes, Type type, std::string& value_out) {
  switch (type) {
    case Type::kS:
      return TakeText(bytes, Tag::kS, value_out);
    case Type::kB:
      return TakeText(bytes, Tag::kB, value_out);
    case Type::kN:
      return TakeNumber(bytes, value_out);
    default:
      return false;
  }
}

}  // namespace keyfold::store

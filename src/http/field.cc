#include "http/field.h"

#include <algorithm>
#include <array>

#include "base/text/scan.h"

namespace keyfold::http {
namespace {

constexpr uint8_t Bit(ByteClass what) { return static_cast<uint8_t>(what); }

constexpr std::array<uint8_t, 256> MakeClasses() {
  std::array<uint8_t, 256> classes{};
  for (int c = 0; c < 256; ++c) {
    const bool alphanumeric = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (alphanumeric) classes[c] |= Bit(ByteClass::kToken) | Bit(ByteClass::kHost);
    if ((c >= 0x20 && c != 0x7f) || c == '\t') classes[c] |= Bit(ByteClass::kField);
    if (c > 0x20 && c < 0x7f && c != '#') classes[c] |= Bit(ByteClass::kTarget);
  }
  for (const char c : std::string_view("!#$%&'*+-.^_`|~")) classes[static_cast<uint8_t>(c)] |= Bit(ByteClass::kToken);
  for (const char c : std::string_view("-._~:[]%")) classes[static_cast<uint8_t>(c)] |= Bit(ByteClass::kHost);
  return classes;
}
constexpr std::array<uint8_t, 256> kClasses = MakeClasses();

// Length of the leading name of letters, digits and '-'. Tokens may contain other bytes; names hardly ever do.
size_t PlainNameLength(std::string_view s) {
  return FirstWhere(s, [](auto c) {
    const auto lower = c | 0x20;
    return ((lower < 'a') | (lower > 'z')) & ((c < '0') | (c > '9')) & (c != '-');
  });
}

// Number of leading bytes that are kField.
size_t ValueLength(std::string_view s) {
  return FirstWhere(s, [](auto c) { return ((c < 0x20) & (c != '\t')) | (c == 0x7f); });
}

}  // namespace

bool Is(char c, ByteClass what) { return (kClasses[static_cast<uint8_t>(c)] & Bit(what)) != 0; }

bool AllAre(std::string_view s, ByteClass what) {
  uint8_t all = Bit(what);
  for (const char c : s) all &= kClasses[static_cast<uint8_t>(c)];
  return all != 0;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string_view Trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

std::string_view ParseField(std::string_view line, Header& field) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return "a header without a name or a colon";
  field.name = line.substr(0, colon);
  if (!AllAre(field.name, ByteClass::kToken)) return "a malformed header name";
  const std::string_view value = line.substr(colon + 1);
  if (ValueLength(value) != value.size()) return "a control byte in a header";
  field.value = Trimmed(value);
  return {};
}

std::string_view TakeField(std::string_view& rest, Header& field) {
  const size_t colon = PlainNameLength(rest);
  if (colon > 0 && colon < rest.size() && rest[colon] == ':') {
    const std::string_view behind = rest.substr(colon + 1);
    const size_t value_bytes = ValueLength(behind);
    if (behind.substr(value_bytes, 2) == "\r\n") {
      field = {rest.substr(0, colon), Trimmed(behind.substr(0, value_bytes))};
      rest = behind.substr(value_bytes + 2);
      return {};
    }
  }
  // A less common name, or an error.
  const size_t line_feed = rest.find('\n');
  const std::string_view line = rest.substr(0, line_feed - 1);
  rest.remove_prefix(line_feed + 1);
  return ParseField(line, field);
}

bool ParseContentLength(std::string_view value, uint64_t& length) {
  if (value.empty() || value.size() > 18) return false;
  length = 0;
  for (const char c : value) {
    if (c < '0' || c > '9') return false;
    length = length * 10 + static_cast<uint64_t>(c - '0');
  }
  return true;
}

void ApplyConnectionOptions(std::string_view value, bool& keep_alive) {
  while (!value.empty()) {
    const size_t comma = std::min(value.find(','), value.size());
    const std::string_view option = Trimmed(value.substr(0, comma));
    value.remove_prefix(std::min(comma + 1, value.size()));
    if (EqualsIgnoringCase(option, "close")) keep_alive = false;
    if (EqualsIgnoringCase(option, "keep-alive")) keep_alive = true;
  }
}

}  // namespace keyfold::http

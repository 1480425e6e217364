// Header fields, as both sides of HTTP read them: which bytes may stand where, and a line into its name and value.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/header.h"

namespace keyfold {

// What a byte may be part of.
enum class ByteClass : uint8_t {
  kToken = 1,   // methods and header names
  kField = 2,   // header values: printable, space, tab, and bytes past ASCII
  kTarget = 4,  // request targets: printable ASCII without space and '#'
  kHost = 8,    // host and port, IPv6 literals included
};
bool Is(char c, ByteClass what);
bool AllAre(std::string_view s, ByteClass what);

int HexDigit(char c);  // -1: none
std::string_view Trimmed(std::string_view s);

// Empty, or what is wrong with the line in a few words. A folded line begins with a space, which no name has; so has a
// name with a space before its colon.
[[nodiscard]] std::string_view ParseField(std::string_view line, Header& field);

// Takes the field at the front of `rest`, with the line end behind it, in one pass over its bytes. `rest` is header
// lines, each ended by "\r\n" and with no other line feed in it. Returns as ParseField does.
[[nodiscard]] std::string_view TakeField(std::string_view& rest, Header& field);

// Only digits, at most 18; so that "+5", "5, 5" and the like are refused.
[[nodiscard]] bool ParseContentLength(std::string_view value, uint64_t& length);

// Of a Connection header: "close" and "keep-alive" set `keep_alive`, other options nothing.
void ApplyConnectionOptions(std::string_view value, bool& keep_alive);

}  // namespace keyfold

// Header fields, for both sides of HTTP: which bytes are allowed where, and splitting a line into its name and value.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/header.h"

namespace keyfold::http {

// What a byte is allowed in.
enum class ByteClass : uint8_t {
  kToken = 1,   // methods and header names
  kField = 2,   // header values: printable, space, tab, and bytes past ASCII
  kTarget = 4,  // request targets: printable ASCII without space and '#'
  kHost = 8,    // host and port, IPv6 literals included
};
bool Is(char c, ByteClass what);
bool AllAre(std::string_view s, ByteClass what);

int HexDigit(char c);  // -1 if it is not one
std::string_view Trimmed(std::string_view s);

// Returns empty, or a short description of what is wrong with the line. Rejects folded lines, which begin with a space,
// and names followed by a space: no name contains a space.
[[nodiscard]] std::string_view ParseField(std::string_view line, Header& field);

// Takes the field from the front of `rest`, including its line end, in one pass over its bytes. `rest` consists of
// header lines, each ended by "\r\n" and containing no other line feed. Returns as ParseField does.
[[nodiscard]] std::string_view TakeField(std::string_view& rest, Header& field);

// Accepts only digits, at most 18, so that "+5", "5, 5" and the like are rejected.
[[nodiscard]] bool ParseContentLength(std::string_view value, uint64_t& length);

// Parses a Connection header: "close" and "keep-alive" set `keep_alive`; other options have no effect.
void ApplyConnectionOptions(std::string_view value, bool& keep_alive);

}  // namespace keyfold::http

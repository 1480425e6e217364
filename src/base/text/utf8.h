// UTF-8: validity, and byte order (DynamoDB sorts strings by their UTF-8 bytes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace keyfold {

[[nodiscard]] bool IsUtf8(std::string_view bytes);

// Code points in valid UTF-8.
size_t CountCharacters(std::string_view text);

// UTF-16 units in valid UTF-8, which is what DynamoDB's size() counts in a string.
uint64_t CountUtf16Units(std::string_view text);

// Returns the first character of `text`, which must not be empty; one byte if no character starts there.
std::string_view FirstCharacter(std::string_view text);

// Returns `bytes` with U+FFFD in place of each byte that is not part of a character.
std::string AsUtf8(std::string_view bytes);

// `character` is a code point, not a surrogate.
void AppendUtf8(std::string& out, char32_t character);

}  // namespace keyfold

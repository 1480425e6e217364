// UTF-8: validity, and byte order (DynamoDB sorts strings by their UTF-8 bytes).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace keyfold {

[[nodiscard]] bool IsUtf8(std::string_view bytes);

// Code points in valid UTF-8.
size_t CountCharacters(std::string_view text);

// The character that `text`, which is not empty, starts with; one byte where that starts no character.
std::string_view FirstCharacter(std::string_view text);

// `bytes`, with U+FFFD in place of each byte that belongs to no character.
std::string AsUtf8(std::string_view bytes);

// `character` is a code point, and no surrogate.
void AppendUtf8(std::string& out, char32_t character);

}  // namespace keyfold

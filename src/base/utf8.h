// UTF-8: validity, and byte order (DynamoDB sorts strings by their UTF-8 bytes).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace keyfold {

[[nodiscard]] bool IsUtf8(std::string_view bytes);

// Code points in valid UTF-8.
size_t CountCharacters(std::string_view text);

// `character` is a code point, and no surrogate.
void AppendUtf8(std::string& out, char32_t character);

}  // namespace keyfold

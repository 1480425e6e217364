// Base64 as JSON bodies carry it: the standard alphabet, padded. Decoding is strict.
#pragma once

#include <string>
#include <string_view>

namespace keyfold {

void AppendBase64(std::string& out, std::string_view bytes);

// The same into Base64Length(bytes.size()) bytes at `to`; returns their end.
constexpr size_t Base64Length(size_t bytes) { return (bytes + 2) / 3 * 4; }
char* PutBase64(char* to, std::string_view bytes);

// False (and `out` unchanged) where `text` is not canonical padded base64.
[[nodiscard]] bool AppendFromBase64(std::string& out, std::string_view text);

}  // namespace keyfold

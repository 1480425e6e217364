// Base64 as in JSON bodies: the standard alphabet, padded. Decoding is strict.
#pragma once

#include <string>
#include <string_view>

namespace keyfold {

void AppendBase64(std::string& out, std::string_view bytes);

// The same, to `to`, which has space for Base64Length(bytes.size()) bytes. Returns the end of the text.
constexpr size_t Base64Length(size_t bytes) { return (bytes + 2) / 3 * 4; }
char* PutBase64(char* to, std::string_view bytes);

// Returns false, and leaves `out` unchanged, if `text` is not canonical padded base64.
[[nodiscard]] bool AppendFromBase64(std::string& out, std::string_view text);

}  // namespace keyfold

// JSON as literals of other languages: strings, and formatted documents.
#pragma once

#include <string>
#include <string_view>

namespace keyfold::model {

enum class Layout : uint8_t { kJson, kPython, kYaml };

// A JSON string, which is also valid JavaScript and Python. U+FFFF, which would be invisible, is escaped.
std::string QuotedText(std::string_view text);

// `json` is one complete value. Lines after the first start with `indent` times two spaces.
std::string LaidOut(const std::string& json, Layout, int indent = 0);

}  // namespace keyfold::model

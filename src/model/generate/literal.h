// JSON as the literals of the languages that take it: strings, and documents laid out for people.
#pragma once

#include <string>
#include <string_view>

namespace keyfold::model {

enum class Layout : uint8_t { kJson, kPython, kYaml };

// A string of JSON, which is one of JavaScript and of Python too, with the one character that nobody would see by its
// number.
std::string QuotedText(std::string_view text);

// `json` is one whole value. Lines behind the first start with `indent` times two spaces.
std::string LaidOut(const std::string& json, Layout, int indent = 0);

}  // namespace keyfold::model

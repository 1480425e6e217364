// A scalar of a model file and where it stands, so that a parser of its text (template, condition, action) can name the
// place inside it.
#pragma once

#include <string_view>

#include "base/text/utf8.h"
#include "model/core/mark.h"

namespace keyfold::model {

// Views the node it came from.
struct Phrase {
  std::string_view text;
  Mark mark;           // of its first character, behind a quote
  bool inside = true;  // the text stands in the file letter by letter on one line, so places in it can be counted

  Mark At(size_t byte) const {
    if (!inside) return mark;
    return {mark.line, mark.column + static_cast<uint32_t>(CountCharacters(text.substr(0, byte)))};
  }
  Phrase Cut(size_t byte, size_t bytes) const { return {text.substr(byte, bytes), At(byte), inside}; }
};

}  // namespace keyfold::model

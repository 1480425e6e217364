// A scalar of a model file with its position, so that parsers of its text (template, condition, action) can report the
// position of an error inside it.
#pragma once

#include <string_view>

#include "base/text/utf8.h"
#include "model/core/mark.h"

namespace keyfold::model {

// Views the node it came from.
struct Phrase {
  std::string_view text;
  Mark mark;           // position of the first character, after any opening quote
  bool inside = true;  // the text is verbatim on one line of the file, so At can count columns in it

  Mark At(size_t byte) const {
    if (!inside) return mark;
    return {mark.line, mark.column + static_cast<uint32_t>(CountCharacters(text.substr(0, byte)))};
  }
  Phrase Cut(size_t byte, size_t bytes) const { return {text.substr(byte, bytes), At(byte), inside}; }
};

}  // namespace keyfold::model

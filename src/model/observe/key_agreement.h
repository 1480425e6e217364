// Compares a placeholder's text in a key with the item's attribute, and the texts of one attribute at several places of
// a key with each other.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/core/template.h"

namespace keyfold::model {

// Equivalent to text == FormatValue(…, value), but builds the text only if needed. A number `value` is canonical.
bool Agrees(const TemplatePart& part, std::string_view value, std::string_view text);

// What two texts have in common that were written from one value.
enum class Likeness : uint8_t {
  kText,     // every byte
  kLetters,  // every byte, except that one is in lower or upper case
  kTime,     // the shorter is the start of the longer, apart from a final Z
  kNumber,   // every digit, apart from leading zeros
};
bool AreAlike(Likeness, std::string_view a, std::string_view b);
// The likeness of the texts that two placeholders write from one attribute.
Likeness LikenessOf(const TemplatePart&, const TemplatePart&);

// Two places with one value: of the same attribute, or of the shard. `key` is a position in a list of templates.
struct Repeat {
  struct Place {
    uint32_t key = 0, part = 0;
  };
  Place first, second;
  Likeness likeness = Likeness::kText;
};
// Placeholders with the same text stand for the same attribute.
std::vector<Repeat> RepeatsIn(std::span<const Template* const> keys);

}  // namespace keyfold::model

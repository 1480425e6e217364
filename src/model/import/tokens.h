// The parts of a key's text between separators, and the ways in which an attribute can be rendered as such a part.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/format.h"
#include "model/core/type.h"
#include "model/import/sampled_item.h"

namespace keyfold::model {

std::vector<std::string_view> SplitKey(std::string_view text, std::string_view separator);

// Returns true for up to 32 letters, - and _, which may be a literal of a template.
bool IsWord(std::string_view text);
// PROFILE, FOLLOWED_BY: probably not a value.
bool IsCapitals(std::string_view text);
bool IsDigits(std::string_view text);

// Returns true for a complete time in the form in which a time attribute is stored.
bool IsStoredTime(std::string_view text);

// How a placeholder formats a value.
struct Rendering {
  Format format = Format::kPlain;
  uint8_t width = 0;

  friend bool operator==(const Rendering&, const Rendering&) = default;
};

// All renderings of the value that give the token, most likely first.
std::vector<Rendering> RenderingsOf(const SampledValue&, std::string_view token);

// The time format of the token (iso_s, iso_ms or a calendar part); kPlain if it is not a time.
Format TimeFormatOf(std::string_view token);

// Turns ORDER_ITEM or order-item into orderItem; with `capital`, OrderItem.
std::string CamelCase(std::string_view words, bool capital);

}  // namespace keyfold::model

// The parts of a key's text between separators, and the ways in which a part can have been written from an attribute.
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

// Letters, - and _, not over 32, so that it may be a literal of a template.
bool IsWord(std::string_view text);
// PROFILE, FOLLOWED_BY: hardly a value.
bool IsCapitals(std::string_view text);
bool IsDigits(std::string_view text);

// A whole time as an attribute of type time is stored.
bool IsStoredTime(std::string_view text);

// How a placeholder writes a value.
struct Rendering {
  Format format = Format::kPlain;
  uint8_t width = 0;

  friend bool operator==(const Rendering&, const Rendering&) = default;
};

// All renderings of the value that give the token, the likeliest first.
std::vector<Rendering> RenderingsOf(const SampledValue&, std::string_view token);

// The token itself is of a time's layout: iso_s, iso_ms, or a calendar part; kPlain where it is not.
Format TimeFormatOf(std::string_view token);

// ORDER_ITEM, order-item → orderItem; with `capital` OrderItem.
std::string CamelCase(std::string_view words, bool capital);

}  // namespace keyfold::model

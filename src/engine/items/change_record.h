// The body of a change-log record: one item's change with both full images. The reader decides what a stream shows.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "value/item.h"

namespace keyfold::engine {

// Borrows its images.
struct ItemChange {
  std::optional<ItemView> before, after;  // at least one is present
  bool expired = false;                   // removed by time to live
};

std::string EncodeChange(const ItemChange& change);
std::optional<ItemChange> DecodeChange(std::string_view body);

}  // namespace keyfold::engine

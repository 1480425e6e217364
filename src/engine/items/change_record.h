// A change-log record's body: one item's change with both full images. What a stream shows of it is decided on reading.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "value/item.h"

namespace keyfold {

// Borrows its images.
struct ItemChange {
  std::optional<ItemView> before, after;  // not both absent
  bool expired = false;                   // removed by time to live
};

std::string EncodeChange(const ItemChange& change);
std::optional<ItemChange> DecodeChange(std::string_view body);

}  // namespace keyfold

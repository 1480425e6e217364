// Checks the limit on an item's size without computing the size of items that are clearly within it.
#pragma once

#include "value/item.h"
#include "value/limits.h"

namespace keyfold {

// Maximum ratio of an item's size by DynamoDB's rules to its stored size: an element of a list counts one byte more
// than its value, and the smallest value is stored in one byte.
inline constexpr size_t kSizePerStoredByteMax = 2;

inline bool ExceedsItemLimit(ItemView item) {
  return item.bytes().size() > kItemBytesMax / kSizePerStoredByteMax && ItemSize(item) > kItemBytesMax;
}

}  // namespace keyfold

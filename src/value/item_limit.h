// The limit on an item's size, checked without sizing items that are clearly within it.
#pragma once

#include "value/item.h"
#include "value/limits.h"

namespace keyfold {

// An item is at most this many times as large by DynamoDB's count as in its stored form: an element of a list counts
// one byte more than its value, and the smallest value is stored in one.
inline constexpr size_t kSizePerStoredByteMax = 2;

inline bool ExceedsItemLimit(ItemView item) {
  return item.bytes().size() > kItemBytesMax / kSizePerStoredByteMax && ItemSize(item) > kItemBytesMax;
}

}  // namespace keyfold

// The limits on an item's size and depth. The size is checked without computing it for items that are clearly small
// enough.
#pragma once

#include "base/error.h"
#include "value/item.h"
#include "value/limits.h"

namespace keyfold {

inline constexpr Rule<"Item size has exceeded the maximum allowed size"> kItemSize{"item-size", Kind::kValidation};
inline constexpr Rule<
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit">
    kItemDepth{"item-depth", Kind::kValidation};

// Maximum ratio of an item's size by DynamoDB's rules to its stored size: an element of a list counts one byte more
// than its value, and the smallest value is stored in one byte.
inline constexpr size_t kSizePerStoredByteMax = 2;

inline bool ExceedsItemLimit(ItemView item) {
  return item.bytes().size() > kItemBytesMax / kSizePerStoredByteMax && ItemSize(item) > kItemBytesMax;
}

}  // namespace keyfold

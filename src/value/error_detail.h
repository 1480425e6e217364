// What some errors carry besides their message; wire/error_body.cc prints it.
#pragma once

#include <utility>
#include <vector>

#include "value/error.h"
#include "value/item.h"

namespace keyfold {

// ConditionalCheckFailed, when the request asked for the item that failed its condition.
struct FailedItem : ErrorDetail {
  explicit FailedItem(Item failed) : item(std::move(failed)) {}
  Item item;
};

}  // namespace keyfold

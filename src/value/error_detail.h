// What some errors carry besides their message; wire/error_body.cc prints it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "value/item.h"

namespace keyfold {

// ConditionalCheckFailed, when the request asked for the item that failed its condition.
struct FailedItem : ErrorDetail {
  explicit FailedItem(Item failed) : item(std::move(failed)) {}
  Item item;
};

// TransactionCanceled: what became of each action, in the order of the request.
struct CancellationReasons : ErrorDetail {
  struct Reason {
    std::string_view code = "None";
    std::string message = {};  // none where the action did not fail
    std::string_view rule = {};
    std::optional<Item> item = {};
  };
  explicit CancellationReasons(std::vector<Reason> of_actions) : reasons(std::move(of_actions)) {}
  std::vector<Reason> reasons;
};

}  // namespace keyfold

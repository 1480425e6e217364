// Data that some errors carry besides their message; wire/error_body.cc prints it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "value/item.h"

namespace keyfold {

// ConditionalCheckFailed, if the request asked for the item that failed its condition.
struct FailedItem : ErrorDetail {
  explicit FailedItem(Item failed) : item(std::move(failed)) {}
  Item item;
};

// TransactionCanceled: the outcome of each action, in request order.
struct CancellationReasons : ErrorDetail {
  struct Reason {
    std::string_view code = "None";
    std::string message = {};    // empty if the action did not fail
    std::string_view rule = {};  // id of the Rule that the action broke
    std::optional<Item> item = {};
  };
  explicit CancellationReasons(std::vector<Reason> of_actions) : reasons(std::move(of_actions)) {}
  std::vector<Reason> reasons;
};

}  // namespace keyfold

// Why a transaction of writes or reads is rejected or cancelled: collects the failures of its actions into one error.
// Failures that belong to no single action (missing table, disk error) are returned as they are.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/error.h"
#include "store/row_key.h"
#include "value/error_detail.h"

namespace keyfold::engine {

// Used by one thread at a time.
class Cancellation {
 public:
  explicit Cancellation(size_t actions) : reasons_(actions) {}

  // Returns true for a failure of an action, which cancels the transaction; false for an error of the whole request.
  static bool IsOfAction(Kind kind);

  // Records that action `index` failed with `error`, for which IsOfAction is true.
  void Add(size_t index, Error error);
  bool any() const { return any_; }
  // "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]".
  Error ToError() &&;

 private:
  std::vector<CancellationReasons::Reason> reasons_;
  bool any_ = false;
};

// Returns the cancellation of a transaction in which only action `index` failed. An error of the whole request is
// returned as it is.
Error CancelledBy(size_t actions, size_t index, Error error);

// Returns an error if the bytes of a transaction's request, or of the items it read, exceed the limit.
Status TransactionFits(size_t bytes);

// Returns an error if two actions refer to the same item.
Status ItemsAreDistinct(std::span<const store::RowKey> keys);

}  // namespace keyfold::engine

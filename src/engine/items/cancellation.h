// Why a transaction is refused or cancelled, for those of writes and of reads: the failures of its actions, gathered
// into one error. A failure that is not an action's own (a table that is missing, the disk) is told by itself.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/error.h"
#include "store/row_key.h"
#include "value/error_detail.h"

namespace keyfold {

// One thread at a time.
class Cancellation {
 public:
  explicit Cancellation(size_t actions) : reasons_(actions) {}

  // An action's failure that cancels the transaction; false: an error of the whole request.
  static bool IsOfAction(Kind kind);

  // Action `index` failed for `error`, which is of its own.
  void Add(size_t index, Error error);
  bool any() const { return any_; }
  // "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]".
  Error ToError() &&;

 private:
  std::vector<CancellationReasons::Reason> reasons_;
  bool any_ = false;
};

// The transaction whose only failure so far is that of action `index`; an error of the whole request stays as it is.
Error CancelledBy(size_t actions, size_t index, Error error);

// What the request of a transaction brings, or what its reads found, is not too much.
Status TransactionFits(size_t bytes);

// No two actions are on one item.
Status ItemsAreDistinct(std::span<const RowKey> keys);

}  // namespace keyfold

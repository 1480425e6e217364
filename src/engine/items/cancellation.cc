#include "engine/items/cancellation.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "value/limits.h"

namespace keyfold::engine {
namespace {

constexpr Rule<"Transaction cancelled, please refer cancellation reasons for specific reasons [{}]"> kCancelled{
    "transaction-cancelled", Kind::kTransactionCanceled};
constexpr Rule<"Transaction request cannot include multiple operations on one item"> kOneItemTwice{
    "transaction-item-twice", Kind::kValidation};
constexpr Rule<"Transaction payload size cannot exceed {} bytes"> kTooLarge{"transaction-size", Kind::kValidation};

// Returns an empty string for errors that do not belong to a single action.
std::string_view CodeOf(Kind kind) {
  switch (kind) {
    case Kind::kConditionalCheckFailed:
      return "ConditionalCheckFailed";
    case Kind::kItemCollectionSizeLimitExceeded:
      return "ItemCollectionSizeLimitExceeded";
    case Kind::kDuplicateItem:
      return "DuplicateItem";
    case Kind::kValidation:
      return "ValidationError";
    case Kind::kResourceNotFound:
      return "ResourceNotFound";
    default:
      return "";
  }
}

}  // namespace

// A missing table fails a transaction of items as a whole; it cancels only a transaction of statements.
bool Cancellation::IsOfAction(Kind kind) { return kind != Kind::kResourceNotFound && !CodeOf(kind).empty(); }

void Cancellation::Add(size_t index, Error error) {
  CancellationReasons::Reason& reason = reasons_[index];
  reason.code = CodeOf(error.kind());
  reason.message = error.message();
  reason.rule = error.rule();
  if (const auto* failed = dynamic_cast<const FailedItem*>(error.detail())) reason.item = failed->item;
  any_ = true;
}

Error Cancellation::ToError() && {
  std::string codes;
  for (const CancellationReasons::Reason& reason : reasons_) {
    if (!codes.empty()) codes.append(", ");
    codes.append(reason.code);
  }
  return kCancelled(codes).WithDetail(std::make_unique<CancellationReasons>(std::move(reasons_)));
}

Error CancelledBy(size_t actions, size_t index, Error error) {
  if (!Cancellation::IsOfAction(error.kind())) return error;
  Cancellation cancellation(actions);
  cancellation.Add(index, std::move(error));
  return std::move(cancellation).ToError();
}

Status TransactionFits(size_t bytes) {
  if (bytes > kTransactionBytesMax) return kTooLarge(kTransactionBytesMax);
  return Ok();
}

Status ItemsAreDistinct(std::span<const store::RowKey> keys) {
  std::vector<std::string_view> sorted;
  sorted.reserve(keys.size());
  for (const store::RowKey& key : keys) sorted.push_back(key.bytes());
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return kOneItemTwice();
  return Ok();
}

}  // namespace keyfold::engine

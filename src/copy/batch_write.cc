#include "copy/batch_write.h"

#include <numeric>

#include "json/raw_json.h"
#include "json/writer.h"

namespace keyfold::copy {
namespace {

constexpr size_t kBatchItemsMax = 25;
constexpr size_t kBatchBytesMax = 16 * 1024 * 1024 - 4096;  // limit of a request's items; the rest is overhead
constexpr std::string_view kPutOpen = R"({"PutRequest":{"Item":)", kPutClose = "}}";
// Consecutive responses that accepted none of a batch's items. With the waits in between, about five minutes.
constexpr int kVainMax = 20;

constexpr Rule<"{} accepts no more items: {} items of a batch were returned as unprocessed {} times"> kStuck{
    "copy-stuck", Kind::kThrottling};
constexpr Rule<"the response of BatchWriteItem is not a valid DynamoDB response"> kOddBatchAnswer{"copy-batch-answer",
                                                                                                  Kind::kUnavailable};

// `puts`: an array of PutRequests.
std::string RequestOf(std::string_view table, std::string_view puts) {
  std::string body = R"({"RequestItems":{)";
  json::AppendQuoted(body, table);
  return body.append(":").append(puts).append("}}");
}

std::string PutsOf(std::span<const std::string_view> items, uint64_t bytes) {
  std::string puts;
  puts.reserve(bytes + items.size() * (kPutOpen.size() + kPutClose.size() + 1) + 2);
  for (const std::string_view item : items) {
    puts.append(puts.empty() ? "[" : ",").append(kPutOpen).append(item).append(kPutClose);
  }
  return puts.append("]");
}

}  // namespace

size_t BatchWrite::CountForOne(std::span<const std::string_view> items) {
  size_t count = 0;
  for (size_t bytes = 0; count < items.size() && count < kBatchItemsMax; ++count) {
    bytes += items[count].size() + kPutOpen.size() + kPutClose.size() + 1;
    if (bytes > kBatchBytesMax && count > 0) break;
  }
  return count;
}

Status BatchWrite::Put(std::span<const std::string_view> items) {
  while (!items.empty()) {
    const auto batch = items.first(CountForOne(items));
    const uint64_t bytes = std::accumulate(batch.begin(), batch.end(), uint64_t{0},
                                           [](uint64_t sum, std::string_view item) { return sum + item.size(); });
    if (const Micros wait = pace_.Take(batch.size(), bytes); wait > 0) stop_.Sleep(wait);
    if (stop_.raised()) return kStopped();
    RETURN_IF_ERROR(PutBatch(batch, bytes));
    acknowledged_.bytes += bytes;
    items = items.subspan(batch.size());
  }
  return Ok();
}

Status BatchWrite::PutBatch(std::span<const std::string_view> items, uint64_t bytes) {
  const client::RetryPolicy policy;
  std::string puts = PutsOf(items, bytes);
  size_t left = items.size();
  for (int vain = 0;;) {
    ASSIGN_OR_RETURN(const std::string answer, target_.Call("BatchWriteItem", RequestOf(table_, puts)));
    size_t refused = 0;
    ASSIGN_OR_RETURN(puts, Unprocessed(answer, refused));
    if (refused > left) return kOddBatchAnswer();
    acknowledged_.items += left - refused;
    vain = refused < left ? 1 : vain + 1;
    left = refused;
    if (left == 0) return Ok();
    if (vain > kVainMax) return kStuck(table_, left, vain);
    stop_.Sleep(client::WaitBeforeNext(policy, vain, 0, random_));
    if (stop_.raised()) return kStopped();
  }
}

Result<std::string> BatchWrite::Unprocessed(const std::string& answer, size_t& count) const {
  const auto all = FindRaw(answer, "UnprocessedItems");
  const auto puts = all ? FindRaw(*all, table_) : std::nullopt;
  if (!puts) {
    // Items under another table's name, or an invalid response, must not count as acknowledged.
    const bool none = all ? *all == "{}" : answer.starts_with('{');
    if (!none) return kOddBatchAnswer();
    return std::string();
  }
  const auto elements = RawElementsOf(*puts);
  if (!elements) return kOddBatchAnswer();
  count = elements->size();
  return std::string(*puts);
}

}  // namespace keyfold::copy

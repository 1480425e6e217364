#include "client/retry.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace keyfold::client {
namespace {

constexpr std::string_view kRetryableTypes[] = {
    "BandwidthLimitExceeded",
    "InternalFailure",
    "InternalServerError",
    "LimitExceededException",  // too many control-plane operations at once
    "PriorRequestNotComplete",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "RequestThrottled",
    "RequestThrottledException",
    "RequestTimeout",
    "RequestTimeoutException",
    "ServiceUnavailable",
    "ServiceUnavailableException",
    "SlowDown",
    "ThrottledException",
    "Throttling",
    "ThrottlingException",
    "TooManyRequestsException",
    "TransactionInProgressException",
};
static_assert(std::is_sorted(std::begin(kRetryableTypes), std::end(kRetryableTypes)));

Micros ParseWait(std::string_view text, Micros unit) {
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number * unit : 0;
}

}  // namespace

bool IsRetryable(int status, std::string_view type) {
  if (status == 429 || (status >= 500 && status != 501)) return true;
  return std::binary_search(std::begin(kRetryableTypes), std::end(kRetryableTypes), type);
}

bool IsRetryable(http::Failure::Kind kind) {
  return kind == http::Failure::Kind::kConnect || kind == http::Failure::Kind::kTimeout ||
         kind == http::Failure::Kind::kLost;
}

Micros WaitBeforeNext(const RetryPolicy& policy, int failures, Micros asked, Random& random) {
  const Micros ceiling = std::min(policy.wait_max, policy.base << std::min(failures - 1, 30));
  const Micros jittered = static_cast<Micros>(random.Below(static_cast<uint64_t>(ceiling))) + 1;
  return std::min(policy.wait_max, std::max(jittered, asked));
}

Micros AskedWait(const http::HttpAnswer& answer) {
  return std::max(ParseWait(answer.Find("x-amz-retry-after"), 1'000), ParseWait(answer.Find("retry-after"), 1'000'000));
}

}  // namespace keyfold::client

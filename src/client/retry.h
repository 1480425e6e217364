// When a call is retried, and after how long: as in the AWS SDKs, with DynamoDB's numbers.
#pragma once

#include <string_view>

#include "base/clock.h"
#include "base/random.h"
#include "http/client.h"

namespace keyfold::client {

struct RetryPolicy {
  int attempts_max = 10;
  // Attempts if nothing listens at the address: a user at a terminal waits for the message.
  int connect_attempts_max = 3;
  Micros base = 50'000;
  Micros wait_max = 20'000'000;
};

// True for throttling and similar errors, and for transient ones.
bool IsRetryable(int status, std::string_view type);

// True for a lost connection, although the server may have executed the call: see ServiceClient::Call.
bool IsRetryable(http::Failure::Kind kind);

// Wait before the attempt that follows `failures` ≥ 1 failures: a random time up to base · 2^(failures-1), at least
// `asked` and at most wait_max.
Micros WaitBeforeNext(const RetryPolicy& policy, int failures, Micros asked, Random& random);

// The wait that a response's headers (x-amz-retry-after, Retry-After) ask for; 0 if they do not.
Micros AskedWait(const http::HttpAnswer& answer);

}  // namespace keyfold::client

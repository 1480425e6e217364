// When a call is sent again, and after how long: what the AWS SDKs do, with DynamoDB's numbers.
#pragma once

#include <string_view>

#include "base/clock.h"
#include "base/random.h"
#include "http/client.h"

namespace keyfold {

struct RetryPolicy {
  int attempts_max = 10;
  // Where nobody even listens: someone at a terminal waits for the message.
  int connect_attempts_max = 3;
  Micros base = 50'000;
  Micros wait_max = 20'000'000;
};

// Throttling and its like, and what is expected to pass.
bool IsRetryable(int status, std::string_view type);

// A lost connection is, though the server may have done what it was asked: see ServiceClient::Call.
bool IsRetryable(Failure::Kind kind);

// Before the attempt that follows `failures` ≥ 1 of them: anything up to base · 2^(failures-1), and not less than
// `asked`; never over wait_max.
Micros WaitBeforeNext(const RetryPolicy& policy, int failures, Micros asked, Random& random);

// What an answer's headers (x-amz-retry-after, Retry-After) ask for; 0: nothing.
Micros AskedWait(const HttpAnswer& answer);

}  // namespace keyfold

// SignedRequests: whole requests out of operations and bodies, their signature never older than a minute.
#pragma once

#include <ctime>
#include <string>
#include <string_view>
#include <utility>

#include "bench/orders/request_head.h"

namespace keyfold::bench {

// One thread at a time.
class SignedRequests {
 public:
  explicit SignedRequests(std::string host)
      : host_(std::move(host)), signed_at_(std::time(nullptr)), head_(host_, signed_at_) {}

  void Append(std::string& out, std::string_view operation, std::string_view body) {
    if (const std::time_t now = std::time(nullptr); now > signed_at_ + kSecondsMax) {
      signed_at_ = now;
      head_ = RequestHead(host_, now);
    }
    head_.AppendRequest(out, operation, body);
  }

 private:
  static constexpr std::time_t kSecondsMax = 60;

  const std::string host_;
  std::time_t signed_at_;
  RequestHead head_;
};

}  // namespace keyfold::bench

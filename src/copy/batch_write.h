// BatchWrite: items into a table, BatchWriteItem by BatchWriteItem, until each is acknowledged.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/random.h"
#include "client/retry.h"
#include "copy/caller.h"
#include "copy/pace.h"
#include "copy/stop_request.h"

namespace keyfold {

// What was acknowledged so far, by all threads. Thread-safe.
struct Acknowledged {
  std::atomic<uint64_t> items = 0;
  std::atomic<uint64_t> bytes = 0;
};

// One thread at a time. Everything is borrowed.
class BatchWrite {
 public:
  BatchWrite(Caller& target, std::string table, CopyPace& pace, StopRequest& stop, Acknowledged& acknowledged,
             uint64_t seed)
      : target_(target),
        table_(std::move(table)),
        pace_(pace),
        stop_(stop),
        acknowledged_(acknowledged),
        random_(seed) {}

  // `items` are JSON. Done: all of them are acknowledged. Otherwise some are; those before the sign was raised.
  Status Put(std::span<const std::string_view> items);

 private:
  // How many of the first are one request.
  static size_t CountForOne(std::span<const std::string_view> items);
  Status PutBatch(std::span<const std::string_view> items, uint64_t bytes);
  // The part of an answer that is to be sent again, one element an item; empty: none.
  Result<std::string> Unprocessed(const std::string& answer, size_t& count) const;

  Caller& target_;
  const std::string table_;
  CopyPace& pace_;
  StopRequest& stop_;
  Acknowledged& acknowledged_;
  Random random_;
};

}  // namespace keyfold

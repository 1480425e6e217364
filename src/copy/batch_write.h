// BatchWrite: writes items into a table, one BatchWriteItem after another, until each is acknowledged.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/random.h"
#include "client/api_caller.h"
#include "client/retry.h"
#include "copy/pace.h"
#include "copy/stop_request.h"

namespace keyfold::copy {

// What all threads have had acknowledged so far. Thread-safe.
struct Acknowledged {
  std::atomic<uint64_t> items = 0;
  std::atomic<uint64_t> bytes = 0;
};

// Used by one thread at a time. Everything is borrowed.
class BatchWrite {
 public:
  BatchWrite(client::ApiCaller& target, std::string table, CopyPace& pace, StopRequest& stop,
             Acknowledged& acknowledged, uint64_t seed)
      : target_(target),
        table_(std::move(table)),
        pace_(pace),
        stop_(stop),
        acknowledged_(acknowledged),
        random_(seed) {}

  // `items` are JSON. Succeeds when all of them are acknowledged. On failure, some are; after a stop request, those
  // before it.
  Status Put(std::span<const std::string_view> items);

 private:
  // How many of the first items fit into one request.
  static size_t CountForOne(std::span<const std::string_view> items);
  Status PutBatch(std::span<const std::string_view> items, uint64_t bytes);
  // Returns the part of a response that must be sent again and its number of items in `count`; empty if there is none.
  Result<std::string> Unprocessed(const std::string& answer, size_t& count) const;

  client::ApiCaller& target_;
  const std::string table_;
  CopyPace& pace_;
  StopRequest& stop_;
  Acknowledged& acknowledged_;
  Random random_;
};

}  // namespace keyfold::copy

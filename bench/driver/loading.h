// Making the tables of orders and filling them.
#pragma once

#include <cstdint>
#include <string>

#include "bench/driver/sender.h"
#include "bench/orders/order.h"

namespace keyfold::bench {

struct LoadOptions {
  Target target;
  std::string table = "orders";
  uint64_t items = 50'000, from = 0;  // orders from … items - 1
  uint64_t indexes = 1, tables = 1;
  size_t comment_bytes = kCommentBytes;
  size_t connections = 16, threads = 2;
  bool create = true;  // makes the tables; false: they are there
  bool large = true;   // the table of large items too
};

// The exit code; progress on standard error, one line of JSON at the end.
int RunLoad(const LoadOptions& options);

}  // namespace keyfold::bench

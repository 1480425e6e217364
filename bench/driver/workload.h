// The workloads: what is asked, of which orders. One row each; `bench_driver list` prints them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "bench/orders/requests.h"

namespace keyfold::bench {

// What a request is made from. One thread at a time.
struct Maker {
  std::span<const OrderRequests> tables;
  Random& random;
  uint64_t items;  // orders that were loaded: 0 to items - 1

  // Returns the table that holds order n.
  const OrderRequests& OrdersOf(uint64_t n) const { return tables[n / kOrdersTogether % tables.size()]; }
  uint64_t AnyOrder() { return random.Below(items); }
  uint64_t AnyCents() { return 100 + random.Below(99'900); }
};

struct Workload {
  std::string_view name, about;
  // Appends a body and answers with its operation.
  std::string_view (*make)(Maker& maker, std::string& body);
  std::string_view expected;  // in the first or last bytes of a right answer
  bool large = false;         // use the table of large items
};

// Those of `table` itself, or with more than one of "…-0", "…-1" and so on.
std::vector<OrderRequests> TablesOf(const std::string& table, uint64_t tables, size_t comment_bytes);

std::span<const Workload> Workloads();
const Workload* FindWorkload(std::string_view name);

inline constexpr std::string_view kLargeSuffix = "-large";  // ends the name of the table of large items
inline constexpr uint64_t kLargeItems = 64;

}  // namespace keyfold::bench

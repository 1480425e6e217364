// The bodies of the requests that the benchmarks send, on a table of orders. Made by appending fixed text and keys, so
// that making one costs far less than sending it.
#pragma once

#include <cstdint>
#include <string>

#include "bench/orders/order.h"

namespace keyfold::bench {

// Immutable. Each call appends a body.
class OrderRequests {
 public:
  explicit OrderRequests(std::string table, size_t comment_bytes = kCommentBytes);

  void CreateTable(std::string& out, uint64_t indexes) const;
  void Get(std::string& out, uint64_t n) const;
  void Put(std::string& out, uint64_t n, uint64_t cents) const;
  void PutIfThere(std::string& out, uint64_t n, uint64_t cents) const;  // condition: there, and not cancelled
  void Update(std::string& out, uint64_t n) const;                      // counts its revision; condition: it is there
  void Delete(std::string& out, uint64_t n) const;
  void QueryYear(std::string& out, uint64_t n) const;     // the ten orders of n's customer in the first year
  void QueryProduct(std::string& out, uint64_t n) const;  // ten orders of n's product, from the index
  void RunScan(std::string& out, uint64_t n) const;       // fifty orders, from behind n on
  void Transact(std::string& out, uint64_t updated, uint64_t put, uint64_t cents) const;  // two writes
  void PutBatch(std::string& out, uint64_t first, uint64_t count, uint64_t cents) const;  // first, first + 1, …

 private:
  const std::string table_;
  const std::string open_;  // {"TableName":"…",
  const size_t comment_bytes_;
};

}  // namespace keyfold::bench

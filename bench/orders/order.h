// The items that every benchmark here works on: orders of customers, about 430 bytes each, twenty to a customer, ten of
// them in each of two years, and two hundred products that share them. The n-th order is the same in every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace keyfold::bench {

inline constexpr uint64_t kOrdersPerCustomer = 20, kOrdersPerYear = 10, kProducts = 200;
inline constexpr size_t kCommentBytes = 232;             // makes an item of about 430 bytes
inline constexpr size_t kLongCommentBytes = 100'000;     // and one of about 100 KB
inline constexpr uint64_t kOrdersTogether = 100;         // in one table, where orders are spread over many
inline constexpr std::string_view kIndex = "byProduct";  // the first index; its key is product and sk

// Each appends, in DynamoDB's JSON. Without a comment an order has keys, product, status, revision and total only,
// about 120 bytes.
void AppendOrderKey(std::string& out, uint64_t n);
void AppendOrder(std::string& out, uint64_t n, uint64_t cents, size_t comment_bytes = kCommentBytes);

// The values alone.
void AppendCustomer(std::string& out, uint64_t n);  // the customer of order n
void AppendSortKey(std::string& out, uint64_t n);
void AppendProduct(std::string& out, uint64_t n);

void AppendDecimal(std::string& out, uint64_t value);
void AppendDigits(std::string& out, uint64_t value, size_t digits);  // with leading zeros

}  // namespace keyfold::bench

#include "bench/orders/order.h"

#include <algorithm>
#include <charconv>

namespace keyfold::bench {
namespace {

// Long enough that a comment may begin anywhere in its first half.
std::string MakeComments() {
  constexpr std::string_view kWords[] = {"please ",      "leave ",    "the ",    "parcel ",   "with ",   "our ",
                                         "neighbours, ", "call ",     "before ", "ten, ",     "gate ",   "code ",
                                         "4711, ",       "thanks ",   "and ",    "regards; ", "second ", "floor, ",
                                         "left ",        "doorbell ", "is ",     "broken. "};
  std::string text;
  for (size_t i = 0; text.size() < 2 * kCommentBytes + 512; ++i) text += kWords[i * i % std::size(kWords)];
  return text;
}

void AppendComment(std::string& out, uint64_t n, size_t bytes) {
  static const std::string text = MakeComments();
  size_t at = n * 37 % 512;
  while (bytes > 0) {
    const size_t some = std::min(bytes, text.size() - at);
    out.append(text, at, some);
    bytes -= some;
    at = 0;
  }
}

}  // namespace

void AppendDigits(std::string& out, uint64_t value, size_t digits) {
  const size_t end = out.size() + digits;
  out.resize(end);
  for (size_t i = 1; i <= digits; ++i, value /= 10) out[end - i] = static_cast<char>('0' + value % 10);
}

void AppendDecimal(std::string& out, uint64_t value) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void AppendCustomer(std::string& out, uint64_t n) {
  out += "CUSTOMER#";
  AppendDigits(out, n / kOrdersPerCustomer, 8);
}

void AppendSortKey(std::string& out, uint64_t n) {
  const uint64_t place = n % kOrdersPerCustomer;
  out += place < kOrdersPerYear ? "ORDER#2025-" : "ORDER#2026-";
  AppendDigits(out, 1 + place % kOrdersPerYear, 2);
  out += '-';
  AppendDigits(out, 1 + n * 7 % 28, 2);
  out += '#';
  AppendDigits(out, n, 8);
}

void AppendProduct(std::string& out, uint64_t n) {
  out += "PRODUCT#";
  AppendDigits(out, n % kProducts, 4);
}

void AppendOrderKey(std::string& out, uint64_t n) {
  out += R"({"pk":{"S":")";
  AppendCustomer(out, n);
  out += R"("},"sk":{"S":")";
  AppendSortKey(out, n);
  out += R"("}})";
}

void AppendOrder(std::string& out, uint64_t n, uint64_t cents, size_t comment_bytes) {
  AppendOrderKey(out, n);
  out.pop_back();
  out += R"(,"product":{"S":")";
  AppendProduct(out, n);
  out += R"("},"status":{"S":"SHIPPED"},"revision":{"N":"0"},"total":{"N":")";
  AppendDecimal(out, cents / 100);
  out += '.';
  AppendDigits(out, cents % 100, 2);
  out += R"("})";
  if (comment_bytes == 0) return void(out += '}');
  out += R"(,"placedAt":{"N":")";
  AppendDecimal(out, 1'767'225'600 + n % 1'000'000);
  out +=
      R"("},"gift":{"BOOL":false},"tags":{"SS":["fragile","weekend"]},"delivery":{"M":{"street":{"S":"12 Long Street")"
      R"(},"city":{"S":"Springfield"},"zip":{"S":"12345"}}},"comment":{"S":")";
  AppendComment(out, n, comment_bytes);
  out += R"("}})";
}

}  // namespace keyfold::bench

// Fuzz target for number text and number encodings. The input is two texts separated by a newline; each is also read as
// an encoding.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "value/number.h"

namespace keyfold {
namespace {

std::string Encoded(const Number& number) {
  std::string out;
  number.EncodeTo(out);
  return out;
}

// Invariants of every number.
void CheckNumber(const Number& number) {
  const std::string encoded = Encoded(number);
  CHECK(encoded.size() <= 22);
  CHECK(Number::EncodedLength(encoded) == encoded.size());
  CHECK(Encoded(Number::Decode(encoded)) == encoded);
  CHECK(NumberSize(encoded) >= 1 && NumberSize(encoded) <= 22);
  const std::string printed = number.ToString();
  const Result<Number> again = Number::Parse(printed);
  CHECK(again.ok() && *again == number && again->ToString() == printed);
  CHECK(number.Negated().Negated() == number);
  int64_t whole = 0;
  if (number.ToInt64(whole)) CHECK(Number(whole) == number);
}

void CheckEncoding(std::string_view bytes) {
  const size_t length = Number::EncodedLength(bytes);
  if (length == 0) return;
  const Number number = Number::Decode(bytes.substr(0, length));
  CHECK(Encoded(number) == bytes.substr(0, length));
  CheckNumber(number);
}

void CheckPair(const Number& a, const Number& b) {
  const int order = Number::Compare(a, b), by_bytes = Encoded(a).compare(Encoded(b));
  CHECK(order == (by_bytes > 0) - (by_bytes < 0));
  CHECK(order == -Number::Compare(b, a));
  const Result<Number> sum = Number::Add(a, b), other = Number::Add(b, a), difference = Number::Subtract(a, b);
  CHECK(sum.ok() == other.ok());
  if (sum.ok()) {
    CheckNumber(*sum);
    CHECK(*sum == *other);
    const Result<Number> back = Number::Subtract(*sum, b);
    CHECK(back.ok() && *back == a);
  }
  if (difference.ok()) {
    CheckNumber(*difference);
    CHECK(difference->IsZero() == (order == 0) && difference->IsNegative() == (order < 0));
  }
}

}  // namespace
}  // namespace keyfold

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using keyfold::Number;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t line = std::min(input.find('\n'), size);
  const std::string_view first = input.substr(0, line), second = input.substr(std::min(line + 1, size));
  keyfold::CheckEncoding(first);
  keyfold::CheckEncoding(second);
  const auto a = Number::Parse(first), b = Number::Parse(second);
  if (a.ok()) keyfold::CheckNumber(*a);
  if (a.ok() && b.ok()) keyfold::CheckPair(*a, *b);
  return 0;
}

// Number: DynamoDB's decimal, up to 38 significant digits, 1E-130 to 9.99…E+125 in magnitude, and zero. Exact.
//
// Its encoded form is part of the data format. It is canonical (equal numbers, equal bytes), order-preserving (memcmp
// order is number order) and self-delimiting:
//   zero       80 00
//   positive   (80 + e) d1 d2 … dn 00       value = 0.d1d2…dn (base 100) * 100^(e-64), e in 0..127; d is stored as d+1
//   negative   (7F - e) ~d1 ~d2 … ~dn FF    the same digits, each byte complemented
// d1 and dn are not zero. At most 22 bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace keyfold {

// Immutable value.
class Number {
 public:
  Number() = default;  // zero
  explicit Number(int64_t value);

  // Text as a request has it: [sign] digits [. digits] [e [sign] digits]; DynamoDB's error for anything else, out of
  // range, or too precise.
  static Result<Number> Parse(std::string_view text);

  // `encoded` must be one whole well-formed encoding (EncodedLength() == size): bytes from our own item form or store.
  static Number Decode(std::string_view encoded);
  // Length of the encoding at the start of `bytes`, of any origin; 0 where there is no well-formed canonical one.
  static size_t EncodedLength(std::string_view bytes);
  // The same of trusted bytes: the terminator tells the end.
  static size_t LengthAt(const char* p) {
    const char end = static_cast<uint8_t>(*p) >= 0x80 ? '\0' : '\xFF';
    size_t n = 1;
    while (p[n] != end) ++n;
    return n + 1;
  }
  void EncodeTo(std::string& out) const;

  // DynamoDB's printing: plain decimal digits, no exponent, no trailing zeros ("1E2" -> "100", "1.50" -> "1.5").
  void PrintTo(std::string& out) const;
  // The same into kTextBytesMax bytes at `to`; returns where it ends.
  char* PrintTo(char* to) const;
  static constexpr size_t kTextBytesMax = 171;  // a sign, "0.", 64 pairs of zeros before the first digit, 20 pairs
  std::string ToString() const;

  bool IsZero() const { return count_ == 0; }
  bool IsNegative() const { return negative_; }
  Number Negated() const;

  // Exact, or DynamoDB's error: overflow, underflow, or a sum that needs more than 38 digits.
  static Result<Number> Add(const Number& a, const Number& b);
  static Result<Number> Subtract(const Number& a, const Number& b);

  // -1, 0, 1.
  static int Compare(const Number& a, const Number& b);
  friend bool operator==(const Number& a, const Number& b) { return Compare(a, b) == 0; }

  Number WithoutFraction() const;  // towards zero
  // Fits when it is a whole number in range; used for TTL and legacy sizes.
  bool ToInt64(int64_t& out) const;

 private:
  static constexpr int kPairsMax = 20;  // 38 digits, aligned to pairs, touch at most 20

  static int CompareMagnitude(const Number& a, const Number& b);
  // columns[first..last] are base-100 digits, the outer ones not zero, for 0.… * 100^exponent.
  static Result<Number> FromColumns(const int* columns, int first, int last, int exponent, bool negative);

  // 0.p1p2…pn (base 100) * 100^exponent_; p1 and pn not zero, and zeros behind pn; count_ == 0 is zero, never negative.
  bool negative_ = false;
  uint8_t count_ = 0;
  int16_t exponent_ = 0;
  uint8_t pairs_[kPairsMax] = {};
};

// The error is one of Parse, Add or Subtract.
bool IsNumberFault(const Error& error);

// Bytes an encoded number counts in an item's size: 1 for zero, else 1 + its base-100 digits, + 1 if negative.
size_t NumberSize(std::string_view encoded);

}  // namespace keyfold

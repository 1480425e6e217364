// Number: DynamoDB's decimal type, exact, with up to 38 significant digits and a magnitude of 1E-130 to 9.99…E+125, or
// zero.
//
// Its encoded form is part of the data format. It is canonical (equal numbers, equal bytes), order-preserving (memcmp
// order is number order) and self-delimiting:
//   zero       80 00
//   positive   (80 + e) d1 d2 … dn 00       value = 0.d1d2…dn (base 100) * 100^(e-64), e in 0..127; d is stored as d+1
//   negative   (7F - e) ~d1 ~d2 … ~dn FF    the same digits, each byte complemented
// d1 and dn are not zero. The maximum is 22 bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace keyfold {

// An immutable value.
class Number {
 public:
  Number() = default;  // zero
  explicit Number(int64_t value);

  // Parses the text of a request: [sign] digits [. digits] [e [sign] digits]. Returns DynamoDB's error for any other
  // text and for numbers that are out of range or too precise.
  static Result<Number> Parse(std::string_view text);

  // `encoded` must be one complete well-formed encoding (EncodedLength() == size), from Keyfold's own item form or
  // store.
  static Number Decode(std::string_view encoded);
  // The length of the encoding at the start of `bytes`, which may come from anywhere; 0 if there is no well-formed
  // canonical one.
  static size_t EncodedLength(std::string_view bytes);
  // The same for trusted bytes, using only the terminator.
  static size_t LengthAt(const char* p) {
    const char end = static_cast<uint8_t>(*p) >= 0x80 ? '\0' : '\xFF';
    size_t n = 1;
    while (p[n] != end) ++n;
    return n + 1;
  }
  void EncodeTo(std::string& out) const;

  // Prints as DynamoDB does: plain decimal digits, no exponent, no trailing zeros ("1E2" -> "100", "1.50" -> "1.5").
  void PrintTo(std::string& out) const;
  // The same, to `to`, which has space for kTextBytesMax bytes. Returns the end of the text.
  char* PrintTo(char* to) const;
  static constexpr size_t kTextBytesMax = 171;  // a sign, "0.", 64 pairs of zeros before the first digit, 20 pairs
  std::string ToString() const;

  bool IsZero() const { return count_ == 0; }
  bool IsNegative() const { return negative_; }
  Number Negated() const;

  // Returns the exact result, or DynamoDB's error: overflow, underflow, or a result of more than 38 digits.
  static Result<Number> Add(const Number& a, const Number& b);
  static Result<Number> Subtract(const Number& a, const Number& b);

  // Returns -1, 0 or 1.
  static int Compare(const Number& a, const Number& b);
  friend bool operator==(const Number& a, const Number& b) { return Compare(a, b) == 0; }

  Number WithoutFraction() const;  // towards zero
  // Returns false unless this is a whole number in range. Used for TTL and legacy sizes.
  bool ToInt64(int64_t& out) const;

 private:
  static constexpr int kPairsMax = 20;  // 38 digits, aligned to pairs, span at most 20

  static int CompareMagnitude(const Number& a, const Number& b);
  // columns[first..last] are the base-100 digits of 0.… * 100^exponent; the outer ones are not zero.
  static Result<Number> FromColumns(const int* columns, int first, int last, int exponent, bool negative);

  // 0.p1p2…pn (base 100) * 100^exponent_. p1 and pn are not zero, and pairs after pn are zero. count_ == 0 is zero,
  // which is never negative.
  bool negative_ = false;
  uint8_t count_ = 0;
  int16_t exponent_ = 0;
  uint8_t pairs_[kPairsMax] = {};
};

// Returns whether the error is one of Parse, Add or Subtract.
bool IsNumberFault(const Error& error);

// The size of an encoded number by DynamoDB's rules: 1 for zero, else 1 + its base-100 digits, + 1 if negative.
size_t NumberSize(std::string_view encoded);

}  // namespace keyfold

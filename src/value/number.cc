// Number: converts text to base-100 digits and back, adds exactly, and encodes as number.h describes. Everything uses a
// few dozen bytes on the stack; the work is bounded by the length of the text, never by the size of an exponent.
#include "value/number.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "base/text/ascii.h"
#include "value/limits.h"

namespace keyfold {
namespace {

constexpr Rule<"The parameter cannot be converted to a numeric value"> kNumberEmpty{"number-empty", Kind::kValidation};
constexpr Rule<"The parameter cannot be converted to a numeric value: {}"> kNumberSyntax{"number-syntax",
                                                                                         Kind::kValidation};
constexpr Rule<"Number overflow. Attempting to store a number with magnitude larger than supported range">
    kNumberOverflow{"number-overflow", Kind::kValidation};
constexpr Rule<"Number underflow. Attempting to store a number with magnitude smaller than supported range">
    kNumberUnderflow{"number-underflow", Kind::kValidation};
constexpr Rule<"Attempting to store more than 38 significant digits in a Number"> kNumberTooPrecise{
    "number-too-precise", Kind::kValidation};

// The power of ten of a number's first significant digit.
constexpr int64_t kMagnitudeMin = -130;
constexpr int64_t kMagnitudeMax = 125;

// The corresponding base-100 exponents, for 0.p1p2… * 100^exponent.
constexpr int kExponentMin = -64;
constexpr int kExponentMax = 63;

constexpr uint8_t kZeroByte = 0x80;  // first byte of zero and of the smallest positive exponent
constexpr uint8_t kPositiveEnd = 0x00;
constexpr uint8_t kNegativeEnd = 0xFF;

// The parsed text: value = 0.d1d2…dn * 10^(magnitude + 1), d1 and dn not zero; n == 0 is zero.
struct Decimal {
  bool negative = false;
  bool too_precise = false;
  uint8_t digits[kNumberDigitsMax];
  int count = 0;
  int64_t magnitude = 0;
};

// Parses the text of a number. Borrows the text. Used by one thread at a time.
class Reader {
 public:
  explicit Reader(std::string_view text) : p_(text.data()), end_(p_ + text.size()) {}

  // Returns false if the text is not a number.
  bool Read(Decimal& out) {
    out.negative = Skip('-');
    if (!out.negative) Skip('+');
    if (!ReadMantissa(out)) return false;
    if ((Skip('e') || Skip('E')) && !ReadExponent(out)) return false;
    return p_ == end_;
  }

 private:
  bool Skip(char c) {
    if (p_ == end_ || *p_ != c) return false;
    ++p_;
    return true;
  }

  bool ReadMantissa(Decimal& out) {
    const char* start = p_;
    const char* first = nullptr;  // first significant digit
    ReadDigits(out, first);
    const char* point = p_;
    size_t digits = static_cast<size_t>(p_ - start);
    if (Skip('.')) {
      const char* fraction = p_;
      ReadDigits(out, first);
      digits += static_cast<size_t>(p_ - fraction);
    }
    if (first != nullptr) out.magnitude = first < point ? point - first - 1 : point - first;
    return digits > 0;
  }

  // Collects significant digits. Zeros are held back until another digit follows, so that trailing zeros never count.
  void ReadDigits(Decimal& out, const char*& first) {
    for (; p_ != end_ && IsDigit(*p_); ++p_) {
      const uint8_t digit = static_cast<uint8_t>(*p_ - '0');
      if (digit == 0) {
        if (first != nullptr) ++held_zeros_;
        continue;
      }
      if (first == nullptr) first = p_;
      if (held_zeros_ + 1 > static_cast<size_t>(kNumberDigitsMax - out.count)) {
        out.too_precise = true;
        continue;
      }
      for (; held_zeros_ > 0; --held_zeros_) out.digits[out.count++] = 0;
      out.digits[out.count++] = digit;
    }
  }

  bool ReadExponent(Decimal& out) {
    // The exponent is capped where no text is long enough to bring the magnitude back into range.
    constexpr int64_t kExponentEnough = int64_t{1} << 56;
    const bool negative = Skip('-');
    if (!negative) Skip('+');
    const char* start = p_;
    int64_t exponent = 0;
    for (; p_ != end_ && IsDigit(*p_); ++p_) exponent = std::min(exponent * 10 + (*p_ - '0'), kExponentEnough);
    out.magnitude += negative ? -exponent : exponent;
    return p_ != start;
  }

  const char* p_;
  const char* end_;
  size_t held_zeros_ = 0;
};

// The number of significant digits of a number whose outermost pairs are `first` and `last`.
int SignificantDigits(int pairs, uint8_t first, uint8_t last) { return 2 * pairs - (first < 10) - (last % 10 == 0); }

}  // namespace

Number::Number(int64_t value) : negative_(value < 0) {
  uint64_t rest = negative_ ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  uint8_t low_first[10];
  int n = 0;
  for (; rest > 0; rest /= 100) low_first[n++] = static_cast<uint8_t>(rest % 100);
  exponent_ = static_cast<int16_t>(n);
  int low = 0;
  while (low < n && low_first[low] == 0) ++low;
  for (int i = n - 1; i >= low; --i) pairs_[count_++] = low_first[i];
}

Result<Number> Number::Parse(std::string_view text) {
  if (text.empty()) return kNumberEmpty();
  Decimal decimal;
  if (!Reader(text).Read(decimal)) return kNumberSyntax(text);
  // Zero has no range: its exponent is ignored.
  if (decimal.count == 0) return Number();
  if (decimal.magnitude > kMagnitudeMax) return kNumberOverflow();
  if (decimal.magnitude < kMagnitudeMin) return kNumberUnderflow();
  if (decimal.too_precise) return kNumberTooPrecise();

  // A pair holds an odd power of ten and the even power below it.
  const int magnitude = static_cast<int>(decimal.magnitude);
  Number number;
  number.negative_ = decimal.negative;
  number.exponent_ = static_cast<int16_t>((magnitude >> 1) + 1);
  int place = (magnitude & 1) ? 0 : 1;  // even: the tens of a pair
  for (int i = 0; i < decimal.count; ++i, ++place) {
    number.pairs_[place >> 1] =
        static_cast<uint8_t>(number.pairs_[place >> 1] + decimal.digits[i] * ((place & 1) ? 1 : 10));
  }
  number.count_ = static_cast<uint8_t>((place + 1) >> 1);
  return number;
}

Number Number::Decode(std::string_view encoded) {
  CHECK(encoded.size() >= 2 && encoded.size() <= kPairsMax + 2);
  Number number;
  number.count_ = static_cast<uint8_t>(encoded.size() - 2);
  if (number.count_ == 0) return number;
  const uint8_t head = static_cast<uint8_t>(encoded[0]);
  number.negative_ = head < kZeroByte;
  const uint8_t flip = number.negative_ ? 0xFF : 0;
  number.exponent_ = static_cast<int16_t>(static_cast<uint8_t>(head ^ flip) - kZeroByte + kExponentMin);
  for (int i = 0; i < number.count_; ++i) {
    number.pairs_[i] = static_cast<uint8_t>((static_cast<uint8_t>(encoded[i + 1]) ^ flip) - 1);
  }
  return number;
}

size_t Number::EncodedLength(std::string_view bytes) {
  if (bytes.size() < 2) return 0;
  const uint8_t head = static_cast<uint8_t>(bytes[0]);
  const uint8_t flip = head < kZeroByte ? 0xFF : 0;
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(static_cast<uint8_t>(bytes[i]) ^ flip); };
  size_t n = 1;
  while (n < bytes.size() && n <= kPairsMax + 1 && byte(n) != kPositiveEnd) {
    if (byte(n) > 100) return 0;
    ++n;
  }
  if (n == bytes.size() || n > kPairsMax + 1) return 0;
  if (n == 1) return head == kZeroByte ? 2 : 0;
  const uint8_t first = static_cast<uint8_t>(byte(1) - 1), last = static_cast<uint8_t>(byte(n - 1) - 1);
  if (first == 0 || last == 0) return 0;
  return SignificantDigits(static_cast<int>(n) - 1, first, last) <= kNumberDigitsMax ? n + 1 : 0;
}

void Number::EncodeTo(std::string& out) const {
  char bytes[kPairsMax + 2];
  const uint8_t flip = negative_ ? 0xFF : 0;
  const int head = IsZero() ? kZeroByte : kZeroByte + (exponent_ - kExponentMin);
  bytes[0] = static_cast<char>(head ^ flip);
  for (int i = 0; i < count_; ++i) bytes[i + 1] = static_cast<char>((pairs_[i] + 1) ^ flip);
  bytes[count_ + 1] = static_cast<char>(negative_ ? kNegativeEnd : kPositiveEnd);
  out.append(bytes, static_cast<size_t>(count_) + 2);
}

char* Number::PrintTo(char* p) const {
  static_assert(kTextBytesMax == 3 + 2 * (-kExponentMin) + 2 * kPairsMax);
  if (IsZero()) {
    *p++ = '0';
    return p;
  }
  const auto put_pair = [&p](uint8_t pair) {
    *p++ = static_cast<char>('0' + pair / 10);
    *p++ = static_cast<char>('0' + pair % 10);
  };
  if (negative_) *p++ = '-';
  int i = 0;
  if (exponent_ <= 0) {
    *p++ = '0';
  } else {
    if (pairs_[0] >= 10) *p++ = static_cast<char>('0' + pairs_[0] / 10);
    *p++ = static_cast<char>('0' + pairs_[0] % 10);
    for (i = 1; i < exponent_; ++i) put_pair(i < count_ ? pairs_[i] : 0);
  }
  if (exponent_ < count_) {
    *p++ = '.';
    for (int zeros = exponent_; zeros < 0; ++zeros) put_pair(0);
    for (; i < count_; ++i) put_pair(pairs_[i]);
    if (p[-1] == '0') --p;
  }
  return p;
}

void Number::PrintTo(std::string& out) const {
  char text[kTextBytesMax];
  out.append(text, static_cast<size_t>(PrintTo(text) - text));
}

std::string Number::ToString() const {
  std::string out;
  PrintTo(out);
  return out;
}

Number Number::Negated() const {
  Number number = *this;
  number.negative_ = !negative_ && !IsZero();
  return number;
}

int Number::CompareMagnitude(const Number& a, const Number& b) {
  if (a.IsZero() || b.IsZero()) return static_cast<int>(b.IsZero()) - static_cast<int>(a.IsZero());
  if (a.exponent_ != b.exponent_) return a.exponent_ < b.exponent_ ? -1 : 1;
  const int order = std::memcmp(a.pairs_, b.pairs_, kPairsMax);
  return (order > 0) - (order < 0);
}

int Number::Compare(const Number& a, const Number& b) {
  if (a.negative_ != b.negative_) return a.negative_ ? -1 : 1;
  return a.negative_ ? CompareMagnitude(b, a) : CompareMagnitude(a, b);
}

Result<Number> Number::Add(const Number& a, const Number& b) {
  if (a.IsZero()) return b;
  if (b.IsZero()) return a;
  const bool a_larger = CompareMagnitude(a, b) >= 0;
  const Number& larger = a_larger ? a : b;
  const Number& smaller = a_larger ? b : a;
  const int bottom = std::min(larger.exponent_ - larger.count_, smaller.exponent_ - smaller.count_);
  const int span = larger.exponent_ - bottom;
  // A span of 21 or more pairs requires different exponents. Then the first digit of the result is within three places
  // of the larger number's first pair, and its last digit is at least 38 places below: more than 38 digits. DynamoDB
  // reports that as an overflow too.
  if (span > kPairsMax) return kNumberOverflow();

  // Column 0 is for a carry; column i has the weight 100^(larger.exponent_ - i).
  int columns[kPairsMax + 1] = {};
  const int sign = larger.negative_ == smaller.negative_ ? 1 : -1;
  for (int i = 0; i < larger.count_; ++i) columns[i + 1] = larger.pairs_[i];
  const int shift = larger.exponent_ - smaller.exponent_ + 1;
  for (int i = 0; i < smaller.count_; ++i) columns[i + shift] += sign * smaller.pairs_[i];
  for (int i = span; i > 0; --i) {
    const int carry = columns[i] < 0 ? -1 : columns[i] / 100;
    columns[i] -= carry * 100;
    columns[i - 1] += carry;
  }
  int first = 0, last = span;
  while (first <= last && columns[first] == 0) ++first;
  while (last >= first && columns[last] == 0) --last;
  return FromColumns(columns, first, last, larger.exponent_ + 1 - first, larger.negative_);
}

Result<Number> Number::FromColumns(const int* columns, int first, int last, int exponent, bool negative) {
  Number sum;
  const int count = last - first + 1;
  if (count <= 0) return sum;
  if (exponent > kExponentMax) return kNumberOverflow();
  if (exponent < kExponentMin) return kNumberUnderflow();
  const int digits =
      SignificantDigits(count, static_cast<uint8_t>(columns[first]), static_cast<uint8_t>(columns[last]));
  if (digits > kNumberDigitsMax) return kNumberOverflow();
  sum.negative_ = negative;
  sum.exponent_ = static_cast<int16_t>(exponent);
  sum.count_ = static_cast<uint8_t>(count);
  for (int i = 0; i < count; ++i) sum.pairs_[i] = static_cast<uint8_t>(columns[first + i]);
  return sum;
}

Result<Number> Number::Subtract(const Number& a, const Number& b) { return Add(a, b.Negated()); }

Number Number::WithoutFraction() const {
  Number whole = *this;
  while (whole.count_ > 0 && (whole.count_ > exponent_ || whole.pairs_[whole.count_ - 1] == 0)) {
    whole.pairs_[--whole.count_] = 0;
  }
  return whole.count_ == 0 ? Number() : whole;
}

bool Number::ToInt64(int64_t& out) const {
  constexpr int kInt64Pairs = 10;  // 9.2E+18
  if (exponent_ > kInt64Pairs || (count_ > 0 && count_ > exponent_)) return false;
  unsigned __int128 value = 0;
  for (int i = 0; i < exponent_; ++i) value = value * 100 + (i < count_ ? pairs_[i] : 0);
  constexpr unsigned __int128 kLimit = static_cast<unsigned __int128>(1) << 63;
  if (negative_ ? value > kLimit : value >= kLimit) return false;
  out = static_cast<int64_t>(negative_ ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value));
  return true;
}

bool IsNumberFault(const Error& error) {
  const std::string_view rule = error.rule();
  return rule == kNumberEmpty.id || rule == kNumberSyntax.id || rule == kNumberOverflow.id ||
         rule == kNumberUnderflow.id || rule == kNumberTooPrecise.id;
}

// The encoding consists of a head byte, the digits and an end byte.
size_t NumberSize(std::string_view encoded) {
  const bool negative = static_cast<uint8_t>(encoded[0]) < kZeroByte;
  return encoded.size() - 1 + (negative ? 1 : 0);
}

}  // namespace keyfold

// Number, tested against tables of known facts, and against a simple big-decimal reference with random numbers.
#include "value/number.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"

namespace keyfold {
namespace {

using std::string_literals::operator""s;

constexpr char kOverflow[] = "Number overflow. Attempting to store a number with magnitude larger than supported range";
constexpr char kUnderflow[] =
    "Number underflow. Attempting to store a number with magnitude smaller than supported range";
constexpr char kTooPrecise[] = "Attempting to store more than 38 significant digits in a Number";

std::string Zeros(size_t n) { return std::string(n, '0'); }
std::string Nines(size_t n) { return std::string(n, '9'); }

Number Parsed(const std::string& text) {
  Result<Number> number = Number::Parse(text);
  EXPECT_TRUE(number.ok()) << text << ": " << (number.ok() ? "" : number.error().message());
  return number.ok() ? *number : Number();
}

std::string Encoded(const Number& number) {
  std::string out;
  number.EncodeTo(out);
  return out;
}

TEST(Number, PrintsInOneForm) {
  const struct {
    std::string text, printed;
  } kRows[] = {
      {"0", "0"},
      {"1", "1"},
      {"-5", "-5"},
      {"10", "10"},
      {"100", "100"},
      {"1000", "1000"},
      {"123", "123"},
      {"12345", "12345"},
      {"007", "7"},
      {"00", "0"},
      {"001.23", "1.23"},
      {"+3", "3"},
      {"+0", "0"},
      {"+1.5", "1.5"},
      {"1.0", "1"},
      {"1.", "1"},
      {"1.10", "1.1"},
      {"1.01", "1.01"},
      {"1.001", "1.001"},
      {"100.000", "100"},
      {"0.0", "0"},
      {"0.10", "0.1"},
      {"0.01", "0.01"},
      {"0.001", "0.001"},
      {"0.0001", "0.0001"},
      {"1e3", "1000"},
      {"1E3", "1000"},
      {"1e+3", "1000"},
      {"1E-3", "0.001"},
      {"1e03", "1000"},
      {"5e1", "50"},
      {"-3e2", "-300"},
      {"1.5e2", "150"},
      {"1.23e4", "12300"},
      {"123e-2", "1.23"},
      {"1.23e-1", "0.123"},
      {"1.e2", "100"},
      {".5", "0.5"},
      {"-.5", "-0.5"},
      {".5e1", "5"},
      {"-0", "0"},
      {"-0.0", "0"},
      {"-0e-5", "0"},
      {"0e126", "0"},
      {"0.0e126", "0"},
      {"0e-131", "0"},
      {"0e99999999999999999999", "0"},
      {"1e20", "1" + Zeros(20)},
      {"1e125", "1" + Zeros(125)},
      {"-1e125", "-1" + Zeros(125)},
      {"0.1e126", "1" + Zeros(125)},
      {"9.9e10", "99000000000"},
      {"1e-20", "0." + Zeros(19) + "1"},
      {"1e-130", "0." + Zeros(129) + "1"},
      {"-1e-130", "-0." + Zeros(129) + "1"},
      {"1e-129", "0." + Zeros(128) + "1"},
      {Nines(38), Nines(38)},
      {Nines(38) + "e88", Nines(38) + Zeros(88)},
      {Nines(38) + "e87", Nines(38) + Zeros(87)},
      {"9." + Nines(37) + "E125", Nines(38) + Zeros(88)},
      {"-1." + Nines(37) + "E-130", "-0." + Zeros(129) + "1" + Nines(37)},
      {"3.1415926535897932384626433832795028841", "3.1415926535897932384626433832795028841"},
      {"31.415926535897932384626433832795028841", "31.415926535897932384626433832795028841"},
      {"1" + Zeros(100), "1" + Zeros(100)},
      {Zeros(500) + "1.5" + Zeros(500), "1.5"},
      {"0." + Zeros(1000) + "1e1001", "1"},
      {"1" + Zeros(1000) + "e-1000", "1"},
      {"-273.15", "-273.15"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Parsed(row.text).ToString(), row.printed) << row.text;
}

TEST(Number, RefusesWithDynamoDbsWords) {
  const std::string kSyntax = "The parameter cannot be converted to a numeric value: ";
  const struct {
    std::string text, message;
  } kRows[] = {
      {"", "The parameter cannot be converted to a numeric value"},
      {" ", kSyntax + " "},
      {" 1", kSyntax + " 1"},
      {"1 ", kSyntax + "1 "},
      {"1\n", kSyntax + "1\n"},
      {"1\0"s, kSyntax + "1\0"s},
      {"b", kSyntax + "b"},
      {"dog", kSyntax + "dog"},
      {"-dog", kSyntax + "-dog"},
      {"NaN", kSyntax + "NaN"},
      {"Infinity", kSyntax + "Infinity"},
      {"-Infinity", kSyntax + "-Infinity"},
      {"-", kSyntax + "-"},
      {"+", kSyntax + "+"},
      {"+-1", kSyntax + "+-1"},
      {"--1", kSyntax + "--1"},
      {".", kSyntax + "."},
      {"-.", kSyntax + "-."},
      {"e5", kSyntax + "e5"},
      {".e5", kSyntax + ".e5"},
      {"1e", kSyntax + "1e"},
      {"1e+", kSyntax + "1e+"},
      {"1e-", kSyntax + "1e-"},
      {"1e+-1", kSyntax + "1e+-1"},
      {"1e5.0", kSyntax + "1e5.0"},
      {"1e5e5", kSyntax + "1e5e5"},
      {"1eE5", kSyntax + "1eE5"},
      {"1.2.3", kSyntax + "1.2.3"},
      {"1,000", kSyntax + "1,000"},
      {"1_000", kSyntax + "1_000"},
      {"0x10", kSyntax + "0x10"},
      {"1d", kSyntax + "1d"},
      {"\xD9\xA1", kSyntax + "\xD9\xA1"},  // a Unicode digit other than 0-9
      {"1e126", kOverflow},
      {"-1e126", kOverflow},
      {"11e125", kOverflow},
      {"1" + Zeros(126), kOverflow},
      {"1.0e100000000", kOverflow},
      {"1e99999999999999999999999999", kOverflow},
      {"1" + Zeros(1000) + "e-100", kOverflow},
      {"1e-131", kUnderflow},
      {"-1e-131", kUnderflow},
      {"0.9e-130", kUnderflow},
      {"1e-99999999999999999999999999", kUnderflow},
      {"0." + Zeros(130) + "1", kUnderflow},
      {Nines(39), kTooPrecise},
      {"1" + Zeros(37) + "1", kTooPrecise},
      {"1." + Zeros(37) + "1", kTooPrecise},
      {"-1.23456789012345678901234567890123456789", kTooPrecise},
      {"314159265358979323846264338327950288419e30", kTooPrecise},
      {"1" + Zeros(100) + "1", kTooPrecise},
      {Nines(127), kOverflow},  // too large and too precise: the magnitude is reported
      {"0." + Zeros(130) + Nines(39), kUnderflow},
  };
  for (const auto& row : kRows) {
    const Result<Number> number = Number::Parse(row.text);
    ASSERT_FALSE(number.ok()) << row.text;
    EXPECT_EQ(number.error().message(), row.message) << row.text;
    EXPECT_EQ(number.error().kind(), Kind::kValidation) << row.text;
  }
}

// The encoding is part of the data format: these bytes must never change.
TEST(Number, EncodesToFixedBytes) {
  const struct {
    std::string text, bytes;
    size_t size;  // in an item, by DynamoDB's rules
  } kRows[] = {
      {"0", "\x80\x00"s, 1},
      {"1", "\xC1\x02\x00"s, 2},
      {"12", "\xC1\x0D\x00"s, 2},
      {"99", "\xC1\x64\x00"s, 2},
      {"100", "\xC2\x02\x00"s, 2},
      {"1.2", "\xC1\x02\x15\x00"s, 3},
      {"123", "\xC2\x02\x18\x00"s, 3},
      {"1230", "\xC2\x0D\x1F\x00"s, 3},
      {"10001", "\xC3\x02\x01\x02\x00"s, 4},
      {"0.5", "\xC0\x33\x00"s, 2},
      {"0.05", "\xC0\x06\x00"s, 2},
      {"0.005", "\xBF\x33\x00"s, 2},
      {"-1", "\x3E\xFD\xFF", 3},
      {"-12", "\x3E\xF2\xFF", 3},
      {"-1.2", "\x3E\xFD\xEA\xFF", 4},
      {"1e-130", "\x80\x02\x00"s, 2},
      {"-1e-130", "\x7F\xFD\xFF", 3},
      {"99e124", "\xFF\x64\x00"s, 2},
      {"-99e124", "\x00\x9B\xFF"s, 3},
      {Nines(38), "\xD3" + std::string(19, '\x64') + "\x00"s, 20},
      {Nines(38) + "e1", "\xD4\x0A" + std::string(18, '\x64') + "\x5B\x00"s, 21},
  };
  for (const auto& row : kRows) {
    const std::string bytes = Encoded(Parsed(row.text));
    EXPECT_EQ(bytes, row.bytes) << row.text;
    EXPECT_EQ(Number::EncodedLength(bytes), bytes.size()) << row.text;
    EXPECT_EQ(Number::EncodedLength(bytes + "more"), bytes.size()) << row.text;
    EXPECT_EQ(NumberSize(bytes), row.size) << row.text;
    EXPECT_TRUE(Number::Decode(bytes) == Parsed(row.text)) << row.text;
  }
}

TEST(Number, RefusesInvalidEncodings) {
  const std::string kRows[] = {
      "",
      "\x80",
      "\x81\x00"s,                                             // no digits
      "\x7F\xFF",                                              // no digits, negative
      "\xC1\x02",                                              // no end
      "\xC1\x01\x02\x00"s,                                     // leading zero pair
      "\xC1\x02\x01\x00"s,                                     // trailing zero pair
      "\xC1\x01\x00"s,                                         // zero in a second form
      "\xC1\x66\x00"s,                                         // a digit of 101
      "\xC1\x65\x00"s,                                         // a digit of 100
      "\x3E\x9A\xFF",                                          // the same, negative
      "\x3E\xFD\x00"s,                                         // has the end byte of a positive number
      "\xC1\x02" + std::string(18, '\x02') + "\x02\x02\x00"s,  // 21 pairs
      "\xC1\x0B" + std::string(18, '\x02') + "\x02\x00"s,      // 20 pairs, 40 digits
      "\xC1\x02" + std::string(18, '\x02') + "\x02\x00"s,      // 20 pairs, 39 digits
      std::string(64, '\x02'),
  };
  for (const std::string& bytes : kRows) {
    EXPECT_EQ(Number::EncodedLength(bytes), 0u) << testing::PrintToString(bytes);
  }
}

TEST(Number, FromAndToInt64) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min(), kMax = std::numeric_limits<int64_t>::max();
  for (const int64_t value : {int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{10}, int64_t{99}, int64_t{100},
                              int64_t{-100}, int64_t{1700000000}, int64_t{1000000000000000000}, kMax, kMin, kMin + 1}) {
    EXPECT_EQ(Number(value).ToString(), std::to_string(value));
    EXPECT_TRUE(Number(value) == Parsed(std::to_string(value))) << value;
    int64_t back = 77;
    EXPECT_TRUE(Parsed(std::to_string(value)).ToInt64(back)) << value;
    EXPECT_EQ(back, value);
  }
  for (const char* text : {"0.5", "-0.1", "1.5", "100.01", "9223372036854775808", "-9223372036854775809", "1e19",
                           "1e20", "1e125", "1e-130"}) {
    int64_t untouched = 77;
    EXPECT_FALSE(Parsed(text).ToInt64(untouched)) << text;
    EXPECT_EQ(untouched, 77) << text;
  }
}

TEST(Number, WithoutFractionGoesTowardsZero) {
  const struct {
    std::string number, whole;
  } kRows[] = {
      {"0", "0"},
      {"1", "1"},
      {"100", "100"},
      {"0.5", "0"},
      {"-0.5", "0"},
      {"1.5", "1"},
      {"-1.5", "-1"},
      {"99.99", "99"},
      {"100.01", "100"},
      {"10000.001", "10000"},
      {"1e-130", "0"},
      {"1700000000.123", "1700000000"},
      {"1e20", "1" + Zeros(20)},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Parsed(row.number).WithoutFraction().ToString(), row.whole) << row.number;
    EXPECT_TRUE(Parsed(row.number).WithoutFraction() == Parsed(row.whole)) << row.number;
  }
}

TEST(Number, AddsAndSubtracts) {
  const struct {
    std::string a, b, sum, difference;  // or the message of the failure
  } kRows[] = {
      {"0", "0", "0", "0"},
      {"1", "0", "1", "1"},
      {"0", "1", "1", "-1"},
      {"1", "1", "2", "0"},
      {"-1", "1", "0", "-2"},
      {"99", "1", "100", "98"},
      {"0.1", "0.2", "0.3", "-0.1"},
      {"9999.99", "0.01", "10000", "9999.98"},
      {"100", "0.01", "100.01", "99.99"},
      {"1", "1e22", "10000000000000000000001", "-9999999999999999999999"},
      {"1e37", "1", "1" + Zeros(36) + "1", Nines(37)},
      {"1e38", "1", kOverflow, Nines(38)},  // 39 digits, and 38
      {"1e38", "-1", Nines(38), kOverflow},
      {"1e50", "1", kOverflow, kOverflow},
      {"1e125", "1e-130", kOverflow, kOverflow},
      {"1e-130", "-1e125", kOverflow, kOverflow},
      {"9e125", "9e125", kOverflow, "0"},
      {"9e125", "-9e125", "0", kOverflow},
      {"9e125", "9e124", "99" + Zeros(124), "81" + Zeros(124)},
      {Nines(38), "1", "1" + Zeros(38), Nines(37) + "8"},
      {Nines(38) + "e88", "1e88", kOverflow, Nines(37) + "8" + Zeros(88)},
      {"1.5e-130", "1e-130", "0." + Zeros(129) + "25", kUnderflow},
      {"1." + Zeros(36) + "1", "1", "2." + Zeros(36) + "1", "0." + Zeros(36) + "1"},
      {"1", "0." + Nines(38), kOverflow, "0." + Zeros(37) + "1"},
  };
  for (const auto& row : kRows) {
    const Number a = Parsed(row.a), b = Parsed(row.b);
    const auto reported = [](const Result<Number>& r) { return r.ok() ? r->ToString() : r.error().message(); };
    EXPECT_EQ(reported(Number::Add(a, b)), row.sum) << row.a << " + " << row.b;
    EXPECT_EQ(reported(Number::Add(b, a)), row.sum) << row.b << " + " << row.a;
    EXPECT_EQ(reported(Number::Subtract(a, b)), row.difference) << row.a << " - " << row.b;
  }
}

TEST(Number, NegatedZeroIsZero) {
  EXPECT_FALSE(Number().Negated().IsNegative());
  EXPECT_EQ(Encoded(Number().Negated()), Encoded(Number()));
  EXPECT_TRUE(Parsed("5").Negated() == Parsed("-5"));
}

TEST(Number, OrderIsByteOrderOnATable) {
  const std::string kAscending[] = {
      "-" + Nines(38) + "e88",
      "-1e125",
      "-1e100",
      "-1000",
      "-999.9",
      "-101",
      "-100.5",
      "-100",
      "-99",
      "-10",
      "-1.5",
      "-1.01",
      "-1",
      "-0.99",
      "-0.1",
      "-0.01",
      "-1e-129",
      "-1.1e-130",
      "-1e-130",
      "0",
      "1e-130",
      "1.1e-130",
      "1e-129",
      "0.01",
      "0.1",
      "0.99",
      "1",
      "1.01",
      "1.5",
      "2",
      "9",
      "10",
      "11",
      "99",
      "100",
      "100.5",
      "101",
      "999.9",
      "1000",
      "1e100",
      "1e125",
      Nines(38) + "e88",
  };
  for (const std::string& a : kAscending) {
    for (const std::string& b : kAscending) {
      const int expected = (&a > &b) - (&a < &b);
      EXPECT_EQ(Number::Compare(Parsed(a), Parsed(b)), expected) << a << " " << b;
      const int by_bytes = Encoded(Parsed(a)).compare(Encoded(Parsed(b)));
      EXPECT_EQ((by_bytes > 0) - (by_bytes < 0), expected) << a << " " << b;
    }
  }
}

// The reference: every digit from 10^200 down to 10^-200 has its own column. Slow, but simple enough to be trusted.
class Reference {
 public:
  static constexpr int kTop = 200, kColumns = 401;

  explicit Reference(const std::string& plain) : columns_(kColumns, 0) {
    const bool negative = plain[0] == '-';
    const std::string digits = plain.substr(negative ? 1 : 0);
    const size_t point = std::min(digits.find('.'), digits.size());
    for (size_t i = 0; i < digits.size(); ++i) {
      if (i == point) continue;
      const int power = static_cast<int>(point) - static_cast<int>(i) - (i < point ? 1 : 0);
      columns_[static_cast<size_t>(kTop - power)] = (negative ? -1 : 1) * (digits[i] - '0');
    }
  }

  void Add(const Reference& other, int sign) {
    for (size_t i = 0; i < columns_.size(); ++i) columns_[i] += sign * other.columns_[i];
    const bool negative = Carry();
    if (negative) {
      for (int& c : columns_) c = -c;
      Carry();
    }
    negative_ = negative;
  }

  int Sign() const {
    const bool zero = std::all_of(columns_.begin(), columns_.end(), [](int c) { return c == 0; });
    return zero ? 0 : negative_ ? -1 : 1;
  }

  // The expected result of Number for this value: the printed form, or the error.
  std::string Describe() const {
    const auto is_digit = [](int c) { return c != 0; };
    const auto first = std::find_if(columns_.begin(), columns_.end(), is_digit);
    if (first == columns_.end()) return "0";
    const auto last = std::find_if(columns_.rbegin(), columns_.rend(), is_digit).base();
    const int magnitude = kTop - static_cast<int>(first - columns_.begin());
    if (magnitude > 125) return kOverflow;
    if (magnitude < -130) return kUnderflow;
    if (last - first > 38) return kOverflow;
    std::string out = negative_ ? "-" : "";
    const int low = std::min(0, kTop - static_cast<int>(last - columns_.begin()) + 1);
    for (int power = std::max(magnitude, 0); power >= low; --power) {
      if (power == -1) out.push_back('.');
      out.push_back(static_cast<char>('0' + columns_[static_cast<size_t>(kTop - power)]));
    }
    return out;
  }

 private:
  // Carries until each column is 0..9. Returns true, and changes nothing, if the total is negative, which leaves a
  // negative carry at the top.
  bool Carry() {
    int carry = 0;
    std::vector<int> carried(columns_.size());
    for (size_t i = columns_.size(); i-- > 0;) {
      int c = columns_[i] + carry;
      carry = 0;
      while (c < 0) c += 10, --carry;
      while (c > 9) c -= 10, ++carry;
      carried[i] = c;
    }
    if (carry < 0) return true;
    columns_ = std::move(carried);
    return false;
  }

  std::vector<int> columns_;
  bool negative_ = false;
};

// Random text of a number in range. Close numbers are as likely as distant ones, so that carries and cancellations
// happen.
std::string RandomText(Random& random, int centre) {
  const int count = 1 + static_cast<int>(random.OneIn(3) ? random.Below(38) : random.Below(6));
  std::string digits(1, static_cast<char>('1' + random.Below(9)));
  const uint64_t style = random.Below(3);
  for (int i = 1; i < count; ++i) {
    const char any = static_cast<char>('0' + random.Below(10));
    digits.push_back(style == 0 ? any : style == 1 ? (random.OneIn(8) ? any : '9') : (random.OneIn(8) ? any : '0'));
  }
  const int magnitude = std::clamp(centre + static_cast<int>(random.Below(41)) - 20, -130, 125);
  return (random.OneIn(2) ? "-" : "") + digits + "e" + std::to_string(magnitude - count + 1);
}

int RandomCentre(Random& random) {
  switch (random.Below(4)) {
    case 0:
      return 0;
    case 1:
      return 120;
    case 2:
      return -125;
    default:
      return static_cast<int>(random.Below(256)) - 130;
  }
}

TEST(Number, ArithmeticEqualsTheReference) {
  Random random(20240601);
  std::map<std::string, int> outcomes;
  for (int i = 0; i < 30000; ++i) {
    const int centre = RandomCentre(random);
    const Number a = Parsed(RandomText(random, centre)), b = Parsed(RandomText(random, centre));
    for (const int sign : {1, -1}) {
      Reference expected(a.ToString());
      expected.Add(Reference(b.ToString()), sign);
      const Result<Number> actual = sign > 0 ? Number::Add(a, b) : Number::Subtract(a, b);
      const std::string reported = actual.ok() ? actual->ToString() : actual.error().message();
      ASSERT_EQ(reported, expected.Describe()) << a.ToString() << (sign > 0 ? " + " : " - ") << b.ToString();
      if (actual.ok()) {
        ASSERT_EQ(Number::EncodedLength(Encoded(*actual)), Encoded(*actual).size()) << reported;
      }
      ++outcomes[actual.ok() ? "exact" : reported];
    }
  }
  EXPECT_GT(outcomes["exact"], 10000);
  EXPECT_GT(outcomes[kOverflow], 1000);
  EXPECT_GT(outcomes[kUnderflow], 10);
}

TEST(Number, RoundTripsAndOrderOnRandomPairs) {
  Random random(42);
  for (int i = 0; i < 50000; ++i) {
    const int centre = RandomCentre(random);
    const Number a = Parsed(RandomText(random, centre)), b = Parsed(RandomText(random, centre));
    const std::string ea = Encoded(a), eb = Encoded(b);
    ASSERT_LE(ea.size(), 22u);
    ASSERT_TRUE(Number::Decode(ea) == a) << a.ToString();
    ASSERT_EQ(Number::EncodedLength(ea + eb), ea.size()) << a.ToString();
    ASSERT_EQ(Encoded(Parsed(a.ToString())), ea) << a.ToString();

    Reference difference(a.ToString());
    difference.Add(Reference(b.ToString()), -1);
    const int order = Number::Compare(a, b), by_bytes = ea.compare(eb);
    ASSERT_EQ(order, difference.Sign()) << a.ToString() << " " << b.ToString();
    ASSERT_EQ(order, (by_bytes > 0) - (by_bytes < 0)) << a.ToString() << " " << b.ToString();
    ASSERT_EQ(Number::Compare(b, a), -order);
  }
}

// Different spellings are the same number: shifted points, surrounding zeros, signs.
TEST(Number, OtherSpellingsAreTheSameBytes) {
  Random random(11);
  for (int i = 0; i < 5000; ++i) {
    const std::string text = RandomText(random, RandomCentre(random));
    const std::string bytes = Encoded(Parsed(text));
    const bool negative = text[0] == '-';
    const size_t e = text.find('e');
    const std::string digits = text.substr(negative, e - negative);
    const int exponent = std::stoi(text.substr(e + 1));
    const size_t cut = random.Below(digits.size() + 1);
    const std::string other = (negative ? "-" : "+") + Zeros(random.Below(3)) + digits.substr(0, cut) + "." +
                              digits.substr(cut) + Zeros(random.Below(3)) + (random.OneIn(2) ? "E" : "e") +
                              std::to_string(exponent + static_cast<int>(digits.size() - cut));
    ASSERT_EQ(Encoded(Parsed(other)), bytes) << text << " " << other;
  }
}

}  // namespace
}  // namespace keyfold

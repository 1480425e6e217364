#include "store/key_encoding.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "store/row_key.h"
#include "value/number.h"

namespace keyfold::store {
namespace {

using std::string_literals::operator""s;

std::string Text(Type type, std::string_view content) {
  std::string out;
  ValueWriter w(out);
  type == Type::kS ? w.String(content) : w.Binary(content);
  return out;
}
std::string NumberValue(const std::string& text) {
  std::string encoded, out;
  (*Number::Parse(text)).EncodeTo(encoded);
  ValueWriter(out).EncodedNumber(encoded);
  return out;
}
std::string Part(const std::string& value) {
  std::string out;
  AppendKeyPart(out, ValueView(value));
  return out;
}

// Part of the data format: these bytes must never change.
TEST(KeyEncoding, FixedBytes) {
  const struct {
    std::string value, bytes;
  } kRows[] = {
      {Text(Type::kS, ""), "\0\0"s},
      {Text(Type::kS, "ab"), "ab\0\0"s},
      {Text(Type::kB, "\0"s), "\0\xFF\0\0"s},
      {Text(Type::kB, "a\0\0b"s),
       "a\0\xFF\0\xFF"
       "b\0\0"s},
      {Text(Type::kB, "\xFF"), "\xFF\0\0"s},
      {Text(Type::kB, "\0\xFF"s), "\0\xFF\xFF\0\0"s},
      {NumberValue("0"), "\x80\0"s},
      {NumberValue("12"), "\xC1\x0D\0"s},
      {NumberValue("-12"), "\x3E\xF2\xFF"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Part(row.value), row.bytes) << testing::PrintToString(row.value);
}

TEST(KeyEncoding, ReadsBackPartsInARow) {
  const std::vector<std::pair<Type, std::string>> kParts = {
      {Type::kS, Text(Type::kS, "tenant#1")},
      {Type::kN, NumberValue("-1.5e-100")},
      {Type::kB, Text(Type::kB, "\0\xFF\0"s)},
      {Type::kS, Text(Type::kS, "")},
      {Type::kN, NumberValue("0")},
      {Type::kB, Text(Type::kB, std::string(300, '\0'))},
      {Type::kS, Text(Type::kS, "a\0b"s)},
  };
  std::string bytes;
  for (const auto& [type, value] : kParts) AppendKeyPart(bytes, ValueView(value));
  std::string_view rest(bytes);
  for (const auto& [type, value] : kParts) {
    std::string out = "before";
    ASSERT_TRUE(TakeKeyPart(rest, type, out));
    EXPECT_EQ(out, "before" + value);
  }
  EXPECT_TRUE(rest.empty());
}

TEST(KeyEncoding, RefusesMalformedPartsAndLeavesBothSidesAlone) {
  const struct {
    const char* fault;
    Type type;
    std::string bytes;
  } kRows[] = {
      {"nothing", Type::kS, ""},
      {"no end", Type::kS, "abc"},
      {"half a terminator", Type::kB, "abc\0"s},
      {"a terminator truncated after an escape", Type::kB, "abc\0\xFF\0"s},
      {"an unknown escape", Type::kB, "abc\0\x01\0\0"s},
      {"a string that is not UTF-8", Type::kS, "\xFF\0\0"s},
      {"an empty number", Type::kN, ""},
      {"a number without a terminator", Type::kN, "\xC1\x0D"},
      {"a number in a second form", Type::kN, "\xC1\x0D\x01\0"s},
      {"a type that cannot be a key", Type::kBool, "\0\0"s},
      {"another type that cannot be a key", Type::kSS, "a\0\0"s},
  };
  for (const auto& row : kRows) {
    std::string_view bytes(row.bytes);
    std::string out = "kept";
    EXPECT_FALSE(TakeKeyPart(bytes, row.type, out)) << row.fault;
    EXPECT_EQ(bytes, row.bytes) << row.fault;
    EXPECT_EQ(out, "kept") << row.fault;
  }
}

TEST(KeyEncoding, AfterPrefix) {
  const struct {
    std::string bytes, after;
  } kRows[] = {
      {"", ""},       {"a", "b"},         {"ab", "ac"},       {"\0"s, "\x01"}, {"\x7F", "\x80"},
      {"a\xFF", "b"}, {"a\xFE", "a\xFF"}, {"a\xFF\xFF", "b"}, {"\xFF", ""},    {"\xFF\xFF", ""},
  };
  for (const auto& row : kRows) EXPECT_EQ(AfterPrefix(row.bytes), row.after) << testing::PrintToString(row.bytes);
}

// A small alphabet, so that prefixes, zeros and FFs occur often.
std::string RandomContent(Random& random) {
  constexpr char kLetters[] = {'\0', '\x01', '\xFE', '\xFF', 'a'};
  std::string out(random.Below(6), '\0');
  for (char& c : out) c = kLetters[random.Below(sizeof kLetters)];
  return out;
}

int Sign(int order) { return (order > 0) - (order < 0); }

TEST(KeyEncoding, OrderIsTheOrderOfContentsAndNoPartIsAPrefix) {
  Random random(8);
  for (int i = 0; i < 50000; ++i) {
    const std::string a = RandomContent(random), b = RandomContent(random);
    const std::string ea = Part(Text(Type::kB, a)), eb = Part(Text(Type::kB, b));
    ASSERT_EQ(Sign(ea.compare(eb)), Sign(a.compare(b))) << testing::PrintToString(a) << testing::PrintToString(b);
    ASSERT_TRUE(a == b || ea.compare(0, eb.size(), eb) != 0) << testing::PrintToString(a) << testing::PrintToString(b);
    // Bytes after a part never change how it compares.
    const std::string x = RandomContent(random), y = RandomContent(random);
    if (a != b) {
      ASSERT_EQ(Sign((ea + x).compare(eb + y)), Sign(a.compare(b)));
    }
  }
}

TEST(KeyEncoding, APrefixIsARangeOfBytes) {
  Random random(9);
  for (int i = 0; i < 50000; ++i) {
    const std::string prefix = RandomContent(random).substr(0, 3), content = RandomContent(random);
    std::string lower;
    AppendKeyPrefix(lower, prefix);
    const std::string upper = AfterPrefix(lower);
    const std::string part = Part(Text(Type::kB, content));
    const bool inside = part >= lower && (upper.empty() || part < upper);
    ASSERT_EQ(inside, content.compare(0, prefix.size(), prefix) == 0)
        << testing::PrintToString(prefix) << testing::PrintToString(content);
  }
}

TEST(KeyEncoding, NumbersSortAsNumbers) {
  const char* kAscending[] = {"-1e125", "-100", "-99.5", "-1", "-1e-130", "0",
                              "1e-130", "0.5",  "1",     "2",  "10",      "1e125"};
  for (const auto& a : kAscending) {
    for (const auto& b : kAscending) {
      EXPECT_EQ(Sign(Part(NumberValue(a)).compare(Part(NumberValue(b)))), Sign(static_cast<int>(&a - &b)))
          << a << " " << b;
    }
  }
}

TEST(RowKey, HasItsPartsInByteOrder) {
  const RowKey key(7, 2, "pk\0\0"s, "sk\0\0"s);
  EXPECT_EQ(key.table(), 7u);
  EXPECT_EQ(key.index(), 2);
  EXPECT_EQ(key.partition(), "pk\0\0"s);
  EXPECT_EQ(key.sort(), "sk\0\0"s);
  EXPECT_EQ(key.slot(), SlotOf("pk\0\0"s));
  EXPECT_EQ(key.bytes().size(), RowKey::kHeaderBytes + 8);
  EXPECT_EQ(key.bytes().substr(0, 6), "\0\0\0\x07\0\x02"s);
  EXPECT_LT(key, RowKey(7, 2, "pk\0\0"s, "sl\0\0"s));
  EXPECT_LT(key, RowKey(7, 3, "a\0\0"s, ""));
  EXPECT_LT(key, RowKey(8, 0, "a\0\0"s, ""));
}

}  // namespace
}  // namespace keyfold::store

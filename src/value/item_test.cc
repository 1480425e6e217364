// The item form: the writer's bytes, what views read back, sizes, and which bytes are refused.
#include "value/item.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "value/limits.h"
#include "value/number.h"

namespace keyfold {
namespace {

using std::string_literals::operator""s;

std::string NumberBytes(const std::string& number) {
  std::string out;
  (*Number::Parse(number)).EncodeTo(out);
  return out;
}

// Values for table-driven tests. Each function returns complete encoded bytes.
template <typename Write>
std::string Written(const Write& write) {
  std::string out;
  ValueWriter writer(out);
  write(writer);
  return out;
}
std::string S(std::string_view s) {
  return Written([&](ValueWriter& w) { w.String(s); });
}
std::string B(std::string_view b) {
  return Written([&](ValueWriter& w) { w.Binary(b); });
}
std::string N(const std::string& n) {
  return Written([&](ValueWriter& w) { w.EncodedNumber(NumberBytes(n)); });
}
std::string Bool(bool b) {
  return Written([&](ValueWriter& w) { w.Bool(b); });
}
std::string Null() {
  return Written([](ValueWriter& w) { w.Null(); });
}
std::string Set(Tag tag, std::vector<std::string> elements) {
  if (tag == Tag::kNS) {
    for (std::string& e : elements) e = NumberBytes(e);
  }
  return Written([&](ValueWriter& w) {
    std::vector<std::string_view> views(elements.begin(), elements.end());
    EXPECT_TRUE(w.Set(tag, views));
  });
}
std::string L(const std::vector<std::string>& values) {
  return Written([&](ValueWriter& w) {
    w.BeginList();
    for (const std::string& v : values) w.Copy(ValueView(v));
    w.EndList(static_cast<uint32_t>(values.size()));
  });
}
using Entries = std::vector<std::pair<std::string, std::string>>;
std::string M(const Entries& entries) {
  return Written([&](ValueWriter& w) {
    w.BeginMap();
    for (const auto& [name, value] : entries) {
      w.Name(name);
      w.Copy(ValueView(value));
    }
    w.EndMap();
  });
}
std::string ItemOf(const Entries& entries) { return M(entries).substr(1); }

template <typename Wrap>
std::string NestedIn(size_t depth, const Wrap& wrap) {
  std::string value = S("x");
  for (size_t i = 0; i < depth; ++i) value = wrap(value);
  return value;
}

// Alternates lists and maps.
std::string Nested(size_t depth) {
  std::string value = S("x");
  for (size_t i = 0; i < depth; ++i) value = i % 2 == 0 ? L({value}) : M({{"a", value}});
  return value;
}

// The form is part of the data format: these bytes must never change.
TEST(ItemForm, FixedBytes) {
  const struct {
    std::string value, bytes;
  } kRows[] = {
      {S(""), "\x01\x00"s},
      {S("ab"),
       "\x01\x02"
       "ab"},
      {N("12"), "\x02\xC1\x0D\x00"s},
      {B("\xFF"), "\x03\x01\xFF"},
      {Set(Tag::kSS, {"b", "a"}),
       "\x04\0\0\0\x08\0\0\0\x02\x01"
       "a\x01"
       "b"s},
      {Set(Tag::kNS, {"12", "0"}), "\x05\0\0\0\x09\0\0\0\x02\x80\x00\xC1\x0D\x00"s},
      {Set(Tag::kBS, {"\xFF", ""}), "\x06\0\0\0\x07\0\0\0\x02\x00\x01\xFF"s},
      {M({{"k", Null()}}), "\x07\0\0\0\x07\0\0\0\x01\x01k\x09"s},
      {L({Bool(false), Bool(true)}), "\x08\0\0\0\x06\0\0\0\x02\x0A\x0B"s},
      {Null(), "\x09"},
      {Bool(false), "\x0A"},
      {Bool(true), "\x0B"},
      {M({}), "\x07\0\0\0\x04\0\0\0\0"s},
      {S(std::string(200, 'x')), "\x01\xC8\x01" + std::string(200, 'x')},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(row.value, row.bytes);
    EXPECT_TRUE(IsWellFormedValue(row.bytes)) << testing::PrintToString(row.bytes);
    EXPECT_EQ(ValueView::LengthAt((row.bytes + "more").data()), row.bytes.size());
  }
}

TEST(ItemForm, TypesAndTheirNames) {
  const struct {
    std::string value;
    Type type;
    std::string_view name;
  } kRows[] = {
      {S("a"), Type::kS, "S"},
      {N("1"), Type::kN, "N"},
      {B("a"), Type::kB, "B"},
      {Set(Tag::kSS, {"a"}), Type::kSS, "SS"},
      {Set(Tag::kNS, {"1"}), Type::kNS, "NS"},
      {Set(Tag::kBS, {"a"}), Type::kBS, "BS"},
      {M({}), Type::kM, "M"},
      {L({}), Type::kL, "L"},
      {Null(), Type::kNull, "NULL"},
      {Bool(true), Type::kBool, "BOOL"},
      {Bool(false), Type::kBool, "BOOL"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ValueView(row.value).type(), row.type) << row.name;
    EXPECT_EQ(NameOf(row.type), row.name);
    EXPECT_EQ(TypeByName(row.name), row.type);
  }
  for (const char* name : {"", "s", "X", "SSS", "BOOLEAN"}) EXPECT_EQ(TypeByName(name), std::nullopt) << name;
}

TEST(ItemForm, ScalarsReadBack) {
  EXPECT_EQ(ValueView(S("caf\xC3\xA9")).AsText(), "caf\xC3\xA9");
  EXPECT_EQ(ValueView(B("a\0b"s)).AsText(), "a\0b"s);
  EXPECT_EQ(ValueView(S(std::string(70000, 'x'))).AsText().size(), 70000u);
  EXPECT_EQ(ValueView(N("-1.5")).AsEncodedNumber(), NumberBytes("-1.5"));
  EXPECT_TRUE(ValueView(Bool(true)).AsBool());
  EXPECT_FALSE(ValueView(Bool(false)).AsBool());
}

TEST(ItemForm, EqualValuesHaveEqualBytes) {
  EXPECT_EQ(M({{"a", S("1")}, {"b", S("2")}}), M({{"b", S("2")}, {"a", S("1")}}));
  EXPECT_EQ(Set(Tag::kNS, {"1", "2.50", "-3"}), Set(Tag::kNS, {"-3.0", "2.5", "1e0"}));
  EXPECT_EQ(Set(Tag::kSS, {"x", "y"}), Set(Tag::kSS, {"y", "x"}));
  EXPECT_NE(L({S("x"), S("y")}), L({S("y"), S("x")}));
  EXPECT_NE(S("x"), B("x"));
  EXPECT_NE(N("0"), Bool(false));
}

TEST(ItemForm, SetsAreSortedAndDistinct) {
  const std::string numbers = Set(Tag::kNS, {"10", "9", "-1", "0", "0.5"});
  std::vector<std::string> printed;
  for (const std::string_view e : ValueView(numbers).elements()) printed.push_back(Number::Decode(e).ToString());
  EXPECT_EQ(printed, (std::vector<std::string>{"-1", "0", "0.5", "9", "10"}));
  EXPECT_EQ(ValueView(numbers).count(), 5u);
  EXPECT_TRUE(ValueView(numbers).Contains(NumberBytes("9.0")));
  EXPECT_FALSE(ValueView(numbers).Contains(NumberBytes("8")));

  const std::string texts = Set(Tag::kSS, {"b", "", "a", "\xC3\xA9"});
  std::vector<std::string> read;
  for (const std::string_view e : ValueView(texts).elements()) read.emplace_back(e);
  EXPECT_EQ(read, (std::vector<std::string>{"", "a", "b", "\xC3\xA9"}));
  EXPECT_TRUE(ValueView(texts).Contains(""));
  EXPECT_FALSE(ValueView(texts).Contains("c"));
}

TEST(ItemForm, ASetReportsDuplicates) {
  const struct {
    Tag tag;
    std::vector<std::string> elements;
    bool distinct;
  } kRows[] = {
      {Tag::kSS, {"a", "b"}, true},
      {Tag::kSS, {"a", "b", "a"}, false},
      {Tag::kBS, {"", ""}, false},
      {Tag::kNS, {NumberBytes("1"), NumberBytes("10")}, true},
      {Tag::kNS, {NumberBytes("1"), NumberBytes("2"), NumberBytes("1.0")}, false},
  };
  for (const auto& row : kRows) {
    std::string out;
    std::vector<std::string_view> views(row.elements.begin(), row.elements.end());
    EXPECT_EQ(ValueWriter(out).Set(row.tag, views), row.distinct) << testing::PrintToString(row.elements);
  }
}

TEST(ItemForm, MapsAreSortedAndTheLaterOfEqualNamesWins) {
  const struct {
    Entries written, read;
  } kRows[] = {
      {{}, {}},
      {{{"a", S("1")}}, {{"a", S("1")}}},
      {{{"a", S("1")}, {"b", S("2")}}, {{"a", S("1")}, {"b", S("2")}}},
      {{{"c", S("3")}, {"a", S("1")}, {"b", S("2")}}, {{"a", S("1")}, {"b", S("2")}, {"c", S("3")}}},
      {{{"a", S("1")}, {"a", S("2")}}, {{"a", S("2")}}},
      {{{"a", S("longer than the other")}, {"b", S("2")}, {"a", Null()}}, {{"a", Null()}, {"b", S("2")}}},
      {{{"b", S("1")}, {"a", S("2")}, {"b", S("3")}, {"a", S("4")}, {"b", S("5")}}, {{"a", S("4")}, {"b", S("5")}}},
      {{{"ab", S("1")}, {"a", S("2")}, {"", S("3")}}, {{"", S("3")}, {"a", S("2")}, {"ab", S("1")}}},
      {{{"\xC3\xA9", S("1")}, {"z", S("2")}}, {{"z", S("2")}, {"\xC3\xA9", S("1")}}},  // ordered by unsigned bytes
  };
  for (const auto& row : kRows) {
    const std::string item = ItemOf(row.written);
    ASSERT_TRUE(IsWellFormedItem(item)) << testing::PrintToString(row.written);
    Entries read;
    for (const Entry e : ItemView(item).entries()) read.emplace_back(e.name, e.value.bytes());
    EXPECT_EQ(read, row.read);
    EXPECT_EQ(ItemView(item).count(), row.read.size());
    EXPECT_EQ(ItemView(item).empty(), row.read.empty());
  }
}

TEST(ItemForm, NestedMapsSortInsideOneAnother) {
  std::string out = "kept";
  ValueWriter w(out);
  w.BeginItem();
  w.Name("z");
  w.BeginMap();
  w.Name("y");
  w.BeginList();
  w.BeginMap();
  w.Name("d");
  w.Bool(true);
  w.Name("c");
  w.Null();
  w.Name("d");
  w.String("last");
  w.EndMap();
  w.String("second");
  w.EndList(2);
  w.Name("x");
  w.EncodedNumber(NumberBytes("7"));
  w.EndMap();
  w.Name("a");
  w.String("first");
  w.EndMap();
  EXPECT_EQ(out.substr(0, 4), "kept");
  const std::string expected = ItemOf(
      {{"a", S("first")}, {"z", M({{"x", N("7")}, {"y", L({M({{"c", Null()}, {"d", S("last")}}), S("second")})}})}});
  EXPECT_EQ(out.substr(4), expected);
  EXPECT_TRUE(IsWellFormedItem(out.substr(4)));
}

TEST(ItemForm, FindAndAt) {
  const std::string item =
      ItemOf({{"pk", S("p")}, {"list", L({N("1"), S("two"), L({})})}, {"map", M({{"k", S("v")}})}});
  const ItemView view(item);
  EXPECT_EQ(view.Find("pk")->AsText(), "p");
  EXPECT_EQ(view.Find("map")->Find("k")->AsText(), "v");
  EXPECT_EQ(view.Find("map")->Find("j"), std::nullopt);
  EXPECT_EQ(view.Find("map")->Find("kk"), std::nullopt);
  for (const char* absent : {"", "a", "p", "pkk", "zz"}) EXPECT_EQ(view.Find(absent), std::nullopt) << absent;

  const ValueView list = *view.Find("list");
  EXPECT_EQ(list.At(0)->AsEncodedNumber(), NumberBytes("1"));
  EXPECT_EQ(list.At(1)->AsText(), "two");
  EXPECT_EQ(list.At(2)->count(), 0u);
  EXPECT_EQ(list.At(3), std::nullopt);
  EXPECT_EQ(list.At(4294967295u), std::nullopt);
}

TEST(ItemForm, EmptyItems) {
  EXPECT_TRUE(ItemView().empty());
  EXPECT_TRUE(Item().empty());
  EXPECT_EQ(Item().bytes(), ItemOf({}));
  EXPECT_EQ(ItemView().bytes(), ItemOf({}));
  EXPECT_TRUE(IsWellFormedItem(Item().bytes()));
  EXPECT_EQ(Value().type(), Type::kNull);
  EXPECT_EQ(ItemSize(ItemView()), 0u);
}

TEST(ItemForm, ViewsAndOwnersHoldTheSameBytes) {
  const Item item(ItemOf({{"a", S("1")}}));
  EXPECT_EQ(Item(item.view()).bytes(), item.bytes());
  EXPECT_EQ(item.Find("a")->AsText(), "1");
  const Value value(*item.Find("a"));
  EXPECT_TRUE(value.view() == ValueView(S("1")));
}

TEST(ItemForm, Depth) {
  EXPECT_EQ(Depth(ValueView(S("x"))), 0u);
  EXPECT_EQ(Depth(ValueView(Set(Tag::kSS, {"x"}))), 0u);
  EXPECT_EQ(Depth(ValueView(L({}))), 1u);
  EXPECT_EQ(Depth(ValueView(M({}))), 1u);
  EXPECT_EQ(Depth(ValueView(L({S("x"), L({M({})}), S("y")}))), 3u);
  EXPECT_EQ(Depth(ValueView(M({{"a", Null()}, {"b", L({L({})})}}))), 3u);
  EXPECT_EQ(Depth(ValueView(Nested(32))), 32u);
}

// From AWS's "item sizes and formats", with the exact size of numbers.
TEST(ItemForm, SizesOfValues) {
  const struct {
    std::string value;
    size_t bytes;
  } kRows[] = {
      {S(""), 0},
      {S("hello"), 5},
      {S("caf\xC3\xA9"), 5},  // UTF-8 bytes, not characters
      {B("\0\1\2"s), 3},
      {N("0"), 1},
      {N("1"), 2},
      {N("12"), 2},
      {N("1.2"), 3},
      {N("123"), 3},
      {N("-123"), 4},
      {N("1e125"), 2},
      {N("99999999999999999999999999999999999999"), 20},
      {Null(), 1},
      {Bool(true), 1},
      {Bool(false), 1},
      {Set(Tag::kSS, {"ab", "c"}), 3},
      {Set(Tag::kBS, {"ab", ""}), 2},
      {Set(Tag::kNS, {"0", "12", "-1"}), 1 + 2 + 3},
      {L({}), 3},
      {M({}), 3},
      {L({S("ab")}), 3 + 1 + 2},
      {L({S("ab"), Null(), N("12")}), 3 + 3 + 2 + 1 + 2},
      {M({{"key", S("ab")}}), 3 + 1 + 3 + 2},
      {M({{"k", L({M({})})}}), 3 + 1 + 1 + (3 + 1 + 3)},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ValueSize(ValueView(row.value)), row.bytes) << testing::PrintToString(row.value);
    EXPECT_EQ(ItemSize(ItemView(ItemOf({{"name", row.value}}))), 4 + row.bytes);
  }
  EXPECT_EQ(ItemSize(ItemView(ItemOf({{"pk", S("a")}, {"\xC3\xA9", N("7")}}))), 2u + 1 + 2 + 2);
}

std::string Container(char tag, uint32_t length, uint32_t count, const std::string& content) {
  std::string out(1, tag);
  AppendU32(out, length);
  AppendU32(out, count);
  return out + content;
}

TEST(ItemForm, RefusesWhatIsNotCanonical) {
  const struct {
    const char* fault;
    std::string bytes;
  } kRows[] = {
      {"nothing", ""},
      {"tag 0", "\0"s},
      {"an unknown tag", "\x0C"},
      {"bytes after a value", S("a") + "b"},
      {"a truncated string",
       "\x01\x02"
       "a"},
      {"a string without length", "\x01"},
      {"a string that is not UTF-8", "\x01\x01\xFF"},
      {"a longer form of length 0", "\x01\x80\x00"s},
      {"a still longer form of length 0", "\x01\x80\x80\x00"s},
      {"a longer form of length 1",
       "\x01\x81\x00"
       "a"s},
      {"a length of 2^64 - 1",
       "\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"
       "a"},
      {"a number without a terminator", "\x02\xC1\x0D"},
      {"a number in a second form", "\x02\xC1\x0D\x01\x00"s},
      {"a set out of order", Container(4, 8, 2,
                                       "\x01"
                                       "b\x01"
                                       "a")},
      {"a set with equal elements", Container(4, 8, 2,
                                              "\x01"
                                              "a\x01"
                                              "a")},
      {"a string set that is not UTF-8", Container(4, 6, 1, "\x01\xFF")},
      {"a number set out of order", Container(5, 9, 2, "\xC1\x0D\x00\x80\x00"s)},
      {"a map out of order", Container(7, 10, 2,
                                       "\x01"
                                       "b\x09\x01"
                                       "a\x09")},
      {"a map with equal names", Container(7, 10, 2,
                                           "\x01"
                                           "a\x09\x01"
                                           "a\x09")},
      {"a name that is not UTF-8", Container(7, 7, 1, "\x01\xFF\x09")},
      {"a name without value", Container(7, 6, 1,
                                         "\x01"
                                         "a")},
      {"a length below the count's four bytes", Container(8, 3, 0, "")},
      {"a length past the end", Container(8, 5, 0, "")},
      {"a length short of the content", Container(8, 4, 1, "\x09")},
      {"a count below the content", Container(8, 5, 0, "\x09")},
      {"a count above the content", Container(8, 5, 2, "\x09")},
      {"a count of 2^32 - 1", Container(8, 4, 4294967295u, "")},
      {"a length of 2^32 - 1", Container(8, 4294967295u, 0, "")},
      {"an inner container past its outer one", Container(8, 13, 1, Container(8, 6, 2, "\x09")) + "\x09"},
      {"nested without bound", Nested(kItemDepthMax + 3)},
      {"lists nested without bound", NestedIn(kItemDepthMax + 3, [](const std::string& v) { return L({v}); })},
      {"maps nested without bound", NestedIn(kItemDepthMax + 3,
                                             [](const std::string& v) {
                                               return M({{"a", v}});
                                             })},
      {"nested very deeply", Nested(2000)},
  };
  for (const auto& row : kRows) EXPECT_FALSE(IsWellFormedValue(row.bytes)) << row.fault;
  EXPECT_TRUE(IsWellFormedValue(Nested(kItemDepthMax)));
  EXPECT_TRUE(IsWellFormedItem(ItemOf({{"a", Nested(kItemDepthMax)}})));
  EXPECT_FALSE(IsWellFormedItem(""));
  EXPECT_FALSE(IsWellFormedItem(M({})));
}

// Reads everything, so that a sanitizer notices any access out of bounds.
size_t Walk(ValueView value) {
  size_t seen = value.bytes().size() + ValueSize(value) + Depth(value);
  switch (value.type()) {
    case Type::kS:
    case Type::kB:
      return seen + value.AsText().size();
    case Type::kN:
      return seen + Number::Decode(value.AsEncodedNumber()).ToString().size();
    case Type::kSS:
    case Type::kNS:
    case Type::kBS:
      for (const std::string_view e : value.elements()) seen += e.size() + value.Contains(e);
      return seen;
    case Type::kM:
      for (const Entry e : value.entries()) seen += Walk(e.value) + value.Find(e.name).has_value();
      return seen;
    case Type::kL:
      for (const ValueView v : value.values()) seen += Walk(v);
      return seen;
    default:
      return seen;
  }
}

TEST(ItemForm, MutatedBytesAreRefusedOrSafe) {
  const std::string original = M({{"list", L({N("-12.5"), S("text"), Set(Tag::kNS, {"1", "22"})})},
                                  {"map", M({{"inner", Bool(true)}, {"other", Null()}})},
                                  {"set", Set(Tag::kSS, {"a", "bb", "ccc"})},
                                  {"text", S("some text")}});
  ASSERT_TRUE(IsWellFormedValue(original));
  Random random(3);
  int accepted = 0, refused = 0;
  for (int i = 0; i < 40000; ++i) {
    std::string bytes = original;
    for (uint64_t changes = 1 + random.Below(3); changes > 0; --changes) {
      const size_t at = random.Below(bytes.size());
      switch (random.Below(3)) {
        case 0:
          bytes[at] = static_cast<char>(random.Next());
          break;
        case 1:
          bytes.erase(at, 1 + random.Below(3));
          break;
        default:
          bytes.insert(at, 1, static_cast<char>(random.Below(12)));
      }
    }
    // A separate allocation, so that reading one byte too far is noticed.
    const std::vector<char> exact(bytes.begin(), bytes.end());
    const std::string_view view(exact.data(), exact.size());
    if (IsWellFormedValue(view)) {
      ++accepted;
      EXPECT_GT(Walk(ValueView(view)), 0u);
    } else {
      ++refused;
    }
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 30000);
}

TEST(ItemForm, EveryTruncationIsRefused) {
  const std::string item = ItemOf({{"a", L({N("1"), S("x")})}, {"b", Set(Tag::kBS, {"1", "2"})}});
  ASSERT_TRUE(IsWellFormedItem(item));
  for (size_t n = 0; n < item.size(); ++n) {
    const std::vector<char> cut(item.begin(), item.begin() + static_cast<std::ptrdiff_t>(n));
    EXPECT_FALSE(IsWellFormedItem({cut.data(), cut.size()})) << n;
  }
}

TEST(ItemForm, RandomMapsEqualAnOrderedMap) {
  Random random(17);
  for (int i = 0; i < 2000; ++i) {
    std::map<std::string, std::string> reference;
    Entries written;
    for (uint64_t n = random.Below(12); n > 0; --n) {
      std::string name(random.Below(3), 'a');
      for (char& c : name) c = static_cast<char>('a' + random.Below(4));
      const std::string value = S(std::string(random.Below(5), 'v') + std::to_string(n));
      written.emplace_back(name, value);
      reference[name] = value;
    }
    const std::string item = ItemOf(written);
    ASSERT_TRUE(IsWellFormedItem(item));
    ASSERT_EQ(item, ItemOf(Entries(reference.begin(), reference.end())));
  }
}

}  // namespace
}  // namespace keyfold

#include "model/core/template.h"

#include <gtest/gtest.h>

#include "model/core/calendar.h"
#include "model/keys/key_automaton.h"
#include "testing/model/model.h"

namespace keyfold::model {
namespace {

constexpr std::string_view kAttributes =
    "{a: string, b: string, n: number, m: number, d: decimal, e: [x, y, xy], t: time, u: time, s: epoch_s, f: bool, "
    "raw: binary}";

// The template as the sort key of an entity with attributes of many types and the given number of shards.
Template TemplateForTest(std::string_view text, std::string_view separator = "#", int shards = 12) {
  const Model model = LoadForTest("model: 1\ntable: {name: T, key: {pk: P, sk: S}, separator: '" +
                                  std::string(separator) + "'}\nentities: {E: {keys: {P: x, S: '" + std::string(text) +
                                  "'}, shard: {n: " + std::to_string(shards) +
                                  ", by: random}, attributes: " + std::string(kAttributes) + "}}\n");
  return model.entities.empty() ? Template() : model.entities[0].keys[1].value;
}

std::string ReadKeyForTest(std::string_view text, std::string_view key, std::string_view separator = "#") {
  std::vector<std::string_view> parts;
  const Template whole = TemplateForTest(text, separator);
  if (!ReadKey(whole, key, parts)) return "no";
  std::string out;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!whole.parts[i].IsLiteral()) (out += out.empty() ? "" : " ") += parts[i];
  }
  return out.empty() ? "yes" : out;
}

TEST(Template, ReadsKeysBack) {
  struct Row {
    std::string_view text;
    std::string_view key;
    std::string_view values;
  };
  const Row rows[] = {
      {"USER#{a}", "USER#42", "42"},
      {"USER#{a}", "USER#", "no"},
      {"USER#{a}", "USER#4#2", "no"},
      {"USER#{a}", "ORDER#42", "no"},
      {"USER#{a}", "US", "no"},
      {"PROFILE", "PROFILE", "yes"},
      {"PROFILE", "PROFILES", "no"},
      {"{a}#{b}", "x#y", "x y"},
      {"{a}#X#{b}", "p#X#q", "p q"},
      {"{a}#X#{b}", "p#Y#q", "no"},
      {"{a|lower}", "abc", "abc"},
      {"{a|lower}", "aBc", "no"},
      {"{a|upper}", "ABC1", "ABC1"},
      {"{n|pad4}#{a}", "0042#x", "0042 x"},
      {"{n|pad4}#{a}", "42#x", "no"},
      {"{n|pad4}{m|pad2}", "004217", "0042 17"},
      {"N{n}", "N-1.5", "-1.5"},
      {"N{n}", "N1.50", "no"},
      {"N{n}", "N01", "no"},
      {"N{n}", "N-0", "no"},
      {"N{s}", "N17", "17"},
      {"N{s}", "N-17", "no"},
      {"{t|iso_s}", "2024-01-15T10:30:00Z", "2024-01-15T10:30:00Z"},
      {"{t|iso_s}", "2024-02-30T10:30:00Z", "no"},
      {"{t|iso_ms}", "2024-01-15T10:30:00.000Z", "2024-01-15T10:30:00.000Z"},
      {"D{t|day}", "D2024-02-29", "2024-02-29"},
      {"D{t|day}", "D2023-02-29", "no"},
      {"D{t|month}#{a}", "D2024-13#x", "no"},
      {"{t}", "2024-01-15T10:30:00.000Z", "2024-01-15T10:30:00.000Z"},
      {"{e}#{a}", "xy#1", "xy 1"},
      {"{e}#{a}", "z#1", "no"},
      {"{e}{n|pad2}", "xy01", "xy 01"},
      {"S{shard}", "S11", "11"},
      {"S{shard}", "S12", "no"},
      {"S{shard}", "S01", "no"},
      {"{f}", "true", "true"},
      {"a{{{a}}}b", "a{1}b", "1"},
      {"{a}{n|pad2}", "x12", "x 12"},
      {"{a}-{b}", "p-q-r", "p q-r"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(ReadKeyForTest(row.text, row.key), row.values) << row.text << " reads " << row.key;
  EXPECT_EQ(ReadKeyForTest("{a}::{b}", "x:y::z", "::"), "x:y z");
}

TEST(Template, WritesKeys) {
  struct Row {
    std::string_view text;
    std::string_view value;
    std::string_view key;
  };
  const Row rows[] = {
      {"USER#{a}", "42", "USER#42"},
      {"E#{a|lower}", "A@B.C", "E#a@b.c"},
      {"E#{a|upper}", "sku-1", "E#SKU-1"},
      {"O#{n|pad8}", "1001", "O#00001001"},
      {"O#{n|pad2}", "1001", "O#1001"},
      {"O#{n}", "1.50E1", "O#15"},
      {"T#{t}", "2024-01-15T10:30:00Z", "T#2024-01-15T10:30:00.000Z"},
      {"T#{t|iso_s}", "2024-01-15T10:30:00.123Z", "T#2024-01-15T10:30:00Z"},
      {"T#{t|iso_s}", "2024-06", "T#2024-06"},
      {"T#{t|hour}", "2024-01-15T10:30:00.123Z", "T#2024-01-15T10"},
      {"T#{t|year}", "2024-01-15T10:30:00.123Z", "T#2024"},
  };
  for (const Row& row : rows) {
    const auto key = WriteKey(TemplateForTest(row.text), [&](const TemplatePart&) { return std::string(row.value); });
    EXPECT_EQ(key, std::string(row.key)) << row.text;
  }
  EXPECT_FALSE(WriteKey(TemplateForTest("U#{a}"), [](const TemplatePart&) { return std::optional<std::string>(); }));
}

TEST(Template, HashesAsFnv1a) {
  EXPECT_EQ(ShardOf("", 1u << 31), 2166136261u % (1u << 31));
  EXPECT_EQ(ShardOf("a", 1000000007), 0xE40C292Cu % 1000000007);
  EXPECT_EQ(ShardOf("foobar", 1000000007), 0xBF9CF968u % 1000000007);
}

TEST(Calendar, EnumeratesBuckets) {
  struct Row {
    Format format;
    std::string_view from;
    std::string_view to;
    std::string_view buckets;
  };
  const Row rows[] = {
      {Format::kMonth, "2024-01-31T23:30:00Z", "2024-02-01T00:30:00Z", "2024-01 2024-02 "},
      {Format::kMonth, "2024-11", "2025-02-01T00:00:00.000Z", "2024-11 2024-12 2025-01 2025-02 "},
      {Format::kDay, "2024-02-28", "2024-03-01", "2024-02-28 2024-02-29 2024-03-01 "},
      {Format::kHour, "2024-12-31T23", "2025-01-01T00:10", "2024-12-31T23 2025-01-01T00 "},
      {Format::kYear, "2024", "2025-06", "2024 2025 "},
      {Format::kYear, "9999", "9999", "9999 "},
      {Format::kMonth, "2024-02", "2024-01", ""},
      {Format::kDay, "2024-02", "2024-03-01", "none"},
      {Format::kMonth, "2024-13", "2024-14", "none"},
      {Format::kMonth, "x", "y", "none"},
      {Format::kHour, "0000-01-01T00", "9999-01-01T00", "none"},
  };
  for (const Row& row : rows) {
    const auto buckets = Buckets(row.format, row.from, row.to, 100);
    std::string out = buckets ? "" : "none";
    if (buckets) {
      for (const std::string& one : *buckets) out += one + ' ';
    }
    EXPECT_EQ(out, row.buckets) << row.from << ".." << row.to;
  }
}

TEST(Calendar, ConvertsTimes) {
  for (const int64_t ms : {int64_t{0}, int64_t{1705314600123}, int64_t{951782400000}, int64_t{-62167219200000},
                           int64_t{253402300799999}, int64_t{-1}}) {
    EXPECT_EQ(EpochMillis(IsoMillis(ms)), ms);
  }
  EXPECT_EQ(IsoMillis(1705314600123), "2024-01-15T10:30:00.123Z");
  EXPECT_EQ(EpochMillis("2024-01-15T10:30:00Z"), 1705314600000);
  EXPECT_FALSE(EpochMillis("2024-01-15T10:30:60Z"));
  EXPECT_FALSE(EpochMillis("2024-01-15"));
}

TEST(KeyAutomaton, FindsOverlaps) {
  struct Row {
    std::string_view a;
    std::string_view b;
    std::string_view text;  // a shortest common text, or "none"
  };
  const Row rows[] = {
      {"U#{a}", "U#{b}", "U#a"},
      {"U#{a}", "V#{b}", "none"},
      {"U#{a}", "U#{a}#X", "none"},
      {"{a}#X", "U#{b}", "U#X"},
      {"{n|pad3}", "{m|pad4}", "none"},
      {"{n|pad3}{a}", "{m|pad4}{b}", "0000a"},
      {"{n}", "{m|pad3}", "none-typed"},
      {"N{n}", "N{m|pad3}", "N100"},
      {"N{n}", "N{a}", "N0"},
      {"N{s}", "N{n}", "N0"},
      {"{t|iso_s}", "{u|iso_ms}", "none"},
      {"{t|day}T00", "{u|hour}", "0000-01-01T00"},
      {"{a|lower}", "{b|upper}", "0"},
      {"X{a|lower}", "XA", "none"},
      {"{e}", "xy", "xy"},
      {"{e}", "z", "none"},
      {"{e|upper}", "XY", "XY"},
      {"S{shard}", "S11", "S11"},
      {"S{shard}", "S12", "none"},
      {"S{shard}", "S09", "none"},
      {"{f}", "{a}", "none-typed"},
      {"F{f}", "F{a}", "Ftrue"},
      {"{d}x", "-0.5x", "-0.5x"},
      {"{d}x", "-0x", "none"},
      {"{d}x", "1.50x", "none"},
      {"\xC3\xA9{a}", "{b}",
       "\xC3\xA9"
       "a"},
  };
  for (const Row& row : rows) {
    const Template a = TemplateForTest(row.a);
    const Template b = TemplateForTest(row.b);
    const auto text = Overlap(KeyForm::Of(a), KeyForm::Of(b));
    const std::string found = text ? *text : a.type == b.type ? "none" : "none-typed";
    EXPECT_EQ(found, row.text) << row.a << " and " << row.b;
    if (!text) continue;
    std::vector<std::string_view> parts;
    EXPECT_TRUE(ReadKey(a, *text, parts)) << row.a << " reads " << *text;
    EXPECT_TRUE(ReadKey(b, *text, parts)) << row.b << " reads " << *text;
  }
}

TEST(KeyAutomaton, CountsShardsExactly) {
  for (const int shards : {1, 2, 9, 10, 11, 12, 99, 100, 101, 110, 1000, 1005}) {
    const KeyAutomaton language(KeyForm::Of(TemplateForTest("{shard}", "#", shards)));
    for (int i = 0; i < 1200; ++i) {
      KeyForm number;
      number.parts.resize(1);
      number.parts[0].text = std::to_string(i);
      ASSERT_EQ(Overlap(language, KeyAutomaton(number)).has_value(), i < shards) << i << " of " << shards;
    }
  }
}

TEST(KeyAutomaton, ComparesRangesAsBytes) {
  const std::string_view texts[] = {"", "a", "ab", "abc", "abz", "ac", "b", "ba", "bz", "c", "zz"};
  const std::pair<std::string, std::string> ranges[] = {{"", "b"},     {"a", "b"},    {"ab", "ab"},
                                                        {"abc", "ac"}, {"ab", "abz"}, {"b", "a"},
                                                        {"az", "bb"},  {"", ""},      {"ab", "a"}};
  for (const auto& [low, high] : ranges) {
    KeyForm range;
    range.tail = KeyForm::Tail::kRange;
    range.low = low;
    range.high = high;
    const KeyAutomaton language(range);
    for (const std::string_view text : texts) {
      KeyForm one;
      one.parts.resize(text.empty() ? 0 : 1);
      if (!text.empty()) one.parts[0].text = text;
      const bool inside = text >= low && (text <= high || text.starts_with(high));
      EXPECT_EQ(Overlap(language, KeyAutomaton(one)).has_value(), inside) << low << ".." << high << ' ' << text;
    }
  }
}

TEST(KeyAutomaton, FindsTwoReadings) {
  struct Row {
    std::string_view text;
    bool two;
  };
  const Row rows[] = {
      {"{a}#{b}", false},      {"{a}{b}", true},   {"{n|pad3}{a}", false},   {"{a}{n|pad3}", false},
      {"{n}{m}", true},        {"{e}{e}", false},  {"{e}{e}{e}", true},      {"{a}-{b}", true},
      {"{t|iso_s}{a}", false}, {"{n}#{m}", false}, {"{n|pad3}{a}{b}", true},
  };
  for (const Row& row : rows) {
    const auto found = FindTwoReadings(TemplateForTest(row.text));
    EXPECT_EQ(found.has_value(), row.two) << row.text;
    if (!found) continue;
    EXPECT_NE(found->first, found->second) << row.text;
    for (const auto* reading : {&found->first, &found->second}) {
      std::string joined;
      for (const std::string& part : *reading) joined += part;
      EXPECT_EQ(joined, found->text);
    }
  }
  EXPECT_TRUE(FindTwoReadings(TemplateForTest("{a}::{b}", "::")));
}

// A default that contains the separator is a value like any other, and the key can be read back.
TEST(Template, ReadsDeclaredValuesWithTheSeparator) {
  const Model model = LoadForTest(ModelText(
      "{A: {keys: {PK: 'P#k_{k|lower}#x_{x}', SK: A}, attributes: {k: {type: string, default: '#B'}, x: string}}}",
      "{}"));
  const Template& whole = model.entities[0].keys[0].value;
  std::vector<std::string_view> parts;
  for (const std::string_view k : {"#b", "b", "ab", "x_y"}) {
    const std::string key = "P#k_" + std::string(k) + "#x_y";
    ASSERT_TRUE(ReadKey(whole, key, parts)) << key;
    EXPECT_EQ(parts[1], k) << key;
    EXPECT_EQ(parts[3], "y") << key;
  }
  EXPECT_FALSE(ReadKey(whole, "P#k_#c#x_y", parts));
  EXPECT_FALSE(ReadKey(whole, "P#k_b#x_#b", parts));
  EXPECT_FALSE(FindTwoReadings(whole));
  EXPECT_EQ(FindSeparatorInside(whole.parts[1], "#"), "#b");
}

TEST(Template, CountsDown) {
  struct Row {
    std::string_view placeholder;
    std::string_view value;
    std::string_view text;
  };
  const Row rows[] = {{"{n|desc4}", "0", "9999"}, {"{n|desc4}", "42", "9957"},        {"{n|desc4}", "9999", "0000"},
                      {"{n|desc1}", "7", "2"},    {"{s|desc10}", "17", "9999999982"}, {"{n|pad4}", "42", "0042"},
                      {"{n|pad4}", "0", "0000"}};
  for (const Row& row : rows) {
    const Template whole = TemplateForTest("X" + std::string(row.placeholder));
    const TemplatePart& part = whole.parts[1];
    EXPECT_EQ(FormatValue(part.format, part.width, part.type, row.value), row.text) << row.placeholder;
    EXPECT_EQ(ValueOfText(part, row.text), row.value) << row.placeholder;
    EXPECT_TRUE(Fits(part, "#", row.text)) << row.placeholder;
    EXPECT_EQ(FixedWidth(part), row.text.size()) << row.placeholder;
    EXPECT_EQ("{n|" + FormatName(part.format, part.width) + "}", "{n" + std::string(row.placeholder.substr(2)));
  }
  EXPECT_EQ(ReadKeyForTest("{n|desc4}#{a}", "9957#x"), "9957 x");
  EXPECT_EQ(ReadKeyForTest("{n|desc4}#{a}", "57#x"), "no");
  EXPECT_EQ(ValueOfText(TemplateForTest("X{t|day}").parts[1], "2024-01-15"), "2024-01-15");
}

// One value has one text at each place, whatever its formats there.
TEST(KeyAutomaton, CountsDownInOnePlace) {
  const Template up = TemplateForTest("{n|pad4}");
  const Template down = TemplateForTest("{n|desc4}");
  const KeyForms both = {KeyForm::Of(up), KeyForm::Of(down)};
  const auto of = [](std::string_view text) {
    KeyForm form;
    form.parts.resize(1);
    form.parts[0].text = text;
    return form;
  };
  EXPECT_TRUE(OverlapTogether(both, KeyForms{of("0042"), of("9957")}));
  EXPECT_FALSE(OverlapTogether(both, KeyForms{of("0042"), of("9958")}));
  EXPECT_FALSE(OverlapTogether(both, KeyForms{of("0042"), of("0042")}));
}

TEST(KeyAutomaton, FindsPrefixPairs) {
  struct Row {
    std::string_view placeholder;
    bool prefix_free;
  };
  const Row rows[] = {{"{a}", false}, {"{a|lower}", false}, {"{n|pad3}", true},
                      {"{n}", false}, {"{t|iso_s}", true},  {"{t|month}", true},
                      {"{e}", false}, {"{f}", true},        {"{shard}", false}};
  for (const Row& row : rows) {
    const Template whole = TemplateForTest("X" + std::string(row.placeholder));
    const auto pair = FindPrefixPair(whole.parts[1], "#");
    EXPECT_EQ(!pair, row.prefix_free) << row.placeholder;
    if (pair) {
      EXPECT_TRUE(pair->second.starts_with(pair->first) && pair->second != pair->first);
      EXPECT_TRUE(Fits(whole.parts[1], "#", pair->first) && Fits(whole.parts[1], "#", pair->second));
    }
  }
}

TEST(KeyAutomaton, FindsSeparatorsInside) {
  struct Row {
    std::string_view placeholder;
    std::string_view separator;
    bool inside;
  };
  const Row rows[] = {{"{a}", "#", false},      {"{t|iso_s}", "-", true}, {"{t|iso_s}", "#", false},
                      {"{t|year}", "-", false}, {"{n|pad3}", "0", true},  {"{n}", "-", true},
                      {"{e}", "y", true},       {"{e}", "#", false},      {"{t|iso_ms}", ":", true}};
  for (const Row& row : rows) {
    const Template whole = TemplateForTest("X" + std::string(row.placeholder), row.separator);
    EXPECT_EQ(FindSeparatorInside(whole.parts[1], row.separator).has_value(), row.inside)
        << row.placeholder << row.separator;
  }
}

TEST(KeyAutomaton, IndexesByPrefix) {
  PrefixIndex index;
  index.Add("", 0);
  index.Add("U#", 1);
  index.Add("USER#", 2);
  index.Add("USER#X", 3);
  index.Add("V", 4);
  EXPECT_EQ(index.Meeting("USER#"), (std::vector<uint32_t>{0, 2, 3}));
  EXPECT_EQ(index.Meeting(""), (std::vector<uint32_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(index.Meeting("W"), (std::vector<uint32_t>{0}));
}

}  // namespace
}  // namespace keyfold::model

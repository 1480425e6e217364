#include "model/observe/ready_key.h"

#include <gtest/gtest.h>

#include "model/observe/key_agreement.h"
#include "model/observe/name_table.h"
#include "model/observe/prefix_tree.h"
#include "testing/model/model.h"

namespace keyfold::model {
namespace {

Template TemplateOf(std::string_view text) {
  const Model model = LoadForTest(
      "model: 1\ntable: {name: T, key: {pk: P, sk: S}}\nentities: {E: {keys: {P: x, S: '" + std::string(text) +
      "'}, shard: {n: 12, by: random}, attributes: {a: string, b: string, n: number, e: [x, y, xy], t: time}}}\n");
  return model.entities[0].keys[1].value;
}

TEST(ReadyKey, ReadsWhatReadKeyReads) {
  const char* const templates[] = {
      "PROFILE",       "USER#{a}",           "{a}",         "{a}#{b}",      "{a}#X#{b}",
      "{a|lower}#{b}", "{n|pad4}#{a}",       "{n|pad2}{a}", "N{n}#{a}",     "D#{a}#{t|month}#{shard}",
      "{t}",           "{t|iso_s}#{n|pad2}", "{t|day}",     "{t|hour}#{e}", "{e}{a}",
      "{a}X{b}",       "{t|year}",           "{shard}"};
  const char* const keys[] = {"",
                              "PROFILE",
                              "PROFILES",
                              "USER#1",
                              "USER#",
                              "USER#1#2",
                              "#",
                              "x#y",
                              "X#y",
                              "x#X#y",
                              "0042#x",
                              "42x",
                              "N-1.5#x",
                              "N1.50#x",
                              "D#d#2024-01#11",
                              "D#d#2024-13#11",
                              "D#d#2024-01#12",
                              "D##2024-01#1",
                              "2024-02-29T10:30:00.000Z",
                              "2023-02-29T10:30:00.000Z",
                              "2024-02-29T10:30:00Z#07",
                              "2024-02-29T10:60:00Z#07",
                              "2024-02-29T10:30:60.000Z",
                              "2024-02-29T24:30:00.000Z",
                              "2024-02-29 10:30:00.000Z",
                              "2024-02-2\xB9T10:30:00.000Z",
                              "2024-04-30",
                              "2024-04-31",
                              "2024-00-30",
                              "2024-04-30T23#xy",
                              "2024",
                              "202a",
                              "xyz",
                              "aXb",
                              "7",
                              "07"};
  std::vector<std::string_view> wanted;
  KeyParts parts;
  for (const char* const text : templates) {
    const Template whole = TemplateOf(text);
    const ReadyKey ready(whole);
    for (const std::string_view key : keys) {
      const bool reads = ReadKey(whole, key, wanted);
      EXPECT_EQ(ready.Fits(key), reads) << text << " " << key;
      ASSERT_EQ(ready.Read(key, parts), reads) << text << " " << key;
      for (size_t i = 0; reads && i < wanted.size(); ++i) EXPECT_EQ(parts[i], wanted[i]) << text << " " << key;
    }
  }
}

TEST(ReadyKey, AgreesAsFormatValueSays) {
  const char* const templates[] = {"{a}",       "{a|lower}", "{a|upper}", "{n|pad4}", "{t}",
                                   "{t|iso_s}", "{t|year}",  "{t|month}", "{t|day}",  "{t|hour}"};
  const char* const texts[] = {"",
                               "a",
                               "A",
                               "aB",
                               "AB",
                               "ab",
                               "7",
                               "0007",
                               "00007",
                               "12345",
                               "-7",
                               "00-7",
                               "2024",
                               "2024-01",
                               "2024-01-15",
                               "2024-01-15T10",
                               "2024-01-15T10:30:00Z",
                               "2024-01-15T10:30:00.000Z",
                               "2024-01-15T10:30:00.123Z",
                               "2024-01-15T10:30:00.123"};
  for (const char* const text : templates) {
    const TemplatePart part = TemplateOf(text).parts[0];
    for (const std::string_view value : texts) {
      // not a number
      if (IsPadded(part.format) && (value.empty() || value[0] == '0' || value[0] > '9')) continue;
      for (const std::string_view key : texts) {
        EXPECT_EQ(Agrees(part, value, key), FormatValue(part.format, part.width, part.type, value) == key)
            << text << " " << value << " " << key;
      }
    }
  }
}

TEST(NameTable, FindsNamesOfAnyLength) {
  NameTable table;
  std::vector<std::string> names;
  for (int i = 0; i < 40; ++i) {
    names.push_back(std::string(static_cast<size_t>(i), 'n'));
    names.push_back(std::string(static_cast<size_t>(i), 'n') + "x");
    names.push_back("first8by" + std::string(static_cast<size_t>(i), 'n') + "last8byt");
  }
  for (NameId id = 0; id < names.size(); ++id) EXPECT_EQ(table.Add(names[id]), id) << names[id];
  for (NameId id = 0; id < names.size(); ++id) {
    EXPECT_EQ(table.Add(names[id]), id);
    EXPECT_EQ(table.Find(names[id]), id);
    EXPECT_EQ(table.NameOf(id), names[id]);
    EXPECT_EQ(table.Find(names[id] + "?"), kNoName);
  }
}

TEST(PrefixTree, WalksFromShortToLong) {
  PrefixTree tree;
  const char* const literals[] = {"USER#", "", "US", "USER#", "UX", "ORDER#", "USER#1", "U"};
  for (uint32_t id = 0; id < std::size(literals); ++id) tree.Add(literals[id], id);
  const auto walk = [&](std::string_view text) {
    std::string out;
    tree.Walk(text, [&](uint32_t id) { out += std::to_string(id); });
    return out;
  };
  EXPECT_EQ(walk("USER#12"), "172036");
  EXPECT_EQ(walk("USER#"), "17203");
  EXPECT_EQ(walk("USE"), "172");
  EXPECT_EQ(walk("UX1"), "174");
  EXPECT_EQ(walk("ORDER"), "1");
  EXPECT_EQ(walk("ORDER#"), "15");
  EXPECT_EQ(walk(""), "1");
}

}  // namespace
}  // namespace keyfold::model

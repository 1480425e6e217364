#include "transfer/format/format.h"

#include <gtest/gtest.h>

#include "base/read_file.h"
#include "json/document.h"
#include "testing/base/repository.h"
#include "testing/transfer/random_item.h"
#include "wire/attribute_value.h"

namespace keyfold::transfer {
namespace {

constexpr DataFormat kLineFormats[] = {DataFormat::kDynamoDbJson, DataFormat::kIon};

struct Parsed {
  std::vector<std::string> items;  // their bytes
  std::vector<std::string> faults;
  bool operator==(const Parsed&) const = default;
};

Parsed Parse(const RecordParser& parser, std::string_view block, const std::vector<std::string>& header = {}) {
  Parsed parsed;
  parser.Parse(
      block, header,
      [&](ItemView item) {
        EXPECT_TRUE(IsWellFormedItem(item.bytes()));
        parsed.items.emplace_back(item.bytes());
      },
      [&](const Error& error) { parsed.faults.push_back(error.message()); });
  return parsed;
}

// As an import does it: parses the complete records and puts the rest before the next piece.
Parsed ParseInPieces(const RecordParser& parser, const RecordCutter& cutter, std::string_view text,
                     size_t piece_bytes) {
  Parsed parsed;
  std::string pending;
  for (size_t at = 0; at < text.size(); at += piece_bytes) {
    pending.append(text.substr(at, piece_bytes));
    const size_t whole = cutter.WholeRecords(pending, at + piece_bytes >= text.size());
    const Parsed part = Parse(parser, std::string_view(pending).substr(0, whole));
    parsed.items.insert(parsed.items.end(), part.items.begin(), part.items.end());
    parsed.faults.insert(parsed.faults.end(), part.faults.begin(), part.faults.end());
    pending.erase(0, whole);
  }
  EXPECT_EQ(pending, "");
  return parsed;
}

class LineFormats : public testing::TestWithParam<DataFormat> {
 protected:
  const DataFormat format_ = GetParam();
  const RecordParser parser_{format_, {}, {}};
  const RecordCutter cutter_{format_, ','};
};
INSTANTIATE_TEST_SUITE_P(All, LineFormats, testing::ValuesIn(kLineFormats),
                         [](const auto& info) { return info.param == DataFormat::kIon ? "Ion" : "DynamoDbJson"; });

TEST_P(LineFormats, RandomItemsComeBackEqual) {
  RandomItems items(11);
  for (int i = 0; i < 5000; ++i) {
    const Item item = items.Next();
    std::string line;
    AppendItemLine(format_, item, line);
    ASSERT_EQ(line.find('\n'), line.size() - 1) << line;
    const Parsed parsed = Parse(parser_, line);
    ASSERT_TRUE(parsed.faults.empty()) << parsed.faults[0] << " in " << line;
    ASSERT_EQ(parsed.items, std::vector{item.bytes()}) << line;
  }
}

TEST_P(LineFormats, PiecesOfEveryLengthGiveTheSameItems) {
  RandomItems items(12);
  std::string text;
  std::vector<std::string> expected;
  for (int i = 0; i < 12; ++i) {
    expected.push_back(items.Next().bytes());
    AppendItemLine(format_, ItemView(expected.back()), text);
  }
  for (size_t piece_bytes = 1; piece_bytes <= text.size(); ++piece_bytes) {
    const Parsed parsed = ParseInPieces(parser_, cutter_, text, piece_bytes);
    ASSERT_EQ(parsed.items, expected) << piece_bytes;
    ASSERT_TRUE(parsed.faults.empty()) << piece_bytes << ": " << parsed.faults[0];
  }
}

// Malformed text too: in turn, each byte of some lines is replaced.
TEST_P(LineFormats, FaultsAreTheSameWhereverTheTextIsCut) {
  RandomItems items(13);
  Random random(14);
  std::string text;
  for (int i = 0; i < 3; ++i) AppendItemLine(format_, items.Next(), text);
  for (size_t i = 0; i < text.size(); ++i) {
    std::string spoilt = text;
    constexpr std::string_view kSpoilers = "\"'{}[](),:/\\\n a0\xC3";
    spoilt[i] = kSpoilers[random.Below(kSpoilers.size())];
    const Parsed whole = Parse(parser_, spoilt);
    for (const size_t piece_bytes : {size_t{1}, size_t{2}, 1 + random.Below(text.size())}) {
      ASSERT_EQ(ParseInPieces(parser_, cutter_, spoilt, piece_bytes), whole) << piece_bytes << " of " << spoilt;
    }
  }
}

TEST_P(LineFormats, AFaultCostsOneRecord) {
  std::string good;
  RandomItems items(15);
  const Item item = items.Next();
  AppendItemLine(format_, item, good);
  constexpr const char* kBad[] = {"{",
                                  "}",
                                  "]",
                                  "foo",
                                  "\"",
                                  "\"open",
                                  "{\"Item\":{\"a\":}}",
                                  "{Item:{a:\"open}}",
                                  "{\"Item\":{\"a\":",
                                  "{Item:{a:[}",
                                  "12",
                                  "\xFF\xFE",
                                  "null",
                                  "{}"};
  for (const std::string bad : kBad) {
    const Parsed parsed = Parse(parser_, good + bad + "\n" + good);
    EXPECT_EQ(parsed.items.size(), 2u) << bad;
    const bool list_end = format_ == DataFormat::kIon && bad == "]";  // ends the list of records
    EXPECT_EQ(parsed.faults.size(), list_end ? 0u : 1u) << bad;
  }
}

TEST_P(LineFormats, AByteOrderMarkIsSkipped) {
  size_t bytes = 99;
  ASSERT_TRUE(parser_.FileHeader("\xEF\xBB\xBF{", bytes).ok());
  EXPECT_EQ(bytes, 3u);
  ASSERT_TRUE(parser_.FileHeader("{\"Item\":", bytes).ok());
  EXPECT_EQ(bytes, 0u);
}

// {"pk":{"S":"a"},"n":{"N":"1"}}
Item ItemOf(const std::string& json) {
  json::Parser parser;
  wire::Supplied<Item> item;
  EXPECT_TRUE(wire::DecodeItem(*parser.Parse(json), wire::Place::kMember, item).ok());
  return Item(item->view());
}

struct LineCase {
  const char* item;
  const char* json;
  const char* ion;
};

constexpr LineCase kLines[] = {
    {R"({})", R"({"Item":{}})", R"($ion_1_0 {Item:{}})"},
    {R"({"Players":{"SS":["Ada","Bo"]},"Id":{"N":"103"},"InPrint":{"BOOL":false},"Seconds":{"N":"600"}})",
     R"({"Item":{"Id":{"N":"103"},"InPrint":{"BOOL":false},"Players":{"SS":["Ada","Bo"]},"Seconds":{"N":"600"}}})",
     R"($ion_1_0 {Item:{Id:103.,InPrint:false,Players:$dynamodb_SS::["Ada","Bo"],Seconds:6d2}})"},
    {R"({"b":{"B":"AAH/"},"e":{"B":""}})", R"({"Item":{"b":{"B":"AAH/"},"e":{"B":""}}})",
     R"($ion_1_0 {Item:{b:{{AAH/}},e:{{}}}})"},
    {R"({"s":{"BS":["AA==","AQ=="]},"t":{"NS":["1","200"]}})",
     R"({"Item":{"s":{"BS":["AA==","AQ=="]},"t":{"NS":["1","200"]}}})",
     R"($ion_1_0 {Item:{s:$dynamodb_BS::[{{AA==}},{{AQ==}}],t:$dynamodb_NS::[1.,2d2]}})"},
    {R"({"l":{"L":[{"NULL":true},{"M":{}},{"L":[]}]},"t":{"BOOL":true}})",
     R"({"Item":{"l":{"L":[{"NULL":true},{"M":{}},{"L":[]}]},"t":{"BOOL":true}}})",
     R"($ion_1_0 {Item:{l:[null,{},[]],t:true}})"},
    {R"({"two words":{"S":""},"null":{"S":"\"\n"},"$1":{"S":"x"},"it's":{"S":"x"},"$a":{"S":"x"}})",
     R"({"Item":{"$1":{"S":"x"},"$a":{"S":"x"},"it's":{"S":"x"},"null":{"S":"\"\n"},"two words":{"S":""}}})",
     R"($ion_1_0 {Item:{'$1':"x",$a:"x",'it\'s':"x",'null':"\"\n",'two words':""}})"},
};

TEST(ItemLine, MatchesExports) {
  for (const LineCase& c : kLines) {
    const Item item = ItemOf(c.item);
    std::string json, ion;
    AppendItemLine(DataFormat::kDynamoDbJson, item, json);
    AppendItemLine(DataFormat::kIon, item, ion);
    EXPECT_EQ(json, std::string(c.json) + "\n");
    EXPECT_EQ(ion, std::string(c.ion) + "\n");
  }
}

struct NumberCase {
  const char* number;
  const char* ion;
};

constexpr NumberCase kNumbers[] = {
    {"0", "0."},
    {"7", "7."},
    {"-7", "-7."},
    {"10", "1d1"},
    {"-1200", "-12d2"},
    {"1E125", "1d125"},
    {"1.5", "1.5"},
    {"-0.5", "-0.5"},
    {"100.25", "100.25"},
    {"0.000001", "0.000001"},
    {"0.0000012", "0.0000012"},
    {"0.0000001", "1d-7"},
    {"-0.00000012", "-12d-8"},
    {"1E-130", "1d-130"},
    {"99999999999999999999999999999999999999", "99999999999999999999999999999999999999."},
    {"9.9999999999999999999999999999999999999E125", "99999999999999999999999999999999999999d88"},
    {"-1.2345678901234567890123456789012345678E-100", "-12345678901234567890123456789012345678d-137"},
};

TEST(ItemLine, NumbersInIonAreDecimalsWithoutMadeUpDigits) {
  for (const NumberCase& c : kNumbers) {
    std::string line;
    AppendItemLine(DataFormat::kIon, ItemOf(std::string(R"({"n":{"N":")") + c.number + R"("}})"), line);
    EXPECT_EQ(line, std::string("$ion_1_0 {Item:{n:") + c.ion + "}}\n");
  }
}

TEST(ChangeLine, HasTimeKeysAndExistingImages) {
  const Item keys = ItemOf(R"({"pk":{"S":"a"}})");
  const Item before = ItemOf(R"({"pk":{"S":"a"},"n":{"N":"1"}})");
  const Item after = ItemOf(R"({"pk":{"S":"a"},"n":{"N":"20"}})");
  const auto line = [&](DataFormat format, std::optional<ItemView> old_image, std::optional<ItemView> new_image) {
    std::string out;
    AppendChangeLine(format, {1'680'109'764'000'001, keys, old_image, new_image}, out);
    return out;
  };
  const std::string json = R"({"Metadata":{"WriteTimestampMicros":{"N":"1680109764000001"}},"Keys":{"pk":{"S":"a"}})";
  const std::string old_json = R"(,"OldImage":{"n":{"N":"1"},"pk":{"S":"a"}})";
  const std::string new_json = R"(,"NewImage":{"n":{"N":"20"},"pk":{"S":"a"}})";
  EXPECT_EQ(line(DataFormat::kDynamoDbJson, {}, {}), json + "}\n");
  EXPECT_EQ(line(DataFormat::kDynamoDbJson, {}, after), json + new_json + "}\n");
  EXPECT_EQ(line(DataFormat::kDynamoDbJson, before, {}), json + old_json + "}\n");
  EXPECT_EQ(line(DataFormat::kDynamoDbJson, before, after), json + old_json + new_json + "}\n");

  const std::string ion = R"($ion_1_0 {Metadata:{WriteTimestampMicros:1680109764000001.},Keys:{pk:"a"})";
  EXPECT_EQ(line(DataFormat::kIon, {}, {}), ion + "}\n");
  EXPECT_EQ(line(DataFormat::kIon, before, after), ion + R"(,OldImage:{n:1.,pk:"a"},NewImage:{n:2d1,pk:"a"}})"
                                                         "\n");
}

// Files in the documented layout: tests/transfer/fixtures/README.md.
std::string ReadFixture(const std::string& name) {
  const std::string path = RepositoryPath("tests/transfer/fixtures/" + name);
  const Result<std::string> text = ReadFile(path, 1 << 20);
  EXPECT_TRUE(text.ok()) << path << ": " << text.error().message();
  return text.ok() ? *text : "";
}

Parsed ParseFixture(const std::string& name, const RecordParser& parser) {
  const std::string text = ReadFixture(name);
  size_t bytes = 0;
  const auto header = parser.FileHeader(text, bytes);
  EXPECT_TRUE(header.ok()) << name;
  return Parse(parser, std::string_view(text).substr(bytes), *header);
}

TEST(Fixtures, AreTheSameItemsInEveryLayout) {
  const Parsed expected = ParseFixture("instruments.json", RecordParser(DataFormat::kDynamoDbJson, {}, {}));
  ASSERT_EQ(expected.items.size(), 4u);
  ASSERT_TRUE(expected.faults.empty());
  for (const char* name : {"instruments.ion", "instruments_listed.ion", "instruments_spread.ion"}) {
    EXPECT_EQ(ParseFixture(name, RecordParser(DataFormat::kIon, {}, {})), expected) << name;
  }
  EXPECT_EQ(ParseFixture("instruments_listed.json", RecordParser(DataFormat::kDynamoDbJson, {}, {})), expected);
}

TEST(Fixtures, CsvOfSeveralKindsIsTheSameWithEveryDelimiter) {
  const std::vector<KeyAttribute> keys = {{"PK", Type::kS}, {"SK", Type::kN}};
  const Parsed commas = ParseFixture("studio.csv", RecordParser(DataFormat::kCsv, {}, keys));
  const std::vector<std::string> expected = {
      ItemOf(R"({"PK":{"S":"ROOM#1"},"SK":{"N":"0"},"Kind":{"S":"Room"},"Name":{"S":"Blue"}})").bytes(),
      ItemOf(R"({"PK":{"S":"ROOM#1"},"SK":{"N":"10"},"Kind":{"S":"Booking"},"Hours":{"S":"2.50"}})").bytes(),
      ItemOf(R"({"PK":{"S":"ROOM#2"},"SK":{"N":"0"},"Kind":{"S":"Room"},"Name":{"S":"the \"loud\", old one"}})")
          .bytes(),
  };
  EXPECT_EQ(commas.items, expected);
  EXPECT_TRUE(commas.faults.empty());
  EXPECT_EQ(ParseFixture("studio.tsv", RecordParser(DataFormat::kCsv, {'\t', {}}, keys)), commas);
  const CsvOptions given{'|', {"PK", "SK", "Name", "Hours", "Kind"}};
  EXPECT_EQ(ParseFixture("studio_without_header.csv", RecordParser(DataFormat::kCsv, given, keys)), commas);
}

// Incremental exports cannot be imported: every line is a fault.
TEST(Fixtures, AnIncrementalExportIsNotImported) {
  for (const auto& [name, format] :
       {std::pair("changes.json", DataFormat::kDynamoDbJson), {"changes.ion", DataFormat::kIon}}) {
    const Parsed parsed = ParseFixture(name, RecordParser(format, {}, {}));
    EXPECT_TRUE(parsed.items.empty()) << name;
    EXPECT_EQ(parsed.faults.size(), 3u) << name;
  }
}

// A change as text: its time and images, "-" for a missing image.
std::string TextOf(const ChangeLine& change) {
  std::string text = std::to_string(change.written) + " ";
  wire::AppendJson(text, change.keys);
  for (const auto& image : {change.before, change.after})
    image ? wire::AppendJson(text += " ", *image) : void(text += " -");
  return text;
}

struct ParsedChanges {
  std::vector<std::string> changes, faults;
  bool operator==(const ParsedChanges&) const = default;
};
ParsedChanges ParseChanges(DataFormat format, std::string_view block) {
  ParsedChanges parsed;
  RecordParser(format, {}, {})
      .ParseChanges(
          block, [&](const ChangeLine& change) { parsed.changes.push_back(TextOf(change)); },
          [&](const Error& error) { parsed.faults.push_back(error.message()); });
  return parsed;
}

TEST(Fixtures, ChangesOfAnIncrementalExportAreReadAsSuch) {
  const ParsedChanges expected{{R"(1767225600000001 {"Id":{"N":"107"}} - {"Id":{"N":"107"},"Price":{"N":"20"}})",
                                R"(1767225600000002 {"Id":{"N":"104"}} {"Id":{"N":"104"},"Price":{"N":"2000"}} )"
                                R"({"Id":{"N":"104"},"Price":{"N":"1900"}})",
                                R"(1767225600000003 {"Id":{"N":"103"}} {"Id":{"N":"103"}} -)"},
                               {}};
  EXPECT_EQ(ParseChanges(DataFormat::kDynamoDbJson, ReadFixture("changes.json")), expected);
  EXPECT_EQ(ParseChanges(DataFormat::kIon, ReadFixture("changes.ion")), expected);
}

TEST_P(LineFormats, RandomChangesComeBackEqual) {
  RandomItems items(21);
  Random random(22);
  for (int i = 0; i < 2000; ++i) {
    const Item keys = items.Next(), before = items.Next(), after = items.Next();
    const Micros written = static_cast<Micros>(random.Below(1ull << 62));
    ChangeLine change{.written = written, .keys = keys, .before = {}, .after = {}};
    if (random.OneIn(2)) change.before = before;
    if (random.OneIn(2)) change.after = after;
    std::string line;
    AppendChangeLine(format_, change, line);
    const ParsedChanges parsed = ParseChanges(format_, line);
    ASSERT_TRUE(parsed.faults.empty()) << parsed.faults[0] << " in " << line;
    ASSERT_EQ(parsed.changes, std::vector{TextOf(change)}) << line;
  }
}

// Images may nest as deeply as items, and no deeper.
TEST_P(LineFormats, ChangesNestAsDeepAsItems) {
  for (const auto& [depth, faults] : {std::pair<size_t, size_t>(32, 0), {33, 1}}) {
    std::string bytes;
    ValueWriter writer(bytes);
    writer.BeginItem();
    writer.Name("a");
    for (size_t i = 0; i < depth; ++i) writer.BeginList();
    for (size_t i = 0; i < depth; ++i) writer.EndList(i == 0 ? 0 : 1);
    writer.EndMap();
    std::string line;
    AppendChangeLine(format_, {.written = 1, .keys = {}, .before = {}, .after = ItemView(bytes)}, line);
    EXPECT_EQ(ParseChanges(format_, line).faults.size(), faults) << depth;
  }
}

struct ChangeCase {
  const char* json;
  const char* ion;
  bool read;
};

constexpr ChangeCase kChanges[] = {
    {R"({"Metadata":{"WriteTimestampMicros":{"N":"7"}},"Keys":{}})", "{Metadata:{WriteTimestampMicros:7},Keys:{}}",
     true},
    // The time without a type.
    {R"({"Metadata":{"WriteTimestampMicros":"7"},"Keys":{}})", R"({Metadata:{WriteTimestampMicros:"7"},Keys:{}})",
     true},
    {R"({"Metadata":{"WriteTimestampMicros":7},"Keys":{}})", "{Metadata:{WriteTimestampMicros:7d0},Keys:{}}", true},
    // Members in another order.
    {R"({"Keys":{},"Metadata":{"Other":"1","WriteTimestampMicros":7}})",
     "{Keys:{},Metadata:{Other:1,WriteTimestampMicros:7}}", true},
    {R"({"Metadata":{"WriteTimestampMicros":"7x"},"Keys":{}})", R"({Metadata:{WriteTimestampMicros:"7x"},Keys:{}})",
     false},
    {R"({"Metadata":{"WriteTimestampMicros":7.5},"Keys":{}})", "{Metadata:{WriteTimestampMicros:7.5},Keys:{}}", false},
    {R"({"Metadata":{},"Keys":{}})", "{Metadata:{},Keys:{}}", false},
    {R"({"Metadata":7,"Keys":{}})", "{Metadata:7,Keys:{}}", false},
    {R"({"Keys":{}})", "{Keys:{}}", false},
    {R"({"Metadata":{"WriteTimestampMicros":7}})", "{Metadata:{WriteTimestampMicros:7}}", false},
    {R"({"Metadata":{"WriteTimestampMicros":7},"Keys":1})", "{Metadata:{WriteTimestampMicros:7},Keys:1}", false},
    {R"({"Metadata":{"WriteTimestampMicros":7},"Keys":{},"NewImage":1})",
     "{Metadata:{WriteTimestampMicros:7},Keys:{},NewImage:1}", false},
    {R"({"Metadata":{"WriteTimestampMicros":7},"Keys":{},"OldImage":[]})",
     "{Metadata:{WriteTimestampMicros:7},Keys:{},OldImage:[]}", false},
    {R"({"Item":{}})", "{Item:{}}", false},
    {"7", "7", false},
    {"{", "{", false},
};

TEST(Changes, ValidAndInvalidLines) {
  for (const ChangeCase& c : kChanges) {
    for (const auto& [text, format] : {std::pair(c.json, DataFormat::kDynamoDbJson), {c.ion, DataFormat::kIon}}) {
      const ParsedChanges parsed = ParseChanges(format, text);
      EXPECT_EQ(parsed.changes, c.read ? std::vector<std::string>{"7 {} - -"} : std::vector<std::string>{}) << text;
      EXPECT_EQ(parsed.faults.size(), c.read ? 0u : 1u) << text;
    }
  }
}

TEST(Changes, WordingOfFaults) {
  EXPECT_EQ(ParseChanges(DataFormat::kDynamoDbJson, R"({"Keys":{}})").faults,
            std::vector<std::string>{
                "The line of a change must be an object with the members Metadata (with a WriteTimestampMicros) and "
                "Keys, and optionally OldImage and NewImage"});
  EXPECT_EQ(ParseChanges(DataFormat::kIon, "{Keys:{}}").faults,
            std::vector<std::string>{"An Ion record of a change must be a struct with the fields Metadata (with a "
                                     "WriteTimestampMicros) and Keys, and optionally OldImage and NewImage"});
}

TEST(FileHeader, BinaryIonIsRefused) {
  size_t bytes = 0;
  const RecordParser parser(DataFormat::kIon, {}, {});
  const auto header = parser.FileHeader(std::string("\xE0\x01\x00\xEA\x21", 5), bytes);
  ASSERT_FALSE(header.ok());
  EXPECT_EQ(header.error().message(), "The file is binary Ion; only Ion text can be imported");
}

}  // namespace
}  // namespace keyfold::transfer

#include "transfer/format/csv.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "wire/attribute_value.h"

namespace keyfold::transfer {
namespace {

struct ParsedCsv {
  std::vector<std::string> items;  // as DynamoDB JSON
  std::vector<std::string> faults;
  bool operator==(const ParsedCsv&) const = default;
};

void ParseBlock(const RecordParser& parser, std::string_view block, const std::vector<std::string>& header,
                ParsedCsv& parsed) {
  parser.Parse(
      block, header,
      [&](ItemView item) {
        EXPECT_TRUE(IsWellFormedItem(item.bytes()));
        wire::AppendJson(parsed.items.emplace_back(), item);
      },
      [&](const Error& error) { parsed.faults.push_back(error.message()); });
}

// Parses a file, including its header, in two blocks.
ParsedCsv ParseCsvFile(const RecordParser& parser, std::string_view text, char delimiter, size_t cut) {
  ParsedCsv parsed;
  size_t bytes = 0;
  const auto header = parser.FileHeader(text, bytes);
  if (!header.ok()) {
    parsed.faults.push_back("file: " + header.error().message());
    return parsed;
  }
  text.remove_prefix(bytes);
  cut = std::min(cut, text.size());
  const size_t whole = RecordCutter(DataFormat::kCsv, delimiter).WholeRecords(text.substr(0, cut), false);
  EXPECT_LE(whole, cut);
  ParseBlock(parser, text.substr(0, whole), *header, parsed);
  ParseBlock(parser, text.substr(whole), *header, parsed);
  return parsed;
}

const std::string kStrayQuote = "A double quote in the CSV record is not escaped";
const std::vector<KeyAttribute> kKeys = {{"id", Type::kS}, {"n", Type::kN}, {"b", Type::kB}};

struct CsvCase {
  std::string_view text;
  std::vector<std::string> items;
  std::vector<std::string> faults;
  char delimiter = ',';
  std::vector<std::string> header = {};
};

const CsvCase kCases[] = {
    {"", {}, {}},
    {"id", {}, {}},
    {"id\n", {}, {}},
    {"id,v\na,b", {R"({"id":{"S":"a"},"v":{"S":"b"}})"}, {}},
    {"id,v\r\na,b\r\n", {R"({"id":{"S":"a"},"v":{"S":"b"}})"}, {}},
    {"id,v\n\na,b\n\r\n\nc,d\n", {R"({"id":{"S":"a"},"v":{"S":"b"}})", R"({"id":{"S":"c"},"v":{"S":"d"}})"}, {}},
    {"\xEF\xBB\xBFid\na\n", {R"({"id":{"S":"a"}})"}, {}},
    // Attributes come sorted, whatever the columns' order.
    {"v,id\nb,a\n", {R"({"id":{"S":"a"},"v":{"S":"b"}})"}, {}},
    // Empty cells are left out, quoted or not.
    {"id,v,w\na,,\n,b,\"\"\n", {R"({"id":{"S":"a"}})", R"({"v":{"S":"b"}})"}, {}},
    {"id,v\n,\n", {"{}"}, {}},
    // Spaces are kept.
    {"id,v\n a , b\n", {R"({"id":{"S":" a "},"v":{"S":" b"}})"}, {}},
    // Quotes.
    {"id,v\n\"a\",\"b,c\"\n", {R"({"id":{"S":"a"},"v":{"S":"b,c"}})"}, {}},
    {"id,v\n\"\"\"123\"\"\",Women's\n", {R"({"id":{"S":"\"123\""},"v":{"S":"Women's"}})"}, {}},
    {"id,v\na,\"two\nlines\"\nb,c\n",
     {R"({"id":{"S":"a"},"v":{"S":"two\nlines"}})", R"({"id":{"S":"b"},"v":{"S":"c"}})"},
     {}},
    {"id,v\na,\"\"\"\"\n", {R"({"id":{"S":"a"},"v":{"S":"\""}})"}, {}},
    {"\"id\",\"v\"\"w\"\na,b\n", {R"({"id":{"S":"a"},"v\"w":{"S":"b"}})"}, {}},
    // A quote in an unquoted cell invalidates its record, not the next.
    {"id,v\na,Full \"Length\" Dress\nb,c\n", {R"({"id":{"S":"b"},"v":{"S":"c"}})"}, {kStrayQuote}},
    {"id,v\na,6\"\nb,c\n", {R"({"id":{"S":"b"},"v":{"S":"c"}})"}, {kStrayQuote}},
    {"id,v\na,\"b\"c\nb,c\n", {R"({"id":{"S":"b"},"v":{"S":"c"}})"}, {kStrayQuote}},
    {"id,v\na,\"b\" \nb,c\n", {R"({"id":{"S":"b"},"v":{"S":"c"}})"}, {kStrayQuote}},
    {"id,v\na,\"open\nb,c\n", {}, {kStrayQuote}},
    // Columns.
    {"id,v\na\nb,c,d\ne,f\n",
     {R"({"id":{"S":"e"},"v":{"S":"f"}})"},
     {"The CSV record has 1 columns, and its header 2", "The CSV record has 3 columns, and its header 2"}},
    {"id,v\na,b\nc,", {R"({"id":{"S":"a"},"v":{"S":"b"}})", R"({"id":{"S":"c"}})"}, {}},
    // Keys are converted, other columns are strings.
    {"n,b,v\n1.50,AAH/,7\n", {R"({"b":{"B":"AAH/"},"n":{"N":"1.5"},"v":{"S":"7"}})"}, {}},
    {"n\n1e2\n1x\n 1\n",
     {R"({"n":{"N":"100"}})"},
     {"The parameter cannot be converted to a numeric value: 1x",
      "The parameter cannot be converted to a numeric value:  1"}},
    {"b\nAA=\n", {}, {"The column b of the CSV record is not base64"}},
    {"id\n\xFF\nb\n", {R"({"id":{"S":"b"}})"}, {"The CSV record is not UTF-8"}},
    {"id\n\xC3\xA4\n", {"{\"id\":{\"S\":\"\xC3\xA4\"}}"}, {}},
    // Headers.
    {"id,id\na,b\n", {}, {"file: The CSV header has the name id twice"}},
    {"id,,v\na,b,c\n", {}, {"file: The CSV header has an empty name"}},
    {"id,\xFF\na,b\n", {}, {"file: The CSV header is not UTF-8"}},
    {"id,a\"b\na,b\n", {}, {"file: " + kStrayQuote}},
    {"a,b\n", {R"({"id":{"S":"a"},"n":{"S":"b"}})"}, {}, ',', {"id", "n"}},
    // Delimiters.
    {"id\tv\na,b\tc\n", {R"({"id":{"S":"a,b"},"v":{"S":"c"}})"}, {}, '\t'},
    {"id|v\na|\"b|c\"\n", {R"({"id":{"S":"a"},"v":{"S":"b|c"}})"}, {}, '|'},
    {"id:v\na:b\n", {R"({"id":{"S":"a"},"v":{"S":"b"}})"}, {}, ':'},
    {"id;v\na;\"b\n;c\"\n", {R"({"id":{"S":"a"},"v":{"S":"b\n;c"}})"}, {}, ';'},
    {"id v\na  \nb c\n",
     {R"({"id":{"S":"b"},"v":{"S":"c"}})"},
     {"The CSV record has 3 columns, and its header 2"},
     ' '},
};

TEST(Csv, Files) {
  for (const CsvCase& c : kCases) {
    // If the header is given, n is not a key of the table.
    const RecordParser parser(DataFormat::kCsv, {c.delimiter, c.header},
                              c.header.empty() ? kKeys : std::vector<KeyAttribute>{});
    const ParsedCsv expected{c.items, c.faults};
    for (size_t cut = 0; cut <= c.text.size(); ++cut) {
      const ParsedCsv parsed = ParseCsvFile(parser, c.text, c.delimiter, cut);
      ASSERT_EQ(parsed.items, expected.items) << cut << " of " << c.text;
      ASSERT_EQ(parsed.faults, expected.faults) << cut << " of " << c.text;
    }
  }
}

// Random text of the significant characters: where it is cut must not matter.
TEST(Csv, RandomTextIsTheSameWhereverItIsCut) {
  Random random(5);
  const RecordParser parser(DataFormat::kCsv, {',', {"a", "b"}}, {});
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (uint64_t n = random.Below(24); n > 0; --n) text.push_back("a,\"\"\n\r "[random.Below(7)]);
    const ParsedCsv whole = ParseCsvFile(parser, text, ',', 0);
    for (size_t cut = 1; cut <= text.size(); ++cut) {
      ASSERT_EQ(ParseCsvFile(parser, text, ',', cut), whole) << cut << " of " << text;
    }
  }
}

TEST(Csv, AHeaderIsBounded) {
  const RecordParser parser(DataFormat::kCsv, {',', {}}, kKeys);
  const auto rule_of = [&](const std::string& text) {
    size_t bytes = 0;
    const auto header = parser.FileHeader(text, bytes);
    return header.ok() ? std::to_string(header->size()) : std::string(header.error().rule());
  };
  const auto columns = [](size_t count, const std::string& stem) {
    std::string text = stem + "0";
    for (size_t i = 1; i < count; ++i) text += "," + stem + std::to_string(i);
    return text + "\n";
  };
  EXPECT_EQ(rule_of(columns(kCsvColumnsMax, "c")), std::to_string(kCsvColumnsMax));
  EXPECT_EQ(rule_of(columns(kCsvColumnsMax + 1, "c")), "csv-header-columns");
  EXPECT_EQ(rule_of(std::string(4'000'000, ',') + "\n"), "csv-header-columns");
  EXPECT_EQ(rule_of(columns(100, std::string(60'000, 'c'))), "csv-header-bytes");
  EXPECT_EQ(rule_of(std::string(65'536, 'c') + "\n"), "csv-header-long");
}

// The cells of a record that has far more columns than its header are counted but not kept.
TEST(Csv, ARecordOfManyColumnsIsOneFault) {
  const RecordParser parser(DataFormat::kCsv, {',', {"id"}}, {});
  const ParsedCsv parsed = ParseCsvFile(parser, "a\n" + std::string(3'000'000, ',') + "\nb\n", ',', 0);
  EXPECT_EQ(parsed.items.size(), 2u);
  EXPECT_EQ(parsed.faults, std::vector<std::string>{"The CSV record has 3000001 columns, and its header 1"});
}

}  // namespace
}  // namespace keyfold::transfer

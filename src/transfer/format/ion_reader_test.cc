#include "transfer/format/ion_reader.h"

#include <gtest/gtest.h>

#include <vector>

#include "json/document.h"
#include "transfer/format/format.h"
#include "wire/attribute_value.h"

namespace keyfold::transfer {
namespace {

struct ParsedIon {
  std::vector<std::string> items;  // as DynamoDB JSON
  std::vector<std::string> faults;
};

ParsedIon ParseIon(std::string_view text) {
  ParsedIon parsed;
  RecordParser(DataFormat::kIon, {}, {})
      .Parse(
          text, {}, [&](ItemView item) { wire::AppendJson(parsed.items.emplace_back(), item); },
          [&](const Error& error) { parsed.faults.push_back(error.message()); });
  return parsed;
}

struct ValueCase {
  std::string_view ion;
  std::string_view json;
};

constexpr ValueCase kValues[] = {
    // Strings.
    {R"("text")", R"({"S":"text"})"},
    {R"("")", R"({"S":""})"},
    {R"('''long''')", R"({"S":"long"})"},
    {"'''two\nlines'''", R"({"S":"two\nlines"})"},
    {"'''two\r\nlines'''", R"({"S":"two\nlines"})"},
    {"'''one ''' /* and */ '''two'''", R"({"S":"one two"})"},
    {R"('''it's ''quoted\'''')", R"({"S":"it's ''quoted'"})"},
    {R"("\0\a\b\t\n\f\r\v\"\'\?\\\/")", R"({"S":"\u0000\u0007\b\t\n\f\r\u000b\"'?\\/"})"},
    {R"("\x41\xe4\u00e4\U0001F600\ud83d\uDE00")", "{\"S\":\"A\xC3\xA4\xC3\xA4\xF0\x9F\x98\x80\xF0\x9F\x98\x80\"}"},
    {"\"goes \\\non\"", R"({"S":"goes on"})"},
    {"\"goes \\\r\non\"", R"({"S":"goes on"})"},
    {"\"a\tb\"", R"({"S":"a\tb"})"},
    {"\"\xC3\xA4\"", "{\"S\":\"\xC3\xA4\"}"},
    {"\"}}]'''//\"", R"({"S":"}}]'''//"})"},
    // Symbols are read as strings.
    {"word", R"({"S":"word"})"},
    {"'a symbol'", R"({"S":"a symbol"})"},
    {"''", R"({"S":""})"},
    // Numbers in every notation.
    {"103.", R"({"N":"103"})"},
    {"6d2", R"({"N":"600"})"},
    {"6D+2", R"({"N":"600"})"},
    {"1.5d-3", R"({"N":"0.0015"})"},
    {"-1.50", R"({"N":"-1.5"})"},
    {"0", R"({"N":"0"})"},
    {"-0", R"({"N":"0"})"},
    {"0.", R"({"N":"0"})"},
    {"-0d5", R"({"N":"0"})"},
    {"1_000_000", R"({"N":"1000000"})"},
    {"1_0.2_5", R"({"N":"10.25"})"},
    {"1e3", R"({"N":"1000"})"},
    {"1.e3", R"({"N":"1000"})"},
    {"1E-2", R"({"N":"0.01"})"},
    {"0xFf", R"({"N":"255"})"},
    {"-0x1_0", R"({"N":"-16"})"},
    {"0b101", R"({"N":"5"})"},
    {"0x4B3B4CA85A86C47A098A223FFFFFFFFF", R"({"N":"99999999999999999999999999999999999999"})"},
    {"99999999999999999999999999999999999999", R"({"N":"99999999999999999999999999999999999999"})"},
    // Other scalars.
    {"true", R"({"BOOL":true})"},
    {"false", R"({"BOOL":false})"},
    {"null", R"({"NULL":true})"},
    {"null.null", R"({"NULL":true})"},
    {"null.string", R"({"NULL":true})"},
    {"null.struct", R"({"NULL":true})"},
    {"{{AAH/}}", R"({"B":"AAH/"})"},
    {"{{}}", R"({"B":""})"},
    {"{{ A A\n== }}", R"({"B":"AA=="})"},
    // Containers.
    {"[]", R"({"L":[]})"},
    {"[1,]", R"({"L":[{"N":"1"}]})"},
    {"[ 1 , \"a\", [true] ]", R"({"L":[{"N":"1"},{"S":"a"},{"L":[{"BOOL":true}]}]})"},
    {"{}", R"({"M":{}})"},
    {R"({a:1,"b":2,'c':3,'''d''':4,})", R"({"M":{"a":{"N":"1"},"b":{"N":"2"},"c":{"N":"3"},"d":{"N":"4"}}})"},
    {"{ a // one\n : /* two */ 1 }", R"({"M":{"a":{"N":"1"}}})"},
    {"{a:1,a:2}", R"({"M":{"a":{"N":"2"}}})"},
    {"{$ion_1_0:1}", R"({"M":{"$ion_1_0":{"N":"1"}}})"},
    {"{'null':1,'$10':2}", R"({"M":{"$10":{"N":"2"},"null":{"N":"1"}}})"},
    // Sets.
    {R"($dynamodb_SS::["b","a"])", R"({"SS":["a","b"]})"},
    {R"('$dynamodb_SS' :: [ "b" , '''a''', ])", R"({"SS":["a","b"]})"},
    {R"($dynamodb_NS::[1d1,2.,0x3])", R"({"NS":["2","3","10"]})"},
    {R"($dynamodb_BS::[{{AA==}},{{}}])", R"({"BS":["","AA=="]})"},
    // Other annotations are ignored.
    {R"(metres::'per'::second::5)", R"({"N":"5"})"},
    {R"([cm::5])", R"({"L":[{"N":"5"}]})"},
};

TEST(IonReader, ValuesOfEveryNotation) {
  for (const ValueCase& c : kValues) {
    const ParsedIon parsed = ParseIon("$ion_1_0 {Item:{v:" + std::string(c.ion) + "}}");
    EXPECT_TRUE(parsed.faults.empty()) << c.ion << ": " << parsed.faults[0];
    EXPECT_EQ(parsed.items, std::vector{"{\"v\":" + std::string(c.json) + "}"}) << c.ion;
  }
}

struct IonFaultCase {
  std::string_view ion;
  std::string_view fault;  // part of the message
};

constexpr IonFaultCase kFaults[] = {
    {"(1 + 2)", "type sexp"},
    {"2025-01-01", "type timestamp"},
    {"2025T", "type timestamp"},
    {"2025-01-01T00:00:00Z", "type timestamp"},
    {R"({{"clob"}})", "type clob"},
    {"{{'''clob'''}}", "type clob"},
    {"nan", "non-finite float"},
    {"+inf", "non-finite float"},
    {"-inf", "non-finite float"},
    {"$10", "symbol table"},
    {"$0", "symbol table"},
    {"007", "leading zeros"},
    {"+1", "a digit"},
    {".5", "a value"},
    {"1__0", "a digit"},
    {"1_", "a digit"},
    {"0x", "a digit"},
    {"0x_1", "a digit"},
    {"0b2", "a digit"},
    {"1d", "a digit"},
    {"1.5.5", "the end of a number"},
    {"1a", "the end of a number"},
    {"1d126", "Number overflow"},
    {"1d-131", "Number underflow"},
    {"123456789012345678901234567890123456789", "38 significant digits"},
    {"0x100000000000000000000000000000000", "more digits"},
    {"0x4B3B4CA85A86C47A098A224000000001", "38 significant digits"},
    {"null.number", "a type"},
    {"null.", "a type"},
    {"true.x", "the end of a word"},
    {"{{AA=}}", "base64"},
    {"{{AA==} ", "the end of a blob"},
    {"{{A\"A==}}", "type clob"},
    {R"("\q")", "an escape"},
    {R"("\x4")", "an escape"},
    {R"("\ud800")", "a character"},
    {R"("\udc00\ud800")", "a character"},
    {R"("\ud800\u0041")", "a character"},
    {R"("\U00110000")", "a character"},
    {"\"line\nend\"", "the end of a string"},
    {"\"\x01\"", "the end of a string"},
    {"'''\x01'''", "the end of a string"},
    {"'''open", "the end of a string"},
    {"\"open", "the end of a string"},
    {"[1 2]", "a comma"},
    {"[,1]", "a value"},
    {"[1,,2]", "a value"},
    {"{1:2}", "a field name"},
    {"{a 1}", "a colon"},
    {"{a::1}", "a colon"},
    {"{a:1 b:2}", "a comma"},
    {"{'':1}", "Empty attribute name"},
    {"{(a):1}", "a field name"},
    {"[1", "a comma"},
    {"", "a value"},
    {"$dynamodb_SS::[]", "must not be empty"},
    {"$dynamodb_SS::1", "must be a list"},
    {"$dynamodb_SS::null.list", "must be a list"},
    {R"($dynamodb_SS::["a","a"])", "duplicates"},
    {"$dynamodb_NS::[1,1.0]", "duplicates"},
    {"$dynamodb_BS::[{{AA==}},{{AA==}}]", "duplicates"},
    {"$dynamodb_SS::[1]", "a string"},
    {"$dynamodb_SS::[null]", "a string"},
    {R"($dynamodb_NS::["1"])", "a number"},
    {R"($dynamodb_BS::["AA=="])", "a blob"},
    {"[$ion_1_0 , 1]", "the rest of the record"},
};

TEST(IonReader, InvalidValuesAreFaults) {
  for (const IonFaultCase& c : kFaults) {
    const ParsedIon parsed = ParseIon("{Item:{v:" + std::string(c.ion) + "}}");
    EXPECT_TRUE(parsed.items.empty()) << c.ion;
    ASSERT_FALSE(parsed.faults.empty()) << c.ion;
    EXPECT_NE(parsed.faults[0].find(c.fault), std::string::npos) << c.ion << ": " << parsed.faults[0];
  }
}

// Each rule's wording in full.
constexpr IonFaultCase kWordings[] = {
    {"{Item:{v:[1 2]}}",
     "The Ion text is malformed at byte 12 of the record: a comma or the end of the list was expected"},
    {"{item:{}}", "An Ion record must be a struct with one field, Item, which is a struct"},
    {"{Item:{v:(1)}}", "Ion values of type sexp have no DynamoDB type"},
    {"{Item:{v:$10}}", "An Ion symbol may not be given by its number in a symbol table"},
    {"{Item:{v:$dynamodb_SS::1}}", "A set in Ion must be a list"},
    {"{Item:{v:$dynamodb_SS::[]}}", "A set in Ion must not be empty"},
    {"{Item:{v:$dynamodb_NS::[1,1.0]}}", "A set in Ion contains duplicates"},
    {"{Item:{v:$dynamodb_SS::[1]}}", "An element of a set in Ion must be a string"},
    {"{Item:{'':1}}", "Empty attribute name in the Ion record"},
    {"{Item:{v:{{AA=}}}}", "A blob in the Ion record is not base64"},
    {"{Item:{v:0x100000000000000000000000000000000}}",
     "A number in the Ion record has more digits than DynamoDB supports"},
    {"{Item:{v:\"\xFF\"}}", "The Ion record is not UTF-8"},
};

TEST(IonReader, WordingOfFaults) {
  for (const IonFaultCase& c : kWordings) {
    EXPECT_EQ(ParseIon(c.ion).faults, std::vector{std::string(c.fault)}) << c.ion;
  }
  const std::string deep = "{Item:{v:" + std::string(33, '[') + std::string(33, ']') + "}}";
  EXPECT_EQ(ParseIon(deep).faults,
            std::vector<std::string>{"Attributes in the Ion record have nested levels beyond supported limit"});
  EXPECT_EQ(ParseIon("{Item:{" + std::string(65536, 'a') + ":1}}").faults,
            std::vector<std::string>{"Attribute name in the Ion record is too large, must be less than 65536 bytes"});
}

struct RecordCase {
  std::string_view text;
  size_t items;
  size_t faults;
};

constexpr RecordCase kRecords[] = {
    {"", 0, 0},
    {"\n  \n", 0, 0},
    {"$ion_1_0", 0, 0},
    {"$ion_1_0\n{Item:{}}", 1, 0},
    {"{Item:{}}{Item:{}}", 2, 0},
    {"$ion_1_0 {Item:{}}\n$ion_1_0 {Item:{}}\n", 2, 0},
    {"// {Item:{}}\n/* {Item:{}} */ {Item:{}} // the end", 1, 0},
    {"$ion_1_0\n[\n  {\n    Item:{ a:1 }\n  },\n  {\n    Item:{ a:2 }\n  }\n]\n", 2, 0},
    {"{'Item':{}} {\"Item\":{}}", 2, 0},
    {"{Item:{},}", 1, 0},
    {"note::{Item:{}}", 1, 0},
    {"note /* of what follows */ :: {Item:{}}", 1, 0},
    {"{}", 0, 1},
    {"{item:{}}", 0, 1},
    {"{Item:[]}", 0, 1},
    {"{Item:null.struct}", 0, 1},
    {"{Item:{{AA==}}}", 0, 1},
    {"{Item:$dynamodb_SS::{}}", 0, 1},
    {"{Item:{},Other:1}", 0, 1},
    {"{Item:{},Item:{}}", 0, 1},
    {"{Keys:{},NewImage:{}}", 0, 1},
    {"$ion_1_1 {Item:{}}", 1, 1},
    {"$ion_symbol_table::{symbols:[\"a\"]} {Item:{}}", 1, 1},
    {"12 {Item:{}} \"text\" word", 1, 3},
    {"(Item) {Item:{}}", 1, 1},
    {"{{\"}}\"}} {Item:{}}", 1, 1},
    {"}\n{Item:{}}", 1, 1},
    // A broken record ends before the next version marker at the start of a line.
    {"$ion_1_0 {Item:{a:[\n$ion_1_0 {Item:{}}\n", 1, 1},
    {"$ion_1_0 {Item:{a:\"\n$ion_1_0 {Item:{}}\n", 1, 1},
    {"$ion_1_0 {Item:{a:1}\n$ion_1_0 {Item:{}}\n", 1, 1},
    {"{Item:{a:\"\xFF\"}}\n{Item:{}}", 1, 1},
    {"/* never closed {Item:{}}", 0, 1},
};

TEST(IonReader, Records) {
  for (const RecordCase& c : kRecords) {
    const ParsedIon parsed = ParseIon(c.text);
    EXPECT_EQ(parsed.items.size(), c.items) << c.text;
    EXPECT_EQ(parsed.faults.size(), c.faults) << c.text << ": " << (parsed.faults.empty() ? "" : parsed.faults[0]);
  }
}

// Each text above, cut in two at every position: the complete records of the first part and the rest give the same
// result.
TEST(IonReader, RecordsAreTheSameWhereverTheyAreCut) {
  const RecordCutter cutter(DataFormat::kIon, ',');
  for (const RecordCase& c : kRecords) {
    for (size_t at = 0; at <= c.text.size(); ++at) {
      const size_t whole = cutter.WholeRecords(c.text.substr(0, at), false);
      ASSERT_LE(whole, at);
      const ParsedIon first = ParseIon(c.text.substr(0, whole)), second = ParseIon(c.text.substr(whole));
      EXPECT_EQ(first.items.size() + second.items.size(), c.items) << at << " of " << c.text;
      EXPECT_EQ(first.faults.size() + second.faults.size(), c.faults) << at << " of " << c.text;
    }
  }
}

// A list around all records is not a record: its elements are cut one by one.
TEST(IonReader, AListOfRecordsIsCutInside) {
  const std::string text = "[{Item:{a:1}},\n{Item:{a:2}},\n{Item:{a:";
  EXPECT_EQ(RecordCutter(DataFormat::kIon, ',').WholeRecords(text, false), text.rfind("{Item"));
}

TEST(IonReader, NestingIsLimited) {
  for (const auto& [levels, items] : {std::pair(size_t{32}, 1u), {33, 0u}, {100'000, 0u}}) {
    const std::string lists = std::string(levels, '[') + std::string(levels, ']');
    EXPECT_EQ(ParseIon("{Item:{v:" + lists + "}}").items.size(), items) << levels;
    std::string structs;
    for (size_t i = 0; i < levels; ++i) structs += "{a:";
    structs += "1" + std::string(levels, '}');
    EXPECT_EQ(ParseIon("{Item:{v:" + structs + "}}").items.size(), items) << levels;
  }
}

TEST(IonReader, NamesAreLimited) {
  EXPECT_EQ(ParseIon("{Item:{" + std::string(65535, 'a') + ":1}}").items.size(), 1u);
  const ParsedIon parsed = ParseIon("{Item:{" + std::string(65536, 'a') + ":1}}");
  ASSERT_EQ(parsed.faults.size(), 1u);
  EXPECT_NE(parsed.faults[0].find("too large"), std::string::npos);
}

}  // namespace
}  // namespace keyfold::transfer

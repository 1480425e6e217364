#include "json/writer.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "json/document.h"

namespace keyfold::json {
namespace {

TEST(Writer, PutsCommas) {
  std::string out = "before";
  Writer w(out);
  w.BeginObject();
  w.Member("a", "x");
  w.Key("b");
  w.BeginArray();
  w.Int(1);
  w.BeginObject();
  w.EndObject();
  w.Null();
  w.BeginArray();
  w.EndArray();
  w.EndArray();
  w.Member("c", true);
  w.Member("d", 1.5);
  w.Member("e", uint64_t{7});
  w.Key("f");
  w.Raw("{\"g\":1}");
  w.Key("h");
  w.BeginRaw().append("2");
  w.EndObject();
  EXPECT_EQ(out, R"(before{"a":"x","b":[1,{},null,[]],"c":true,"d":1.5,"e":7,"f":{"g":1},"h":2})");
}

TEST(Writer, Escapes) {
  struct Row {
    std::string_view text, json;
  };
  const Row rows[] = {
      {"", R"("")"},
      {"plain", R"("plain")"},
      {"eight888", R"("eight888")"},
      {"a\"b", R"("a\"b")"},
      {"back\\slash at nine", R"("back\\slash at nine")"},
      {"\b\f\n\r\t", R"("\b\f\n\r\t")"},
      {std::string_view("\0\x1f", 2), R"("\u0000\u001f")"},
      {"1234567\n", R"("1234567\n")"},
      {"12345678\n", R"("12345678\n")"},
      {"\x7F / \xC3\xA9 \xF0\x9F\x98\x80", "\"\x7F / \xC3\xA9 \xF0\x9F\x98\x80\""},
  };
  for (const Row& row : rows) {
    std::string out;
    AppendQuoted(out, row.text);
    EXPECT_EQ(out, row.json);
  }
}

// Covers all boundaries of words and blocks.
TEST(Writer, EscapesAtEveryPosition) {
  for (size_t length = 1; length < 70; ++length) {
    for (size_t place = 0; place < length; ++place) {
      std::string text(length, 'x'), plain = text;
      text[place] = '"';
      std::string out, plain_out, expected = plain;
      AppendQuoted(out, text);
      AppendQuoted(plain_out, plain);
      ASSERT_EQ(plain_out, "\"" + plain + "\"");
      ASSERT_EQ(out, "\"" + expected.replace(place, 1, "\\\"") + "\"") << length << " " << place;
    }
  }
}

TEST(Writer, EscapesNothingElse) {
  std::string text, out;
  for (int c = 0x20; c < 256; ++c) {
    if (c != '"' && c != '\\') text.push_back(static_cast<char>(c));
  }
  AppendQuoted(out, text);
  EXPECT_EQ(out, "\"" + text + "\"");
}

TEST(Writer, WhatItQuotesReadsBack) {
  Random random(20240101);
  Parser parser;
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    const uint64_t length = random.Below(40);
    for (uint64_t c = 0; c < length; ++c) {
      random.OneIn(4) ? text.append("\xC3\xA9") : text.append(1, static_cast<char>(random.Below(128)));
    }
    std::string out;
    AppendQuoted(out, text);
    const std::optional<Value> value = parser.Parse(out);
    ASSERT_TRUE(value.has_value()) << out;
    ASSERT_EQ(value->AsString(), text);
  }
}

TEST(Writer, PrintsNumbers) {
  const auto number = [](double value) {
    std::string out;
    Writer(out).Double(value);
    return out;
  };
  EXPECT_EQ(number(0.5), "0.5");
  EXPECT_EQ(number(1), "1.0");
  EXPECT_EQ(number(12.5), "12.5");
  EXPECT_EQ(number(100000), "100000.0");
  EXPECT_EQ(number(0.1 + 0.2), "0.30000000000000004");
  std::string out;
  Writer(out).Int(INT64_MIN);
  EXPECT_EQ(out, "-9223372036854775808");
}

TEST(Writer, PrintsTimes) {
  const auto time = [](int64_t micros) {
    std::string out;
    Writer(out).EpochSeconds(micros);
    return out;
  };
  EXPECT_EQ(time(1700000000123456), "1700000000.123");
  EXPECT_EQ(time(1700000000000000), "1700000000.000");
  EXPECT_EQ(time(1700000000007000), "1700000000.007");
  EXPECT_EQ(time(999), "0.000");
}

}  // namespace
}  // namespace keyfold::json

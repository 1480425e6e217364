// Tests tokens, their texts, and their positions.
#include "partiql/lexer.h"

#include <gtest/gtest.h>

namespace keyfold::partiql {
namespace {

// The tokens' sources, separated by spaces, or the error message.
std::string Split(std::string_view statement) {
  const Result<std::vector<Token>> tokens = Tokenize(statement);
  if (!tokens.ok()) return tokens.error().message();
  std::string out;
  for (const Token& token : *tokens) {
    if (token.kind == TokenKind::kEnd) break;
    out += out.empty() ? "" : " ";
    out += statement.substr(token.offset, token.bytes);
  }
  return out;
}

TEST(PartiqlLexer, Splits) {
  struct Row {
    std::string_view statement, tokens;
  };
  constexpr Row kRows[] = {
      {"", ""},
      {" \t\r\n\v\f", ""},
      {"a.b[0]", "a . b [ 0 ]"},
      {"a<=b>=c<>d!=e<f>g=h", "a <= b >= c <> d != e < f > g = h"},
      {"<<1>>", "<< 1 >>"},
      {"a||b", "a || b"},
      {"'it''s' \"a\"\"b\"", "'it''s' \"a\"\"b\""},
      {"1.5e-3 .5 1. 1E+2 1.e5", "1.5e-3 .5 1. 1E+2 1. e5"},
      {"2fa", "2 fa"},
      {"a.5", "a .5"},
      {"_a $b c_1$", "_a $b c_1$"},
      {"-- all of it", ""},
      {"a -- b\nc", "a c"},
      {"a -- b\rc", "a c"},
      {"a/*b*/c/* d", "Statement wasn't well formed, can't be processed: "},
      {"a/*b*/c", "a c"},
      {"a/**/c", "a c"},
      {"a - b / c", "a - b / c"},
      {"?, ;", "? , ;"},
      // No token starts with these.
      {"a # b", "Statement wasn't well formed, can't be processed: "},
      {"a ! b", "Statement wasn't well formed, can't be processed: "},
      {"a | b", "Statement wasn't well formed, can't be processed: "},
      {"a ^ b", "Statement wasn't well formed, can't be processed: "},
      {"`1`", "Statement wasn't well formed, can't be processed: "},
      {"\xC3\xBC", "Statement wasn't well formed, can't be processed: "},
      {"'open", "Statement wasn't well formed, can't be processed: "},
      {"'open''", "Statement wasn't well formed, can't be processed: "},
      {"\"open", "Statement wasn't well formed, can't be processed: "},
      {"1e", "Statement wasn't well formed, can't be processed: "},
      {"1e+", "Statement wasn't well formed, can't be processed: "},
      // Exponents and scales outside 32 bits.
      {"1e2147483647", "1e2147483647"},
      {"1e2147483648", "Statement wasn't well formed, can't be processed: "},
      {"1e99999999999", "Statement wasn't well formed, can't be processed: "},
      {"1e99999999999999999999999", "Statement wasn't well formed, can't be processed: "},
      {"1e-2147483647", "1e-2147483647"},
      {"1e-2147483648", "Statement wasn't well formed, can't be processed: "},
      {"1.5e-2147483647", "Statement wasn't well formed, can't be processed: "},
  };
  for (const Row& row : kRows) EXPECT_EQ(Split(row.statement), row.tokens) << row.statement;
}

TEST(PartiqlLexer, KnowsKeywordsInAnyCase) {
  for (const std::string_view word : {"select", "SELECT", "SeLeCt"}) {
    const auto tokens = Tokenize(word);
    ASSERT_TRUE(tokens.ok());
    EXPECT_EQ((*tokens)[0].kind, TokenKind::kKeyword) << word;
    EXPECT_EQ((*tokens)[0].word, "select") << word;
  }
  // Which words are keywords and which are not, as DynamoDB's users found out.
  for (const std::string_view word :
       {"absolute", "pad", "key", "inner", "zone", "can_lossless_cast", "int4", "value"}) {
    EXPECT_EQ((*Tokenize(word))[0].kind, TokenKind::kKeyword) << word;
  }
  for (const std::string_view word : {"data", "name", "tag", "kind", "selects", "selec", "a_word_longer_than_any"}) {
    EXPECT_EQ((*Tokenize(word))[0].kind, TokenKind::kIdentifier) << word;
  }
}

TEST(PartiqlLexer, ReadsQuotedText) {
  EXPECT_EQ(TextOf("name"), "name");
  EXPECT_EQ(TextOf("'it''s'"), "it's");
  EXPECT_EQ(TextOf("''"), "");
  EXPECT_EQ(TextOf("''''"), "'");
  EXPECT_EQ(TextOf("\"a\"\"'b\""), "a\"'b");
}

TEST(PartiqlLexer, PointsAtTokens) {
  struct Row {
    std::string_view statement;
    size_t token;
    std::string_view position;
  };
  constexpr Row kRows[] = {
      {"abc def", 0, "1:1:3"},
      {"abc def", 1, "1:5:3"},
      {"abc \"d\"\"f\"", 1, "1:5:6"},
      {"'\xC3\xBC\xE2\x82\xAC' x", 0, "1:1:4"},
      {"'\xC3\xBC\xE2\x82\xAC' x", 1, "1:6:1"},
      {"a\n b", 1, "2:2:1"},
      {"a\r\n b", 1, "2:2:1"},
      {"a\r b", 1, "2:2:1"},
      {"a\n\n\n  b", 1, "4:3:1"},
  };
  for (const Row& row : kRows) {
    const auto tokens = Tokenize(row.statement);
    ASSERT_TRUE(tokens.ok());
    EXPECT_EQ(PositionOf(row.statement, (*tokens)[row.token]), row.position) << row.statement;
  }
}

}  // namespace
}  // namespace keyfold::partiql

// Tokens of PartiQL as DynamoDB reads it. The whole statement is split before any of it is parsed, so that, as in
// DynamoDB, a character with which no token can start is reported before every other fault.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace keyfold::partiql {

enum class TokenKind : uint8_t {
  kEnd,
  kIdentifier,        // a letter, _ or $, then letters, digits, _ and $; not a keyword
  kQuotedIdentifier,  // "name"; a quote inside is doubled
  kKeyword,
  kString,  // 'text'; a quote inside is doubled
  kNumber,  // without a sign
  kParameter,
  kOpen,
  kClose,
  kOpenBracket,
  kCloseBracket,
  kOpenBrace,
  kCloseBrace,
  kOpenBag,
  kCloseBag,
  kComma,
  kColon,
  kSemicolon,
  kDot,
  kStar,
  // Operators.
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kPlus,
  kMinus,
  kSlash,
  kPercent,
  kConcat,
  kOtherOperator,  // @ and ~, which no expression has
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  uint32_t offset = 0, bytes = 0;  // in the statement, including quotes
  std::string_view word;           // a keyword in lower case; static
};

// The message of every syntax error: "Statement wasn't well formed, can't be processed: Unexpected term".
inline constexpr Rule<"Statement wasn't well formed, can't be processed: {}"> kMalformed{"partiql-malformed",
                                                                                         Kind::kValidation};

// The last token is kEnd.
Result<std::vector<Token>> Tokenize(std::string_view statement);

// The text of a string or name: its source without quotes. An unquoted name is returned as it is.
std::string TextOf(std::string_view source);

// line:column:length, all in characters, the first two counted from 1: how DynamoDB refers to a token.
std::string PositionOf(std::string_view statement, const Token& token);

}  // namespace keyfold::partiql

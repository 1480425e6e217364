// Tokens of PartiQL as DynamoDB reads it. The whole statement is split before any of it is parsed, so that a character
// no token can start with is reported ahead of every other fault, as DynamoDB does.
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
  kQuotedIdentifier,  // "name", a quote inside doubled
  kKeyword,
  kString,  // 'text', a quote inside doubled
  kNumber,  // no sign
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
  kOtherOperator,  // one that no expression has: @ and ~
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  uint32_t offset = 0, bytes = 0;  // in the statement; quotes are part of it
  std::string_view word;           // of a keyword, in lower case; static
};

// Behind every fault of form: "Statement wasn't well formed, can't be processed: Unexpected term".
inline constexpr Rule<"Statement wasn't well formed, can't be processed: {}"> kMalformed{"partiql-malformed",
                                                                                         Kind::kValidation};

// Ends with a kEnd.
Result<std::vector<Token>> Tokenize(std::string_view statement);

// What a string or a name says: its source without quotes. A name without quotes is itself.
std::string TextOf(std::string_view source);

// line:column:length, all in characters and the first two from 1: how DynamoDB points at a token.
std::string PositionOf(std::string_view statement, const Token& token);

}  // namespace keyfold::partiql

// Tokens of DynamoDB's expression language, read one at a time without allocation. Used by every parser in src/expr.
#pragma once

#include <cstdint>
#include <string_view>

namespace keyfold::expr {

enum class TokenKind : uint8_t {
  kEnd,
  kIdentifier,  // a letter, then letters, digits and _
  kDigits,
  kNamePlaceholder,   // #name
  kValuePlaceholder,  // :name
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kPlus,
  kMinus,
  kOpen,
  kClose,
  kOpenBracket,
  kCloseBracket,
  kComma,
  kDot,
  kUnknown,  // one character that no token starts with
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;  // points into the expression; empty at its end

  // Compares with a keyword, given in upper case, ignoring case.
  bool Is(std::string_view keyword) const;
};

// Reads a borrowed expression from front to back. Used by one thread at a time.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : rest_(text) {}
  Token Next();

 private:
  Token Take(TokenKind kind, size_t bytes);
  size_t CountWordBytes(size_t from) const;

  std::string_view rest_;
};

}  // namespace keyfold::expr

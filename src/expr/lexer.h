// Tokens of DynamoDB's expression language, read one at a time without allocation. Every parser of src/expr stands on
// it.
#pragma once

#include <cstdint>
#include <string_view>

namespace keyfold {

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
  kUnknown,  // one character no token starts with
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;  // in the expression; empty at its end

  // The keyword (given in upper case) in any case.
  bool Is(std::string_view keyword) const;
};

// Reads forward over a borrowed expression. One thread at a time.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : rest_(text) {}
  Token Next();

 private:
  Token Take(TokenKind kind, size_t bytes);
  size_t CountWordBytes(size_t from) const;

  std::string_view rest_;
};

}  // namespace keyfold

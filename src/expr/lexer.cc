// Splits an expression into tokens. A character that cannot start a token becomes a token of its own, so that the
// parser can report it.
#include "expr/lexer.h"

#include <cstddef>

#include "base/text/ascii.h"
#include "base/text/utf8.h"

namespace keyfold::expr {
namespace {

bool IsWordByte(char c) { return IsLetterOrDigit(c) || c == '_'; }
bool SeparatesTokens(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

TokenKind KindOfSymbol(char c) {
  switch (c) {
    case '=':
      return TokenKind::kEq;
    case '<':
      return TokenKind::kLt;
    case '>':
      return TokenKind::kGt;
    case '+':
      return TokenKind::kPlus;
    case '-':
      return TokenKind::kMinus;
    case '(':
      return TokenKind::kOpen;
    case ')':
      return TokenKind::kClose;
    case '[':
      return TokenKind::kOpenBracket;
    case ']':
      return TokenKind::kCloseBracket;
    case ',':
      return TokenKind::kComma;
    case '.':
      return TokenKind::kDot;
    default:
      return TokenKind::kUnknown;
  }
}

}  // namespace

bool Token::Is(std::string_view keyword) const {
  if (kind != TokenKind::kIdentifier || text.size() != keyword.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (ToUpper(text[i]) != keyword[i]) return false;
  }
  return true;
}

Token Lexer::Take(TokenKind kind, size_t bytes) {
  const Token token{kind, rest_.substr(0, bytes)};
  rest_.remove_prefix(bytes);
  return token;
}

size_t Lexer::CountWordBytes(size_t from) const {
  size_t n = from;
  while (n < rest_.size() && IsWordByte(rest_[n])) ++n;
  return n;
}

Token Lexer::Next() {
  while (!rest_.empty() && SeparatesTokens(rest_[0])) rest_.remove_prefix(1);
  if (rest_.empty()) return Take(TokenKind::kEnd, 0);
  const char first = rest_[0];
  if (IsLetter(first)) return Take(TokenKind::kIdentifier, CountWordBytes(1));
  if (IsDigit(first)) {
    size_t n = 1;
    while (n < rest_.size() && IsDigit(rest_[n])) ++n;
    return Take(TokenKind::kDigits, n);
  }
  if (first == '#' || first == ':') {
    const size_t n = CountWordBytes(1);
    if (n == 1) return Take(TokenKind::kUnknown, 1);
    return Take(first == '#' ? TokenKind::kNamePlaceholder : TokenKind::kValuePlaceholder, n);
  }
  const std::string_view two = rest_.substr(0, 2);
  if (two == "<>") return Take(TokenKind::kNe, 2);
  if (two == "<=") return Take(TokenKind::kLe, 2);
  if (two == ">=") return Take(TokenKind::kGe, 2);
  const TokenKind kind = KindOfSymbol(first);
  return Take(kind, kind == TokenKind::kUnknown ? FirstCharacter(rest_).size() : 1);
}

}  // namespace keyfold::expr

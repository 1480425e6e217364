// Splits a statement into tokens: one function per kind of token longer than a sign, and the table of keywords.
#include "partiql/lexer.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "base/text/ascii.h"

namespace keyfold::partiql {
namespace {

// Words that must be quoted to name an attribute: those of SQL-92 and PartiQL, and type names. Sorted.
constexpr std::string_view kKeywords[] = {"absolute",
                                          "action",
                                          "add",
                                          "all",
                                          "allocate",
                                          "alter",
                                          "and",
                                          "any",
                                          "are",
                                          "as",
                                          "asc",
                                          "assertion",
                                          "at",
                                          "authorization",
                                          "avg",
                                          "bag",
                                          "begin",
                                          "between",
                                          "bigint",
                                          "bit",
                                          "bit_length",
                                          "blob",
                                          "bool",
                                          "boolean",
                                          "by",
                                          "can_cast",
                                          "can_lossless_cast",
                                          "cascade",
                                          "cascaded",
                                          "case",
                                          "cast",
                                          "catalog",
                                          "char",
                                          "char_length",
                                          "character",
                                          "character_length",
                                          "check",
                                          "clob",
                                          "close",
                                          "coalesce",
                                          "collate",
                                          "collation",
                                          "column",
                                          "commit",
                                          "conflict",
                                          "connect",
                                          "connection",
                                          "constraint",
                                          "constraints",
                                          "continue",
                                          "convert",
                                          "corresponding",
                                          "count",
                                          "create",
                                          "cross",
                                          "current",
                                          "current_date",
                                          "current_time",
                                          "current_timestamp",
                                          "current_user",
                                          "cursor",
                                          "date",
                                          "date_add",
                                          "date_diff",
                                          "deallocate",
                                          "dec",
                                          "decimal",
                                          "declare",
                                          "default",
                                          "deferrable",
                                          "deferred",
                                          "delete",
                                          "desc",
                                          "describe",
                                          "descriptor",
                                          "diagnostics",
                                          "disconnect",
                                          "distinct",
                                          "do",
                                          "domain",
                                          "double",
                                          "drop",
                                          "else",
                                          "end",
                                          "escape",
                                          "except",
                                          "exception",
                                          "exec",
                                          "execute",
                                          "exists",
                                          "external",
                                          "extract",
                                          "false",
                                          "fetch",
                                          "first",
                                          "float",
                                          "for",
                                          "foreign",
                                          "found",
                                          "from",
                                          "full",
                                          "get",
                                          "global",
                                          "go",
                                          "goto",
                                          "grant",
                                          "group",
                                          "having",
                                          "identity",
                                          "immediate",
                                          "in",
                                          "index",
                                          "indicator",
                                          "initially",
                                          "inner",
                                          "input",
                                          "insensitive",
                                          "insert",
                                          "int",
                                          "int2",
                                          "int4",
                                          "int8",
                                          "integer",
                                          "integer2",
                                          "integer4",
                                          "integer8",
                                          "intersect",
                                          "interval",
                                          "into",
                                          "is",
                                          "isolation",
                                          "join",
                                          "key",
                                          "language",
                                          "last",
                                          "left",
                                          "let",
                                          "level",
                                          "like",
                                          "limit",
                                          "list",
                                          "local",
                                          "lower",
                                          "match",
                                          "max",
                                          "min",
                                          "missing",
                                          "modified",
                                          "module",
                                          "names",
                                          "national",
                                          "natural",
                                          "nchar",
                                          "new",
                                          "next",
                                          "no",
                                          "not",
                                          "nothing",
                                          "null",
                                          "nullif",
                                          "nulls",
                                          "numeric",
                                          "octet_length",
                                          "of",
                                          "offset",
                                          "old",
                                          "on",
                                          "only",
                                          "open",
                                          "option",
                                          "or",
                                          "order",
                                          "outer",
                                          "output",
                                          "overlaps",
                                          "pad",
                                          "partial",
                                          "pivot",
                                          "position",
                                          "precision",
                                          "prepare",
                                          "preserve",
                                          "primary",
                                          "prior",
                                          "privileges",
                                          "procedure",
                                          "public",
                                          "read",
                                          "real",
                                          "references",
                                          "relative",
                                          "remove",
                                          "restrict",
                                          "returning",
                                          "revoke",
                                          "right",
                                          "rollback",
                                          "rows",
                                          "schema",
                                          "scroll",
                                          "section",
                                          "select",
                                          "session",
                                          "session_user",
                                          "set",
                                          "sexp",
                                          "size",
                                          "smallint",
                                          "some",
                                          "space",
                                          "sql",
                                          "sqlcode",
                                          "sqlerror",
                                          "sqlstate",
                                          "string",
                                          "struct",
                                          "substring",
                                          "sum",
                                          "symbol",
                                          "system_user",
                                          "table",
                                          "temporary",
                                          "then",
                                          "time",
                                          "timestamp",
                                          "to",
                                          "transaction",
                                          "translate",
                                          "translation",
                                          "trim",
                                          "true",
                                          "tuple",
                                          "union",
                                          "unique",
                                          "unknown",
                                          "unpivot",
                                          "update",
                                          "upper",
                                          "usage",
                                          "user",
                                          "using",
                                          "value",
                                          "values",
                                          "varchar",
                                          "varying",
                                          "view",
                                          "when",
                                          "whenever",
                                          "where",
                                          "with",
                                          "work",
                                          "write",
                                          "zone"};
constexpr size_t kKeywordBytesMax = 17;

static_assert([] {
  for (size_t i = 0; i < std::size(kKeywords); ++i) {
    if (kKeywords[i].size() > kKeywordBytesMax || (i > 0 && kKeywords[i - 1] >= kKeywords[i])) return false;
  }
  return true;
}());

bool StartsName(char c) { return IsLetter(c) || c == '_' || c == '$'; }
bool IsLineEnd(char c) { return c == '\n' || c == '\r'; }

std::optional<std::string_view> FindKeyword(std::string_view word) {
  if (word.size() > kKeywordBytesMax) return std::nullopt;
  char lower[kKeywordBytesMax];
  for (size_t i = 0; i < word.size(); ++i) lower[i] = ToLower(word[i]);
  const std::string_view key(lower, word.size());
  const auto* found = std::lower_bound(std::begin(kKeywords), std::end(kKeywords), key);
  if (found == std::end(kKeywords) || *found != key) return std::nullopt;
  return *found;
}

// One pass over one statement. Used by one thread at a time.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> Scan() {
    tokens_.reserve(text_.size() / 4 + 2);
    while (at_ < text_.size()) {
      if (!ScanOne()) return kMalformed("");
    }
    Add(TokenKind::kEnd, 0);
    return std::move(tokens_);
  }

 private:
  char Peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void Add(TokenKind kind, size_t bytes, std::string_view word = {}) {
    tokens_.push_back({kind, static_cast<uint32_t>(at_), static_cast<uint32_t>(bytes), word});
    at_ += bytes;
  }

  // Returns false if no token can start here.
  bool ScanOne() {
    const char c = Peek();
    if (IsSpace(c)) {
      ++at_;
      return true;
    }
    if (c == '-' && Peek(1) == '-') return SkipLineComment();
    if (c == '/' && Peek(1) == '*') return SkipBlockComment();
    if (StartsName(c)) return ScanWord();
    if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) return ScanNumber();
    if (c == '\'') return ScanQuoted(TokenKind::kString);
    if (c == '"') return ScanQuoted(TokenKind::kQuotedIdentifier);
    return ScanSign();
  }

  bool SkipLineComment() {
    while (at_ < text_.size() && !IsLineEnd(text_[at_])) ++at_;
    return true;
  }

  bool SkipBlockComment() {
    const size_t end = text_.find("*/", at_ + 2);
    at_ = end == std::string_view::npos ? text_.size() : end + 2;
    return end != std::string_view::npos;
  }

  bool ScanWord() {
    size_t bytes = 1;
    while (StartsName(Peek(bytes)) || IsDigit(Peek(bytes))) ++bytes;
    const auto keyword = FindKeyword(text_.substr(at_, bytes));
    Add(keyword ? TokenKind::kKeyword : TokenKind::kIdentifier, bytes, keyword.value_or(std::string_view()));
    return true;
  }

  size_t SkipDigits(size_t from) const {
    while (IsDigit(Peek(from))) ++from;
    return from;
  }

  bool ScanNumber() {
    size_t bytes = SkipDigits(0);
    size_t fraction = 0;
    if (Peek(bytes) == '.') {
      const size_t end = SkipDigits(bytes + 1);
      fraction = end - bytes - 1;
      bytes = end;
    }
    // A point without digits cannot be followed by an exponent: 1.e5 is 1. and a name.
    const bool exponent = (Peek(bytes) == 'e' || Peek(bytes) == 'E') && Peek(bytes - 1) != '.';
    if (exponent && !ScanExponent(bytes, static_cast<int64_t>(fraction))) return false;
    Add(TokenKind::kNumber, bytes);
    return true;
  }

  // Moves `bytes` from the E to after the exponent. In DynamoDB's decimals, both the exponent and the scale (the number
  // of fraction digits minus the exponent) must fit in 32 bits.
  bool ScanExponent(size_t& bytes, int64_t fraction) const {
    const char sign = Peek(bytes + 1);
    const size_t first = bytes + (sign == '+' || sign == '-' ? 2 : 1);
    bytes = SkipDigits(first);
    if (bytes == first) return false;
    int64_t exponent = 0;
    const char* digits = text_.data() + at_;
    if (std::from_chars(digits + first, digits + bytes, exponent).ec != std::errc()) return false;
    if (sign == '-') exponent = -exponent;
    const auto fits = [](int64_t n) {
      return n >= std::numeric_limits<int32_t>::min() && n <= std::numeric_limits<int32_t>::max();
    };
    return fits(exponent) && fits(fraction - exponent);
  }

  bool ScanQuoted(TokenKind kind) {
    const char quote = Peek();
    for (size_t i = at_ + 1; i < text_.size(); ++i) {
      if (text_[i] != quote) continue;
      if (i + 1 == text_.size() || text_[i + 1] != quote) {
        Add(kind, i + 1 - at_);
        return true;
      }
      ++i;
    }
    return false;
  }

  bool ScanSign() {
    struct Sign {
      std::string_view text;
      TokenKind kind;
    };
    // If one sign is a prefix of another, the longer comes first.
    static constexpr Sign kSigns[] = {
        {"<<", TokenKind::kOpenBag},     {">>", TokenKind::kCloseBag},    {"<=", TokenKind::kLe},
        {">=", TokenKind::kGe},          {"<>", TokenKind::kNe},          {"!=", TokenKind::kNe},
        {"||", TokenKind::kConcat},      {"<", TokenKind::kLt},           {">", TokenKind::kGt},
        {"=", TokenKind::kEq},           {"(", TokenKind::kOpen},         {")", TokenKind::kClose},
        {"[", TokenKind::kOpenBracket},  {"]", TokenKind::kCloseBracket}, {"{", TokenKind::kOpenBrace},
        {"}", TokenKind::kCloseBrace},   {",", TokenKind::kComma},        {":", TokenKind::kColon},
        {";", TokenKind::kSemicolon},    {".", TokenKind::kDot},          {"*", TokenKind::kStar},
        {"?", TokenKind::kParameter},    {"+", TokenKind::kPlus},         {"-", TokenKind::kMinus},
        {"/", TokenKind::kSlash},        {"%", TokenKind::kPercent},      {"@", TokenKind::kOtherOperator},
        {"~", TokenKind::kOtherOperator}};
    const std::string_view rest = text_.substr(at_, 2);
    for (const Sign& sign : kSigns) {
      if (rest.substr(0, sign.text.size()) != sign.text) continue;
      Add(sign.kind, sign.text.size());
      return true;
    }
    return false;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<Token> tokens_;
};

bool StartsCharacter(char c) { return (static_cast<uint8_t>(c) & 0xC0) != 0x80; }

}  // namespace

Result<std::vector<Token>> Tokenize(std::string_view statement) { return Scanner(statement).Scan(); }

std::string TextOf(std::string_view source) {
  if (source.empty() || (source[0] != '\'' && source[0] != '"')) return std::string(source);
  const char quote = source[0];
  std::string text;
  text.reserve(source.size() - 2);
  for (size_t i = 1; i + 1 < source.size(); ++i) {
    text.push_back(source[i]);
    if (source[i] == quote) ++i;
  }
  return text;
}

std::string PositionOf(std::string_view statement, const Token& token) {
  size_t line = 1, column = 1;
  for (size_t i = 0; i < token.offset; ++i) {
    const bool ends_line =
        statement[i] == '\n' || (statement[i] == '\r' && (i + 1 == statement.size() || statement[i + 1] != '\n'));
    line += ends_line;
    column = ends_line ? 1 : column + StartsCharacter(statement[i]);
  }
  const std::string_view source = statement.substr(token.offset, token.bytes);
  const auto length = std::count_if(source.begin(), source.end(), StartsCharacter);
  return std::to_string(line) + ":" + std::to_string(column) + ":" + std::to_string(length);
}

}  // namespace keyfold::partiql

// The shared part of expression parsing: cursor, syntax errors, groups, paths and placeholders.
#include "expr/expression_parser.h"

#include <charconv>
#include <limits>

#include "expr/operand_rules.h"
#include "expr/reserved_words.h"
#include "value/limits.h"

namespace keyfold::expr {
namespace {

constexpr Rule<"The expression can not be empty;"> kEmpty{"expression-empty", Kind::kValidation};
constexpr Rule<"Expression size has exceeded the maximum allowed size; expression size: {}"> kSize{"expression-size",
                                                                                                   Kind::kValidation};
constexpr Rule<"Syntax error; token: \"{}\", near: \"{}\""> kSyntaxError{"expression-syntax", Kind::kValidation};
constexpr Rule<"The expression contains too many operators; operator count: {}"> kTooManyOperators{
    "expression-operators", Kind::kValidation};
constexpr Rule<"The expression has redundant parentheses;"> kRedundantParentheses{"expression-parentheses",
                                                                                  Kind::kValidation};
constexpr Rule<"Attribute name is a reserved keyword; reserved keyword: {}"> kReservedWord{"expression-reserved-word",
                                                                                           Kind::kValidation};
constexpr Rule<"An expression attribute name used in the document path is not defined; attribute name: {}">
    kUndefinedName{"expression-undefined-name", Kind::kValidation};
constexpr Rule<"An expression attribute value used in expression is not defined; attribute value: {}"> kUndefinedValue{
    "expression-undefined-value", Kind::kValidation};
constexpr Rule<"List index is not within the allowable range; index: [{}]"> kIndexRange{"expression-index-range",
                                                                                        Kind::kValidation};
constexpr Rule<"Invalid function name; function: {}"> kFunctionName{"expression-function-name", Kind::kValidation};

// No valid expression nests its parentheses this deep: each pair must contain an operator of its own, and there are at
// most 300.
constexpr size_t kGroupDepthMax = 512;

}  // namespace

bool IsConditionFunction(std::string_view name) {
  return name == "attribute_exists" || name == "attribute_not_exists" || name == "attribute_type" ||
         name == "begins_with" || name == "contains" || name == "size";
}

bool IsUpdateFunction(std::string_view name) { return name == "if_not_exists" || name == "list_append"; }

Status CheckExpressionSize(std::string_view text) {
  if (Lexer(text).Next().kind == TokenKind::kEnd) return kEmpty();
  if (text.size() > kExpressionBytesMax) return kSize(text.size());
  return Ok();
}

Error InvalidExpression(std::string_view parameter, Error error) {
  std::string prefix = "Invalid ";
  prefix.append(parameter).append(": ");
  return std::move(error).WithPrefix(prefix);
}

ExpressionParser::ExpressionParser(std::string_view text, Placeholders& placeholders)
    : text_(text), placeholders_(placeholders), lexer_(text), current_(lexer_.Next()), next_(lexer_.Next()) {}

void ExpressionParser::Note(Fault fault, Error error) {
  Status& kept = faults_[static_cast<size_t>(fault)];
  if (kept.ok()) kept = Status(std::move(error));
}

Status ExpressionParser::TakeFault(std::initializer_list<Fault> order) {
  for (const Fault fault : order) {
    if (Noted(fault)) return std::move(faults_[static_cast<size_t>(fault)]);
  }
  return Ok();
}

Token ExpressionParser::Advance() {
  previous_ = current_;
  current_ = next_;
  next_ = lexer_.Next();
  return previous_;
}

bool ExpressionParser::Accept(TokenKind kind) {
  if (!At(kind)) return false;
  Advance();
  return true;
}

bool ExpressionParser::Expect(TokenKind kind) { return Accept(kind) || FailSyntax(); }

// `near` is the text from the previous token to the next one.
bool ExpressionParser::FailSyntax() {
  const bool at_end = At(TokenKind::kEnd);
  const char* first = previous_.text.data() != nullptr ? previous_.text.data() : current_.text.data();
  const Token& last = at_end ? previous_ : next_.kind == TokenKind::kEnd ? current_ : next_;
  const std::string_view near(first, static_cast<size_t>(last.text.data() + last.text.size() - first));
  Note(Fault::kSyntax, kSyntaxError(at_end ? "<EOF>" : current_.text, near));
  return false;
}

bool ExpressionParser::CountOperator() {
  if (++operators_ <= kExpressionOperatorsMax) return true;
  Note(Fault::kSyntax, kTooManyOperators(operators_));
  return false;
}

bool ExpressionParser::OpenGroup() {
  if (!Expect(TokenKind::kOpen)) return false;
  return ++open_groups_ <= kGroupDepthMax || FailTooDeep();
}

bool ExpressionParser::CloseGroup() {
  --open_groups_;
  return Expect(TokenKind::kClose);
}

void ExpressionParser::NoteRedundantParentheses() { Note(Fault::kParentheses, kRedundantParentheses()); }

// Determines without recursion what is wrong with an expression whose parentheses nest deeper than any valid one: they
// are not closed, one pair directly encloses another, or there are more operators than allowed.
bool ExpressionParser::FailTooDeep() {
  struct Group {
    size_t open;  // token numbers: where it opens, and where the last group inside it opened and closed
    size_t inner_open = 0, inner_close = 0;
  };
  std::vector<Group> groups;
  bool redundant = false;
  Lexer lexer(text_);
  Token token = lexer.Next();
  previous_ = {};
  for (size_t i = 0;; ++i) {
    current_ = token;
    next_ = token = lexer.Next();
    if (At(TokenKind::kEnd)) break;
    if (At(TokenKind::kOpen)) groups.push_back({.open = i});
    if (At(TokenKind::kClose)) {
      if (groups.empty()) return FailSyntax();
      const Group group = groups.back();
      groups.pop_back();
      redundant = redundant || (group.inner_open == group.open + 1 && group.inner_close + 1 == i);
      if (!groups.empty()) groups.back().inner_open = group.open, groups.back().inner_close = i;
    }
    previous_ = current_;
  }
  if (!groups.empty()) return FailSyntax();
  Note(Fault::kSyntax, redundant ? kRedundantParentheses() : kTooManyOperators(kExpressionOperatorsMax + 1));
  return false;
}

bool ExpressionParser::ParseName(std::string& out) {
  if (At(TokenKind::kNamePlaceholder)) {
    const std::string_view placeholder = Advance().text;
    const auto name = placeholders_.UseName(placeholder);
    if (!name) Note(Fault::kName, kUndefinedName(placeholder));
    out = name.value_or(std::string_view());
    return true;
  }
  if (!At(TokenKind::kIdentifier) || IsKeyword(current_)) return FailSyntax();
  const std::string_view name = Advance().text;
  if (IsReservedWord(name)) Note(Fault::kReserved, kReservedWord(name));
  out = name;
  return true;
}

bool ExpressionParser::ParseIndex(PathStep& out) {
  if (!At(TokenKind::kDigits)) return FailSyntax();
  const std::string_view digits = Advance().text;
  out.is_index = true;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), out.index);
  if (parsed.ec != std::errc() || out.index > std::numeric_limits<int32_t>::max()) {
    Note(Fault::kName, kIndexRange(digits));
  }
  return Expect(TokenKind::kCloseBracket);
}

bool ExpressionParser::ParsePath(Path& out) { return ParseName(out.root) && ParseSteps(out); }

bool ExpressionParser::ParseSteps(Path& out) {
  while (At(TokenKind::kDot) || At(TokenKind::kOpenBracket)) {
    const bool is_index = Advance().kind == TokenKind::kOpenBracket;
    PathStep& step = out.steps.emplace_back();
    if (!(is_index ? ParseIndex(step) : ParseName(step.name))) return false;
  }
  NoteDepth(out);
  return true;
}

void ExpressionParser::NoteDepth(const Path& path) {
  const size_t levels = path.steps.size() + 1;
  if (levels > kExpressionPathDepthMax) Note(Fault::kName, kPathDepth(levels));
}

Value ExpressionParser::ParseValue(Fault undefined) {
  const std::string_view placeholder = Advance().text;
  std::optional<Value> value = placeholders_.UseValue(placeholder);
  if (value) return *std::move(value);
  Note(undefined, kUndefinedValue(placeholder));
  return Value();
}

void ExpressionParser::NoteUnknownFunction(std::string_view function) {
  Note(Fault::kFunctionName, kFunctionName(function));
}

void ExpressionParser::NoteMisusedFunction(std::string_view function) {
  Note(Fault::kFunctionUse, kFunctionUse(function));
}

void ExpressionParser::NoteOperandCount(std::string_view function, size_t count, Fault fault) {
  Note(fault, kOperandCount(function, count));
}

void ExpressionParser::NotePathRequired(std::string_view function, Fault fault) {
  Note(fault, kPathRequired(function));
}

void ExpressionParser::NoteOperandType(std::string_view function, std::string_view type, Fault fault) {
  Note(fault, kOperandType(function, type));
}

void ExpressionParser::CheckPathsApart(const std::vector<const Path*>& paths) {
  NoteIfFault(Fault::kOverlap, PathsAreApart(paths));
}

void ExpressionParser::NoteIfFault(Fault fault, Status status) {
  if (!status.ok()) Note(fault, std::move(status).TakeError());
}

}  // namespace keyfold::expr

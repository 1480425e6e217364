// Shared by the parsers of conditions, updates and projections: the token cursor, document paths, #name/:value binding,
// and the bookkeeping that reports the fault DynamoDB would report first if an expression has several.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "expr/lexer.h"
#include "expr/path.h"
#include "expr/placeholders.h"

namespace keyfold::expr {

// One parse of one expression. Parsing continues after a fault other than a syntax error, because DynamoDB ranks faults
// by kind before position. A parsing function returns false if parsing cannot continue. Used by one thread at a time.
class ExpressionParser {
 public:
  // Both must outlive the parser.
  ExpressionParser(std::string_view text, Placeholders& placeholders);

 protected:
  enum class Fault : uint8_t {
    kSyntax,  // including the limits that end parsing
    kParentheses,
    kReserved,
    kFunctionName,
    kFunctionUse,
    kSection,
    kName,
    kValue,
    kOverlap,
    kOperandCount,
    kDistinct,
    kOperandType,
    kFunction,   // any fault of SET's functions and of + and -
    kCondition,  // the first fault of the first faulty simple condition
    kCount,
  };

  // Keeps the first fault of each kind.
  void Note(Fault fault, Error error);
  void NoteIfFault(Fault fault, Status status);
  bool Noted(Fault fault) const { return !faults_[static_cast<size_t>(fault)].ok(); }
  // Returns the fault that comes first in `order`.
  Status TakeFault(std::initializer_list<Fault> order);

  const Token& current() const { return current_; }
  bool At(TokenKind kind) const { return current_.kind == kind; }
  bool AtCall() const { return At(TokenKind::kIdentifier) && next_.kind == TokenKind::kOpen; }
  Token Advance();
  bool Accept(TokenKind kind);
  [[nodiscard]] bool Expect(TokenKind kind);
  // Reports the current token as a syntax error. Always returns false.
  [[nodiscard]] bool FailSyntax();
  [[nodiscard]] bool CountOperator();

  // Called before and after the content of a pair of parentheses.
  [[nodiscard]] bool OpenGroup();
  [[nodiscard]] bool CloseGroup();
  void NoteRedundantParentheses();

  [[nodiscard]] bool ParsePath(Path& out);
  // Parses the steps that follow what is already in `out`.
  [[nodiscard]] bool ParseSteps(Path& out);
  // Parses a :value. Returns its bound value, or a null value if it is undefined, which is noted as the fault
  // `undefined`: undefined values rank with undefined names or after them.
  Value ParseValue(Fault undefined);

  // A function name is unknown if it is in neither set of functions, and misused if it is in the other set.
  void NoteUnknownFunction(std::string_view function);
  void NoteMisusedFunction(std::string_view function);
  void NoteOperandCount(std::string_view function, size_t count, Fault fault);
  void NotePathRequired(std::string_view function, Fault fault);
  void NoteOperandType(std::string_view function, std::string_view type, Fault fault);

  // Notes a fault if two of the paths overlap or conflict.
  void CheckPathsApart(const std::vector<const Path*>& paths);

  virtual bool IsKeyword(const Token& token) const { return false; }
  ~ExpressionParser() = default;

 private:
  [[nodiscard]] bool ParseName(std::string& out);
  [[nodiscard]] bool ParseIndex(PathStep& out);
  void NoteDepth(const Path& path);
  [[nodiscard]] bool FailTooDeep();

  std::string_view text_;
  Placeholders& placeholders_;
  Lexer lexer_;
  Token previous_, current_, next_;
  size_t operators_ = 0;
  size_t open_groups_ = 0;
  std::array<Status, static_cast<size_t>(Fault::kCount)> faults_;
};

bool IsConditionFunction(std::string_view name);
bool IsUpdateFunction(std::string_view name);

// Checks that apply to every expression before it is parsed: not empty, not over 4 KB.
Status CheckExpressionSize(std::string_view text);

// Prepends "Invalid UpdateExpression: " and the like.
Error InvalidExpression(std::string_view parameter, Error error);

}  // namespace keyfold::expr

// What the parsers of conditions, updates and projections share: the token cursor, document paths, #name/:value
// binding, and the bookkeeping that reports the fault DynamoDB would report first when an expression has several.
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

namespace keyfold {

// One parse of one expression. Parsing goes on past a fault that is not one of syntax, since DynamoDB ranks faults by
// kind before place. A parsing function returns false once parsing cannot go on. One thread at a time.
class ExpressionParser {
 public:
  // Both outlive the parser.
  ExpressionParser(std::string_view text, Placeholders& placeholders);

 protected:
  enum class Fault : uint8_t {
    kSyntax,  // also the limits that end parsing
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
    kFunction,   // of SET's functions and signs, whatever it is
    kCondition,  // the first faulty simple condition's own first fault
    kCount,
  };

  // Keeps the first fault of each kind.
  void Note(Fault fault, Error error);
  void NoteIfFault(Fault fault, Status status);
  bool Noted(Fault fault) const { return !faults_[static_cast<size_t>(fault)].ok(); }
  // The first noted in the given order.
  Status TakeFault(std::initializer_list<Fault> order);

  const Token& current() const { return current_; }
  bool At(TokenKind kind) const { return current_.kind == kind; }
  bool AtCall() const { return At(TokenKind::kIdentifier) && next_.kind == TokenKind::kOpen; }
  Token Advance();
  bool Accept(TokenKind kind);
  [[nodiscard]] bool Expect(TokenKind kind);
  // Always false: the current token cannot stand where it does.
  [[nodiscard]] bool FailSyntax();
  [[nodiscard]] bool CountOperator();

  // Around what stands between a pair of parentheses.
  [[nodiscard]] bool OpenGroup();
  [[nodiscard]] bool CloseGroup();
  void NoteRedundantParentheses();

  [[nodiscard]] bool ParsePath(Path& out);
  // Steps behind what is parsed already.
  [[nodiscard]] bool ParseSteps(Path& out);
  // At a :value; what its binding gave, or a null where there is none. The values' faults rank with the names' or
  // behind them.
  Value ParseValue(Fault undefined);

  // Of the two sets of functions together: a name outside them is unknown, one of the other set misused.
  void NoteUnknownFunction(std::string_view function);
  void NoteMisusedFunction(std::string_view function);
  void NoteOperandCount(std::string_view function, size_t count, Fault fault);
  void NotePathRequired(std::string_view function, Fault fault);
  void NoteOperandType(std::string_view function, std::string_view type, Fault fault);

  // No two of the paths may lead to, into, or conflict with one another.
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

// The checks of every expression before it is parsed: not empty, not over 4 KB.
Status CheckExpressionSize(std::string_view text);

// Behind "Invalid UpdateExpression: " and the like.
Error InvalidExpression(std::string_view parameter, Error error);

}  // namespace keyfold

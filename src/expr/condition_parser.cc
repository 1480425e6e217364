// Parses ConditionExpression, FilterExpression and most of KeyConditionExpression by recursive descent, from OR over
// AND and NOT to simple conditions. After an opening parenthesis only the following text shows whether it contains a
// condition or an operand, so one function parses both, and its caller decides which is allowed.
#include <optional>
#include <string_view>
#include <utility>

#include "base/text/base64.h"
#include "expr/condition.h"
#include "expr/expression_parser.h"
#include "expr/operand_rules.h"
#include "value/limits.h"
#include "value/number.h"

namespace keyfold::expr {
namespace {

constexpr Rule<"Invalid attribute type name found; type: {}, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"> kTypeName{
    "condition-type-name", Kind::kValidation};

std::optional<Condition::Op> ComparatorOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kEq:
      return Condition::Op::kEq;
    case TokenKind::kNe:
      return Condition::Op::kNe;
    case TokenKind::kLt:
      return Condition::Op::kLt;
    case TokenKind::kLe:
      return Condition::Op::kLe;
    case TokenKind::kGt:
      return Condition::Op::kGt;
    case TokenKind::kGe:
      return Condition::Op::kGe;
    default:
      return std::nullopt;
  }
}

// nullopt for size, which is an operand, and for names that are not condition functions.
std::optional<Condition::Op> FunctionOf(std::string_view name) {
  if (name == "attribute_exists") return Condition::Op::kAttributeExists;
  if (name == "attribute_not_exists") return Condition::Op::kAttributeNotExists;
  if (name == "attribute_type") return Condition::Op::kAttributeType;
  if (name == "begins_with") return Condition::Op::kBeginsWith;
  if (name == "contains") return Condition::Op::kContains;
  return std::nullopt;
}

size_t CountParameters(std::string_view function) {
  return function == "attribute_type" || function == "begins_with" || function == "contains" ? 2 : 1;
}

class ConditionParser : public ExpressionParser {
 public:
  using ExpressionParser::ExpressionParser;

  Result<Condition> Parse() {
    Parsed parsed;
    const bool whole = ParseOr(parsed) && UseAsCondition(parsed) && (At(TokenKind::kEnd) || FailSyntax());
    RETURN_IF_ERROR(TakeFault({Fault::kSyntax, Fault::kParentheses, Fault::kFunctionName, Fault::kFunctionUse,
                               Fault::kReserved, Fault::kCondition}));
    CHECK(whole);
    return std::move(parsed.condition);
  }

 private:
  // An operand, a call that may be used as either, or a condition.
  struct Parsed {
    enum class Form : uint8_t { kOperand, kCall, kCondition };
    Form form = Form::kOperand;
    bool grouped = false;  // directly enclosed in parentheses
    std::string_view function;
    Operand operand;      // for kOperand and a call of size
    Condition condition;  // for kCondition and a call of any other function
  };

  bool IsKeyword(const Token& token) const override {
    return token.Is("AND") || token.Is("OR") || token.Is("NOT") || token.Is("BETWEEN") || token.Is("IN");
  }

  [[nodiscard]] bool ParseOr(Parsed& out) {
    if (!ParseAnd(out)) return false;
    if (!current().Is("OR")) return true;
    if (!BeginJunction(Condition::Op::kOr, out)) return false;
    while (current().Is("OR")) {
      Parsed next;
      Advance();
      if (!CountOperator() || !ParseAnd(next) || !AddToJunction(out, next)) return false;
    }
    return true;
  }

  [[nodiscard]] bool ParseAnd(Parsed& out) {
    if (!ParseNot(out)) return false;
    if (!current().Is("AND")) return true;
    if (!BeginJunction(Condition::Op::kAnd, out)) return false;
    while (current().Is("AND")) {
      Parsed next;
      Advance();
      if (!CountOperator() || !ParseNot(next) || !AddToJunction(out, next)) return false;
    }
    return true;
  }

  [[nodiscard]] bool BeginJunction(Condition::Op op, Parsed& out) {
    if (!UseAsCondition(out)) return false;
    Condition junction;
    junction.op = op;
    junction.children.reserve(2);
    junction.children.push_back(std::move(out.condition));
    out.condition = std::move(junction);
    out.grouped = false;
    return true;
  }

  [[nodiscard]] bool AddToJunction(Parsed& junction, Parsed& next) {
    if (!UseAsCondition(next)) return false;
    junction.condition.children.push_back(std::move(next.condition));
    return true;
  }

  [[nodiscard]] bool ParseNot(Parsed& out) {
    size_t count = 0;
    for (; current().Is("NOT"); ++count) {
      if (!CountOperator()) return false;
      Advance();
    }
    if (!ParseSimple(out)) return false;
    if (count == 0) return true;
    if (!UseAsCondition(out)) return false;
    for (; count > 0; --count) {
      Condition negated;
      negated.op = Condition::Op::kNot;
      negated.children.push_back(std::move(out.condition));
      out.condition = std::move(negated);
    }
    out.grouped = false;
    return true;
  }

  // If no operator follows an operand, it stays an operand: it may be one in parentheses.
  [[nodiscard]] bool ParseSimple(Parsed& out) {
    if (!ParseTerm(out, true)) return false;
    if (out.form == Parsed::Form::kCondition) return true;
    if (const auto comparator = ComparatorOf(current().kind)) return ParseComparison(*comparator, out);
    if (current().Is("BETWEEN")) return ParseBetween(out);
    if (current().Is("IN")) return ParseIn(out);
    return true;
  }

  [[nodiscard]] bool ParseTerm(Parsed& out, bool condition_allowed) {
    if (At(TokenKind::kOpen)) return ParseGroup(out, condition_allowed);
    if (At(TokenKind::kValuePlaceholder)) {
      out.operand.value = ParseValue(Fault::kName);
      return true;
    }
    if (AtCall() && !IsKeyword(current())) return ParseCall(out);
    out.operand.kind = Operand::Kind::kPath;
    return ParsePath(out.operand.path);
  }

  [[nodiscard]] bool ParseGroup(Parsed& out, bool condition_allowed) {
    if (!OpenGroup()) return false;
    if (!(condition_allowed ? ParseOr(out) : ParseTerm(out, false)) || !CloseGroup()) return false;
    if (out.grouped) NoteRedundantParentheses();
    const bool is_path = out.form == Parsed::Form::kOperand && out.operand.kind == Operand::Kind::kPath;
    out.grouped = !is_path || !(At(TokenKind::kDot) || At(TokenKind::kOpenBracket));
    return out.grouped || ParseSteps(out.operand.path);
  }

  [[nodiscard]] bool ParseComparison(Condition::Op op, Parsed& out) {
    const std::string_view sign = Advance().text;
    Parsed right;
    if (!CountOperator() || !ParseTerm(right, false)) return false;
    Condition condition;
    condition.op = op;
    condition.operands.reserve(2);
    AddOperand(condition, out);
    AddOperand(condition, right);
    NoteIfFault(Fault::kDistinct, OperandsAreDistinct(sign, condition.operands));
    if (op != Condition::Op::kEq && op != Condition::Op::kNe)
      NoteIfFault(Fault::kOperandType, OperandsHaveOrder(sign, condition.operands));
    return FinishCondition(out, std::move(condition));
  }

  [[nodiscard]] bool ParseBetween(Parsed& out) {
    Advance();
    Parsed lower, upper;
    if (!CountOperator() || !ParseTerm(lower, false)) return false;
    if (!current().Is("AND")) return FailSyntax();
    Advance();
    if (!ParseTerm(upper, false)) return false;
    Condition condition;
    condition.op = Condition::Op::kBetween;
    condition.operands.reserve(3);
    for (Parsed* term : {&out, &lower, &upper}) AddOperand(condition, *term);
    NoteIfFault(Fault::kOperandType, OperandsHaveOrder("BETWEEN", condition.operands));
    NoteIfFault(Fault::kOperandType, BoundsAreInOrder(condition.operands[1], condition.operands[2]));
    return FinishCondition(out, std::move(condition));
  }

  [[nodiscard]] bool ParseIn(Parsed& out) {
    Advance();
    Condition condition;
    condition.op = Condition::Op::kIn;
    AddOperand(condition, out);
    if (!CountOperator() || !ParseArguments(condition)) return false;
    if (condition.operands.size() > kExpressionInOperandsMax) {
      Note(Fault::kOperandCount, kInOperands(condition.operands.size()));
    }
    return FinishCondition(out, std::move(condition));
  }

  [[nodiscard]] bool ParseCall(Parsed& out) {
    out.form = Parsed::Form::kCall;
    out.function = Advance().text;
    Condition call;
    if (!ParseArguments(call)) return false;
    CheckCall(out.function, call.operands);
    if (const auto op = FunctionOf(out.function)) {
      call.op = *op;
      out.condition = std::move(call);
    } else {
      const bool of_value = call.operands[0].kind == Operand::Kind::kValue;
      out.operand = std::move(call.operands[0]);
      out.operand.kind = of_value ? Operand::Kind::kSizeOfValue : Operand::Kind::kSize;
    }
    return true;
  }

  // "(" operand { "," operand } ")"
  [[nodiscard]] bool ParseArguments(Condition& out) {
    if (!Expect(TokenKind::kOpen)) return false;
    do {
      Parsed argument;
      if (!ParseTerm(argument, false)) return false;
      AddOperand(out, argument);
    } while (Accept(TokenKind::kComma));
    return Expect(TokenKind::kClose);
  }

  void AddOperand(Condition& condition, Parsed& term) {
    if (term.form == Parsed::Form::kCall && term.function != "size") NoteMisusedFunction(term.function);
    condition.operands.push_back(std::move(term.operand));
  }

  // `out` held the condition's first operand.
  [[nodiscard]] bool FinishCondition(Parsed& out, Condition&& condition) {
    CloseCondition();
    out.form = Parsed::Form::kCondition;
    out.grouped = false;
    out.condition = std::move(condition);
    return true;
  }

  // DynamoDB checks the simple conditions one by one; within each, faults rank by kind.
  void CloseCondition() {
    Status fault = TakeFault({Fault::kName, Fault::kOperandCount, Fault::kDistinct, Fault::kOperandType});
    if (!fault.ok()) Note(Fault::kCondition, std::move(fault).TakeError());
  }

  [[nodiscard]] bool UseAsCondition(Parsed& parsed) {
    switch (parsed.form) {
      case Parsed::Form::kOperand:
        return FailSyntax();
      case Parsed::Form::kCall:
        if (!FunctionOf(parsed.function)) NoteMisusedFunction(parsed.function);
        CloseCondition();
        parsed.form = Parsed::Form::kCondition;
        return true;
      case Parsed::Form::kCondition:
        return true;
    }
    return false;
  }

  void CheckCall(std::string_view function, const std::vector<Operand>& operands) {
    if (!IsConditionFunction(function)) {
      IsUpdateFunction(function) ? NoteMisusedFunction(function) : NoteUnknownFunction(function);
      return;
    }
    if (operands.size() != CountParameters(function)) {
      NoteOperandCount(function, operands.size(), Fault::kOperandCount);
      return;
    }
    NoteIfFault(Fault::kDistinct, OperandsAreDistinct(function, operands));
    if (function == "begins_with") {
      NoteIfFault(Fault::kOperandType, OperandsAreTexts(function, operands));
    } else if (function == "attribute_type") {
      CheckTypeName(function, operands[1]);
    } else if (function == "size") {
      NoteIfFault(Fault::kOperandType, OperandHasSize(function, operands[0]));
    } else if (function != "contains" && operands[0].kind != Operand::Kind::kPath) {
      NotePathRequired(function, Fault::kOperandType);
    }
  }

  void CheckTypeName(std::string_view function, const Operand& name) {
    const auto type = KnownType(name);
    if (type != Type::kS) {
      NoteOperandType(function, type ? NameOf(*type) : kAnyType, Fault::kOperandType);
    } else if (!TypeByName(name.value.view().AsText())) {
      Note(Fault::kOperandType, kTypeName(name.value.view().AsText()));
    }
  }
};

}  // namespace

Result<Condition> ParseCondition(std::string_view parameter, std::string_view text, Placeholders& placeholders) {
  if (Status size = CheckExpressionSize(text); !size.ok()) {
    return InvalidExpression(parameter, std::move(size).TakeError());
  }
  Result<Condition> parsed = ConditionParser(text, placeholders).Parse();
  if (!parsed.ok()) return InvalidExpression(parameter, std::move(parsed).TakeError());
  return parsed;
}

}  // namespace keyfold::expr

// Parses UpdateExpression: the sections SET, REMOVE, ADD and DELETE, each at most once and in any order.
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "expr/expression_parser.h"
#include "expr/update.h"

namespace keyfold::expr {
namespace {

constexpr Rule<"The \"{}\" section can only be used once in an update expression;"> kSectionTwice{
    "update-section-twice", Kind::kValidation};
constexpr Rule<
    "Incorrect operand type for operator or function; operator: {}, operand type: {}, typeSet: ALLOWED_FOR_{}_OPERAND">
    kChangeType{"update-change-type", Kind::kValidation};

// DynamoDB's names for the types of operands that ADD and DELETE refuse.
std::string_view LongNameOf(Type type) {
  switch (type) {
    case Type::kS:
      return "STRING";
    case Type::kN:
      return "NUMBER";
    case Type::kB:
      return "BINARY";
    case Type::kNull:
      return "NULL";
    case Type::kBool:
      return "BOOLEAN";
    case Type::kL:
      return "LIST";
    case Type::kM:
      return "MAP";
    case Type::kSS:
      return "STRING_SET";
    case Type::kNS:
      return "NUMBER_SET";
    case Type::kBS:
      return "BINARY_SET";
  }
  return {};
}

constexpr std::string_view kSections[] = {"SET", "REMOVE", "ADD", "DELETE"};

class UpdateParser : public ExpressionParser {
 public:
  using ExpressionParser::ExpressionParser;

  Result<Update> Parse() {
    if (ParseSections()) CheckPathsApart(TargetsInOrder());
    RETURN_IF_ERROR(TakeFault({Fault::kSyntax, Fault::kParentheses, Fault::kReserved, Fault::kFunctionName,
                               Fault::kFunctionUse, Fault::kSection, Fault::kName, Fault::kValue, Fault::kOverlap,
                               Fault::kOperandType, Fault::kFunction}));
    return std::move(update_);
  }

 private:
  using Operand = UpdateOperand;

  // The right-hand side of SET, or a part of it.
  struct Parsed {
    Operand operand;
    std::string_view function;
    bool grouped = false;
  };

  bool IsKeyword(const Token& token) const override { return SectionOf(token).has_value(); }

  static std::optional<size_t> SectionOf(const Token& token) {
    for (size_t i = 0; i < std::size(kSections); ++i) {
      if (token.Is(kSections[i])) return i;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool ParseSections() {
    bool seen[std::size(kSections)] = {};
    do {
      const auto section = SectionOf(current());
      if (!section) return FailSyntax();
      Advance();
      if (std::exchange(seen[*section], true)) Note(Fault::kSection, kSectionTwice(kSections[*section]));
      do {
        targets_.push_back(*section);
        if (!ParseAction(*section)) return false;
      } while (Accept(TokenKind::kComma));
    } while (!At(TokenKind::kEnd));
    return true;
  }

  [[nodiscard]] bool ParseAction(size_t section) {
    switch (section) {
      case 0:
        return ParseSet(update_.sets.emplace_back());
      case 1:
        return ParsePath(update_.removes.emplace_back());
      case 2:
        return ParseChange(kSections[section], update_.adds.emplace_back());
      default:
        return ParseChange(kSections[section], update_.deletes.emplace_back());
    }
  }

  [[nodiscard]] bool ParseSet(Update::Set& out) {
    Parsed right;
    if (!ParsePath(out.path) || !Expect(TokenKind::kEq) || !ParseSetValue(right)) return false;
    out.operand = std::move(right.operand);
    return true;
  }

  [[nodiscard]] bool ParseChange(std::string_view section, Update::Change& out) {
    if (!ParsePath(out.path)) return false;
    if (!At(TokenKind::kValuePlaceholder)) return FailSyntax();
    out.value = ParseValue(Fault::kValue);
    const Type type = out.value.type();
    if (!IsSet(type) && !(section == "ADD" && type == Type::kN)) {
      Note(Fault::kOperandType, kChangeType(section, LongNameOf(type), section));
    }
    return true;
  }

  // operand [("+" | "-") operand]
  [[nodiscard]] bool ParseSetValue(Parsed& out) {
    if (!ParseTerm(out, true)) return false;
    const bool is_sum = out.operand.kind == Operand::Kind::kPlus || out.operand.kind == Operand::Kind::kMinus;
    if (is_sum || !(At(TokenKind::kPlus) || At(TokenKind::kMinus))) return true;
    const Token sign = Advance();
    Parsed right;
    if (!CountOperator() || !ParseTerm(right, false)) return false;
    Operand sum;
    sum.kind = sign.kind == TokenKind::kPlus ? Operand::Kind::kPlus : Operand::Kind::kMinus;
    sum.children.reserve(2);
    AddChild(sum, out);
    AddChild(sum, right);
    CheckTypes(sign.text, Type::kN, sum.children);
    out.operand = std::move(sum);
    out.function = {};
    out.grouped = false;
    return true;
  }

  [[nodiscard]] bool ParseTerm(Parsed& out, bool sum_allowed) {
    if (At(TokenKind::kOpen)) return ParseGroup(out, sum_allowed);
    if (At(TokenKind::kValuePlaceholder)) {
      out.operand.value = ParseValue(Fault::kValue);
      return true;
    }
    if (AtCall() && !IsKeyword(current())) return ParseCall(out);
    out.operand.kind = Operand::Kind::kPath;
    return ParsePath(out.operand.path);
  }

  [[nodiscard]] bool ParseGroup(Parsed& out, bool sum_allowed) {
    if (!OpenGroup() || !(sum_allowed ? ParseSetValue(out) : ParseTerm(out, false)) || !CloseGroup()) return false;
    if (std::exchange(out.grouped, true)) NoteRedundantParentheses();
    return true;
  }

  [[nodiscard]] bool ParseCall(Parsed& out) {
    out.function = Advance().text;
    if (!Expect(TokenKind::kOpen)) return false;
    do {
      Parsed argument;
      if (!ParseTerm(argument, false)) return false;
      // DynamoDB lets list_append take any operand except another list_append.
      if (out.function == "list_append" && argument.function == "list_append") NoteMisusedFunction(argument.function);
      AddChild(out.operand, argument);
    } while (Accept(TokenKind::kComma));
    CheckCall(out.function, out.operand);
    return Expect(TokenKind::kClose);
  }

  static void AddChild(Operand& parent, Parsed& child) { parent.children.push_back(std::move(child.operand)); }

  // Checks a call and converts its arguments to the form that the operand has in the tree.
  void CheckCall(std::string_view function, Operand& call) {
    if (!IsUpdateFunction(function)) {
      IsConditionFunction(function) ? NoteMisusedFunction(function) : NoteUnknownFunction(function);
      return;
    }
    if (call.children.size() != 2) {
      NoteOperandCount(function, call.children.size(), Fault::kFunction);
    } else if (function == "list_append") {
      call.kind = Operand::Kind::kListAppend;
      CheckTypes(function, Type::kL, call.children);
    } else if (call.children[0].kind != Operand::Kind::kPath) {
      NotePathRequired(function, Fault::kFunction);
    } else {
      call.kind = Operand::Kind::kIfNotExists;
      call.path = std::move(call.children[0].path);
      call.children.erase(call.children.begin());
    }
  }

  // Only values in the request have a known type before the item is known.
  void CheckTypes(std::string_view function, Type wanted, const std::vector<Operand>& operands) {
    for (const Operand& operand : operands) {
      if (operand.kind != Operand::Kind::kValue || !operand.children.empty() || operand.value.type() == wanted)
        continue;
      NoteOperandType(function, NameOf(operand.value.type()), Fault::kFunction);
    }
  }

  // The paths that are written to, in textual order.
  std::vector<const Path*> TargetsInOrder() const {
    std::vector<const Path*> paths;
    size_t used[std::size(kSections)] = {};
    for (const size_t section : targets_) {
      const size_t i = used[section]++;
      paths.push_back(section == 0   ? &update_.sets[i].path
                      : section == 1 ? &update_.removes[i]
                      : section == 2 ? &update_.adds[i].path
                                     : &update_.deletes[i].path);
    }
    return paths;
  }

  Update update_;
  std::vector<size_t> targets_;  // the section of each action
};

}  // namespace

Result<Update> ParseUpdate(std::string_view text, Placeholders& placeholders) {
  constexpr std::string_view kParameter = "UpdateExpression";
  if (Status size = CheckExpressionSize(text); !size.ok()) {
    return InvalidExpression(kParameter, std::move(size).TakeError());
  }
  Result<Update> parsed = UpdateParser(text, placeholders).Parse();
  if (!parsed.ok()) return InvalidExpression(kParameter, std::move(parsed).TakeError());
  return parsed;
}

}  // namespace keyfold::expr

#include "model/compile/expression.h"

#include <algorithm>
#include <array>

#include "base/text/ascii.h"
#include "model/core/path.h"

namespace keyfold::model {
namespace {

// Replaces the characters that an alias cannot have.
std::string Cleaned(std::string_view name) {
  std::string out;
  for (const char c : name) out += IsLetterOrDigit(c) ? c : '_';
  return out.empty() ? "_" : out;
}

std::string_view ComparatorSign(Comparator comparator) {
  switch (comparator) {
    case Comparator::kNotEqual:
      return " <> ";
    case Comparator::kLess:
      return " < ";
    case Comparator::kLessEqual:
      return " <= ";
    case Comparator::kGreater:
      return " > ";
    case Comparator::kGreaterEqual:
      return " >= ";
    default:
      return " = ";
  }
}

}  // namespace

std::string ExpressionWriter::Name(std::string_view attribute) {
  for (const auto& [alias, name] : aliases_.names) {
    if (name == attribute) return alias;
  }
  aliases_.names.emplace_back(FreeAlias(attribute), attribute);
  return aliases_.names.back().first;
}

std::string ExpressionWriter::GivenName(std::string_view input) {
  for (const auto& [alias, name] : aliases_.given_names) {
    if (name == input) return alias;
  }
  aliases_.given_names.emplace_back(FreeAlias(input), input);
  return aliases_.given_names.back().first;
}

std::string ExpressionWriter::FreeAlias(std::string_view name) const {
  const std::string base = '#' + Cleaned(name);
  std::string alias = base;
  const auto taken = [&](const auto& all) {
    return std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.first == alias; });
  };
  for (int i = 2; taken(aliases_.names) || taken(aliases_.given_names); ++i) alias = base + std::to_string(i);
  return alias;
}

std::string ExpressionWriter::Path(std::string_view path, std::string_view attribute) {
  std::string out = Name(attribute);
  std::string_view rest = path.substr(attribute.size());
  while (!rest.empty()) {
    const size_t end = std::min(rest.find_first_of(".[", 1), rest.size());
    const std::string_view name = rest.substr(1, end - 1);
    const std::string_view input = InputOfName(name);
    out += rest[0] != '.'   ? std::string(rest.substr(0, end))
           : !input.empty() ? '.' + GivenName(input)
                            : '.' + Name(name);
    rest.remove_prefix(end);
  }
  return out;
}

std::string ExpressionWriter::Value(std::string_view hint, const Formula& value) {
  const std::string base = ':' + Cleaned(hint);
  std::string name = base;
  for (int i = 2;; ++i) {
    const auto it = std::find_if(aliases_.values.begin(), aliases_.values.end(),
                                 [&](const NamedValue& one) { return one.name == name; });
    if (it == aliases_.values.end()) break;
    if (it->value.SameAs(value)) return name;
    name = base + std::to_string(i);
  }
  aliases_.values.push_back({name, value});
  return name;
}

std::string ExpressionWriter::Compare(const Comparison& comparison, FormulaOf formula_of) {
  std::string path = Path(comparison.path, comparison.attribute);
  if (comparison.comparator == Comparator::kExists) return "attribute_exists(" + path + ')';
  if (comparison.comparator == Comparator::kMissing) return "attribute_not_exists(" + path + ')';
  std::string values;
  for (const Operand& operand : comparison.operands()) {
    (values += values.empty() ? "" : ", ") +=
        Value(HintOf(operand, comparison.attribute), formula_of(comparison, operand));
  }
  if (comparison.comparator == Comparator::kBeginsWith) return "begins_with(" + path + ", " + values + ')';
  if (comparison.comparator == Comparator::kContains) return "contains(" + path + ", " + values + ')';
  if (comparison.size) path = "size(" + path + ')';
  if (comparison.comparator == Comparator::kIn) return path + " IN (" + values + ')';
  return path + std::string(ComparatorSign(comparison.comparator)) + values;
}

std::string ExpressionWriter::Compare(const ConditionNode& node, FormulaOf formula_of) {
  if (node.kind == ConditionNode::Kind::kComparison) return Compare(node.comparison, formula_of);
  std::string all;
  for (const ConditionNode& part : node.parts) {
    if (!all.empty()) all += node.kind == ConditionNode::Kind::kAnd ? " AND " : " OR ";
    all += Compare(part, formula_of);
  }
  return (node.kind == ConditionNode::Kind::kNot ? "NOT (" : "(") + all + ')';
}

const Attribute* OperandAttribute(const Comparison& comparison, const Attribute* declared) {
  static const std::array<Attribute, 3> kElements = [] {
    std::array<Attribute, 3> all;
    all[0].type = AttributeType::kString;
    all[1].type = AttributeType::kNumber;
    all[2].type = AttributeType::kBinary;
    return all;
  }();
  if (comparison.size) return &kElements[1];
  const bool contains = comparison.comparator == Comparator::kContains;
  if (!contains || declared == nullptr || !IsDocument(declared->type)) return declared;
  const AttributeType element = ElementOf(declared->type);
  return element == AttributeType::kNumber   ? &kElements[1]
         : element == AttributeType::kBinary ? &kElements[2]
                                             : &kElements[0];
}

Formula OperandFormula(const Operand& operand, const Attribute* attribute) {
  Formula formula;
  Piece piece;
  piece.text = operand.text;
  if (attribute != nullptr) {
    piece.type = attribute->type;
    formula.type = StoredAs(attribute->type);
  }
  switch (operand.kind) {
    case Operand::Kind::kInput:
      piece.kind = Piece::Kind::kInput;
      break;
    case Operand::Kind::kNow:
      piece.kind = Piece::Kind::kNow;
      if (!IsTimeOrdered(piece.type)) formula.type = StoredType::kN;
      break;
    case Operand::Kind::kNumber:
      formula.type = StoredType::kN;
      break;
    case Operand::Kind::kBool:
      formula.type = StoredType::kBool;
      break;
    case Operand::Kind::kString:
      formula.type = StoredType::kS;
      break;
  }
  formula.pieces.push_back(std::move(piece));
  return formula;
}

bool UsesAlias(std::string_view expression, std::string_view alias) {
  const auto is_letter = [](char c) { return IsLetterOrDigit(c) || c == '_'; };
  for (size_t at = expression.find(alias); at != std::string_view::npos; at = expression.find(alias, at + 1)) {
    const size_t end = at + alias.size();
    if (end == expression.size() || !is_letter(expression[end])) return true;
  }
  return false;
}

std::string_view HintOf(const Operand& operand, std::string_view attribute) {
  if (operand.kind == Operand::Kind::kNow) return "now";
  return operand.kind == Operand::Kind::kInput ? std::string_view(operand.text) : attribute;
}

}  // namespace keyfold::model

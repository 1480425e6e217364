// Writes the expressions of a Query or Scan: the key condition, and the filter for what it does not cover.
#include <algorithm>

#include "model/compile/access_compiler.h"
#include "model/compile/pieces.h"

namespace keyfold::model {
namespace {

constexpr Rule<"a condition with or or not tests {}, which is part of the key, and DynamoDB refuses that in a filter">
    kKeyFilter{"access-key-filter", Kind::kValidation};

std::string_view RangeSign(SortRange::Op op) {
  constexpr std::string_view kSigns[] = {"", "", "", " < ", " <= ", " > ", " >= "};
  return kSigns[static_cast<size_t>(op)];
}

}  // namespace

void ReadCompiler::WriteKeyCondition() {
  ExpressionWriter writer(access_.aliases);
  const KeyRead& read = access_.read();
  for (const auto* parts : {&read.partition, &read.sort}) {
    for (const KeyPart& part : *parts) {
      ExpressionWriter::Join(access_.key_condition,
                             writer.Name(part.attribute) + " = " + writer.Value(part.attribute, part.value));
    }
  }
  const SortRange& range = read.range;
  if (range.op == SortRange::Op::kNone) return;
  const std::string name = writer.Name(range.attribute);
  std::string text;
  if (range.op == SortRange::Op::kBetween) {
    text = name + " BETWEEN " + writer.Value(range.attribute + "_from", range.low);
    text += " AND " + writer.Value(range.attribute + "_to", range.high);
  } else if (range.op == SortRange::Op::kBeginsWith) {
    text = "begins_with(" + name + ", " + writer.Value(range.attribute, range.low) + ')';
  } else {
    text = name + std::string(RangeSign(range.op)) + writer.Value(range.attribute, range.low);
  }
  ExpressionWriter::Join(access_.key_condition, text);
}

bool ReadCompiler::IsKeyAttribute(std::string_view attribute) const {
  if (pattern_.verb == Verb::kScan) return false;
  const auto in = [&](const KeySide& side) { return std::find(side.begin(), side.end(), attribute) != side.end(); };
  return in(model_.PartitionKey(index_)) || in(model_.SortKey(index_));
}

// DynamoDB refuses key attributes in a filter. The caller can test a comparison that has to hold, but not a part of a
// condition that may or may not.
ReadCompiler::Missing ReadCompiler::CheckFilter() const {
  for (const ConditionNode& node : pattern_.where.other) {
    for (const Comparison* one : ComparisonsOf(node)) {
      if (!IsKeyAttribute(one->attribute)) continue;
      return Refuse(Unserved::Why::kKeyFilter, pattern_.entities[0], one->attribute,
                    kKeyFilter(one->attribute).message());
    }
  }
  return {};
}

// A scan of a table or index with several entities filters the wanted ones by the type attribute.
void ReadCompiler::WriteTypeFilter(ExpressionWriter& writer) {
  const KeyRead& read = access_.read();
  const auto is_there = [&](const Entity& entity) { return !index_ || entity.Has(model_.indexes[*index_]); };
  const auto there = std::count_if(model_.entities.begin(), model_.entities.end(), is_there);
  const bool scan = pattern_.verb == Verb::kScan && !model_.table.type_attribute.empty();
  if (!scan || read.wanted.size() == static_cast<size_t>(there)) return;
  std::string list;
  for (const EntityId id : read.wanted) {
    const Formula value{StoredType::kS, {LiteralPiece(model_.entities[id].name)}};
    (list += list.empty() ? "" : ", ") += writer.Value(model_.table.type_attribute, value);
  }
  const std::string name = writer.Name(model_.table.type_attribute);
  ExpressionWriter::Join(access_.filter, read.wanted.size() == 1 ? name + " = " + list : name + " IN (" + list + ')');
}

// Returns true if all variants that are read consist of items for which the equality holds.
bool ReadCompiler::IsImplied(const Comparison& one) const {
  const KeyRead& read = access_.read();
  if (one.comparator != Comparator::kEqual || one.size || !one.right.IsLiteral()) return false;
  for (size_t i = 0; i < read.wanted.size(); ++i) {
    if (i >= read.variants.size() || read.variants[i].empty()) return false;
    const Entity& entity = model_.entities[read.wanted[i]];
    for (const VariantId variant : read.variants[i]) {
      if (variant == kNoVariant ? !IsLeftOver(entity, one) : !Requires(entity.variants[variant].condition, one))
        return false;
    }
  }
  return !read.wanted.empty();
}

bool ReadCompiler::Requires(const Condition& condition, const Comparison& one) {
  return std::any_of(condition.all.begin(), condition.all.end(), [&](const Comparison& other) {
    return other.comparator == Comparator::kEqual && !other.size && other.path == one.path && other.right == one.right;
  });
}

// Returns true if the variants take every other value of the enum, so that items of no variant have this one.
bool ReadCompiler::IsLeftOver(const Entity& entity, const Comparison& one) {
  const Attribute* attribute = entity.Find(one.path);
  if (attribute == nullptr || attribute->values.empty() || attribute->optional) return false;
  return std::all_of(attribute->values.begin(), attribute->values.end(), [&](const std::string& value) {
    const auto taken = [&](const Variant& variant) {
      const Condition& condition = variant.condition;
      return condition.other.empty() && condition.all.size() == 1 && condition.all[0].path == one.path &&
             condition.all[0].comparator == Comparator::kEqual && condition.all[0].right.text == value;
    };
    return value == one.right.text || std::any_of(entity.variants.begin(), entity.variants.end(), taken);
  });
}

// Writes the conditions that the key condition does not cover.
void ReadCompiler::WriteFilter() {
  ExpressionWriter writer(access_.aliases);
  const SortRange& range = access_.read().range;
  const auto add = [&](std::string_view attribute, const auto& make) {
    if (IsKeyAttribute(attribute)) return access_.untested.emplace_back(attribute), void();
    ExpressionWriter::Join(access_.filter, make(*FindAttribute(attribute)));
  };
  WriteTypeFilter(writer);
  for (const Binding& one : pattern_.by) {
    if (Contains(in_key_, one.attribute)) continue;
    access_.unused_by.push_back(one.attribute);
    add(one.attribute, [&](const Attribute& attribute) {
      return writer.Name(attribute.name) + " = " + writer.Value(one.value.text, OperandFormula(one.value, &attribute));
    });
  }
  if (pattern_.between && range.of != pattern_.between->attribute) {
    access_.range_filtered = true;
    add(pattern_.between->attribute, [&](const Attribute& attribute) {
      Formula to = OperandFormula(pattern_.between->to, &attribute);
      const bool input = to.type == StoredType::kS && to.pieces[0].kind == Piece::Kind::kInput;
      if (input) to.end = Formula::End::kOpen;
      std::string text = writer.Name(attribute.name) + " BETWEEN ";
      text += writer.Value(attribute.name + "_from", OperandFormula(pattern_.between->from, &attribute));
      return text + " AND " + writer.Value(attribute.name + "_to", to);
    });
  }
  if (pattern_.begins && range.of != pattern_.begins->attribute) {
    access_.range_filtered = true;
    add(pattern_.begins->attribute, [&](const Attribute& attribute) {
      return "begins_with(" + writer.Name(attribute.name) + ", " +
             writer.Value(attribute.name, OperandFormula(pattern_.begins->prefix, &attribute)) + ')';
    });
  }
  const auto formula_of = [&](const Comparison& one, const Operand& operand) {
    return OperandFormula(operand, OperandAttribute(one, FindDeclared(one.path)));
  };
  for (const Comparison& one : pattern_.where.all) {
    const bool in_key = std::find(in_range_.begin(), in_range_.end(), &one) != in_range_.end();
    const bool equal = one.comparator == Comparator::kEqual && !one.size && Contains(exactly_, one.path) &&
                       Given(model_.entities[access_.read().wanted[0]], one.path) == one.right;
    if (in_key || equal || IsImplied(one)) continue;
    add(one.attribute, [&](const Attribute&) { return writer.Compare(one, formula_of); });
  }
  for (const ConditionNode& one : pattern_.where.other) {
    ExpressionWriter::Join(access_.filter, writer.Compare(one, formula_of));
  }
}

}  // namespace keyfold::model

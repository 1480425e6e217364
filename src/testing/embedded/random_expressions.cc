#include "testing/embedded/random_expressions.h"

#include <algorithm>

namespace keyfold::embedded {
namespace {

std::string Joined(const std::vector<std::string>& parts, std::string_view by) {
  std::string out;
  for (const std::string& part : parts) out.append(out.empty() ? "" : by).append(part);
  return out;
}

bool IsOrdered(Type type) { return type == Type::kS || type == Type::kN || type == Type::kB; }

}  // namespace

RandomExpressions::Attribute RandomExpressions::PickAttribute(const KeySchema* spared) {
  while (true) {
    if (values_.OneIn(3)) {
      const KeyAttribute& part = values_.OneOf(table_.attributes);
      if (spared && spared->Names(part.name)) {
        if (values_.OneIn(50)) return {part.name, part.type, true};
        continue;
      }
      return {part.name, part.type, true};
    }
    const RandomValues::Plain plain = values_.PlainAttribute();
    return {std::string(plain.name), plain.type};
  }
}

std::vector<RandomExpressions::Attribute> RandomExpressions::PickChanged(size_t count) {
  std::vector<Attribute> picked;
  while (picked.size() < count) {
    Attribute attribute = PickAttribute(nullptr);
    if (table_.key.Names(attribute.name) && !values_.OneIn(100)) continue;
    const auto same = [&](const Attribute& other) { return other.name == attribute.name; };
    if (std::none_of(picked.begin(), picked.end(), same)) picked.push_back(std::move(attribute));
  }
  return picked;
}

std::string RandomExpressions::ValueFor(const Attribute& attribute) {
  if (values_.OneIn(attribute.is_index_key ? 100 : 20)) return values_.Any(1);
  return attribute.is_index_key ? values_.IndexKeyValue(table_, {attribute.name, attribute.type})
                                : values_.Of(attribute.type);
}

std::string RandomExpressions::Name(std::string_view attribute) {
  if (attribute != "text" && values_.OneIn(2)) return std::string(attribute);
  for (const auto& [placeholder, name] : names_) {
    if (name == attribute) return placeholder;
  }
  names_.emplace_back("#n" + std::to_string(names_.size()), attribute);
  return names_.back().first;
}

std::string RandomExpressions::Value(std::string json) {
  texts_.emplace_back(":v" + std::to_string(texts_.size()), std::move(json));
  return texts_.back().first;
}

std::string RandomExpressions::Path(const Attribute& attribute) {
  std::string path = Name(attribute.name);
  if (attribute.type == Type::kM && values_.OneIn(2)) path.append(values_.Word({".x", ".y", ".m.x"}));
  if (attribute.type == Type::kL && values_.OneIn(2)) path.append(values_.Word({"[0]", "[1]", "[2].x"}));
  return path;
}

std::string RandomExpressions::Function(const Attribute& attribute) {
  const std::string path = Path(attribute);
  switch (values_.Below(6)) {
    case 0:
      return "attribute_exists(" + path + ")";
    case 1:
      return "attribute_not_exists(" + path + ")";
    case 2:
      return "attribute_type(" + path + ", " +
             Value("{\"S\":\"" + std::string(NameOf(static_cast<Type>(values_.Below(10)))) + "\"}") + ")";
    case 3:
      return "begins_with(" + path + ", " + Value(values_.Of(values_.OneIn(2) ? Type::kS : Type::kB)) + ")";
    case 4:
      return "contains(" + path + ", " + Value(values_.Of(values_.KeyType())) + ")";
    default:
      return "size(" + path + ") " + std::string(values_.Word({"<", ">=", "="})) + " " +
             Value("{\"N\":\"" + std::to_string(values_.Below(5)) + "\"}");
  }
}

std::string RandomExpressions::Comparison(const KeySchema* spared) {
  const Attribute attribute = PickAttribute(spared);
  if (values_.OneIn(2)) return Function(attribute);
  const std::string path = Path(attribute);
  if (values_.OneIn(6)) {
    std::vector<std::string> operands;
    for (size_t left = 1 + values_.Below(3); left > 0; --left) operands.push_back(Value(ValueFor(attribute)));
    return path + " IN (" + Joined(operands, ", ") + ")";
  }
  if (!IsOrdered(attribute.type)) {
    return path + std::string(values_.Word({" = ", " <> "})) + Value(ValueFor(attribute));
  }
  if (values_.OneIn(6)) {
    const std::string bound = ValueFor(attribute);
    return path + " BETWEEN " + Value(bound) + " AND " + Value(values_.OneIn(4) ? ValueFor(attribute) : bound);
  }
  return path + " " + std::string(values_.Word({"=", "<>", "<", "<=", ">", ">="})) + " " + Value(ValueFor(attribute));
}

std::string RandomExpressions::Condition(int depth, const KeySchema* spared) {
  if (depth == 0 || values_.OneIn(3)) return Comparison(spared);
  if (values_.OneIn(4)) return "NOT " + Comparison(spared);
  const std::string op(values_.Word({" AND ", " OR "}));
  const std::string left = Condition(depth - 1, spared);
  const std::string right = Comparison(spared);
  return values_.OneIn(2) ? left + op + right : "(" + left + op + right + ") OR " + Comparison(spared);
}

std::string RandomExpressions::SetAction(const Attribute& attribute) {
  const std::string name = Name(attribute.name);
  if (!attribute.is_index_key && values_.OneIn(3)) {
    if (attribute.type == Type::kN) return name + " = " + name + " + " + Value(values_.Of(Type::kN));
    if (attribute.type == Type::kL) {
      return name + " = list_append(if_not_exists(" + name + ", " + Value("{\"L\":[]}") + "), " +
             Value(values_.Of(Type::kL)) + ")";
    }
    if (attribute.type == Type::kM) return name + ".x = " + Value(values_.Any(1));
    const std::string other = Name(values_.PlainAttribute().name);
    return name + " = if_not_exists(" + other + ", " + Value(ValueFor(attribute)) + ")";
  }
  return name + " = " + Value(ValueFor(attribute));
}

std::string RandomExpressions::Update() {
  std::vector<std::string> sets, removes, adds, deletes;
  for (const Attribute& attribute : PickChanged(1 + values_.Below(4))) {
    const size_t action = values_.Below(6);
    if (action == 0) {
      removes.push_back(Path(attribute));
    } else if (action == 1 && (attribute.type == Type::kN || IsSet(attribute.type))) {
      adds.push_back(Name(attribute.name) + " " + Value(values_.Of(attribute.type)));
    } else if (action == 2 && IsSet(attribute.type)) {
      deletes.push_back(Name(attribute.name) + " " + Value(values_.Of(attribute.type)));
    } else {
      sets.push_back(SetAction(attribute));
    }
  }
  std::vector<std::string> clauses;
  if (!sets.empty()) clauses.push_back("SET " + Joined(sets, ", "));
  if (!removes.empty()) clauses.push_back("REMOVE " + Joined(removes, ", "));
  if (!adds.empty()) clauses.push_back("ADD " + Joined(adds, ", "));
  if (!deletes.empty()) clauses.push_back("DELETE " + Joined(deletes, ", "));
  return Joined(clauses, " ");
}

std::string RandomExpressions::Projection() {
  std::vector<std::string> paths;
  std::vector<std::string> roots;
  for (size_t left = 1 + values_.Below(4); left > 0; --left) {
    const Attribute attribute = PickAttribute(nullptr);
    if (std::find(roots.begin(), roots.end(), attribute.name) != roots.end()) continue;
    roots.push_back(attribute.name);
    paths.push_back(Path(attribute));
  }
  return Joined(paths, ", ");
}

std::string RandomExpressions::KeyPartValue(const KeyAttribute& part) {
  const KeyPools pools = PoolsOf(table_);
  if (!table_.key.Names(part.name)) return values_.KeyValue(part.type, pools.index);
  const bool is_partition = table_.key.partition.front().name == part.name;
  return values_.KeyValue(part.type, is_partition ? pools.partition : pools.sort);
}

std::string RandomExpressions::SortCondition(const KeyAttribute& part) {
  const std::string name = Name(part.name);
  const std::string value = KeyPartValue(part);
  if (values_.OneIn(5)) return name + " BETWEEN " + Value(value) + " AND " + Value(KeyPartValue(part));
  if (values_.OneIn(5) && part.type != Type::kN) return "begins_with(" + name + ", " + Value(value) + ")";
  return name + " " + std::string(values_.Word({"<", "<=", ">", ">="})) + " " + Value(value);
}

std::string RandomExpressions::KeyCondition(const KeySchema& key) {
  std::vector<std::string> terms;
  for (const KeyAttribute& part : key.partition) terms.push_back(Name(part.name) + " = " + Value(KeyPartValue(part)));
  for (const KeyAttribute& part : key.sort) {
    if (values_.OneIn(2)) break;
    if (values_.OneIn(2)) {
      terms.push_back(SortCondition(part));
      break;
    }
    terms.push_back(Name(part.name) + " = " + Value(KeyPartValue(part)));
  }
  return Joined(terms, " AND ");
}

void RandomExpressions::WritePlaceholders(json::Writer& out) const {
  if (!names_.empty()) {
    out.Key("ExpressionAttributeNames");
    out.BeginObject();
    for (const auto& [placeholder, name] : names_) out.Member(placeholder, name);
    out.EndObject();
  }
  if (!texts_.empty()) {
    out.Key("ExpressionAttributeValues");
    out.Raw(TextOf(texts_));
  }
}

std::string RandomExpressions::Operands(std::string_view op, const Attribute& attribute) {
  if (op == "NULL" || op == "NOT_NULL") return {};
  std::vector<std::string> operands{ValueFor(attribute)};
  if (op == "BETWEEN") operands.push_back(values_.OneIn(4) ? ValueFor(attribute) : operands[0]);
  if (op == "IN") operands.push_back(ValueFor(attribute));
  return ",\"AttributeValueList\":[" + Joined(operands, ",") + "]";
}

std::string RandomExpressions::LegacyConditions(const KeySchema* spared, bool expected, size_t count) {
  AttributeTexts conditions;
  while (conditions.size() < count) {
    const Attribute attribute = PickAttribute(spared);
    const auto same = [&](const auto& c) { return c.first == attribute.name; };
    if (std::any_of(conditions.begin(), conditions.end(), same)) continue;
    if (expected && values_.OneIn(3)) {
      conditions.emplace_back(attribute.name,
                              values_.OneIn(2) ? "{\"Exists\":false}" : "{\"Value\":" + ValueFor(attribute) + "}");
      continue;
    }
    const std::string op(IsOrdered(attribute.type)
                             ? values_.Word({"EQ", "NE", "LT", "LE", "GT", "GE", "NULL", "NOT_NULL", "BETWEEN", "IN",
                                             "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH"})
                             : values_.Word({"EQ", "NE", "NULL", "NOT_NULL"}));
    conditions.emplace_back(attribute.name, "{\"ComparisonOperator\":\"" + op + "\"" + Operands(op, attribute) + "}");
  }
  return TextOf(conditions);
}

std::string RandomExpressions::LegacyUpdates() {
  AttributeTexts updates;
  for (const Attribute& attribute : PickChanged(1 + values_.Below(3))) {
    const bool countable = attribute.type == Type::kN || IsSet(attribute.type);
    const std::string action(countable ? values_.Word({"PUT", "ADD", "DELETE"}) : values_.Word({"PUT", "DELETE"}));
    const bool has_value = action != "DELETE" || (IsSet(attribute.type) && values_.OneIn(2));
    updates.emplace_back(attribute.name, "{\"Action\":\"" + action + "\"" +
                                             (has_value ? ",\"Value\":" + ValueFor(attribute) : "") + "}");
  }
  return TextOf(updates);
}

std::string RandomExpressions::LegacyKeyConditions(const KeySchema& key) {
  const auto equals = [&](const KeyAttribute& part) {
    return "{\"ComparisonOperator\":\"EQ\",\"AttributeValueList\":[" + KeyPartValue(part) + "]}";
  };
  AttributeTexts conditions;
  for (const KeyAttribute& part : key.partition) conditions.emplace_back(part.name, equals(part));
  if (key.sort.empty() || values_.OneIn(3)) return TextOf(conditions);
  const KeyAttribute& part = key.sort.front();
  const std::string op(values_.Word({"EQ", "LT", "LE", "GT", "GE", "BETWEEN"}));
  const std::string second = op == "BETWEEN" ? "," + KeyPartValue(part) : "";
  conditions.emplace_back(part.name, "{\"ComparisonOperator\":\"" + op + "\",\"AttributeValueList\":[" +
                                         KeyPartValue(part) + second + "]}");
  return TextOf(conditions);
}

std::string RandomExpressions::AttributesToGet() {
  std::string out = "[";
  for (const Attribute& attribute : PickChanged(1 + values_.Below(3))) {
    out += (out.size() > 1 ? ",\"" : "\"") + attribute.name + "\"";
  }
  return out + "]";
}

}  // namespace keyfold::embedded

#include "model/generate/python/function.h"

#include <fmt/format.h>

#include "model/generate/literal.h"
#include "model/generate/python/dictionary.h"

namespace keyfold::model::python {

FunctionCode::FunctionCode(const Program& program, const std::vector<EntityNames>& entities, const Values& values,
                           const Access& access, std::string name, Scope& scope, Code& code)
    : PatternFunction(program, values, access, code), entities_(entities), function_(std::move(name)), scope_(scope) {
  for (const EntityNames& one : entities) maps_.insert(one.maps.begin(), one.maps.end());
}

std::string FunctionCode::TypeOfInput(const Input& input) const {
  if (input.attribute == nullptr) return IsBelowAttribute(pattern_, input.name) ? "str | bool | Number" : "str";
  const bool choice = input.attribute->type == AttributeType::kEnum;
  return choice && IsBound(pattern_, input.name) ? "str" : TypeOf(*input.attribute, true, maps_);
}

// Writes types for repeated elements and for a batch's keys. Other inputs are parameters.
void FunctionCode::WriteTypes() {
  const std::string base = Cased(Case::kPascal, pattern_.name);
  const auto fields_of = [&](const std::vector<Input>& inputs) {
    std::vector<Field> fields;
    for (const Input& one : inputs) {
      const bool may_miss = InputMayMiss(one);
      fields.push_back({one.name, TypeOfInput(one) + (may_miss ? " | None" : ""), may_miss});
    }
    return fields;
  };
  Scope scope(ReservedIn(Place::kParameter));
  for (const Input& input : access_.inputs) parameters_[input.name] = scope.Take(ParameterName(input.name));
  for (const model::Write& write : access_.writes) {
    if (write.times == 1) continue;
    const std::string& entity = model_.entities[write.entity].name;
    const Elements& elements = lists_[&write] = {scope.Take(Cased(Case::kSnake, entity) + 's'),
                                                 scope_.Take(base + Cased(Case::kPascal, entity))};
    WriteDictionary(elements.type, fmt::format("One element of {}.", elements.name), fields_of(write.each), code_);
  }
  WriteResultType();
  if (access_.operation != Operation::kBatchGetItem) return;
  batch_type_ = scope_.Take(base + "Key");
  WriteDictionary(batch_type_, fmt::format("Input for one key of {}.", function_), fields_of(access_.inputs), code_);
}

void FunctionCode::OpenFunction(const std::string& result, bool paged) {
  std::vector<std::string> parameters;
  std::vector<std::string> optional;
  if (!batch_type_.empty()) parameters.push_back("keys: Iterable[" + batch_type_ + ']');
  for (const Input& input : access_.inputs) {
    if (!batch_type_.empty()) break;
    const std::string& name = parameters_[input.name];
    if (InputMayMiss(input)) {
      optional.push_back(fmt::format("{}: {} | None = None", name, TypeOfInput(input)));
    } else {
      parameters.push_back(name + ": " + TypeOfInput(input));
    }
  }
  for (const model::Write& write : access_.writes) {
    if (write.times > 1)
      parameters.push_back(fmt::format("{}: Iterable[{}]", lists_[&write].name, lists_[&write].type));
  }
  parameters.insert(parameters.end(), optional.begin(), optional.end());
  if (paged) parameters.push_back("cursor: str | None = None");
  code_.Add("\n\n");
  if (!parameters.empty()) parameters.insert(parameters.begin(), "*");
  parameters.insert(parameters.begin(), "db: Db");
  code_.OpenList(fmt::format("def {}(", function_), parameters, fmt::format(") -> {}:", result));
  std::vector<std::string> about = About();
  if (IsConditional()) about.push_back("Raises ConditionFailed if a condition fails; nothing is written then.");
  if (paged) about.push_back("Raises InvalidCursor if the cursor is not one that it returned.");
  about[0] = "r\"\"\"" + about[0];
  for (const std::string& line : about) code_.Add(line);
  code_.Add("\"\"\"");
}

std::string FunctionCode::ParameterOf(std::string_view input) const {
  const auto it = parameters_.find(input);
  return it == parameters_.end() ? ParameterName(std::string(input)) : it->second;
}

std::string FunctionCode::InputOf(const model::Write* write, std::string_view name) const {
  const Input* each = write != nullptr ? FindInput(write->each, name) : nullptr;
  const Input* input = each != nullptr ? each : FindInput(access_.inputs, name);
  std::string value = GivenInput(write, name);
  if (input != nullptr && InputMayMiss(*input)) value = fmt::format("_required({}, {})", QuotedText(name), value);
  return Converted(input, value);
}

std::string FunctionCode::Converted(const Input* input, const std::string& value) {
  const bool typed_map = input != nullptr && input->attribute != nullptr && !input->attribute->fields.empty();
  return typed_map ? fmt::format("_stored({}, {})", value, ShapeOf(*input->attribute)) : value;
}

std::string FunctionCode::PresentInput(const model::Write* write, std::string_view name) const {
  const Input* each = write != nullptr ? FindInput(write->each, name) : nullptr;
  if (each != nullptr) return Converted(each, MemberOf("each", name));
  return Converted(FindInput(access_.inputs, name), ParameterOf(name));
}

std::string FunctionCode::GivenInput(const model::Write* write, std::string_view name) const {
  const Input* each = write != nullptr ? FindInput(write->each, name) : nullptr;
  if (each == nullptr) return ParameterOf(name);
  return InputMayMiss(*each) ? Get("each", name) : MemberOf("each", name);
}

std::string FunctionCode::Member(std::string_view name) const {
  return keyword_arguments_ ? fmt::format("{}=", name) : QuotedText(name) + ": ";
}

void FunctionCode::WriteText(std::string_view member, std::string_view text) {
  code_.Add(Member(member) + QuotedText(text) + ',');
}

void FunctionCode::WriteFlag(std::string_view member, bool value) {
  code_.Add(Member(member) + (value ? "True," : "False,"));
}

void FunctionCode::WriteCount(std::string_view member, uint64_t count) {
  code_.Add(Member(member) + std::to_string(count) + ',');
}

void FunctionCode::WriteAliases(const Aliases& aliases, const Names& names) {
  if (!aliases.names.empty()) {
    std::vector<std::string> members;
    for (const auto& [alias, name] : aliases.names) members.push_back(QuotedText(alias) + ": " + QuotedText(name));
    code_.Add(Member("ExpressionAttributeNames") + '{' + Joined(members) + "},");
  }
  if (aliases.values.empty()) return;
  code_.Open(Member("ExpressionAttributeValues") + "_attributes({");
  for (const NamedValue& one : aliases.values)
    code_.Add(fmt::format("{}: {},", QuotedText(one.name), target_.Value(one.value, names)));
  code_.Close("}),");
}

std::vector<std::string> FunctionCode::KeyMembers(const std::vector<KeyPart>& parts, const Names& names) const {
  std::vector<std::string> members;
  for (const KeyPart& part : parts)
    members.push_back(QuotedText(part.attribute) + ": " + target_.Value(part.value, names));
  return members;
}

std::string FunctionCode::KeyObject(const std::vector<KeyPart>& parts, const Names& names) const {
  return "_attributes({" + Joined(KeyMembers(parts, names)) + "})";
}

}  // namespace keyfold::model::python

#include "model/generate/typescript/function.h"

#include <fmt/format.h>

#include "model/generate/literal.h"

namespace keyfold::model::typescript {

FunctionCode::FunctionCode(const Program& program, const std::vector<EntityNames>& entities, const Values& values,
                           const Access& access, std::string name, Scope& scope, Code& code)
    : PatternFunction(program, values, access, code), entities_(entities), function_(std::move(name)), scope_(scope) {}

void FunctionCode::WriteInput(const Input& input) {
  std::string type = input.attribute != nullptr ? TypeOf(*input.attribute, true) : "string";
  if (input.attribute == nullptr && IsBelowAttribute(pattern_, input.name)) type = "string | number | boolean";
  const bool choice = input.attribute != nullptr && input.attribute->type == AttributeType::kEnum;
  if (choice && IsBound(pattern_, input.name)) type = "string";
  code_.Add(fmt::format("{}{}: {};", Property(input.name), InputMayMiss(input) ? "?" : "", type));
}

void FunctionCode::WriteTypes() {
  Scope members("");
  for (const Input& input : access_.inputs) members.Take(input.name);
  for (const model::Write& write : access_.writes) {
    if (write.times > 1) lists_[&write] = members.Take(Cased(Case::kCamel, model_.entities[write.entity].name) + 's');
  }
  WriteResultType();
  if (access_.inputs.empty() && lists_.empty()) return;
  input_type_ = scope_.Take(Cased(Case::kPascal, pattern_.name) + "Input");
  code_.Add();
  code_.Open(fmt::format("export interface {} {{", input_type_));
  for (const Input& input : access_.inputs) WriteInput(input);
  for (const model::Write& write : access_.writes) {
    if (write.times == 1) continue;
    code_.Open(fmt::format("{}: {{", Property(lists_[&write])));
    for (const Input& input : write.each) WriteInput(input);
    code_.Close("}[];");
  }
  code_.Close("}");
}

void FunctionCode::OpenFunction(std::string_view keyword, const std::string& result, bool paged) {
  code_.Add();
  code_.Add("/**");
  for (const std::string& line : About()) code_.Add(" * " + line);
  if (IsConditional()) code_.Add(" * @throws {ConditionFailed} if a condition fails; nothing is written then.");
  if (paged) code_.Add(" * @throws {InvalidCursor} if the cursor is not one that it returned.");
  code_.Add(" */");
  std::vector<std::string> parameters{"db: Db"};
  const bool batch = access_.operation == Operation::kBatchGetItem;
  if (!input_type_.empty()) parameters.push_back("input: " + input_type_ + (batch ? "[]" : ""));
  if (paged) parameters.push_back("cursor?: string");
  code_.Open(fmt::format("export async {} {}({}): {} {{", keyword, function_, Joined(parameters), result));
}

std::string FunctionCode::InputOf(const model::Write* write, std::string_view name) const {
  const Input* each = write != nullptr ? FindInput(write->each, name) : nullptr;
  const Input* input = each != nullptr ? each : FindInput(access_.inputs, name);
  std::string value = GivenInput(write, name);
  if (input != nullptr && InputMayMiss(*input)) value = fmt::format("required({}, {})", QuotedText(name), value);
  return PresentInput(write, name, value);
}

std::string FunctionCode::PresentInput(const model::Write* write, std::string_view name,
                                       const std::string& value) const {
  const Input* each = write != nullptr ? FindInput(write->each, name) : nullptr;
  const Input* input = each != nullptr ? each : FindInput(access_.inputs, name);
  const bool typed_map = input != nullptr && input->attribute != nullptr && !input->attribute->fields.empty();
  return typed_map ? fmt::format("stored({}, {})", value, ShapeOf(*input->attribute)) : value;
}

std::string FunctionCode::GivenInput(const model::Write* write, std::string_view name) const {
  const bool each = write != nullptr && FindInput(write->each, name) != nullptr;
  return MemberOf(each ? "each" : "input", name);
}

void FunctionCode::WriteText(std::string_view member, std::string_view text) {
  code_.Add(fmt::format("{}: {},", member, QuotedText(text)));
}

void FunctionCode::WriteFlag(std::string_view member, bool value) { code_.Add(fmt::format("{}: {},", member, value)); }

void FunctionCode::WriteCount(std::string_view member, uint64_t count) {
  code_.Add(fmt::format("{}: {},", member, count));
}

void FunctionCode::WriteAliases(const Aliases& aliases, const Names& names) {
  if (!aliases.names.empty()) {
    std::vector<std::string> members;
    for (const auto& [alias, name] : aliases.names) members.push_back(QuotedText(alias) + ": " + QuotedText(name));
    code_.Add("ExpressionAttributeNames: { " + Joined(members) + " },");
  }
  if (aliases.values.empty()) return;
  code_.Open("ExpressionAttributeValues: {");
  for (const NamedValue& one : aliases.values)
    code_.Add(fmt::format("{}: {},", QuotedText(one.name), target_.Value(one.value, names)));
  code_.Close("},");
}

std::vector<std::string> FunctionCode::KeyMembers(const std::vector<KeyPart>& parts, const Names& names) const {
  std::vector<std::string> members;
  for (const KeyPart& part : parts)
    members.push_back(Property(part.attribute) + ": " + target_.Value(part.value, names));
  return members;
}

std::string FunctionCode::KeyObject(const std::vector<KeyPart>& parts, const Names& names) const {
  return "{ " + Joined(KeyMembers(parts, names)) + " }";
}

}  // namespace keyfold::model::typescript

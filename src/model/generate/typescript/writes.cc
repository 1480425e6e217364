// The functions of patterns that write.
#include <fmt/format.h>

#include "model/core/calendar.h"
#include "model/generate/literal.h"
#include "model/generate/typescript/function.h"

namespace keyfold::model::typescript {
namespace {

std::string TimeText(const std::string& value, const Attribute& attribute) {
  return fmt::format("time({}, {})", value, LayoutOf(StoredFormat(attribute.type)).size());
}

// Converts a value of one declared type to another that is stored in the same form.
std::string Converted(const std::string& value, const Attribute& from, const Attribute& to, const std::string& wanted) {
  const std::string a = TypeOf(from, true);
  const std::string b = TypeOf(to, true);
  const bool choice = from.type == AttributeType::kEnum;
  if (a == b || b == "Time" || (choice && b == "string")) return value;
  if (a == "Time") return TimeText(value, from) + " as " + wanted;
  if (a == "number" && b == "string") return "String(" + value + ')';
  if (a == "string" && b == "number") return "Number(" + value + ')';
  return value + " as " + wanted;
}

}  // namespace

void FunctionCode::WriteSubject(const model::Write& write, const std::string& before, const std::string& after) {
  const auto value = [&](std::string_view name) { return InputOf(&write, name); };
  if (write.verb != Verb::kPut) return code_.AddList(before + "Key: { ", KeyMembers(write.key, {value}), " }" + after);
  const EntityNames& names = entities_[write.entity];
  std::vector<std::string> members;
  bool plain = write.each.empty();
  for (const ItemSource& one : ItemSourcesOf(write)) {
    const std::string& name = one.attribute->name;
    const std::string given = one.input == nullptr ? one.value : MemberOf(one.each ? "each" : "input", one.input->name);
    const std::string wanted = fmt::format("{}[{}]", names.input, QuotedText(name));
    const bool converts = one.input != nullptr && one.input->attribute != nullptr;
    const std::string member = converts ? Converted(given, *one.input->attribute, *one.attribute, wanted) : given;
    plain &= one.input != nullptr && member == given && one.input->name == name;
    members.push_back(Property(name) + ": " + member);
  }
  if (plain) return code_.Add(before + "Item: " + names.make + "(input)" + after);
  code_.AddList(before + "Item: " + names.make + "({ ", members, " })" + after);
}

void FunctionCode::WriteGuardedUpdate(const model::Write& write, const GuardedUpdate& update) {
  const auto value = [&](std::string_view name) { return PresentInput(&write, name, GivenInput(&write, name)); };
  code_.Open("...updateOf({");
  for (const ClauseList& list : update.lists) {
    std::vector<std::string> all;
    for (const GuardedClause& one : list.clauses)
      all.push_back((one.test.empty() ? "" : one.test + " && ") + QuotedText(one.text));
    code_.AddList(fmt::format("{}: [", list.word), all, "],");
  }
  if (!write.condition.empty()) code_.Add(fmt::format("condition: {},", QuotedText(write.condition)));
  std::vector<std::string> names;
  for (const auto& [alias, name] : write.aliases.names) names.push_back(QuotedText(alias) + ": " + QuotedText(name));
  code_.Add("names: { " + Joined(names) + " },");
  code_.Open("values: {");
  for (const NamedValue& one : write.aliases.values) {
    const std::string given = GivenTest(write, one.value);
    const std::string text = target_.Value(one.value, {value});
    code_.Add(
        fmt::format("{}: {},", QuotedText(one.name), given.empty() ? text : given + " ? " + text + " : undefined"));
  }
  code_.Close("},");
  if (!update.optional.empty()) code_.Add("oneOf: [" + Joined(update.optional) + "],");
  if (access_.operation == Operation::kTransactWriteItems) code_.Add("always: true,");
  code_.Close("}),");
}

void FunctionCode::OpenSend(const std::string& before, std::string_view command) {
  const std::string send = fmt::format("db.client.send(new {}({{", command);
  if (!IsConditional()) return code_.Open(before + "await " + send);
  std::vector<std::string> entities;
  for (const model::Write& write : access_.writes) {
    const std::string name = QuotedText(model_.entities[write.entity].name);
    const auto list = lists_.find(&write);
    entities.push_back(
        list == lists_.end() ? name : fmt::format("...{}.map(() => {})", MemberOf("input", list->second), name));
  }
  code_.OpenList(before + "await conditional([", entities, "], " + send);
}

void FunctionCode::WriteSingle() {
  const model::Write& write = access_.writes[0];
  const bool update = write.verb == Verb::kUpdate;
  const EntityNames& names = entities_[write.entity];
  OpenFunction("function", fmt::format("Promise<{}>", update ? names.type : "void"));
  const std::string command = std::string(ElementName(write.verb)) + "Command";
  OpenSend(update ? "const answer = " : "", command);
  code_.Add("TableName: db.table,");
  WriteSubject(write, "", ",");
  WriteExpressions(write);
  if (update) WriteText("ReturnValues", "ALL_NEW");
  code_.Close(SendEnd());
  if (update) code_.Add(fmt::format("return {}(answer.Attributes ?? {{}});", names.read));
  code_.Close("}");
}

// Writes one element of a transaction or batch.
void FunctionCode::WriteElement(const model::Write& write) {
  const bool repeated = write.times > 1;
  code_.Open(repeated ? fmt::format("...{}.map((each) => ({{", MemberOf("input", lists_[&write])) : "{");
  if (access_.operation == Operation::kBatchWriteItem) {
    WriteSubject(write, fmt::format("{}Request: {{ ", ElementName(write.verb)), " },");
  } else {
    code_.Open(fmt::format("{}: {{", ElementName(write.verb)));
    code_.Add("TableName: db.table,");
    WriteSubject(write, "", ",");
    WriteExpressions(write);
    code_.Close("},");
  }
  code_.Close(repeated ? "}))," : "},");
}

std::string FunctionCode::TokenText() const {
  const Input* input = FindInput(access_.inputs, access_.token);
  const std::string value = InputOf(nullptr, access_.token);
  if (input == nullptr || input->attribute == nullptr) return value;
  if (IsTimeText(input->attribute->type)) return TimeText(value, *input->attribute);
  return TypeOf(*input->attribute, false) == "string" ? value : "String(" + value + ')';
}

void FunctionCode::WriteTransaction() {
  OpenFunction("function", "Promise<void>");
  OpenSend("", "TransactWriteCommand");
  code_.Open("TransactItems: [");
  for (const model::Write& write : access_.writes) WriteElement(write);
  code_.Close("],");
  if (!access_.token.empty()) code_.Add(fmt::format("ClientRequestToken: {},", TokenText()));
  code_.Close(SendEnd());
  code_.Close("}");
}

void FunctionCode::WriteBatch() {
  OpenFunction("function", "Promise<void>");
  code_.Open("await batchWrite(db, [");
  for (const model::Write& write : access_.writes) WriteElement(write);
  code_.Close("]);");
  code_.Close("}");
}

}  // namespace keyfold::model::typescript

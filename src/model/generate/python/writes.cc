// The functions of patterns that write.
#include <fmt/format.h>

#include "model/core/calendar.h"
#include "model/generate/item_layout.h"
#include "model/generate/literal.h"
#include "model/generate/python/function.h"

namespace keyfold::model::python {

std::string FunctionCode::Given(const ItemSource& one) const {
  if (one.input == nullptr) return one.value;
  const std::string& name = one.input->name;
  const bool may_miss = InputMayMiss(*one.input);
  const std::string value = !one.each ? ParameterOf(name) : may_miss ? Get("each", name) : MemberOf("each", name);
  const std::string type = TypeOfInput(*one.input);
  const std::string wanted = TypeOf(*one.attribute, true, maps_);
  const bool choice = one.input->attribute != nullptr && one.input->attribute->type == AttributeType::kEnum;
  const bool fits = type == wanted || (wanted == "Time" && (type == "str" || choice)) || (wanted == "str" && choice) ||
                    (wanted == "Number" && type == "int");
  const bool demanded = may_miss && !MayLeaveOut(model_, model_.entities[one.entity], *one.attribute);
  const std::string there = demanded ? fmt::format("_required({}, {})", QuotedText(name), value) : value;
  return fits ? there : "cast(Any, " + there + ')';
}

void FunctionCode::WriteSubject(const model::Write& write, const std::string& before, const std::string& after) {
  const auto value = [&](std::string_view name) { return InputOf(&write, name); };
  if (write.verb != Verb::kPut)
    return code_.AddList(before + Member("Key") + "_attributes({", KeyMembers(write.key, {value}), "})" + after);
  std::vector<std::string> members;
  for (const ItemSource& one : ItemSourcesOf(write))
    members.push_back(QuotedText(one.attribute->name) + ": " + Given(one));
  const std::string make = Member("Item") + "_attributes(" + entities_[write.entity].make;
  code_.AddList(before + make + "({", members, "}))" + after);
}

void FunctionCode::WriteGuardedUpdate(const model::Write& write, const GuardedUpdate& update) {
  const auto value = [&](std::string_view name) { return PresentInput(&write, name); };
  code_.Open("**_update_of(");
  code_.Open("{");
  for (const ClauseList& list : update.lists) {
    std::vector<std::string> all;
    for (const GuardedClause& one : list.clauses)
      all.push_back(QuotedText(one.text) + (one.test.empty() ? "" : " if " + one.test + " else False"));
    code_.AddList(fmt::format("\"{}\": [", list.word), all, "],");
  }
  code_.Close("},");
  code_.Add(write.condition.empty() ? "None," : QuotedText(write.condition) + ',');
  std::vector<std::string> names;
  for (const auto& [alias, name] : write.aliases.names) names.push_back(QuotedText(alias) + ": " + QuotedText(name));
  code_.Add('{' + Joined(names) + "},");
  code_.Open("{");
  for (const NamedValue& one : write.aliases.values) {
    const std::string given = GivenTest(write, one.value);
    const std::string text = target_.Value(one.value, {value});
    code_.Add(
        fmt::format("{}: {},", QuotedText(one.name), given.empty() ? text : text + " if " + given + " else None"));
  }
  code_.Close("},");
  if (!update.optional.empty()) code_.Add("one_of=[" + Joined(update.optional) + "],");
  if (access_.operation == Operation::kTransactWriteItems) code_.Add("always=True,");
  code_.Close("),");
}

void FunctionCode::OpenCall(const std::string& before, std::string_view method) {
  if (!IsConditional()) return code_.Open(fmt::format("{}db.client.{}(", before, method));
  std::vector<std::string> entities;
  for (const model::Write& write : access_.writes) {
    const std::string name = QuotedText(model_.entities[write.entity].name);
    const auto list = lists_.find(&write);
    entities.push_back(list == lists_.end() ? name : fmt::format("*({} for _ in {})", name, list->second.name));
  }
  code_.Open(before + "_conditional(");
  code_.Add('[' + Joined(entities) + "],");
  code_.Add(fmt::format("db.client.{},", method));
}

void FunctionCode::WriteSingle() {
  const model::Write& write = access_.writes[0];
  const bool update = write.verb == Verb::kUpdate;
  const EntityNames& names = entities_[write.entity];
  OpenFunction(update ? names.type : "None");
  OpenCall(update ? "answer = " : "", Cased(Case::kSnake, ElementName(write.verb)) + "_item");
  code_.Add("TableName=db.table,");
  WriteSubject(write, "", ",");
  WriteExpressions(write);
  if (update) WriteText("ReturnValues", "ALL_NEW");
  code_.Close(")");
  if (update) code_.Add(fmt::format("return {}(_item(answer[\"Attributes\"]))", names.read));
  code_.Close();
}

// Writes one element of a transaction or batch.
void FunctionCode::WriteElement(const model::Write& write) {
  const bool repeated = write.times > 1;
  keyword_arguments_ = false;
  code_.Open(repeated ? "*({" : "{");
  if (access_.operation == Operation::kBatchWriteItem) {
    WriteSubject(write, fmt::format("\"{}Request\": {{", ElementName(write.verb)), "},");
  } else {
    code_.Open(fmt::format("\"{}\": {{", ElementName(write.verb)));
    code_.Add("\"TableName\": db.table,");
    WriteSubject(write, "", ",");
    WriteExpressions(write);
    code_.Close("},");
  }
  code_.Close(repeated ? fmt::format("}} for each in {}),", lists_[&write].name) : "},");
}

std::string FunctionCode::TokenText() const {
  const Input* input = FindInput(access_.inputs, access_.token);
  const std::string value = InputOf(nullptr, access_.token);
  if (input == nullptr || input->attribute == nullptr) return value;
  if (IsTimeText(input->attribute->type))
    return fmt::format("_time({}, {})", value, LayoutOf(StoredFormat(input->attribute->type)).size());
  return StoredAs(input->attribute->type) == StoredType::kN ? "_number_text(" + value + ')' : value;
}

void FunctionCode::WriteTransaction() {
  OpenFunction("None");
  // The list is iterated twice: for the writes, and for their entities.
  for (const auto& [write, elements] : lists_)
    if (IsConditional()) code_.Add(fmt::format("{0} = list({0})", elements.name));
  OpenCall("", "transact_write_items");
  code_.Open("TransactItems=[");
  for (const model::Write& write : access_.writes) WriteElement(write);
  code_.Close("],");
  if (!access_.token.empty()) code_.Add(fmt::format("ClientRequestToken={},", TokenText()));
  code_.Close(")");
  code_.Close();
}

void FunctionCode::WriteBatch() {
  OpenFunction("None");
  code_.Open("_batch_write(db, [");
  for (const model::Write& write : access_.writes) WriteElement(write);
  code_.Close("])");
  code_.Close();
}

}  // namespace keyfold::model::python

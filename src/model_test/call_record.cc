#include "model_test/call_record.h"

#include <algorithm>

#include "model_test/write_call.h"

namespace keyfold::model_test {
namespace {

constexpr size_t kExactDigits = 15;  // integers with these many digits are exact in every language

bool IsShortInteger(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool digits =
      !text.empty() && std::all_of(text.begin(), text.end(), [](char one) { return one >= '0' && one <= '9'; });
  return digits && text.size() <= kExactDigits;
}

}  // namespace

CallRecord::CallRecord(const model::Model& model, const SampleTable& samples)
    : model_(model), samples_(samples), writer_(text_) {
  writer_.BeginObject();
  writer_.Member("table", model.table.name);
  writer_.Member("now", samples.now_ms());
  writer_.Key("items");
  writer_.BeginArray();
  for (const auto& [unused, at] : samples.rows()) writer_.Raw(model::JsonOf(samples.entries()[at].item));
  writer_.EndArray();
  writer_.Key("calls");
  writer_.BeginArray();
}

std::string CallRecord::Take() {
  writer_.EndArray();
  writer_.EndObject();
  return std::move(text_) + '\n';
}

void CallRecord::AddRead(const model::Access& access, const model::CallInputs& call,
                         const std::vector<RightItem>& items, bool ordered) {
  BeginCall(access, call);
  writer_.Member("ordered", ordered);
  writer_.Key("result");
  writer_.BeginArray();
  for (const RightItem& right : items) {
    const SampleEntry& entry = samples_.entries()[right.entry];
    writer_.BeginObject();
    writer_.Member("entity", model_.entities[entry.object.entity].name);
    writer_.Key("item");
    writer_.Raw(model::JsonOf(entry.item));
    writer_.Key("attributes");
    writer_.BeginArray();
    for (const std::string& name : right.attributes) writer_.String(name);
    writer_.EndArray();
    writer_.EndObject();
  }
  writer_.EndArray();
  writer_.EndObject();
}

void CallRecord::AddWrite(const model::Access& access, const model::CallInputs& call,
                          const std::vector<WriteEffect>& effects) {
  BeginCall(access, call);
  writer_.Key("after");
  writer_.BeginArray();
  for (const WriteEffect& effect : effects) {
    const SampleEntry entry = effect.after ? samples_.Made(*effect.after) : samples_.entries()[*effect.entry];
    writer_.BeginObject();
    writer_.Key("key");
    writer_.Raw(model::KeyJsonOf(model_, entry.item));
    writer_.Key("item");
    effect.after || effect.check ? writer_.Raw(model::JsonOf(entry.item)) : writer_.Null();
    writer_.EndObject();
  }
  writer_.EndArray();
  if (access.returned != model::Access::Returned::kNothing)
    WriteReturned(access, samples_.Made(*effects[0].after).item);
  writer_.EndObject();
}

// The attributes that an update returns.
void CallRecord::WriteReturned(const model::Access& access, const model::SampleItem& item) {
  model::SampleItem some;
  for (const std::string& name : *model_.patterns[access.pattern].needs) {
    if (const model::ItemAttribute* one = model::Find(item, name)) some.push_back(*one);
  }
  writer_.Key("returned");
  writer_.Raw(model::JsonOf(some));
}

void CallRecord::AddRefused(const model::Access& access, const model::CallInputs& call) {
  BeginCall(access, call);
  writer_.Member("refused", true);
  writer_.EndObject();
}

void CallRecord::BeginCall(const model::Access& access, const model::CallInputs& call) {
  writer_.BeginObject();
  writer_.Member("pattern", model_.patterns[access.pattern].name);
  writer_.Member("operation", NameOf(access.operation));
  writer_.Key("input");
  WriteValues(call.values, {&access.inputs});
  WriteElements(access, call);
  writer_.Key("requests");
  writer_.BeginArray();
  for (const model::ApiRequest& request : model::RequestsOf(model_, access, call)) writer_.Raw(request.body);
  writer_.EndArray();
}

// The keys of a batch, and the elements of writes that occur several times, by entity.
void CallRecord::WriteElements(const model::Access& access, const model::CallInputs& call) {
  writer_.Key("elements");
  writer_.BeginArray();
  for (size_t i = 0; i < call.elements.size(); ++i) {
    if (call.elements[i].empty()) continue;
    const bool write = i < access.writes.size();
    const model::EntityId entity = write ? access.writes[i].entity : access.reads[i].wanted[0];
    writer_.BeginObject();
    writer_.Member("entity", model_.entities[entity].name);
    writer_.Key("inputs");
    writer_.BeginArray();
    for (const model::InputValues& values : call.elements[i]) {
      write ? WriteValues(values, {&access.writes[i].each, &access.inputs}) : WriteValues(values, {&access.inputs});
    }
    writer_.EndArray();
    writer_.EndObject();
  }
  writer_.EndArray();
}

void CallRecord::WriteValues(const model::InputValues& values,
                             const std::vector<const std::vector<model::Input>*>& inputs) {
  writer_.BeginObject();
  for (const auto& one : values) {
    const std::string& name = one.first;
    const std::string& text = one.second;
    const model::Attribute* attribute = nullptr;
    for (const std::vector<model::Input>* list : inputs) {
      const auto it =
          std::find_if(list->begin(), list->end(), [&](const model::Input& input) { return input.name == name; });
      if (it != list->end() && attribute == nullptr) attribute = it->attribute;
    }
    writer_.Key(name);
    WriteInput(attribute, text);
  }
  writer_.EndObject();
}

// Texts and short integers are written as JSON has them, other values as DynamoDB does.
void CallRecord::WriteInput(const model::Attribute* attribute, std::string_view text) {
  const model::StoredType type = attribute == nullptr ? model::StoredType::kS : model::StoredAs(attribute->type);
  switch (type) {
    case model::StoredType::kS:
      return writer_.String(text);
    case model::StoredType::kBool:
      return writer_.Raw(text);
    case model::StoredType::kN:
      return attribute->type != model::AttributeType::kDecimal && IsShortInteger(text) ? writer_.Raw(text)
                                                                                       : writer_.String(text);
    default:
      writer_.BeginObject();
      writer_.Key("value");
      model::WriteValue(writer_, type, text);
      return writer_.EndObject();
  }
}

}  // namespace keyfold::model_test

#include "model_test/write_call.h"

#include <algorithm>

#include "model/core/action.h"
#include "model/core/path.h"
#include "value/number.h"

namespace keyfold::model_test {
namespace {

using model::Comparator;
using model::InputValues;
using model::Operand;
using model::SampleObject;

constexpr int kAttemptsMax = 20;
constexpr int kKeyAttemptsMax = 100;
constexpr uint64_t kNewValues = 700;  // number of the first value that updates set

bool IsNumber(const model::Attribute& attribute) { return model::StoredAs(attribute.type) == model::StoredType::kN; }

// Adds `more` to the number in `text`.
std::string Plus(const std::string& text, int64_t more) {
  const Result<Number> number = Number::Parse(text);
  if (!number.ok()) return text;
  const Result<Number> sum = Number::Add(*number, Number(more));
  return sum.ok() ? sum->ToString() : text;
}

bool Has(const std::vector<model::Input>& inputs, std::string_view name) {
  return std::any_of(inputs.begin(), inputs.end(), [&](const model::Input& one) { return one.name == name; });
}

}  // namespace

struct WriteCallMaker::Slot {
  size_t write = 0;
  size_t element = 0;
  const model::Write* of = nullptr;
};

WriteCallMaker::WriteCallMaker(const TrialContext& context, const model::Access& access)
    : context_(context), model_(context.model), access_(access), pattern_(model_.patterns[access.pattern]) {}

bool WriteCallMaker::IsElements(const model::Write& write, const std::string& input) { return Has(write.each, input); }

// The input that gives an attribute; empty if it is a literal or the current time.
std::string WriteCallMaker::InputOf(const model::Write& write, const std::string& attribute) const {
  for (const std::vector<model::Binding>* all : {&write.action->with, &pattern_.by}) {
    const model::Binding* given = model::FindBinding(*all, write.entity, attribute);
    if (given == nullptr || given->value == Operand{Operand::Kind::kInput, attribute}) continue;
    return given->value.kind == Operand::Kind::kInput ? given->value.text : "";
  }
  const std::string own = model_.entities[write.entity].name + '_' + attribute;
  return Has(write.each, own) || Has(access_.inputs, own) ? own : attribute;
}

std::optional<std::string> WriteCallMaker::Value(const Slot& slot, const std::string& input) const {
  const InputValues& values =
      IsElements(*slot.of, input) ? call_.inputs.elements[slot.write][slot.element] : call_.inputs.values;
  const auto it = values.find(input);
  return it == values.end() ? std::nullopt : std::optional(it->second);
}

void WriteCallMaker::Give(const Slot& slot, const std::string& input, std::string value) {
  InputValues& values =
      IsElements(*slot.of, input) ? call_.inputs.elements[slot.write][slot.element] : call_.inputs.values;
  values.emplace(input, std::move(value));
}

// The first choices may leave no candidates for the rest, so it is tried several times.
std::optional<WriteCall> WriteCallMaker::Make(uint64_t turn) {
  turn_ = turn;
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    if (auto call = MakeOnce()) return call;
  }
  return {};
}

std::optional<WriteCall> WriteCallMaker::MakeOnce() {
  call_ = {};
  call_.inputs.now_ms = context_.samples.now_ms();
  call_.inputs.elements.resize(access_.writes.size());
  for (size_t i = 0; i < access_.writes.size(); ++i) {
    if (access_.writes[i].times > 1) call_.inputs.elements[i].resize(access_.writes[i].times);
  }
  // Existing objects are chosen first, so that new ones can refer to them.
  for (const bool put : {false, true}) {
    for (size_t i = 0; i < access_.writes.size(); ++i) {
      if ((access_.writes[i].verb == model::Verb::kPut) != put) continue;
      for (size_t element = 0; element < access_.writes[i].times; ++element) {
        if (!(put ? ChooseNew(i, element) : ChooseExisting(i, element))) return {};
      }
    }
  }
  if (!access_.token.empty()) {
    call_.inputs.values.emplace(access_.token,
                                "token-" + std::to_string(access_.pattern) + '-' + std::to_string(turn_));
  }
  return std::move(call_);
}

// Alternates between objects inside and outside a sparse index, if the entity has a sparse rule.
bool WriteCallMaker::IsItsTurn(const SampleEntry& entry) const {
  const std::vector<model::When>& rules = model_.entities[entry.object.entity].when;
  const auto in = [&](const model::When& when) { return entry.In(when.index) != nullptr; };
  return rules.empty() || std::any_of(rules.begin(), rules.end(), in) == (turn_ % 2 == 0);
}

bool WriteCallMaker::ChooseExisting(size_t write, size_t element) {
  const std::vector<SampleEntry>& entries = context_.samples.entries();
  const size_t start = context_.sampler.values().random().Below(entries.size());
  for (size_t i = 0; i < 2 * entries.size(); ++i) {
    const size_t at = (start + i) % entries.size();
    const auto used = [&](const WriteEffect& effect) { return effect.entry == at; };
    const bool candidate = entries[at].alive && entries[at].object.entity == access_.writes[write].entity &&
                           context_.samples.FindRow(entries[at].row_key) == at &&
                           (i >= entries.size() || IsItsTurn(entries[at]));
    if (!candidate || std::any_of(call_.effects.begin(), call_.effects.end(), used)) continue;
    const WriteCall before = call_;
    if (TryExisting(write, element, at)) return true;
    call_ = before;
  }
  return false;
}

bool WriteCallMaker::TryExisting(size_t write, size_t element, size_t entry) {
  const Slot slot{write, element, &access_.writes[write]};
  const model::Action& action = *slot.of->action;
  const SampleObject& object = context_.samples.entries()[entry].object;
  if (!GiveKey(slot, object)) return false;
  for (const model::Binding& one : pattern_.by) {
    const auto value = object.Find(one.attribute);
    if (value && one.value.kind == Operand::Kind::kInput) Give(slot, one.value.text, *value);
  }
  if (!HasLiterals(action, object)) return false;
  for (const model::Comparison* one : model::ComparisonsOf(action.condition)) GiveNames(slot, one->path, object);
  for (const model::Assignment& one : action.set) GiveNames(slot, one.path, object);
  for (const std::string& path : action.remove) GiveNames(slot, path, object);
  for (const model::Comparison* one : model::ComparisonsOf(action.condition)) GiveOperand(slot, *one, object);
  for (const model::Assignment& one : model::AssignmentsOf(model_, pattern_, action)) GiveAssigned(slot, one, object);
  const auto input = [&](std::string_view name) {
    // An input of an attribute's own name may be called otherwise.
    const bool own = model_.entities[object.entity].Find(name) != nullptr;
    const std::string called = own ? InputOf(*slot.of, std::string(name)) : std::string(name);
    const auto value = Value(slot, called);
    return value || !own ? value : Value(slot, std::string(name));
  };
  if (!model::HoldsFor(model_, action.condition, object, input, context_.samples.now_ms())) return false;
  WriteEffect effect{write, entry, {}, action.verb == model::Verb::kCheck};
  if (action.verb == model::Verb::kUpdate) {
    effect.after = object;
    if (!Apply(slot, *effect.after)) return false;
  }
  call_.effects.push_back(std::move(effect));
  return true;
}

// Returns true if the object has the values that `with` gives as literals.
bool WriteCallMaker::HasLiterals(const model::Action& action, const SampleObject& object) const {
  const auto has = [&](const model::Binding& one) {
    return !one.value.IsLiteral() || object.Find(one.attribute) == one.value.text;
  };
  return std::all_of(action.with.begin(), action.with.end(), has);
}

// Returns false if an input that already has a value names another object.
bool WriteCallMaker::GiveKey(const Slot& slot, const SampleObject& object) {
  const model::Entity& entity = model_.entities[object.entity];
  for (const model::KeyPart& part : slot.of->key) {
    for (const model::Piece& piece : part.value.pieces) {
      if (piece.kind == model::Piece::Kind::kLiteral || piece.kind == model::Piece::Kind::kNow) continue;
      const bool hashed = piece.kind == model::Piece::Kind::kShardOfHash;
      const bool shard = !hashed && piece.origin->kind == model::TemplatePart::Kind::kShard;
      const auto value = hashed  ? object.Find(*entity.shard->hash_of)
                         : shard ? std::to_string(object.shard)
                                 : object.Find(piece.origin->text);
      const auto given = Value(slot, piece.text);
      if (!value || (given && *given != *value)) return false;
      Give(slot, piece.text, *value);
    }
  }
  return true;
}

// Gives the inputs that name entries of maps.
void WriteCallMaker::GiveNames(const Slot& slot, std::string_view path, const SampleObject& object) {
  InputValues names;
  const std::vector<std::string> inputs = model::InputsOfPath(path);
  for (const std::string& input : inputs) {
    if (auto value = Value(slot, input)) names[input] = *std::move(value);
  }
  model::NameEntries(model_.entities[object.entity], object, path, context_.sampler.values(), names);
  for (const std::string& input : inputs) Give(slot, input, names[input]);
}

// The path with the names that the call gives.
std::string WriteCallMaker::PathOf(const Slot& slot, const std::string& path) const {
  return model::FilledPath(path, [&](std::string_view input) { return Value(slot, std::string(input)); })
      .value_or(path);
}

// Gives the inputs values for which the comparison holds.
void WriteCallMaker::GiveOperand(const Slot& slot, const model::Comparison& one, const SampleObject& object) {
  const auto value = object.At(model_.entities[object.entity], PathOf(slot, one.path));
  if (!value) return;
  for (const Operand& operand : one.operands()) {
    if (operand.kind != Operand::Kind::kInput) continue;
    const std::string input = operand.text == one.attribute ? InputOf(*slot.of, one.attribute) : operand.text;
    Give(slot, input, OperandText(one, object, *value));
  }
}

std::string WriteCallMaker::OperandText(const model::Comparison& one, const SampleObject& object,
                                        const std::string& text) const {
  const model::Attribute* declared = model_.entities[object.entity].FindPath(one.path);
  const model::StoredType type = declared != nullptr ? model::StoredAs(declared->type) : model::StoredType::kS;
  const std::string value = one.size ? std::to_string(model::SizeOfText(type, text)) : text;
  const bool number = one.size || type == model::StoredType::kN;
  switch (one.comparator) {
    case Comparator::kGreater:
      return number ? Plus(value, -1) : "";
    case Comparator::kGreaterEqual:
      return number && value != "0" ? "1" : value;
    case Comparator::kLess:
    case Comparator::kNotEqual:
      return number ? Plus(value, 1) : value + "x";
    case Comparator::kContains: {
      const std::vector<std::string> all =
          type >= model::StoredType::kSS ? model::ElementsOfSet(value) : std::vector<std::string>{value};
      return all.empty() ? "" : all[0];
    }
    default:
      return value;
  }
}

// Every other turn, a patch leaves its optional inputs out, each at another turn.
bool WriteCallMaker::LeavesOut(const model::Action& action, const model::Assignment& one) const {
  if (!one.optional) return false;
  const std::vector<model::Assignment>& set = action.set;
  const auto same = [&](const model::Assignment& other) { return other.path == one.path; };
  const auto at = static_cast<uint64_t>(std::find_if(set.begin(), set.end(), same) - set.begin());
  return turn_ % 2 == 1 && at != turn_ / 2 % set.size();
}

void WriteCallMaker::GiveAssigned(const Slot& slot, const model::Assignment& one, const SampleObject& object) {
  if (one.value.kind != Operand::Kind::kInput || LeavesOut(*slot.of->action, one)) return;
  const std::string input = one.value.text == one.attribute ? InputOf(*slot.of, one.attribute) : one.value.text;
  const model::Attribute& attribute = *model_.entities[object.entity].FindPath(one.path);
  const bool number = model::StoredAs(attribute.type) == model::StoredType::kN;
  if (one.op != model::Assignment::Op::kSet && number) return Give(slot, input, "1");
  if (one.op == model::Assignment::Op::kSubtract) {
    std::vector<std::string> all =
        model::ElementsOfSet(object.At(model_.entities[object.entity], PathOf(slot, one.path)).value_or(""));
    if (turn_ % 2 == 0 && all.size() > 1) all.pop_back();
    return Give(slot, input, all.empty() ? context_.sampler.values().Nth(attribute, turn_) : model::SetOf(all));
  }
  // Enum values rotate, so that a sparse rule both holds and fails.
  Give(slot, input,
       context_.sampler.values().Nth(attribute,
                                     attribute.type == model::AttributeType::kEnum ? turn_ : kNewValues + turn_));
}

bool WriteCallMaker::ChooseNew(size_t write, size_t element) {
  const Slot slot{write, element, &access_.writes[write]};
  const model::Entity& entity = model_.entities[slot.of->entity];
  InputValues given;
  for (const model::Attribute& attribute : entity.attributes) {
    const std::string input = InputOf(*slot.of, attribute.name);
    std::optional<std::string> value = input.empty() ? LiteralOf(*slot.of, attribute) : Value(slot, input);
    // Uses the value of the same element of another write under the same name.
    for (size_t i = 0; i < call_.inputs.elements.size() && !value && IsElements(*slot.of, input); ++i) {
      if (i == write || element >= call_.inputs.elements[i].size()) continue;
      const auto it = call_.inputs.elements[i][element].find(input);
      if (it != call_.inputs.elements[i][element].end()) value = it->second;
    }
    if (value) given[attribute.name] = *std::move(value);
  }
  const auto row_of = [&](const SampleObject& made) {
    return context_.samples.FindRow(context_.samples.Made(made).row_key);
  };
  std::optional<SampleObject> object = MakeNew(slot, given);
  // Another entity may have the key.
  const bool is_new = slot.of->action->if_new;
  for (int attempt = 0; is_new && object && row_of(*object) && attempt < kKeyAttemptsMax; ++attempt) {
    object = MakeNew(slot, given);
  }
  if (!object) return false;
  if (const auto shard = Value(slot, "shard")) object->shard = static_cast<uint32_t>(std::stoul(*shard));
  if (entity.shard && !entity.shard->hash_of) {
    InputValues& values = slot.of->times > 1 ? call_.inputs.elements[write][element] : call_.inputs.values;
    values.emplace("shard", std::to_string(object->shard));
  }
  for (const auto& [name, value] : object->values) {
    const std::string input = InputOf(*slot.of, name);
    if (!input.empty()) Give(slot, input, value);
  }
  if (turn_ % 2 == 1) LeaveOut(slot, *object);
  const std::optional<size_t> existing = row_of(*object);
  call_.effects.push_back({write, existing, std::move(object), false});
  return true;
}

// Makes an object in which attributes that take one input have one value.
std::optional<SampleObject> WriteCallMaker::MakeNew(const Slot& slot, InputValues given) const {
  const bool replace = !slot.of->action->if_new;
  std::optional<SampleObject> object = context_.sampler.MakeOne(slot.of->entity, given, replace);
  std::map<std::string, std::string> inputs;
  bool alike = true;
  for (const model::Attribute& attribute : model_.entities[slot.of->entity].attributes) {
    const std::string input = InputOf(*slot.of, attribute.name);
    const std::optional<std::string> value = object ? object->Find(attribute.name) : std::nullopt;
    if (input.empty() || !value) continue;
    const std::string& first = inputs.emplace(input, *value).first->second;
    if (first == *value) continue;
    given[attribute.name] = first;
    alike = false;
  }
  if (alike) return object;
  for (const model::Attribute& attribute : model_.entities[slot.of->entity].attributes) {
    const auto it = inputs.find(InputOf(*slot.of, attribute.name));
    if (it != inputs.end()) given.emplace(attribute.name, it->second);
  }
  return context_.sampler.MakeOne(slot.of->entity, given, true);
}

// The value that `with` gives an attribute as a literal or the current time.
std::optional<std::string> WriteCallMaker::LiteralOf(const model::Write& write,
                                                     const model::Attribute& attribute) const {
  const model::Binding* given = model::FindBinding(write.action->with, write.entity, attribute.name);
  if (given == nullptr) return {};
  if (given->value.kind == Operand::Kind::kNow) return model::NowAs(attribute.type, context_.samples.now_ms());
  return given->value.text;
}

// Leaves out optional inputs that nothing else in the call uses. The item then has the default.
void WriteCallMaker::LeaveOut(const Slot& slot, SampleObject& object) {
  if (access_.writes.size() > 1 || slot.of->times > 1) return;
  for (const model::Input& input : access_.inputs) {
    const bool own = input.attribute != nullptr && input.attribute->name == input.name;
    if (!own) continue;
    if (input.default_after_s) {
      object.values[input.name] = model::NowAs(
          input.attribute->type, context_.samples.now_ms() + static_cast<int64_t>(*input.default_after_s) * 1000);
    } else if (input.optional && input.attribute->default_value) {
      object.values[input.name] = input.attribute->default_value->text;
    } else {
      continue;
    }
    call_.inputs.values.erase(input.name);
  }
}

bool WriteCallMaker::Apply(const Slot& slot, SampleObject& object) const {
  const model::Action& action = *slot.of->action;
  for (const model::Assignment& one : model::AssignmentsOf(model_, pattern_, action)) {
    if (!ApplyOne(slot, one, object)) return false;
  }
  for (const model::Comparison& one : action.condition.all) {
    if (one.comparator == Comparator::kLock) {
      object.values[one.attribute] = Plus(object.Find(one.attribute).value_or("0"), 1);
    }
  }
  for (const std::string& name : action.remove) {
    const model::Attribute* head = model_.entities[object.entity].FindHead(name);
    if (head != nullptr && head->name == name) {
      object.values.erase(name);
    } else if (head != nullptr) {
      if (!SetAt(*head, PathOf(slot, name), std::nullopt, object)) return false;
    } else {
      object.removed_keys.push_back(name);
    }
  }
  return true;
}

// Sets or removes the value at a path.
bool WriteCallMaker::SetAt(const model::Attribute& head, std::string_view path,
                           const std::optional<model::InnerValue>& value, SampleObject& object) {
  if (path == head.name) {
    value && !value->text.empty() ? void(object.values[head.name] = value->text) : void(object.values.erase(head.name));
    return true;
  }
  const auto whole = object.Find(head.name);
  if (!whole) return false;
  const auto with = model::WithInside(*whole, model::StoredAs(head.type), path.substr(head.name.size()), value);
  if (with) object.values[head.name] = *with;
  return with.has_value();
}

bool WriteCallMaker::ApplyOne(const Slot& slot, const model::Assignment& one, SampleObject& object) const {
  const model::Entity& entity = model_.entities[object.entity];
  const model::Attribute& head = *entity.Find(one.attribute);
  const model::Attribute* declared = entity.FindPath(one.path);
  const model::AttributeType type = declared != nullptr ? declared->type : model::AttributeType::kString;
  std::optional<std::string> value = one.value.text;
  if (one.value.kind == Operand::Kind::kNow) value = model::NowAs(type, context_.samples.now_ms());
  if (one.value.kind == Operand::Kind::kInput) {
    value = Value(slot, one.value.text == one.attribute ? InputOf(*slot.of, one.attribute) : one.value.text);
  }
  if (!value) return one.optional;
  model::StoredType stored = model::StoredAs(type);
  if (declared == nullptr && one.value.kind == Operand::Kind::kNumber) stored = model::StoredType::kN;
  if (declared == nullptr && one.value.kind == Operand::Kind::kBool) stored = model::StoredType::kBool;
  if (one.op != model::Assignment::Op::kSet) {
    value = Combined(one, declared, object.At(entity, PathOf(slot, one.path)), *value);
    if (!value) return false;
  }
  return SetAt(head, PathOf(slot, one.path), model::InnerValue{stored, *value}, object);
}

// What += and -= make of the old value; nullopt if DynamoDB refuses it. An empty text is an empty set.
std::optional<std::string> WriteCallMaker::Combined(const model::Assignment& one, const model::Attribute* declared,
                                                    std::optional<std::string> old, const std::string& value) {
  const bool add = one.op == model::Assignment::Op::kAdd;
  if (declared != nullptr && model::IsSet(declared->type)) {
    std::vector<std::string> all = model::ElementsOfSet(old.value_or(""));
    const std::vector<std::string> some = model::ElementsOfSet(value);
    if (add) all.insert(all.end(), some.begin(), some.end());
    const auto gone = [&](const std::string& element) {
      return !add && std::find(some.begin(), some.end(), element) != some.end();
    };
    all.erase(std::remove_if(all.begin(), all.end(), gone), all.end());
    return model::SetOf(std::move(all));
  }
  if (declared != nullptr && declared->type == model::AttributeType::kList) {
    const std::string before = old.value_or("[]");
    if (before == "[]" || value == "[]") return before == "[]" ? value : before;
    return before.substr(0, before.size() - 1) + ',' + value.substr(1);
  }
  if (!old && declared != nullptr && declared->default_value) old = declared->default_value->text;
  const Result<Number> left = Number::Parse(old.value_or(""));
  const Result<Number> right = Number::Parse(value);
  if (!left.ok() || !right.ok()) return {};
  const Result<Number> sum = add ? Number::Add(*left, *right) : Number::Subtract(*left, *right);
  return sum.ok() ? std::optional(sum->ToString()) : std::nullopt;
}

std::optional<model::CallInputs> WriteCallMaker::Broken(const WriteCall& call) const {
  for (const WriteEffect& effect : call.effects) {
    const model::Write& write = access_.writes[effect.write];
    for (const model::Comparison& one : write.action->condition.all) {
      const bool lock = one.comparator == Comparator::kLock;
      if ((one.right.kind != Operand::Kind::kInput && !lock) || !effect.entry) continue;
      const model::Attribute* attribute = model_.entities[write.entity].FindPath(one.path);
      if (attribute == nullptr || one.size) continue;
      const std::string input =
          lock || one.right.text == one.attribute ? InputOf(write, one.attribute) : one.right.text;
      const auto named = [&](std::string_view name) {
        const auto it = call.inputs.values.find(name);
        return it == call.inputs.values.end() ? std::nullopt : std::optional(it->second);
      };
      const std::string path = model::FilledPath(one.path, named).value_or(one.path);
      const auto old = context_.samples.entries()[*effect.entry].object.At(model_.entities[write.entity], path);
      const bool more = one.comparator == Comparator::kGreater || one.comparator == Comparator::kGreaterEqual;
      const bool equal = lock || one.comparator == Comparator::kEqual;
      if (!old || !IsNumber(*attribute) || (!more && !equal)) continue;
      model::CallInputs broken = call.inputs;
      InputValues& values = IsElements(write, input) ? broken.elements[effect.write][0] : broken.values;
      values[input] = Plus(*old, 1'000);
      return broken;
    }
  }
  return {};
}

}  // namespace keyfold::model_test

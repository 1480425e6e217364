#include "model_test/write_call.h"

#include <algorithm>

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

std::string WriteCallMaker::InputOf(const model::Write& write, const std::string& attribute) const {
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
  for (const std::string& name : pattern_.by) {
    if (const auto value = object.Find(name)) Give(slot, name, *value);
  }
  for (const model::Comparison& one : action.condition.all) GiveOperand(slot, one, object);
  for (const model::Assignment& one : AssignmentsOf(action)) GiveAssigned(slot, one, object);
  model::Condition compared = action.condition;
  const auto input = [&](std::string_view name) { return Value(slot, std::string(name)); };
  for (model::Comparison& one : compared.all) {
    if (one.right.kind == Operand::Kind::kInput && one.right.text == one.attribute) {
      one.right.text = InputOf(*slot.of, one.attribute);
    }
    if (one.comparator == Comparator::kLock) one.comparator = Comparator::kEqual;
  }
  if (!model::HoldsFor(model_, compared, object, input, context_.samples.now_ms())) return false;
  WriteEffect effect{write, entry, {}, action.verb == model::Verb::kCheck};
  if (action.verb == model::Verb::kUpdate) {
    effect.after = object;
    if (!Apply(slot, *effect.after)) return false;
  }
  call_.effects.push_back(std::move(effect));
  return true;
}

// Returns false if an input that already has a value names another object.
bool WriteCallMaker::GiveKey(const Slot& slot, const SampleObject& object) {
  const model::Entity& entity = model_.entities[object.entity];
  for (const model::KeyPart& part : slot.of->key) {
    for (const model::Piece& piece : part.value.pieces) {
      if (piece.kind == model::Piece::Kind::kLiteral) continue;
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

// Gives the input a value for which the comparison holds.
void WriteCallMaker::GiveOperand(const Slot& slot, const model::Comparison& one, const SampleObject& object) {
  const bool lock = one.comparator == Comparator::kLock;
  if (one.right.kind != Operand::Kind::kInput && !lock) return;
  const std::string input = lock || one.right.text == one.attribute ? InputOf(*slot.of, one.attribute) : one.right.text;
  const auto value = object.Find(one.path);
  if (!value) return;
  const bool number = IsNumber(*model_.entities[object.entity].Find(one.attribute));
  switch (one.comparator) {
    case Comparator::kGreater:
      return Give(slot, input, number ? Plus(*value, -1) : "");
    case Comparator::kGreaterEqual:
      return Give(slot, input, number && *value != "0" ? "1" : *value);
    case Comparator::kLess:
    case Comparator::kNotEqual:
      return Give(slot, input, number ? Plus(*value, 1) : *value + "x");
    case Comparator::kExists:
    case Comparator::kMissing:
      return;
    default:
      return Give(slot, input, *value);
  }
}

void WriteCallMaker::GiveAssigned(const Slot& slot, const model::Assignment& one, const SampleObject& object) {
  if (one.value.kind != Operand::Kind::kInput) return;
  const std::string input = one.value.text == one.attribute ? InputOf(*slot.of, one.attribute) : one.value.text;
  const model::Attribute& attribute = *model_.entities[object.entity].Find(one.attribute);
  if (one.op != model::Assignment::Op::kSet) return Give(slot, input, "1");
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
    std::optional<std::string> value = Value(slot, input);
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
  const bool is_new = slot.of->action->if_new;
  std::optional<SampleObject> object = context_.sampler.MakeOne(slot.of->entity, given, !is_new);
  // Another entity may have the key.
  for (int attempt = 0; is_new && object && row_of(*object) && attempt < kKeyAttemptsMax; ++attempt) {
    object = context_.sampler.MakeOne(slot.of->entity, given, false);
  }
  if (!object) return false;
  if (const auto shard = Value(slot, "shard")) object->shard = static_cast<uint32_t>(std::stoul(*shard));
  if (entity.shard && !entity.shard->hash_of) {
    InputValues& values = slot.of->times > 1 ? call_.inputs.elements[write][element] : call_.inputs.values;
    values.emplace("shard", std::to_string(object->shard));
  }
  for (const auto& [name, value] : object->values) Give(slot, InputOf(*slot.of, name), value);
  if (turn_ % 2 == 1) LeaveOut(slot, *object);
  const std::optional<size_t> existing = row_of(*object);
  call_.effects.push_back({write, existing, std::move(object), false});
  return true;
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

// A copy without its own assignments takes those of its source in the same transaction.
std::vector<model::Assignment> WriteCallMaker::AssignmentsOf(const model::Action& action) const {
  const model::Entity& entity = model_.entities[action.entity];
  if (!action.set.empty() || !action.remove.empty() || !entity.copy_of) return action.set;
  std::vector<model::Assignment> copied;
  for (const model::Action& other : pattern_.actions) {
    if (other.entity != entity.copy_of->source || other.verb != model::Verb::kUpdate) continue;
    for (const model::Assignment& one : other.set) {
      const auto& names = entity.copy_of->attributes;
      if (std::find(names.begin(), names.end(), one.attribute) != names.end()) copied.push_back(one);
    }
  }
  return copied;
}

bool WriteCallMaker::Apply(const Slot& slot, SampleObject& object) const {
  const model::Action& action = *slot.of->action;
  for (const model::Assignment& one : AssignmentsOf(action)) {
    if (!ApplyOne(slot, one, object)) return false;
  }
  for (const model::Comparison& one : action.condition.all) {
    if (one.comparator == Comparator::kLock) {
      object.values[one.attribute] = Plus(object.Find(one.attribute).value_or("0"), 1);
    }
  }
  for (const std::string& name : action.remove) {
    if (model_.entities[object.entity].Find(name) != nullptr) {
      object.values.erase(name);
    } else {
      object.removed_keys.push_back(name);
    }
  }
  return true;
}

bool WriteCallMaker::ApplyOne(const Slot& slot, const model::Assignment& one, SampleObject& object) const {
  const model::Attribute& attribute = *model_.entities[object.entity].Find(one.attribute);
  std::optional<std::string> value = one.value.text;
  if (one.value.kind == Operand::Kind::kNow) value = model::NowAs(attribute.type, context_.samples.now_ms());
  if (one.value.kind == Operand::Kind::kInput) {
    value = Value(slot, one.value.text == one.attribute ? InputOf(*slot.of, one.attribute) : one.value.text);
  }
  if (!value) return false;
  if (one.op == model::Assignment::Op::kSet) {
    object.values[one.attribute] = *value;
    return true;
  }
  std::optional<std::string> old = object.Find(one.attribute);
  if (!old && attribute.default_value) old = attribute.default_value->text;
  const Result<Number> left = Number::Parse(old.value_or(""));
  const Result<Number> right = Number::Parse(*value);
  if (!left.ok() || !right.ok()) return false;
  const Result<Number> sum =
      one.op == model::Assignment::Op::kAdd ? Number::Add(*left, *right) : Number::Subtract(*left, *right);
  if (!sum.ok()) return false;
  object.values[one.attribute] = sum->ToString();
  return true;
}

std::optional<model::CallInputs> WriteCallMaker::Broken(const WriteCall& call) const {
  for (const WriteEffect& effect : call.effects) {
    const model::Write& write = access_.writes[effect.write];
    for (const model::Comparison& one : write.action->condition.all) {
      const bool lock = one.comparator == Comparator::kLock;
      if ((one.right.kind != Operand::Kind::kInput && !lock) || !effect.entry) continue;
      const model::Attribute& attribute = *model_.entities[write.entity].Find(one.attribute);
      const std::string input =
          lock || one.right.text == one.attribute ? InputOf(write, one.attribute) : one.right.text;
      const auto old = context_.samples.entries()[*effect.entry].object.Find(one.path);
      const bool more = one.comparator == Comparator::kGreater || one.comparator == Comparator::kGreaterEqual;
      const bool equal = lock || one.comparator == Comparator::kEqual;
      if (!old || !IsNumber(attribute) || (!more && !equal)) continue;
      model::CallInputs broken = call.inputs;
      InputValues& values = IsElements(write, input) ? broken.elements[effect.write][0] : broken.values;
      values[input] = Plus(*old, 1'000);
      return broken;
    }
  }
  return {};
}

}  // namespace keyfold::model_test

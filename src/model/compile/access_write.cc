// Compiles write patterns: keys, items, update expressions that keep index keys up to date, conditions.
#include <algorithm>

#include "base/text/ascii.h"
#include "model/compile/access_compiler.h"
#include "model/compile/projection.h"
#include "model/core/action.h"
#include "model/core/path.h"

namespace keyfold::model {
namespace {

constexpr Rule<"{} of {} is {}, and {} is not given in by; an update or delete must name its item's whole key">
    kIndexKeyUnbound{"access-write-unbound", Kind::kValidation};
constexpr Rule<"{} of {} is {}, and its random shard cannot be determined again; use hash(...)"> kRandomShard{
    "access-write-shard", Kind::kValidation};

Formula TextFormula(StoredType type, std::string text) {
  Piece piece;
  piece.text = std::move(text);
  return {type, {std::move(piece)}};
}

// The assignment of the whole attribute.
const Assignment* FindSet(const std::vector<Assignment>& set, std::string_view attribute) {
  const auto it = std::find_if(set.begin(), set.end(), [&](const Assignment& one) { return one.path == attribute; });
  return it == set.end() ? nullptr : &*it;
}

// How an update affects a condition on the item, such as a sparse rule.
enum class Outcome : uint8_t { kUntouched, kHolds, kFails, kDepends };

// Finds out how the condition stands after the update, from the literals that it assigns.
Outcome OutcomeOf(const Condition& condition, const Entity& entity, const std::vector<Assignment>& set,
                  const std::vector<std::string>& removed) {
  bool touched = false;
  bool all_known = true;
  const auto assigned = [&](std::string_view path) -> std::optional<std::string> {
    const Assignment* one = FindSet(set, path);
    return one != nullptr ? std::optional(one->value.text) : std::nullopt;
  };
  const auto known = [&](const Comparison& one) {
    const Assignment* to = FindSet(set, one.path);
    return Contains(removed, one.path) ||
           (to != nullptr && to->op == Assignment::Op::kSet && to->value.IsLiteral() && !to->optional);
  };
  const auto declared = [&](std::string_view path) { return entity.FindPath(path); };
  const auto no_input = [](std::string_view) { return std::optional<std::string>(); };
  const ConditionValues values{declared, assigned, no_input, 0};
  for (const Comparison* one : ComparisonsOf(condition)) {
    touched |= Contains(removed, one->attribute) || Contains(removed, one->path);
    for (const Assignment& assignment : set) touched |= assignment.attribute == one->attribute;
    all_known &= known(*one);
  }
  if (!touched) return Outcome::kUntouched;
  if (all_known) return Holds(condition, values) ? Outcome::kHolds : Outcome::kFails;
  for (const Comparison& one : condition.all) {
    if (known(one) && !Holds(one, values)) return Outcome::kFails;
  }
  return Outcome::kDepends;
}

Aliases UsedIn(const Aliases& all, std::string_view text) {
  Aliases some;
  for (const auto& one : all.names) {
    if (UsesAlias(text, one.first)) some.names.push_back(one);
  }
  for (const auto& one : all.given_names) {
    if (UsesAlias(text, one.first)) some.given_names.push_back(one);
  }
  for (const NamedValue& one : all.values) {
    if (UsesAlias(text, one.name)) some.values.push_back(one);
  }
  return some;
}

// Returns true if the condition fails when the item does not exist.
bool NeedsItem(const Condition& condition) {
  const auto declared = [](std::string_view) -> const Attribute* { return nullptr; };
  const auto missing = [](std::string_view) { return std::optional<std::string>(); };
  const auto any = [](std::string_view) { return std::optional<std::string>("0"); };
  return !condition.empty() && !Holds(condition, {declared, missing, any, 0});
}

}  // namespace

UpdateText UpdateOf(const Write& write, FunctionRef<bool(const Condition&)> holds,
                    FunctionRef<bool(std::string_view)> given) {
  constexpr std::string_view kWords[] = {"SET ", "REMOVE ", "ADD ", "DELETE "};
  std::string all[std::size(kWords)];
  for (const Clause& clause : write.clauses) {
    const auto met = [&](const Guard& guard) { return holds(*guard.condition) == guard.holds; };
    const auto is_given = [&](const std::string& input) { return given(input); };
    if (!std::all_of(clause.given.begin(), clause.given.end(), is_given)) continue;
    if (!std::all_of(clause.guards.begin(), clause.guards.end(), met)) continue;
    std::string& to = all[static_cast<size_t>(clause.kind)];
    (to += to.empty() ? "" : ", ") += clause.text;
  }
  UpdateText text;
  for (size_t i = 0; i < std::size(kWords); ++i) {
    if (all[i].empty()) continue;
    if (!text.update.empty()) text.update += ' ';
    (text.update += kWords[i]) += all[i];
  }
  text.aliases = UsedIn(write.aliases, text.update + ' ' + write.condition);
  return text;
}

UpdateText UpdateOf(const Write& write) {
  return UpdateOf(
      write, [](const Condition&) { return false; }, [](std::string_view) { return true; });
}

Compiled WriteCompiler::Run() {
  access_.pattern = id_;
  access_.token = pattern_.token;
  switch (pattern_.verb) {
    case Verb::kPut:
      access_.operation = Operation::kPutItem;
      break;
    case Verb::kUpdate:
      access_.operation = Operation::kUpdateItem;
      break;
    case Verb::kDelete:
      access_.operation = Operation::kDeleteItem;
      break;
    case Verb::kBatchWrite:
      access_.operation = Operation::kBatchWriteItem;
      break;
    default:
      access_.operation = Operation::kTransactWriteItems;
  }
  access_.writes.resize(pattern_.actions.size());
  // Single actions come first: the elements of a repeated action share their inputs.
  for (const bool repeated : {false, true}) {
    for (size_t i = 0; i < pattern_.actions.size(); ++i) {
      const Action& action = pattern_.actions[i];
      if ((action.times > 1) != repeated) continue;
      inputs_ = repeated ? &access_.writes[i].each : &access_.inputs;
      if (auto unserved = CompileWrite(action, access_.writes[i])) return *std::move(unserved);
    }
  }
  inputs_ = &access_.inputs;
  if (pattern_.verb == Verb::kUpdate) access_.returned = Returned();
  const auto is_token = [&](const Input& one) { return one.name == pattern_.token; };
  if (!pattern_.token.empty() && std::none_of(access_.inputs.begin(), access_.inputs.end(), is_token)) {
    access_.inputs.push_back({pattern_.token, nullptr, false, {}});
  }
  return std::move(access_);
}

// UPDATED_NEW would leave out what the update does not assign.
Access::Returned WriteCompiler::Returned() const {
  if (!pattern_.needs || pattern_.needs->empty()) return Access::Returned::kNothing;
  const Action& action = pattern_.actions[0];
  const auto assigned = [&](const std::string& name) {
    const Assignment* one = FindSet(action.set, name);
    const auto lock = [&](const Comparison& test) {
      return test.comparator == Comparator::kLock && test.attribute == name;
    };
    return (one != nullptr && !one->optional) ||
           std::any_of(action.condition.all.begin(), action.condition.all.end(), lock);
  };
  const bool all = std::all_of(pattern_.needs->begin(), pattern_.needs->end(), assigned);
  return all ? Access::Returned::kUpdated : Access::Returned::kAll;
}

std::optional<Unserved> WriteCompiler::CompileWrite(const Action& action, Write& out) {
  out.verb = action.verb;
  out.entity = action.entity;
  out.times = action.times;
  out.action = action_ = &action;
  if (auto unserved = WriteKeyParts(action, out)) return unserved;
  if (action.verb == Verb::kPut) WriteItem(action, out);
  if (action.verb == Verb::kUpdate) WriteUpdate(action, out);
  if (action.verb == Verb::kDelete) {
    for (IndexId index = 0; index < model_.indexes.size(); ++index) {
      if (model_.entities[action.entity].Has(model_.indexes[index]))
        out.effects.push_back({index, IndexEffect::Kind::kLeaves, false});
    }
  }
  WriteCondition(action, out);
  return {};
}

// An input that is optional in one place and needed in another is needed.
void WriteCompiler::Note(std::string name, const Entity& entity, const Attribute* attribute, bool optional) {
  for (std::vector<Input>* list : {&access_.inputs, inputs_}) {
    const auto same = [&](const Input& one) { return one.name == name; };
    const auto it = std::find_if(list->begin(), list->end(), same);
    if (it == list->end()) continue;
    it->optional &= optional;
    if (it->attribute == nullptr) it->attribute = attribute;
    return;
  }
  Input input{std::move(name), attribute, optional, {}};
  if (attribute != nullptr && attribute->name == model_.table.ttl && entity.ttl_after_s)
    input.default_after_s = entity.ttl_after_s;
  inputs_->push_back(std::move(input));
}

// Actions share inputs by name. If two attributes have the same name but different stored types, the later one is
// prefixed with its entity's name.
std::string WriteCompiler::InputName(const Entity& entity, const Attribute& attribute) {
  for (const std::vector<Input>* list : {&access_.inputs, inputs_}) {
    for (const Input& one : *list) {
      if (one.name != attribute.name || one.attribute == nullptr) continue;
      if (StoredAs(one.attribute->type) != StoredAs(attribute.type)) return entity.name + '_' + attribute.name;
    }
  }
  return attribute.name;
}

std::string WriteCompiler::NoteInput(const Operand& operand, const Entity& entity, const Attribute& attribute,
                                     bool optional) {
  const std::string name = operand.text == attribute.name ? InputName(entity, attribute) : operand.text;
  Note(name, entity, &attribute, optional);
  return name;
}

// The inputs that name entries of maps.
void WriteCompiler::NotePath(std::string_view path) {
  for (std::string& input : InputsOfPath(path))
    Note(std::move(input), model_.entities[action_->entity], nullptr, false);
}

Operand WriteCompiler::OperandOf(const Entity& entity, const Attribute& attribute) {
  for (const std::vector<Binding>* given : {&action_->with, &pattern_.by}) {
    if (const Binding* one = FindBinding(*given, action_->entity, attribute.name)) {
      if (one->value != Operand{Operand::Kind::kInput, attribute.name}) return one->value;
    }
  }
  return {Operand::Kind::kInput, InputName(entity, attribute)};
}

Piece WriteCompiler::KeyPiece(const Entity& entity, const TemplatePart& part) {
  const Operand operand = OperandOf(entity, *entity.Find(part.text));
  Piece piece;
  piece.origin = &part;
  if (operand.IsLiteral()) {
    piece.text = FormatValue(part.format, part.width, part.type, operand.text);
    return piece;
  }
  piece.kind = operand.kind == Operand::Kind::kNow ? Piece::Kind::kNow : Piece::Kind::kInput;
  piece.text = operand.text;
  piece.format = part.format;
  piece.width = part.width;
  piece.type = part.type;
  return piece;
}

Piece WriteCompiler::ShardPiece(const Entity& entity, const TemplatePart& part, Verb verb) {
  Piece piece;
  piece.origin = &part;
  piece.shards = part.shards;
  if (!entity.shard->hash_of) {
    piece.kind = verb == Verb::kPut ? Piece::Kind::kShardRandom : Piece::Kind::kInput;
    piece.text = verb == Verb::kPut ? "" : "shard";
    piece.type = AttributeType::kNumber;
    return piece;
  }
  const Attribute& hashed = *entity.Find(*entity.shard->hash_of);
  const Operand operand = OperandOf(entity, hashed);
  piece.type = hashed.type;
  piece.format = entity.shard->hash_format;
  piece.width = entity.shard->hash_width;
  piece.kind = operand.IsLiteral() ? Piece::Kind::kLiteral : Piece::Kind::kShardOfHash;
  piece.text = operand.text;
  if (operand.IsLiteral()) {
    const std::string text = FormatValue(piece.format, piece.width, piece.type, operand.text);
    piece.text = std::to_string(ShardOf(text, part.shards));
  }
  return piece;
}

Formula WriteCompiler::KeyFormula(const Entity& entity, const Template& whole, Verb verb) {
  Formula formula{whole.type, {}};
  for (const TemplatePart& part : whole.parts) {
    Piece piece;
    piece.text = part.text;
    if (part.kind == TemplatePart::Kind::kAttribute) piece = KeyPiece(entity, part);
    if (part.kind == TemplatePart::Kind::kShard) piece = ShardPiece(entity, part, verb);
    formula.pieces.push_back(std::move(piece));
  }
  return formula;
}

// A standalone update or delete must name its item's whole key.
std::optional<Unserved> WriteCompiler::CheckGiven(const Action& action, const KeyTemplate& key) const {
  if (pattern_.verb != Verb::kUpdate && pattern_.verb != Verb::kDelete) return {};
  const Entity& entity = model_.entities[action.entity];
  for (const TemplatePart& part : key.value.parts) {
    const bool shard = part.kind == TemplatePart::Kind::kShard;
    const std::string missing = shard ? entity.shard->hash_of.value_or("shard") : part.text;
    if (part.IsLiteral() || Binds(pattern_.by, missing) || Binds(action.with, missing)) continue;
    const Error error = shard && !entity.shard->hash_of
                            ? kRandomShard(key.attribute, entity.name, key.value.text)
                            : kIndexKeyUnbound(key.attribute, entity.name, key.value.text, missing);
    return Unserved{id_, Unserved::Why::kUnbound, action.entity, key.attribute, missing, false, {}, error.message()};
  }
  return {};
}

void WriteCompiler::NoteInputsOf(const Entity& entity, const Formula& formula,
                                 const std::vector<std::string>& optional) {
  for (const Piece& piece : formula.pieces) {
    const bool may_miss = Contains(optional, piece.text);
    if (piece.kind == Piece::Kind::kShardOfHash)
      Note(piece.text, entity, entity.Find(*entity.shard->hash_of), may_miss);
    if (piece.kind == Piece::Kind::kInput) Note(piece.text, entity, entity.Find(piece.origin->text), may_miss);
  }
}

std::optional<Unserved> WriteCompiler::WriteKeyParts(const Action& action, Write& out) {
  const Entity& entity = model_.entities[action.entity];
  for (const KeySide* side : {&model_.table.pk, &model_.table.sk}) {
    for (const std::string& attribute : *side) {
      const KeyTemplate& key = *entity.FindKey(attribute);
      if (auto unserved = CheckGiven(action, key)) return unserved;
      out.key.push_back({attribute, KeyFormula(entity, key.value, action.verb)});
      NoteInputsOf(entity, out.key.back().value);
    }
  }
  return {};
}

void WriteCompiler::WriteItem(const Action& action, Write& out) {
  const Entity& entity = model_.entities[action.entity];
  for (const KeyPart& key : out.key) out.item.push_back({key.attribute, key.value, {}, true});
  for (IndexId id = 0; id < model_.indexes.size(); ++id) {
    for (const std::string& attribute : KeysOf(model_.indexes[id])) {
      const KeyTemplate* key = entity.FindKey(attribute);
      const auto there = [&](const ItemPart& one) { return one.attribute == attribute; };
      if (key == nullptr || key->native || std::any_of(out.item.begin(), out.item.end(), there)) continue;
      WriteItemKey(entity, id, attribute, out);
    }
    if (entity.Has(model_.indexes[id])) out.effects.push_back({id, IndexEffect::Kind::kEnters, false});
  }
  if (!model_.table.type_attribute.empty()) {
    out.item.push_back({model_.table.type_attribute, TextFormula(StoredType::kS, entity.name), {}, false});
  }
  for (const Attribute& attribute : entity.attributes) {
    const auto there = [&](const ItemPart& one) { return one.attribute == attribute.name; };
    const Operand operand = OperandOf(entity, attribute);
    if (operand.kind == Operand::Kind::kInput)
      Note(operand.text, entity, &attribute, attribute.optional || attribute.default_value.has_value());
    out.known.push_back({attribute.name, operand});
    if (std::any_of(out.item.begin(), out.item.end(), there)) continue;
    out.item.push_back({attribute.name, OperandFormula(operand, &attribute), {}, false});
  }
}

// One index key: of each variant that has its own, while that variant's condition is the first to hold, and of the
// entity otherwise.
void WriteCompiler::WriteItemKey(const Entity& entity, IndexId index, const std::string& attribute, Write& out) {
  const When* when = entity.FindWhen(index);
  Guards guards;
  if (when != nullptr) guards.push_back({&when->condition, true});
  for (VariantId id = 0; id < entity.variants.size(); ++id) {
    const KeyTemplate* key = entity.FindKey(attribute, id);
    Guards own = guards;
    own.push_back({&entity.variants[id].condition, true});
    if (ReplacesIn(entity, index)) {
      out.item.push_back({attribute, KeyFormula(entity, key->value, Verb::kPut), std::move(own), true});
      guards.push_back({&entity.variants[id].condition, false});
    }
  }
  out.item.push_back(
      {attribute, KeyFormula(entity, entity.FindKey(attribute)->value, Verb::kPut), std::move(guards), true});
}

// Returns true if some variant replaces a key of the index.
bool WriteCompiler::ReplacesIn(const Entity& entity, IndexId index) const {
  return entity.VariantsIn(model_.indexes[index]).size() > 1;
}

// Adds the clause of one assignment. A clause of an optional input is written only if the caller gives it.
void WriteCompiler::WriteAssignment(const Action& action, const Assignment& one, ExpressionWriter& writer, Write& out) {
  const Entity& entity = model_.entities[action.entity];
  const Attribute* declared = entity.FindPath(one.path);
  Operand operand = one.value;
  if (operand.kind == Operand::Kind::kInput) operand.text = NoteInput(one.value, entity, *declared, one.optional);
  const std::string name = writer.Path(one.path, one.attribute);
  const std::string value = writer.Value(HintOf(operand, one.attribute), OperandFormula(operand, declared));
  Clause clause{Clause::Kind::kSet, name + " = " + value};
  if (one.optional) clause.given.push_back(operand.text);
  NotePath(one.path);
  if (one.op != Assignment::Op::kSet && declared != nullptr && IsSet(declared->type)) {
    clause.kind = one.op == Assignment::Op::kAdd ? Clause::Kind::kAdd : Clause::Kind::kDelete;
    clause.text = name + ' ' + value;
  } else if (one.op != Assignment::Op::kSet && declared != nullptr && declared->type == AttributeType::kList) {
    const std::string empty = writer.Value("empty", TextFormula(StoredType::kL, "[]"));
    clause.text = name + " = list_append(if_not_exists(" + name + ", " + empty + "), " + value + ')';
  } else if (one.op != Assignment::Op::kSet) {
    std::string old = name;
    if (declared != nullptr && declared->default_value) {
      const Formula otherwise = OperandFormula(*declared->default_value, declared);
      old = "if_not_exists(" + name + ", " + writer.Value(one.attribute + "_default", otherwise) + ')';
    }
    clause.text = name + " = " + old + (one.op == Assignment::Op::kAdd ? " + " : " - ") + value;
  }
  out.clauses.push_back(std::move(clause));
}

void WriteCompiler::WriteUpdate(const Action& action, Write& out) {
  const Entity& entity = model_.entities[action.entity];
  ExpressionWriter writer(out.aliases);
  const std::vector<Assignment> set = AssignmentsOf(model_, pattern_, action);
  for (const Assignment& one : set) WriteAssignment(action, one, writer, out);
  for (const Comparison& one : action.condition.all) {
    if (one.comparator != Comparator::kLock) continue;
    const std::string name = writer.Name(one.attribute);
    out.clauses.push_back(
        {Clause::Kind::kSet, name + " = " + name + " + " + writer.Value("one", TextFormula(StoredType::kN, "1"))});
  }
  // An update that may create the item must also set its type.
  if (!model_.table.type_attribute.empty() && !NeedsItem(action.condition)) {
    const std::string value = writer.Value(model_.table.type_attribute, TextFormula(StoredType::kS, entity.name));
    out.clauses.push_back({Clause::Kind::kSet, writer.Name(model_.table.type_attribute) + " = " + value});
  }
  for (const std::string& path : action.remove) {
    const Attribute* head = entity.FindHead(path);
    out.clauses.push_back({Clause::Kind::kRemove, writer.Path(path, head != nullptr ? head->name : path)});
    NotePath(path);
  }
  WriteKnown(set, out);
  for (IndexId index = 0; index < model_.indexes.size(); ++index) {
    if (entity.Has(model_.indexes[index])) WriteIndex(index, action, set, writer, out);
  }
}

// What the update knows of the item after it: the attributes that it assigns, and those that its caller names.
void WriteCompiler::WriteKnown(const std::vector<Assignment>& set, Write& out) {
  const Entity& entity = model_.entities[out.entity];
  for (const Attribute& attribute : entity.attributes) {
    const Assignment* one = FindSet(set, attribute.name);
    const bool assigned =
        std::any_of(set.begin(), set.end(), [&](const auto& to) { return to.attribute == attribute.name; });
    if (one != nullptr && one->op == Assignment::Op::kSet) {
      Operand operand = one->value;
      if (operand.kind == Operand::Kind::kInput) operand.text = NoteInput(one->value, entity, attribute, one->optional);
      out.known.push_back({attribute.name, operand});
    } else if (!assigned && !Contains(action_->remove, attribute.name) && IsKnown(entity, attribute.name)) {
      out.known.push_back({attribute.name, OperandOf(entity, attribute)});
    }
  }
}

namespace {

// How an update affects one index.
struct IndexTouch {
  std::vector<std::string> synthetic;       // the index's keys that templates write
  std::vector<const KeyTemplate*> changed;  // those with a placeholder that the update sets
  bool native_changed = false;
  bool broken = false;     // a key or a part of one is removed
  bool left_open = false;  // the pattern itself removes keys of the index, so none are derived
  bool rewrites = false;   // a projected attribute changes
};

IndexTouch TouchOf(const Model& model, const Index& index, const Entity& entity, const Action& action,
                   const std::vector<Assignment>& set) {
  IndexTouch touch;
  for (const std::string& attribute : KeysOf(index)) {
    const KeyTemplate* key = entity.FindKey(attribute);
    const bool removed = Contains(action.remove, attribute);
    if (key->native) {
      touch.native_changed |= FindSet(set, attribute) != nullptr;
      touch.broken |= removed;
      continue;
    }
    if (model.IsBaseKey(attribute)) continue;
    touch.synthetic.push_back(attribute);
    touch.left_open |= removed;
    bool set_here = false;
    for (const TemplatePart& part : key->value.parts) {
      const bool hashed = part.kind == TemplatePart::Kind::kShard && entity.shard->hash_of;
      if (part.kind != TemplatePart::Kind::kAttribute && !hashed) continue;
      const std::string& name = hashed ? *entity.shard->hash_of : part.text;
      set_here |= FindSet(set, name) != nullptr;
      touch.broken |= Contains(action.remove, name);
    }
    if (set_here) touch.changed.push_back(key);
  }
  for (const Assignment& one : set) touch.rewrites |= Projects(model, index, one.attribute);
  for (const std::string& path : action.remove) {
    const Attribute* head = entity.FindHead(path);
    touch.rewrites |= Projects(model, index, head != nullptr ? head->name : path);
  }
  for (const Comparison& one : action.condition.all) {
    touch.rewrites |= one.comparator == Comparator::kLock && Projects(model, index, one.attribute);
  }
  return touch;
}

}  // namespace

// An update's effect on one index, while it is compiled. Borrows everything.
struct WriteCompiler::IndexUpdate {
  IndexId index;
  const Entity& entity;
  const Action& action;
  const std::vector<Assignment>& set;
  ExpressionWriter& writer;
  Write& out;
  // Optional inputs that decide whether the item is in the index: its keys change only if they are given.
  std::vector<std::string> given;
};

// The condition's attributes whose values are not known after the update.
std::vector<std::string> WriteCompiler::UnknownIn(const Condition& condition, const IndexUpdate& update) const {
  std::vector<std::string> unknown;
  for (const Comparison* one : ComparisonsOf(condition)) {
    const auto known = [&](const KnownValue& value) { return value.attribute == one->path; };
    const bool removed = Contains(update.action.remove, one->path);
    const bool found = removed || std::any_of(update.out.known.begin(), update.out.known.end(), known);
    if (!found && !Contains(unknown, one->path)) unknown.push_back(one->path);
  }
  return unknown;
}

void WriteCompiler::WriteIndex(IndexId id, const Action& action, const std::vector<Assignment>& set,
                               ExpressionWriter& writer, Write& out) {
  IndexUpdate update{id, model_.entities[action.entity], action, set, writer, out, {}};
  const Entity& entity = update.entity;
  const IndexTouch touch = TouchOf(model_, model_.indexes[id], entity, action, set);
  const When* when = entity.FindWhen(id);
  const Outcome outcome =
      when != nullptr ? OutcomeOf(when->condition, entity, set, action.remove) : Outcome::kUntouched;
  const auto remove_all = [&](const Guards& guards) {
    for (const std::string& key : touch.synthetic)
      out.clauses.push_back({Clause::Kind::kRemove, writer.Name(key), guards, update.given});
  };
  const auto set_all = [&](Guards guards) {
    if (ReplacesIn(entity, id)) return WriteVariants(update, touch.synthetic, std::move(guards));
    for (const std::string& key : touch.synthetic) SetIndexKey(update, *entity.FindKey(key), guards);
  };
  const auto note = [&](IndexEffect::Kind kind, bool depends = false) { out.effects.push_back({id, kind, depends}); };
  if (touch.left_open) return note(IndexEffect::Kind::kLeaves);
  if (touch.broken || outcome == Outcome::kFails) return remove_all({}), note(IndexEffect::Kind::kLeaves);
  if (outcome == Outcome::kHolds) return set_all({}), note(IndexEffect::Kind::kEnters);
  if (outcome == Outcome::kDepends) {
    for (const Assignment& one : set) {
      for (const Comparison* tested : ComparisonsOf(when->condition)) {
        if (one.optional && one.path == tested->path) update.given.push_back(one.value.text);
      }
    }
    StaleKey stale{id, KeysOf(model_.indexes[id])[0], UnknownIn(when->condition, update)};
    if (!stale.missing.empty()) out.stale.push_back(std::move(stale));
    set_all({{&when->condition, true}});
    remove_all({{&when->condition, false}});
    return note(IndexEffect::Kind::kLeaves, true);
  }
  const bool varies = ReplacesIn(entity, id) && TouchesVariants(update);
  if ((varies || !touch.changed.empty()) && when != nullptr) {
    // It is not known here whether the item is in the index, so neither is whether it should have the key.
    StaleKey stale{id, varies ? touch.synthetic[0] : touch.changed[0]->attribute, {}};
    for (const Comparison* one : ComparisonsOf(when->condition)) stale.missing.push_back(one->attribute);
    out.stale.push_back(std::move(stale));
  } else if (varies) {
    WriteVariants(update, touch.synthetic, {});
  } else if (!ReplacesIn(entity, id)) {
    for (const KeyTemplate* key : touch.changed) SetIndexKey(update, *key, {});
  }
  if (varies || !touch.changed.empty() || touch.native_changed) return note(IndexEffect::Kind::kMoves);
  if (touch.rewrites) note(IndexEffect::Kind::kRewrites);
}

// Returns true if the update changes a variant's condition, or a part of a key in some variant.
bool WriteCompiler::TouchesVariants(const IndexUpdate& update) const {
  const auto touched = [&](std::string_view attribute) {
    const auto sets = [&](const Assignment& one) { return one.attribute == attribute; };
    return std::any_of(update.set.begin(), update.set.end(), sets) || Contains(update.action.remove, attribute);
  };
  for (const VariantId id : update.entity.VariantsIn(model_.indexes[update.index])) {
    for (const std::string& name : KeysOf(model_.indexes[update.index])) {
      for (const TemplatePart& part : update.entity.FindKey(name, id)->value.parts) {
        if (part.kind == TemplatePart::Kind::kAttribute && touched(part.text)) return true;
      }
    }
    if (id == kNoVariant) continue;
    for (const Comparison* one : ComparisonsOf(update.entity.variants[id].condition)) {
      if (touched(one->attribute)) return true;
    }
  }
  return false;
}

// Sets the keys of the variant that the item is in after the update, which has to be known.
void WriteCompiler::WriteVariants(IndexUpdate& update, const std::vector<std::string>& keys, Guards guards) {
  StaleKey stale{update.index, keys[0], {}};
  for (const Variant& variant : update.entity.variants) {
    for (std::string& name : UnknownIn(variant.condition, update)) {
      if (!Contains(stale.missing, name)) stale.missing.push_back(std::move(name));
    }
  }
  if (!stale.missing.empty()) return void(update.out.stale.push_back(std::move(stale)));
  const auto set_keys = [&](VariantId id, const Guards& own) {
    for (const std::string& key : keys) SetIndexKey(update, *update.entity.FindKey(key, id), own);
  };
  for (VariantId id = 0; id < update.entity.variants.size(); ++id) {
    Guards own = guards;
    own.push_back({&update.entity.variants[id].condition, true});
    set_keys(id, own);
    guards.push_back({&update.entity.variants[id].condition, false});
  }
  set_keys(kNoVariant, guards);
}

// Rebuilds one index key if all its parts are known: from the base key, from the assignments, or from what the caller
// names. It is written only if the caller gives an optional part.
void WriteCompiler::SetIndexKey(IndexUpdate& update, const KeyTemplate& key, const Guards& guards) {
  const Entity& entity = update.entity;
  StaleKey stale{update.index, key.attribute, {}};
  std::vector<std::string> given = update.given;
  Formula formula = KeyFormula(entity, key.value, Verb::kUpdate);
  for (Piece& piece : formula.pieces) {
    if (piece.origin == nullptr || piece.origin->IsLiteral()) continue;
    const bool shard = piece.origin->kind == TemplatePart::Kind::kShard;
    const std::string attribute = shard ? entity.shard->hash_of.value_or("shard") : piece.origin->text;
    if (const Assignment* one = FindSet(update.set, attribute)) {
      if (one->op != Assignment::Op::kSet) stale.missing.push_back(attribute);
      AssignPiece(entity, *one, piece);
      if (one->optional && !Contains(given, one->value.text)) given.push_back(one->value.text);
    } else if (!IsKnown(entity, attribute)) {
      stale.missing.push_back(attribute);
    }
  }
  if (given.size() > 1) stale.missing.insert(stale.missing.end(), given.begin() + 1, given.end());
  if (!stale.missing.empty()) return void(update.out.stale.push_back(std::move(stale)));
  NoteInputsOf(entity, formula, given);  // `by` can give inputs that only this key needs
  update.out.clauses.push_back({Clause::Kind::kSet,
                                update.writer.Name(key.attribute) + " = " + update.writer.Value(key.attribute, formula),
                                guards, std::move(given)});
}

// Makes a piece of a key write what the update assigns to its attribute.
void WriteCompiler::AssignPiece(const Entity& entity, const Assignment& one, Piece& piece) {
  const TemplatePart& origin = *piece.origin;
  const bool shard = origin.kind == TemplatePart::Kind::kShard;
  const Attribute& attribute = *entity.Find(one.attribute);
  Piece assigned;
  assigned.origin = &origin;
  assigned.type = shard ? attribute.type : origin.type;
  assigned.format = shard ? entity.shard->hash_format : origin.format;
  assigned.width = shard ? entity.shard->hash_width : origin.width;
  assigned.shards = origin.shards;
  if (one.op == Assignment::Op::kSet && one.value.IsLiteral()) {
    std::string text = FormatValue(assigned.format, assigned.width, assigned.type, one.value.text);
    assigned.text = shard ? std::to_string(ShardOf(text, origin.shards)) : std::move(text);
  } else if (one.value.kind == Operand::Kind::kNow) {
    assigned.kind = Piece::Kind::kNow;
  } else {
    assigned.kind = shard ? Piece::Kind::kShardOfHash : Piece::Kind::kInput;
    assigned.text = NoteInput(one.value, entity, attribute, one.optional);
  }
  piece = std::move(assigned);
}

// Returns true if the base key, `by` or `with` gives the attribute's value.
bool WriteCompiler::IsKnown(const Entity& entity, std::string_view attribute) const {
  if (FindBinding(pattern_.by, action_->entity, attribute) != nullptr || Binds(action_->with, attribute)) return true;
  for (const KeySide* side : {&model_.table.pk, &model_.table.sk}) {
    for (const std::string& name : *side) {
      for (const TemplatePart& part : entity.FindKey(name)->value.parts) {
        if (part.kind == TemplatePart::Kind::kAttribute && part.text == attribute) return true;
        if (part.kind == TemplatePart::Kind::kShard && attribute == "shard") return true;
      }
    }
  }
  return false;
}

void WriteCompiler::WriteCondition(const Action& action, Write& out) {
  const Entity& entity = model_.entities[action.entity];
  ExpressionWriter writer(out.aliases);
  if (action.if_new) out.condition = "attribute_not_exists(" + writer.Name(model_.table.pk[0]) + ')';
  const auto formula_of = [&](const Comparison& one, const Operand& right) {
    const Attribute* declared = OperandAttribute(one, entity.FindPath(one.path));
    Operand operand = right;
    if (operand.kind == Operand::Kind::kInput) {
      if (declared != nullptr && declared->name == one.attribute) {
        operand.text = NoteInput(right, entity, *declared);
      } else {
        Note(operand.text, entity, declared, false);
      }
    }
    return OperandFormula(operand, declared);
  };
  for (const Comparison* one : ComparisonsOf(action.condition)) NotePath(one->path);
  for (const Comparison& one : action.condition.all)
    ExpressionWriter::Join(out.condition, writer.Compare(one, formula_of));
  for (const ConditionNode& one : action.condition.other)
    ExpressionWriter::Join(out.condition, writer.Compare(one, formula_of));
}

}  // namespace keyfold::model

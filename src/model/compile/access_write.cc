// Compiles write patterns: keys, items, update expressions that keep index keys up to date, conditions.
#include <algorithm>

#include "base/text/ascii.h"
#include "model/compile/access_compiler.h"
#include "model/compile/projection.h"
#include "model/core/action.h"

namespace keyfold::model {
namespace {

constexpr Rule<"{} of {} is {}, and {} is not given in by; an update or delete must name its item's whole key">
    kIndexKeyUnbound{"access-write-unbound", Kind::kValidation};
constexpr Rule<"{} of {} is {}, and its random shard cannot be determined again; use hash(...)"> kRandomShard{
    "access-write-shard", Kind::kValidation};

Formula TextFormula(StoredType type, std::string text) {
  Piece piece;
  piece.text = std::move(text);
  return {type, {std::move(piece)}, false};
}

const Assignment* FindSet(const std::vector<Assignment>& set, std::string_view attribute) {
  const auto it =
      std::find_if(set.begin(), set.end(), [&](const Assignment& one) { return one.attribute == attribute; });
  return it == set.end() ? nullptr : &*it;
}

// How an update affects a sparse rule.
enum class Outcome : uint8_t { kUntouched, kHolds, kFails, kDepends };

Outcome OutcomeOf(const When& when, const Entity& entity, const std::vector<Assignment>& set,
                  const std::vector<std::string>& removed) {
  Outcome outcome = Outcome::kUntouched;
  bool all_known = true;
  for (const Comparison& one : when.condition.all) {
    const Assignment* assigned = FindSet(set, one.attribute);
    const bool gone = Contains(removed, one.attribute);
    if (assigned == nullptr && !gone) {
      all_known = false;
      continue;
    }
    if (outcome == Outcome::kUntouched) outcome = Outcome::kHolds;
    const bool known =
        gone || (assigned->op == Assignment::Op::kSet && assigned->value.IsLiteral() && one.path == one.attribute);
    if (!known) {
      outcome = Outcome::kDepends;
      continue;
    }
    Condition alone;
    alone.all = {one};
    const auto value = [&](std::string_view) { return gone ? std::nullopt : std::optional(assigned->value.text); };
    const auto find = [&](std::string_view name) { return entity.Find(name); };
    if (!Holds(
            alone, find, value, [](std::string_view) { return std::optional<std::string>(); }, 0))
      return Outcome::kFails;
  }
  return outcome == Outcome::kHolds && !all_known ? Outcome::kDepends : outcome;
}

Aliases UsedIn(const Aliases& all, std::string_view text) {
  Aliases some;
  for (const auto& one : all.names) {
    if (UsesAlias(text, one.first)) some.names.push_back(one);
  }
  for (const NamedValue& one : all.values) {
    if (UsesAlias(text, one.name)) some.values.push_back(one);
  }
  return some;
}

// Returns true if the condition fails when the item does not exist.
bool NeedsItem(const Condition& condition) {
  return std::any_of(condition.all.begin(), condition.all.end(), [](const Comparison& one) {
    return one.comparator != Comparator::kMissing && one.comparator != Comparator::kNotEqual;
  });
}

}  // namespace

UpdateText UpdateOf(const Write& write, FunctionRef<bool(const When&)> holds) {
  std::string set;
  std::string remove;
  for (const Clause& clause : write.clauses) {
    if (clause.when != nullptr && holds(*clause.when) == clause.unless) continue;
    std::string& to = clause.kind == Clause::Kind::kSet ? set : remove;
    (to += to.empty() ? "" : ", ") += clause.text;
  }
  if (!set.empty()) set.insert(0, "SET ");
  if (!remove.empty()) remove.insert(0, set.empty() ? "REMOVE " : " REMOVE ");
  UpdateText text{set + remove, {}};
  text.aliases = UsedIn(write.aliases, text.update + ' ' + write.condition);
  return text;
}

UpdateText UpdateOf(const Write& write) {
  return UpdateOf(write, [](const When&) { return false; });
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
  const auto is_token = [&](const Input& one) { return one.name == pattern_.token; };
  if (!pattern_.token.empty() && std::none_of(access_.inputs.begin(), access_.inputs.end(), is_token)) {
    access_.inputs.push_back({pattern_.token, nullptr, false, {}});
  }
  return std::move(access_);
}

std::optional<Unserved> WriteCompiler::CompileWrite(const Action& action, Write& out) {
  out.verb = action.verb;
  out.entity = action.entity;
  out.times = action.times;
  out.action = &action;
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

void WriteCompiler::Note(std::string name, const Entity& entity, const Attribute* attribute, bool optional) {
  for (const std::vector<Input>* list : {&access_.inputs, inputs_}) {
    const auto same = [&](const Input& one) { return one.name == name; };
    if (std::any_of(list->begin(), list->end(), same)) return;
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

std::string WriteCompiler::NoteInput(const Operand& operand, const Entity& entity, const Attribute& attribute) {
  const std::string name = operand.text == attribute.name ? InputName(entity, attribute) : operand.text;
  Note(name, entity, &attribute, false);
  return name;
}

Piece WriteCompiler::InputPiece(const Entity& entity, const TemplatePart& part) {
  const Attribute& attribute = *entity.Find(part.text);
  Piece piece;
  piece.kind = Piece::Kind::kInput;
  piece.text = InputName(entity, attribute);
  piece.format = part.format;
  piece.width = part.width;
  piece.type = part.type;
  piece.origin = &part;
  return piece;
}

Formula WriteCompiler::KeyFormula(const Entity& entity, const Template& whole, Verb verb) {
  Formula formula{whole.type, {}, false};
  for (const TemplatePart& part : whole.parts) {
    Piece piece;
    if (part.IsLiteral()) {
      piece.text = part.text;
    } else if (part.kind == TemplatePart::Kind::kAttribute) {
      piece = InputPiece(entity, part);
    } else if (entity.shard->hash_of) {
      const Attribute& hashed = *entity.Find(*entity.shard->hash_of);
      piece.kind = Piece::Kind::kShardOfHash;
      piece.text = InputName(entity, hashed);
      piece.type = hashed.type;
      piece.format = entity.shard->hash_format;
      piece.width = entity.shard->hash_width;
    } else {
      piece.kind = verb == Verb::kPut ? Piece::Kind::kShardRandom : Piece::Kind::kInput;
      piece.text = verb == Verb::kPut ? "" : "shard";
      piece.type = AttributeType::kNumber;
    }
    if (part.kind == TemplatePart::Kind::kShard) piece.shards = part.shards, piece.origin = &part;
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
    if (part.IsLiteral() || Contains(pattern_.by, missing)) continue;
    const Error error = shard && !entity.shard->hash_of
                            ? kRandomShard(key.attribute, entity.name, key.value.text)
                            : kIndexKeyUnbound(key.attribute, entity.name, key.value.text, missing);
    return Unserved{id_, Unserved::Why::kUnbound, action.entity, key.attribute, missing, false, {}, error.message()};
  }
  return {};
}

void WriteCompiler::NoteInputsOf(const Entity& entity, const Formula& formula) {
  for (const Piece& piece : formula.pieces) {
    if (piece.kind == Piece::Kind::kShardOfHash) Note(piece.text, entity, entity.Find(*entity.shard->hash_of), false);
    if (piece.kind == Piece::Kind::kInput) Note(piece.text, entity, entity.Find(piece.origin->text), false);
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
  for (const KeyPart& key : out.key) out.item.push_back({key.attribute, key.value, nullptr, true});
  for (IndexId id = 0; id < model_.indexes.size(); ++id) {
    for (const std::string& attribute : KeysOf(model_.indexes[id])) {
      const KeyTemplate* key = entity.FindKey(attribute);
      const auto there = [&](const ItemPart& one) { return one.attribute == attribute; };
      if (key == nullptr || key->native || std::any_of(out.item.begin(), out.item.end(), there)) continue;
      out.item.push_back({attribute, KeyFormula(entity, key->value, Verb::kPut), entity.FindWhen(id), true});
    }
    if (entity.Has(model_.indexes[id])) out.effects.push_back({id, IndexEffect::Kind::kEnters, false});
  }
  if (!model_.table.type_attribute.empty()) {
    out.item.push_back({model_.table.type_attribute, TextFormula(StoredType::kS, entity.name), nullptr, false});
  }
  for (const Attribute& attribute : entity.attributes) {
    const auto there = [&](const ItemPart& one) { return one.attribute == attribute.name; };
    const std::string name = InputName(entity, attribute);
    Note(name, entity, &attribute, attribute.optional || attribute.default_value.has_value());
    if (std::any_of(out.item.begin(), out.item.end(), there)) continue;
    Formula value = OperandFormula({Operand::Kind::kInput, name}, &attribute, true);
    out.item.push_back({attribute.name, std::move(value), nullptr, false});
  }
}

void WriteCompiler::WriteAssignment(const Action& action, const Assignment& one, ExpressionWriter& writer, Write& out) {
  const Entity& entity = model_.entities[action.entity];
  const Attribute& attribute = *entity.Find(one.attribute);
  Operand operand = one.value;
  if (operand.kind == Operand::Kind::kInput) operand.text = NoteInput(one.value, entity, attribute);
  const std::string name = writer.Name(one.attribute);
  const std::string value = writer.Value(HintOf(operand, one.attribute), OperandFormula(operand, &attribute, true));
  if (one.op == Assignment::Op::kSet) {
    out.clauses.push_back({Clause::Kind::kSet, name + " = " + value});
    return;
  }
  std::string old = name;
  if (attribute.default_value) {
    const Formula otherwise = OperandFormula(*attribute.default_value, &attribute, true);
    old = "if_not_exists(" + name + ", " + writer.Value(one.attribute + "_default", otherwise) + ')';
  }
  const std::string_view sign = one.op == Assignment::Op::kAdd ? " + " : " - ";
  out.clauses.push_back({Clause::Kind::kSet, name + " = " + old + std::string(sign) + value});
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
  for (const std::string& name : action.remove) out.clauses.push_back({Clause::Kind::kRemove, writer.Name(name)});
  WriteIndexKeys(action, set, writer, out);
}

void WriteCompiler::WriteIndexKeys(const Action& action, const std::vector<Assignment>& set, ExpressionWriter& writer,
                                   Write& out) {
  for (IndexId index = 0; index < model_.indexes.size(); ++index) {
    if (model_.entities[action.entity].Has(model_.indexes[index])) WriteIndex(index, action, set, writer, out);
  }
}

namespace {

// How an update affects one index.
struct IndexTouch {
  std::vector<const KeyTemplate*> templates;  // the index's synthetic keys
  std::vector<const KeyTemplate*> changed;    // those with a placeholder that the update sets
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
    touch.templates.push_back(key);
    touch.left_open |= removed;
    bool set_here = false;
    for (const TemplatePart& part : key->value.parts) {
      if (part.kind != TemplatePart::Kind::kAttribute) continue;
      set_here |= FindSet(set, part.text) != nullptr;
      touch.broken |= Contains(action.remove, part.text);
    }
    if (set_here) touch.changed.push_back(key);
  }
  for (const Assignment& one : set) touch.rewrites |= Projects(model, index, one.attribute);
  for (const std::string& name : action.remove) touch.rewrites |= Projects(model, index, name);
  for (const Comparison& one : action.condition.all) {
    touch.rewrites |= one.comparator == Comparator::kLock && Projects(model, index, one.attribute);
  }
  return touch;
}

}  // namespace

void WriteCompiler::WriteIndex(IndexId id, const Action& action, const std::vector<Assignment>& set,
                               ExpressionWriter& writer, Write& out) {
  const Entity& entity = model_.entities[action.entity];
  const IndexTouch touch = TouchOf(model_, model_.indexes[id], entity, action, set);
  const When* when = entity.FindWhen(id);
  const Outcome outcome = when != nullptr ? OutcomeOf(*when, entity, set, action.remove) : Outcome::kUntouched;
  const auto remove_all = [&](const When* only) {
    for (const KeyTemplate* key : touch.templates) {
      out.clauses.push_back({Clause::Kind::kRemove, writer.Name(key->attribute), only, only != nullptr});
    }
  };
  const auto set_keys = [&](const std::vector<const KeyTemplate*>& keys, const When* only) {
    for (const KeyTemplate* key : keys) SetIndexKey(id, action, *key, set, only, writer, out);
  };
  const auto note = [&](IndexEffect::Kind kind, bool depends = false) { out.effects.push_back({id, kind, depends}); };
  if (touch.left_open) return note(IndexEffect::Kind::kLeaves);
  if (touch.broken || outcome == Outcome::kFails) return remove_all(nullptr), note(IndexEffect::Kind::kLeaves);
  if (outcome == Outcome::kHolds) return set_keys(touch.templates, nullptr), note(IndexEffect::Kind::kEnters);
  if (outcome == Outcome::kDepends) {
    set_keys(touch.templates, when);
    remove_all(when);
    return note(IndexEffect::Kind::kLeaves, true);
  }
  if (!touch.changed.empty() && when != nullptr) {
    // It is not known here whether the item is in the index, so neither is whether it should have the key.
    StaleKey stale{id, touch.changed[0]->attribute, {}};
    for (const Comparison& one : when->condition.all) stale.missing.push_back(one.attribute);
    out.stale.push_back(std::move(stale));
  } else {
    set_keys(touch.changed, nullptr);
  }
  if (!touch.changed.empty() || touch.native_changed) return note(IndexEffect::Kind::kMoves);
  if (touch.rewrites) note(IndexEffect::Kind::kRewrites);
}

// Rebuilds one index key if all its parts are known: from the base key, from the assignments, or from `by`.
void WriteCompiler::SetIndexKey(IndexId id, const Action& action, const KeyTemplate& key,
                                const std::vector<Assignment>& set, const When* only, ExpressionWriter& writer,
                                Write& out) {
  const Entity& entity = model_.entities[action.entity];
  StaleKey stale{id, key.attribute, {}};
  Formula formula = KeyFormula(entity, key.value, Verb::kUpdate);
  for (Piece& piece : formula.pieces) {
    if (piece.kind == Piece::Kind::kLiteral) continue;
    const bool shard = piece.origin->kind == TemplatePart::Kind::kShard;
    const std::string attribute = shard ? entity.shard->hash_of.value_or("shard") : piece.origin->text;
    if (const Assignment* one = FindSet(set, attribute)) {
      if (one->op != Assignment::Op::kSet) stale.missing.push_back(attribute);
      if (one->value.kind == Operand::Kind::kInput) piece.text = NoteInput(one->value, entity, *entity.Find(attribute));
      if (!one->value.IsLiteral() || one->op != Assignment::Op::kSet) continue;
      std::string text = FormatValue(piece.format, piece.width, piece.type, one->value.text);
      if (shard) text = std::to_string(ShardOf(text, piece.shards));
      piece = Piece();
      piece.text = std::move(text);
    } else if (!IsKnown(entity, attribute)) {
      stale.missing.push_back(attribute);
    }
  }
  if (!stale.missing.empty()) return void(out.stale.push_back(std::move(stale)));
  NoteInputsOf(entity, formula);  // `by` can give inputs that only this key needs
  out.clauses.push_back(
      {Clause::Kind::kSet, writer.Name(key.attribute) + " = " + writer.Value(key.attribute, formula), only});
}

// Returns true if the base key or `by` gives the attribute's value.
bool WriteCompiler::IsKnown(const Entity& entity, std::string_view attribute) const {
  if (Contains(pattern_.by, attribute)) return true;
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
  for (const Comparison& one : action.condition.all) {
    const Attribute& attribute = *entity.Find(one.attribute);
    Operand operand = one.right;
    const bool compares = one.comparator != Comparator::kExists && one.comparator != Comparator::kMissing;
    if (compares && operand.kind == Operand::Kind::kInput) operand.text = NoteInput(one.right, entity, attribute);
    ExpressionWriter::Join(
        out.condition, writer.Compare(one, attribute, OperandFormula(operand, &attribute, one.path == one.attribute)));
  }
}

}  // namespace keyfold::model

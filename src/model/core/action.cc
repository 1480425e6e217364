#include "model/core/action.h"

#include <algorithm>
#include <charconv>

#include "base/text/ascii.h"
#include "model/core/names.h"
#include "model/core/operand.h"
#include "model/core/path.h"
#include "model/core/words.h"

namespace keyfold::model {
namespace {

constexpr Rule<"an action starts with put, update, delete or check, not {}"> kVerb{"action-verb", Kind::kValidation};
constexpr Rule<"an entity name is expected: {}"> kEntityExpected{"action-entity", Kind::kValidation};
constexpr Rule<"{} is not allowed here; the form is {}"> kUnexpected{"action-word", Kind::kValidation};
constexpr Rule<"x followed by a number from 1 to {} is expected, not {}"> kTimes{"action-times", Kind::kValidation};
constexpr Rule<"an attribute is expected here"> kAttributeExpected{"action-attribute-expected", Kind::kValidation};
constexpr Rule<"{} can be followed by = value, += value or -= value, not by {}"> kAssignment{"action-assignment",
                                                                                             Kind::kValidation};
constexpr Rule<"{} is of type {}; += needs a number, a set or a list, and -= a number or a set"> kArithmetic{
    "action-arithmetic", Kind::kValidation};
constexpr Rule<"+= and -= take a number or the name of an input, not {}"> kAmount{"action-amount", Kind::kValidation};
constexpr Rule<"+= and -= of a {} take the name of an input, not {}"> kElements{"action-elements", Kind::kValidation};
constexpr Rule<"{} has no declared type, so its input has none; declare it in the fields of {}"> kUndeclaredPath{
    "action-path", Kind::kValidation};
constexpr Rule<"{} needs a value: {} = value"> kPathValue{"action-path-value", Kind::kValidation};
constexpr Rule<"only an input can be optional; {} is a literal"> kOptionalLiteral{"action-optional", Kind::kValidation};
constexpr Rule<"{} is assigned twice, or also a part of it; DynamoDB refuses paths that overlap"> kOverlap{
    "action-overlap", Kind::kValidation};
constexpr Rule<"{} is expected to be followed by = and a value: {} = input"> kBinding{"action-binding",
                                                                                      Kind::kValidation};
constexpr Rule<"{} is not the name of an input; a literal for {} belongs in where or with"> kGivenInput{
    "pattern-by-input", Kind::kValidation};
constexpr Rule<"{} has two values in with"> kTwoBindings{"action-with-twice", Kind::kValidation};
constexpr Rule<"a check needs a condition: check {} if ..."> kCheck{"action-check", Kind::kValidation};

std::string_view GrammarOf(Verb verb) {
  switch (verb) {
    case Verb::kPut:
      return "put Entity [xN] [with a = b] [if_new]";
    case Verb::kUpdate:
      return "update Entity [xN] [with a = b] [set c, d += e] [remove f] [if condition]";
    case Verb::kDelete:
      return "delete Entity [xN] [with a = b] [if condition]";
    default:
      return "check Entity [with a = b] if condition";
  }
}

// Parses one action. Used by one thread at a time.
class ActionParser {
 public:
  ActionParser(Phrase phrase, const Model& model) : words_(phrase), model_(model) {}

  Fault ParseVerb(Action& out) {
    out.mark = words_.mark();
    constexpr std::pair<std::string_view, Verb> kVerbs[] = {
        {"put", Verb::kPut}, {"update", Verb::kUpdate}, {"delete", Verb::kDelete}, {"check", Verb::kCheck}};
    for (const auto& [name, verb] : kVerbs) {
      if (words_.Accept(name)) return out.verb = verb, Fault();
    }
    return Unreadable(words_.mark(), kVerb(words_.current().text));
  }

  Fault ParseRest(Action& out) {
    if (words_.current().kind != Word::Kind::kName)
      return Unreadable(words_.mark(), kEntityExpected(GrammarOf(out.verb)));
    const Word name = words_.Take();
    if (Fault fault = FindEntity(model_, {name.text, words_.MarkOf(name), false}, out.entity)) return fault;
    if (Fault fault = ParseTimes(out)) return fault;
    if (Fault fault = ParseClauses(out)) return fault;
    if (words_.fault()) return words_.fault();
    if (!words_.AtEnd()) return Unreadable(words_.mark(), kUnexpected(words_.current().text, GrammarOf(out.verb)));
    if (out.verb == Verb::kCheck && out.condition.empty()) return Unreadable(out.mark, kCheck(name.text));
    return {};
  }

  Fault ParseOneAssignment(EntityId entity, Assignment& out) {
    const AttributeScope scope(model_.entities[entity]);
    if (Fault fault = ParsePath(scope, out)) return fault;
    const Attribute* declared = scope.FindPath(out.path);
    if (words_.AcceptSign("=")) {
      out.optional |= MarksOptional();
      const Mark mark = words_.mark();
      if (Fault fault = ParseOperand(words_, declared, out.value)) return fault;
      if (out.optional && out.value.kind != Operand::Kind::kInput)
        return Unreadable(mark, kOptionalLiteral(out.value.text));
    } else if (words_.AcceptSign("+=")) {
      out.op = Assignment::Op::kAdd;
    } else if (words_.AcceptSign("-=")) {
      out.op = Assignment::Op::kSubtract;
    } else if (!out.IsWhole() && !IsIdentifier(out.value.text)) {
      return Unreadable(out.mark, kPathValue(out.path, out.path));
    }
    if (out.op != Assignment::Op::kSet) {
      if (Fault fault = ParseAmount(declared, out)) return fault;
    }
    if (declared == nullptr && out.value.kind == Operand::Kind::kInput)
      return Unreadable(out.mark, kUndeclaredPath(out.path, out.attribute));
    return {};
  }

  Fault ExpectEnd(std::string_view behind) {
    if (words_.fault()) return words_.fault();
    if (words_.AtEnd()) return {};
    return Unreadable(words_.mark(), kAssignment(behind, words_.current().text));
  }

 private:
  Fault ParseTimes(Action& out) {
    const Word& word = words_.current();
    const bool times =
        word.kind == Word::Kind::kName && word.text.size() > 1 && word.text[0] == 'x' && IsDigit(word.text[1]);
    if (!times || out.verb == Verb::kCheck) return {};
    const auto end = std::from_chars(word.text.data() + 1, word.text.data() + word.text.size(), out.times);
    const bool whole = end.ec == std::errc() && end.ptr == word.text.data() + word.text.size();
    if (!whole || out.times < 1 || out.times > kTimesMax)
      return Unreadable(words_.mark(), kTimes(kTimesMax, word.text));
    words_.Take();
    return {};
  }

  Fault ParseClauses(Action& out) {
    if (words_.Accept("with")) {
      do {
        if (Fault fault = ParseBinding(out)) return fault;
      } while (words_.AcceptSign(","));
    }
    if (out.verb == Verb::kPut) {
      out.if_new = words_.Accept("if_new");
      return {};
    }
    if (out.verb == Verb::kUpdate && words_.Accept("set")) {
      do {
        out.set.emplace_back();
        if (Fault fault = ParseOneAssignment(out.entity, out.set.back())) return fault;
      } while (words_.AcceptSign(","));
      if (Fault fault = CheckAssignments(out)) return fault;
    }
    if (out.verb == Verb::kUpdate && words_.Accept("remove")) {
      do {
        if (words_.current().kind != Word::Kind::kName) return Unreadable(words_.mark(), kAttributeExpected());
        const Word word = words_.Take();
        if (Fault fault = CheckRemoved({word.text, words_.MarkOf(word), false}, model_, out.entity)) return fault;
        out.remove.push_back(word.text);
      } while (words_.AcceptSign(","));
    }
    if (!words_.current().Is("if")) return {};
    return ParseIf(out);
  }

  Fault ParseBinding(Action& out) {
    if (words_.current().kind != Word::Kind::kName) return Unreadable(words_.mark(), kAttributeExpected());
    const Word word = words_.Take();
    const AttributeScope scope(model_.entities[out.entity]);
    const Mark mark = words_.MarkOf(word);
    const Attribute* attribute = scope.Find(word.text);
    if (attribute == nullptr) return scope.Missing(mark, word.text);
    if (Binds(out.with, word.text)) return Unreadable(mark, kTwoBindings(word.text));
    if (!words_.AcceptSign("=")) return Unreadable(words_.mark(), kBinding(word.text, word.text));
    Binding& binding = out.with.emplace_back(Binding{word.text, mark, {}});
    return ParseOperand(words_, attribute, binding.value);
  }

  Fault ParseIf(Action& out) {
    words_.Take();
    const Phrase rest = words_.Rest();
    while (!words_.AtEnd()) words_.Take();
    return ParseCondition(rest, AttributeScope(model_.entities[out.entity]), out.condition);
  }

  // A name or a path, which by itself is assigned the input of its last name.
  Fault ParsePath(const AttributeScope& scope, Assignment& out) {
    if (words_.current().kind != Word::Kind::kName) return Unreadable(words_.mark(), kAttributeExpected());
    out.optional = MarksOptional();
    const Word word = words_.Take();
    out.path = word.text;
    out.mark = words_.MarkOf(word);
    const Attribute* attribute = scope.FindHead(out.path);
    if (attribute == nullptr) return scope.Missing(out.mark, word.text);
    out.attribute = attribute->name;
    const size_t last = out.IsWhole() ? std::string::npos : out.path.find_last_of('.');
    out.value = {Operand::Kind::kInput, last == std::string::npos ? out.path : out.path.substr(last + 1)};
    return CheckPath({out.path, out.mark, false}, scope);
  }

  bool MarksOptional() { return words_.StripEnd('?'); }

  // What += and -= take.
  Fault ParseAmount(const Attribute* declared, Assignment& out) {
    const AttributeType type = declared != nullptr ? declared->type : AttributeType::kNumber;
    const bool elements = IsSet(type) || (type == AttributeType::kList && out.op == Assignment::Op::kAdd);
    if (StoredAs(type) != StoredType::kN && !elements) return Unreadable(out.mark, kArithmetic(out.path, type));
    out.optional |= MarksOptional();
    const Mark mark = words_.mark();
    if (Fault fault = ParseOperand(words_, nullptr, out.value)) return fault;
    const bool input = out.value.kind == Operand::Kind::kInput;
    if (elements && !input) return Unreadable(mark, kElements(type, out.value.text));
    if (!input && (out.value.kind != Operand::Kind::kNumber || out.optional))
      return Unreadable(mark, kAmount(out.value.text));
    return {};
  }

  Words words_;
  const Model& model_;
};

bool IsIndexKey(const Model& model, std::string_view attribute) {
  return std::any_of(model.indexes.begin(), model.indexes.end(), [&](const Index& index) {
    return std::count(index.pk.begin(), index.pk.end(), attribute) +
               std::count(index.sk.begin(), index.sk.end(), attribute) >
           0;
  });
}

}  // namespace

Fault ParseAction(Phrase phrase, const Model& model, Action& out) {
  ActionParser parser(phrase, model);
  if (Fault fault = parser.ParseVerb(out)) return fault;
  return parser.ParseRest(out);
}

Fault ParseActionOf(Verb verb, Phrase phrase, const Model& model, Action& out) {
  out.verb = verb;
  out.mark = phrase.mark;
  return ActionParser(phrase, model).ParseRest(out);
}

Fault ParseAssignment(Phrase phrase, const Model& model, EntityId entity, Assignment& out) {
  ActionParser parser(phrase, model);
  if (Fault fault = parser.ParseOneAssignment(entity, out)) return fault;
  return parser.ExpectEnd(out.path);
}

namespace {

// Entity.attribute: the attribute of one of the pattern's entities.
bool TakeEntity(const Model& model, const Pattern& pattern, Binding& out) {
  const size_t dot = out.attribute.find('.');
  const Entity* entity = dot == std::string::npos ? nullptr : model.FindEntity(out.attribute.substr(0, dot));
  if (entity == nullptr || entity->Find(out.attribute.substr(dot + 1)) == nullptr) return false;
  const auto id = static_cast<EntityId>(entity - model.entities.data());
  const bool there = std::find(pattern.entities.begin(), pattern.entities.end(), id) != pattern.entities.end();
  if (!there) return false;
  out.entity = id;
  out.attribute.erase(0, dot + 1);
  return true;
}

}  // namespace

Fault CheckAssignments(const Action& action) {
  const auto within = [](std::string_view path, std::string_view outer) {
    return path.starts_with(outer) &&
           (path.size() == outer.size() || path[outer.size()] == '.' || path[outer.size()] == '[');
  };
  for (size_t i = 0; i < action.set.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const std::string& one = action.set[i].path;
      const std::string& other = action.set[j].path;
      if (within(one, other) || within(other, one)) return Unreadable(action.set[i].mark, kOverlap(one));
    }
  }
  return {};
}

Fault ParseGiven(Phrase phrase, const Model& model, const Pattern& pattern, Binding& out) {
  Words words(phrase);
  out.mark = words.mark();
  if (words.current().kind != Word::Kind::kName) return Unreadable(out.mark, kAttributeExpected());
  out.attribute = words.Take().text;
  const AttributeScope scope(model, pattern);
  if (scope.Find(out.attribute) == nullptr && !TakeEntity(model, pattern, out))
    return scope.Missing(out.mark, out.attribute);
  out.value = {Operand::Kind::kInput, out.attribute};
  if (words.AcceptSign("=")) {
    const Word input = words.Take();
    if (input.kind != Word::Kind::kName || !IsIdentifier(input.text))
      return Unreadable(words.MarkOf(input), kGivenInput(input.text, out.attribute));
    out.value.text = input.text;
  }
  if (words.fault()) return words.fault();
  if (!words.AtEnd()) return Unreadable(words.mark(), kBinding(out.attribute, out.attribute));
  return {};
}

Fault CheckRemoved(Phrase phrase, const Model& model, EntityId entity) {
  const Entity& owner = model.entities[entity];
  if (owner.FindHead(phrase.text) != nullptr) return CheckPath(phrase, AttributeScope(owner));
  if (IsIndexKey(model, phrase.text)) return {};
  return AttributeScope(owner).Missing(phrase.mark, phrase.text);
}

std::vector<Assignment> AssignmentsOf(const Model& model, const Pattern& pattern, const Action& action) {
  const std::optional<CopyOf>& copy = model.entities[action.entity].copy_of;
  if (!action.set.empty() || !copy || !action.remove.empty()) return action.set;
  // With several updates of the source, the one that names its item by the same inputs.
  const auto same = [](const Binding& a, const Binding& b) { return a.attribute == b.attribute && a.value == b.value; };
  const Action* source = nullptr;
  for (const Action& other : pattern.actions) {
    if (other.entity != copy->source || other.verb != Verb::kUpdate) continue;
    const bool alike = std::equal(other.with.begin(), other.with.end(), action.with.begin(), action.with.end(), same);
    if (source == nullptr || alike) source = &other;
    if (alike) break;
  }
  std::vector<Assignment> copied;
  if (source == nullptr) return copied;
  for (const Assignment& one : source->set) {
    if (Contains(copy->attributes, one.attribute)) copied.push_back(one);
  }
  return copied;
}

}  // namespace keyfold::model

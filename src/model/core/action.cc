#include "model/core/action.h"

#include <algorithm>
#include <charconv>

#include "base/text/ascii.h"
#include "model/core/names.h"
#include "model/core/operand.h"
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
constexpr Rule<"{} is of type {}; += and -= need a number"> kArithmetic{"action-arithmetic", Kind::kValidation};
constexpr Rule<"+= and -= take a number or the name of an input, not {}"> kAmount{"action-amount", Kind::kValidation};
constexpr Rule<"a check needs a condition: check {} if ..."> kCheck{"action-check", Kind::kValidation};

std::string_view GrammarOf(Verb verb) {
  switch (verb) {
    case Verb::kPut:
      return "put Entity [xN] [if_new]";
    case Verb::kUpdate:
      return "update Entity [xN] [set a, b += c] [remove d] [if condition]";
    case Verb::kDelete:
      return "delete Entity [xN] [if condition]";
    default:
      return "check Entity if condition";
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
    if (Fault fault = ParseName(entity, out)) return fault;
    const Attribute* attribute = model_.entities[entity].Find(out.attribute);
    out.value = {Operand::Kind::kInput, out.attribute};
    if (words_.AcceptSign("=")) return ParseOperand(words_, attribute, out.value);
    if (words_.AcceptSign("+=")) {
      out.op = Assignment::Op::kAdd;
    } else if (words_.AcceptSign("-=")) {
      out.op = Assignment::Op::kSubtract;
    } else {
      return {};
    }
    if (StoredAs(attribute->type) != StoredType::kN)
      return Unreadable(out.mark, kArithmetic(out.attribute, attribute->type));
    const Mark mark = words_.mark();
    if (Fault fault = ParseOperand(words_, nullptr, out.value)) return fault;
    const bool amount = out.value.kind == Operand::Kind::kInput || out.value.kind == Operand::Kind::kNumber;
    if (!amount) return Unreadable(mark, kAmount(out.value.text));
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
    if (out.verb == Verb::kPut) {
      out.if_new = words_.Accept("if_new");
      return {};
    }
    if (out.verb == Verb::kUpdate && words_.Accept("set")) {
      do {
        out.set.emplace_back();
        if (Fault fault = ParseOneAssignment(out.entity, out.set.back())) return fault;
      } while (words_.AcceptSign(","));
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

  Fault ParseIf(Action& out) {
    words_.Take();
    const Phrase rest = words_.Rest();
    while (!words_.AtEnd()) words_.Take();
    return ParseCondition(rest, AttributeScope(model_.entities[out.entity]), out.condition);
  }

  Fault ParseName(EntityId entity, Assignment& out) {
    if (words_.current().kind != Word::Kind::kName) return Unreadable(words_.mark(), kAttributeExpected());
    const Word word = words_.Take();
    out.attribute = word.text;
    out.mark = words_.MarkOf(word);
    const Entity& owner = model_.entities[entity];
    if (owner.Find(word.text) != nullptr) return {};
    return AttributeScope(owner).Missing(out.mark, word.text);
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
  return parser.ExpectEnd(out.attribute);
}

Fault CheckRemoved(Phrase phrase, const Model& model, EntityId entity) {
  const Entity& owner = model.entities[entity];
  if (owner.Find(phrase.text) != nullptr || IsIndexKey(model, phrase.text)) return {};
  return AttributeScope(owner).Missing(phrase.mark, phrase.text);
}

std::vector<Assignment> AssignmentsOf(const Model& model, const Pattern& pattern, const Action& action) {
  const std::optional<CopyOf>& copy = model.entities[action.entity].copy_of;
  if (!action.set.empty() || !copy || !action.remove.empty()) return action.set;
  std::vector<Assignment> copied;
  for (const Action& other : pattern.actions) {
    if (other.entity != copy->source || other.verb != Verb::kUpdate) continue;
    for (const Assignment& one : other.set) {
      if (std::find(copy->attributes.begin(), copy->attributes.end(), one.attribute) != copy->attributes.end())
        copied.push_back(one);
    }
  }
  return copied;
}

}  // namespace keyfold::model

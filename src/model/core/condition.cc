#include "model/core/condition.h"

#include <algorithm>

#include "base/text/ascii.h"
#include "model/core/calendar.h"
#include "model/core/document_text.h"
#include "model/core/model.h"
#include "model/core/names.h"
#include "model/core/operand.h"
#include "model/core/path.h"
#include "model/core/words.h"
#include "value/number.h"

namespace keyfold::model {
namespace {

constexpr Rule<
    "a condition is expected here: attribute = value, attribute in (value, value), exists(attribute), missing(attribute), "
    "begins_with(attribute, value), contains(attribute, value) or size(attribute) = value">
    kConditionExpected{"condition-expected", Kind::kValidation};
constexpr Rule<"a comparison is expected after {}: = <> < <= > >= or in"> kComparison{"condition-comparison",
                                                                                      Kind::kValidation};
constexpr Rule<"{} is expected here"> kSign{"condition-sign", Kind::kValidation};
constexpr Rule<"{} is not a lock attribute, so it needs a comparison: {} = value"> kNotLock{"condition-lock",
                                                                                            Kind::kValidation};
constexpr Rule<"the lock {} cannot be under or or not; the update increments it, so it always has to be equal">
    kLockInside{"condition-lock-inside", Kind::kValidation};
constexpr Rule<"conditions are joined by and or or; {} is not allowed here"> kJoin{"condition-join", Kind::kValidation};
constexpr Rule<"a value is expected here: a number, a quoted string, true, false, now or the name of an input"> kValue{
    "condition-value", Kind::kValidation};
constexpr Rule<"{} is neither a number nor the name of an input; quote it if it is a string"> kBareText{
    "condition-bare", Kind::kValidation};
constexpr Rule<"{} is of type {}, and now is a time, not an id; give the id as an input"> kNoNow{"condition-now",
                                                                                                 Kind::kValidation};
constexpr Rule<"the condition is nested more than {} levels deep"> kNestedTooDeep{"condition-depth", Kind::kValidation};
constexpr Rule<"contains needs a string, a set or a list; {} is of type {}"> kNoContents{"condition-contains",
                                                                                         Kind::kValidation};
constexpr Rule<"size is that of a string, a binary, a list, a map or a set; {} is of type {}"> kNoSize{
    "condition-size", Kind::kValidation};

constexpr int kDepthMax = 64;

struct NamedComparator {
  std::string_view sign;
  Comparator comparator;
};
constexpr NamedComparator kComparators[] = {
    {"=", Comparator::kEqual},      {"<>", Comparator::kNotEqual}, {"<", Comparator::kLess},
    {"<=", Comparator::kLessEqual}, {">", Comparator::kGreater},   {">=", Comparator::kGreaterEqual},
};

bool IsNumberText(std::string_view text) {
  if (text.empty() || (text[0] != '-' && text[0] != '+' && text[0] != '.' && !IsDigit(text[0]))) return false;
  return Number::Parse(text).ok();
}

// Parses one condition. Used by one thread at a time.
class ConditionParser {
 public:
  ConditionParser(Phrase phrase, const AttributeScope& scope) : words_(phrase), scope_(scope) {}

  Fault Parse(Condition& out) {
    ConditionNode root;
    if (Fault fault = ParseOr(root, 0)) return fault;
    if (words_.fault()) return words_.fault();
    if (!words_.AtEnd()) return Unreadable(words_.mark(), kJoin(words_.current().text));
    if (root.kind != ConditionNode::Kind::kAnd) return Keep(std::move(root), out);
    for (ConditionNode& part : root.parts) {
      if (Fault fault = Keep(std::move(part), out)) return fault;
    }
    return {};
  }

 private:
  static Fault Keep(ConditionNode node, Condition& out) {
    if (node.kind == ConditionNode::Kind::kComparison) return out.all.push_back(std::move(node.comparison)), Fault();
    for (const Comparison* one : ComparisonsOf(node)) {
      if (one->comparator == Comparator::kLock) return Unreadable(one->mark, kLockInside(one->attribute));
    }
    out.other.push_back(std::move(node));
    return {};
  }

  // Joins what `next` parses by the word. A single part stays as it is, and parts of the same kind become one level.
  template <typename Next>
  Fault ParseJoined(std::string_view word, ConditionNode::Kind kind, ConditionNode& out, Next next) {
    if (Fault fault = next(out)) return fault;
    if (!words_.current().Is(word)) return {};
    ConditionNode all;
    all.kind = kind;
    Append(std::move(out), all);
    while (words_.Accept(word)) {
      ConditionNode one;
      if (Fault fault = next(one)) return fault;
      Append(std::move(one), all);
    }
    out = std::move(all);
    return {};
  }
  static void Append(ConditionNode one, ConditionNode& all) {
    if (one.kind != all.kind) return all.parts.push_back(std::move(one));
    for (ConditionNode& part : one.parts) all.parts.push_back(std::move(part));
  }

  Fault ParseOr(ConditionNode& out, int depth) {
    if (depth > kDepthMax) return Unreadable(words_.mark(), kNestedTooDeep(kDepthMax));
    const auto parse_not = [&](ConditionNode& one) { return ParseNot(one, depth); };
    const auto parse_and = [&](ConditionNode& one) {
      return ParseJoined("and", ConditionNode::Kind::kAnd, one, parse_not);
    };
    return ParseJoined("or", ConditionNode::Kind::kOr, out, parse_and);
  }

  Fault ParseNot(ConditionNode& out, int depth) {
    if (depth > kDepthMax) return Unreadable(words_.mark(), kNestedTooDeep(kDepthMax));
    if (words_.AcceptSign("(")) {
      if (Fault fault = ParseOr(out, depth + 1)) return fault;
      if (!words_.AcceptSign(")")) return Unreadable(words_.mark(), kSign(")"));
      return {};
    }
    if (!StartsNot()) return ParseComparison(out.comparison);
    words_.Take();
    ConditionNode inner;
    if (Fault fault = ParseNot(inner, depth + 1)) return fault;
    Comparator& comparator = inner.comparison.comparator;
    if (inner.kind == ConditionNode::Kind::kComparison &&
        (comparator == Comparator::kExists || comparator == Comparator::kMissing)) {
      comparator = comparator == Comparator::kExists ? Comparator::kMissing : Comparator::kExists;
      out = std::move(inner);
      return {};
    }
    out.kind = ConditionNode::Kind::kNot;
    out.parts.push_back(std::move(inner));
    return {};
  }

  // An attribute may be called not: then a comparison follows.
  bool StartsNot() const {
    if (!words_.current().Is("not")) return false;
    Words next = words_;
    next.Take();
    return next.current().kind == Word::Kind::kName ? !next.current().Is("in") : next.current().IsSign("(");
  }

  Fault ParseComparison(Comparison& out) {
    if (words_.current().kind != Word::Kind::kName) return Unreadable(words_.mark(), kConditionExpected());
    const Word word = words_.Take();
    if (words_.current().IsSign("(")) return ParseCall(word, out);
    if (Fault fault = Resolve(word, out)) return fault;
    if (words_.AtEnd() || words_.current().IsSign(")") || words_.current().Is("and") || words_.current().Is("or"))
      return TakeLock(word, out);
    return ParseRight(word, attribute_, out);
  }

  // The comparator and what it compares with.
  Fault ParseRight(const Word& left, const Attribute* attribute, Comparison& out) {
    if (words_.Accept("in")) return ParseChoices(attribute, out);
    for (const NamedComparator& one : kComparators) {
      if (!words_.AcceptSign(one.sign)) continue;
      out.comparator = one.comparator;
      return ParseOperand(words_, attribute, out.right);
    }
    return Unreadable(words_.mark(), kComparison(left.text));
  }

  Fault ParseChoices(const Attribute* attribute, Comparison& out) {
    out.comparator = Comparator::kIn;
    if (!words_.AcceptSign("(")) return Unreadable(words_.mark(), kSign("("));
    do {
      if (Fault fault = ParseOperand(words_, attribute, out.choices.emplace_back())) return fault;
    } while (words_.AcceptSign(","));
    if (!words_.AcceptSign(")")) return Unreadable(words_.mark(), kSign(")"));
    return {};
  }

  Fault ParseCall(const Word& function, Comparison& out) {
    constexpr std::pair<std::string_view, Comparator> kCalls[] = {{"exists", Comparator::kExists},
                                                                  {"missing", Comparator::kMissing},
                                                                  {"begins_with", Comparator::kBeginsWith},
                                                                  {"contains", Comparator::kContains},
                                                                  {"size", Comparator::kEqual}};
    const auto call =
        std::find_if(std::begin(kCalls), std::end(kCalls), [&](const auto& one) { return one.first == function.text; });
    if (call == std::end(kCalls)) return Unreadable(words_.MarkOf(function), kConditionExpected());
    out.comparator = call->second;
    out.size = function.text == "size";
    words_.Take();
    if (words_.current().kind != Word::Kind::kName) return Unreadable(words_.mark(), kConditionExpected());
    if (Fault fault = Resolve(words_.Take(), out)) return fault;
    if (Fault fault = CheckCall(out)) return fault;
    if (out.comparator == Comparator::kBeginsWith || out.comparator == Comparator::kContains) {
      if (!words_.AcceptSign(",")) return Unreadable(words_.mark(), kSign(","));
      if (Fault fault = ParseOperand(words_, attribute_, out.right)) return fault;
    }
    if (!words_.AcceptSign(")")) return Unreadable(words_.mark(), kSign(")"));
    return out.size ? ParseRight(function, nullptr, out) : Fault();
  }

  // Checks that the function takes a value of the path's type.
  Fault CheckCall(const Comparison& one) const {
    const Attribute* declared = scope_.FindPath(one.path);
    if (declared == nullptr) return {};
    const AttributeType type = declared->type;
    const bool text = StoredAs(type) == StoredType::kS || type == AttributeType::kBinary;
    if (one.size && !text && !IsDocument(type)) return Unreadable(one.mark, kNoSize(one.path, type));
    if (one.comparator == Comparator::kContains && !text && (!IsDocument(type) || type == AttributeType::kMap))
      return Unreadable(one.mark, kNoContents(one.path, type));
    return {};
  }

  Fault TakeLock(const Word& word, Comparison& out) {
    if (!attribute_->lock || out.path != out.attribute)
      return Unreadable(words_.MarkOf(word), kNotLock(word.text, word.text));
    out.comparator = Comparator::kLock;
    out.right = {Operand::Kind::kInput, out.attribute};
    return {};
  }

  Fault Resolve(const Word& word, Comparison& out) {
    out.path = word.text;
    out.mark = words_.MarkOf(word);
    attribute_ = scope_.FindHead(word.text);
    if (attribute_ == nullptr) return scope_.Missing(out.mark, word.text);
    out.attribute = attribute_->name;
    return CheckPath({word.text, out.mark, false}, scope_);
  }

  Words words_;
  const AttributeScope& scope_;
  const Attribute* attribute_ = nullptr;
};

void Collect(const ConditionNode& node, std::vector<const Comparison*>& out) {
  if (node.kind == ConditionNode::Kind::kComparison) return out.push_back(&node.comparison);
  for (const ConditionNode& part : node.parts) Collect(part, out);
}

int CompareTexts(std::string_view a, std::string_view b, bool numbers) {
  if (numbers) {
    const Result<Number> first = Number::Parse(a);
    const Result<Number> second = Number::Parse(b);
    if (first.ok() && second.ok()) return Number::Compare(*first, *second);
  }
  return a.compare(b);
}

bool Compares(Comparator comparator, int order) {
  switch (comparator) {
    case Comparator::kEqual:
    case Comparator::kLock:
      return order == 0;
    case Comparator::kNotEqual:
      return order != 0;
    case Comparator::kLess:
      return order < 0;
    case Comparator::kLessEqual:
      return order <= 0;
    case Comparator::kGreater:
      return order > 0;
    default:
      return order >= 0;
  }
}

}  // namespace

bool IsIdentifier(std::string_view text) {
  const auto letter = [](char c) { return IsLetter(c) || c == '_'; };
  if (text.empty() || !letter(text[0])) return false;
  return std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || IsDigit(c); });
}

Operand BoundOperand(std::string_view text, bool number) {
  if (number) return {Operand::Kind::kNumber, std::string(text)};
  return {IsIdentifier(text) ? Operand::Kind::kInput : Operand::Kind::kString, std::string(text)};
}

Fault ParseOperand(Words& words, const Attribute* attribute, Operand& out) {
  const Mark mark = words.mark();
  const Word word = words.Take();
  if (words.fault()) return words.fault();
  out.text = word.text;
  if (word.kind == Word::Kind::kQuoted) {
    out.kind = Operand::Kind::kString;
    return {};
  }
  const bool choice = attribute != nullptr && std::find(attribute->values.begin(), attribute->values.end(),
                                                        word.text) != attribute->values.end();
  const bool joins = word.Is("and") || word.Is("or");
  if (word.kind != Word::Kind::kName || (joins && !choice)) return Unreadable(mark, kValue());
  if (choice) {
    out.kind = Operand::Kind::kString;
  } else if (IsNumberText(word.text)) {
    out.kind = Operand::Kind::kNumber;
  } else if (word.text == "true" || word.text == "false") {
    out.kind = Operand::Kind::kBool;
  } else if (word.text == "now") {
    if (attribute != nullptr && IsSortableId(attribute->type))
      return Unreadable(mark, kNoNow(attribute->name, attribute->type));
    out = {Operand::Kind::kNow, ""};
  } else if (IsIdentifier(word.text)) {
    out.kind = Operand::Kind::kInput;
  } else {
    return Unreadable(mark, kBareText(word.text));
  }
  return {};
}

Fault ParseCondition(Phrase phrase, const AttributeScope& scope, Condition& out) {
  out.text = phrase.text;
  out.mark = phrase.mark;
  return ConditionParser(phrase, scope).Parse(out);
}

std::string NowAs(AttributeType type, int64_t now_ms) {
  if (IsTimeText(type)) return FormatTime(StoredFormat(type), IsoMillis(now_ms));
  return std::to_string(type == AttributeType::kEpochMillis ? now_ms : now_ms / 1000);
}

std::vector<Operand> Comparison::operands() const {
  if (comparator == Comparator::kIn) return choices;
  if (comparator == Comparator::kExists || comparator == Comparator::kMissing) return {};
  return {right};
}

std::vector<const Comparison*> ComparisonsOf(const ConditionNode& node) {
  std::vector<const Comparison*> all;
  Collect(node, all);
  return all;
}

std::vector<const Comparison*> ComparisonsOf(const Condition& condition) {
  std::vector<const Comparison*> all;
  for (const Comparison& one : condition.all) all.push_back(&one);
  for (const ConditionNode& one : condition.other) Collect(one, all);
  return all;
}

namespace {

std::optional<std::string> TextOfOperand(const Operand& operand, const Attribute* declared,
                                         const ConditionValues& with) {
  if (operand.kind == Operand::Kind::kInput) return with.input(operand.text);
  if (operand.kind != Operand::Kind::kNow) return operand.text;
  return NowAs(declared != nullptr ? declared->type : AttributeType::kNumber, with.now_ms);
}

std::optional<std::string> ValueAt(const std::string& path, const ConditionValues& with) {
  if (path.find('{') == std::string::npos) return with.value(path);
  const std::optional<std::string> filled = FilledPath(path, with.input);
  return filled ? with.value(*filled) : std::nullopt;
}

// Returns true if `left` compares with the operand as the comparison asks.
bool HoldsWith(const Comparison& one, const std::string& left, const Operand& operand, const ConditionValues& with) {
  const Attribute* declared = with.declared(one.path);
  const std::optional<std::string> right = TextOfOperand(operand, declared, with);
  if (!right) return false;
  const StoredType type = declared != nullptr ? StoredAs(declared->type) : StoredType::kS;
  if (one.size) return Compares(one.comparator, CompareTexts(std::to_string(SizeOfText(type, left)), *right, true));
  if (one.comparator == Comparator::kBeginsWith) return left.starts_with(*right);
  if (one.comparator == Comparator::kContains) return ContainsText(type, left, *right);
  const bool numbers = declared != nullptr ? type == StoredType::kN : operand.kind == Operand::Kind::kNumber;
  const Comparator comparator = one.comparator == Comparator::kIn ? Comparator::kEqual : one.comparator;
  return Compares(comparator, CompareTexts(left, *right, numbers));
}

}  // namespace

bool Holds(const Comparison& one, const ConditionValues& with) {
  const std::optional<std::string> left = ValueAt(one.path, with);
  if (one.comparator == Comparator::kExists) return left.has_value();
  if (one.comparator == Comparator::kMissing) return !left.has_value();
  if (!left) return one.comparator == Comparator::kNotEqual && !one.size;
  const std::vector<Operand> operands = one.operands();
  return std::any_of(operands.begin(), operands.end(),
                     [&](const Operand& operand) { return HoldsWith(one, *left, operand, with); });
}

bool Holds(const ConditionNode& node, const ConditionValues& with) {
  const auto holds = [&](const ConditionNode& part) { return Holds(part, with); };
  switch (node.kind) {
    case ConditionNode::Kind::kComparison:
      return Holds(node.comparison, with);
    case ConditionNode::Kind::kAnd:
      return std::all_of(node.parts.begin(), node.parts.end(), holds);
    case ConditionNode::Kind::kOr:
      return std::any_of(node.parts.begin(), node.parts.end(), holds);
    default:
      return !Holds(node.parts[0], with);
  }
}

bool Holds(const Condition& condition, const ConditionValues& with) {
  const auto holds = [&](const auto& part) { return Holds(part, with); };
  return std::all_of(condition.all.begin(), condition.all.end(), holds) &&
         std::all_of(condition.other.begin(), condition.other.end(), holds);
}

}  // namespace keyfold::model

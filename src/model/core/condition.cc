#include "model/core/condition.h"

#include <algorithm>

#include "base/text/ascii.h"
#include "model/core/calendar.h"
#include "model/core/model.h"
#include "model/core/names.h"
#include "model/core/operand.h"
#include "model/core/words.h"
#include "value/number.h"

namespace keyfold::model {
namespace {

constexpr Rule<
    "a condition is expected here: attribute = value, exists(attribute), missing(attribute) or "
    "begins_with(attribute, value)">
    kConditionExpected{"condition-expected", Kind::kValidation};
constexpr Rule<"a comparison is expected after {}: = <> < <= > >="> kComparison{"condition-comparison",
                                                                                Kind::kValidation};
constexpr Rule<"{} is expected here"> kSign{"condition-sign", Kind::kValidation};
constexpr Rule<"{} is not a lock attribute, so it needs a comparison: {} = value"> kNotLock{"condition-lock",
                                                                                            Kind::kValidation};
constexpr Rule<"conditions are joined by and; {} is not allowed here"> kJoin{"condition-join", Kind::kValidation};
constexpr Rule<"a value is expected here: a number, a quoted string, true, false, now or the name of an input"> kValue{
    "condition-value", Kind::kValidation};
constexpr Rule<"{} is neither a number nor the name of an input; quote it if it is a string"> kBareText{
    "condition-bare", Kind::kValidation};

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
    do {
      Comparison comparison;
      if (Fault fault = ParseComparison(comparison)) return fault;
      out.all.push_back(std::move(comparison));
    } while (words_.Accept("and"));
    if (words_.fault()) return words_.fault();
    if (!words_.AtEnd()) return Unreadable(words_.mark(), kJoin(words_.current().text));
    return {};
  }

 private:
  Fault ParseComparison(Comparison& out) {
    if (words_.current().kind != Word::Kind::kName) return Unreadable(words_.mark(), kConditionExpected());
    const Word word = words_.Take();
    if (words_.current().IsSign("(")) return ParseCall(word, out);
    if (Fault fault = Resolve(word, out)) return fault;
    if (words_.AtEnd() || words_.current().Is("and")) return TakeLock(word, out);
    for (const NamedComparator& one : kComparators) {
      if (!words_.AcceptSign(one.sign)) continue;
      out.comparator = one.comparator;
      return ParseOperand(words_, attribute_, out.right);
    }
    return Unreadable(words_.mark(), kComparison(word.text));
  }

  Fault ParseCall(const Word& function, Comparison& out) {
    if (function.text == "exists") {
      out.comparator = Comparator::kExists;
    } else if (function.text == "missing") {
      out.comparator = Comparator::kMissing;
    } else if (function.text == "begins_with") {
      out.comparator = Comparator::kBeginsWith;
    } else {
      return Unreadable(words_.MarkOf(function), kConditionExpected());
    }
    words_.Take();
    if (words_.current().kind != Word::Kind::kName) return Unreadable(words_.mark(), kConditionExpected());
    if (Fault fault = Resolve(words_.Take(), out)) return fault;
    if (out.comparator == Comparator::kBeginsWith) {
      if (!words_.AcceptSign(",")) return Unreadable(words_.mark(), kSign(","));
      if (Fault fault = ParseOperand(words_, attribute_, out.right)) return fault;
    }
    if (!words_.AcceptSign(")")) return Unreadable(words_.mark(), kSign(")"));
    return {};
  }

  Fault TakeLock(const Word& word, Comparison& out) {
    if (!attribute_->lock || out.path != out.attribute)
      return Unreadable(words_.MarkOf(word), kNotLock(word.text, word.text));
    out.comparator = Comparator::kLock;
    out.right = {Operand::Kind::kInput, out.attribute};
    return {};
  }

  // Finds the attribute: the whole word if there is an attribute of that name, otherwise the longest head of the path.
  Fault Resolve(const Word& word, Comparison& out) {
    out.path = word.text;
    out.mark = words_.MarkOf(word);
    attribute_ = scope_.Find(word.text);
    for (size_t end = word.text.size(); attribute_ == nullptr && end > 0;) {
      end = word.text.find_last_of(".[", end - 1);
      if (end == std::string::npos) break;
      attribute_ = scope_.Find(std::string_view(word.text).substr(0, end));
    }
    if (attribute_ == nullptr) return scope_.Missing(out.mark, word.text);
    out.attribute = attribute_->name;
    return {};
  }

  Words words_;
  const AttributeScope& scope_;
  const Attribute* attribute_ = nullptr;
};

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
  if (word.kind != Word::Kind::kName || word.Is("and")) return Unreadable(mark, kValue());
  const bool choice = attribute != nullptr && std::find(attribute->values.begin(), attribute->values.end(),
                                                        word.text) != attribute->values.end();
  if (choice) {
    out.kind = Operand::Kind::kString;
  } else if (IsNumberText(word.text)) {
    out.kind = Operand::Kind::kNumber;
  } else if (word.text == "true" || word.text == "false") {
    out.kind = Operand::Kind::kBool;
  } else if (word.text == "now") {
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
  return type == AttributeType::kTime ? IsoMillis(now_ms) : std::to_string(now_ms / 1000);
}

bool Holds(const Condition& condition, FunctionRef<const Attribute*(std::string_view)> find, TextOf value_of,
           TextOf input_of, int64_t now_ms) {
  const auto holds = [&](const Comparison& one) {
    const std::optional<std::string> left = value_of(one.path);
    if (one.comparator == Comparator::kExists) return left.has_value();
    if (one.comparator == Comparator::kMissing) return !left.has_value();
    const Attribute* attribute = find(one.attribute);
    std::optional<std::string> right = one.right.text;
    if (one.right.kind == Operand::Kind::kInput) right = input_of(one.right.text);
    if (one.right.kind == Operand::Kind::kNow)
      right = NowAs(attribute != nullptr ? attribute->type : AttributeType::kNumber, now_ms);
    if (!right) return false;
    if (!left) return one.comparator == Comparator::kNotEqual;
    if (one.comparator == Comparator::kBeginsWith) return left->starts_with(*right);
    const bool numbers =
        attribute != nullptr && (one.path != one.attribute ? one.right.kind == Operand::Kind::kNumber
                                                           : StoredAs(attribute->type) == StoredType::kN);
    return Compares(one.comparator, CompareTexts(*left, *right, numbers));
  };
  return std::all_of(condition.all.begin(), condition.all.end(), holds);
}

}  // namespace keyfold::model

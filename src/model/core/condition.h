// The conditions of a model file (`where`, `when`, `if`): comparisons joined by `and`, `or` and `not`. Their operands
// are also used by `by`, `with`, `set`, `between` and `begins`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "model/core/mark.h"
#include "model/core/phrase.h"
#include "model/core/type.h"
#include "model/core/unreadable.h"

namespace keyfold::model {

struct Attribute;
class AttributeScope;

// The right side of a comparison or assignment.
struct Operand {
  enum class Kind : uint8_t { kInput, kString, kNumber, kBool, kNow };
  Kind kind = Kind::kInput;
  std::string text;  // the input's name, the string, the number as written, "true" or "false"; empty for now

  bool IsLiteral() const { return kind == Kind::kString || kind == Kind::kNumber || kind == Kind::kBool; }
  friend bool operator==(const Operand&, const Operand&) = default;
};

enum class Comparator : uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kExists,
  kMissing,
  kBeginsWith,
  kContains,
  kIn,
  kLock,
};

struct Comparison {
  std::string path;       // as written: a declared attribute's name, or a document path below one
  std::string attribute;  // the declared attribute at its head
  Mark mark;
  Comparator comparator = Comparator::kEqual;
  bool size = false;             // compares size(path), a number, instead of the value
  Operand right;                 // unused for kExists, kMissing and kIn; for kLock, the input of the attribute's name
  std::vector<Operand> choices;  // for kIn

  // The operands on the right: one, several or none.
  std::vector<Operand> operands() const;
};

// A part of a condition that is not a single comparison.
struct ConditionNode {
  enum class Kind : uint8_t { kComparison, kAnd, kOr, kNot };
  Kind kind = Kind::kComparison;
  Comparison comparison;             // for kComparison
  std::vector<ConditionNode> parts;  // otherwise; one for kNot
};

struct Condition {
  std::string text;  // as written; empty if there is no condition
  Mark mark;
  std::vector<Comparison> all;       // every one must hold
  std::vector<ConditionNode> other;  // and every one of these, which contain `or` or `not`

  bool empty() const { return all.empty() && other.empty(); }
};

// Every comparison of the condition, in no particular order; whether it must hold depends on where it stands.
std::vector<const Comparison*> ComparisonsOf(const Condition&);
std::vector<const Comparison*> ComparisonsOf(const ConditionNode&);

Fault ParseCondition(Phrase, const AttributeScope&, Condition& out);

// The operand of a `between` bound or a `begins` prefix: an identifier is an input, anything else a literal.
Operand BoundOperand(std::string_view text, bool number);
bool IsIdentifier(std::string_view text);

// What a condition is evaluated with.
using TextOf = FunctionRef<std::optional<std::string>(std::string_view)>;
struct ConditionValues {
  FunctionRef<const Attribute*(std::string_view)> declared;  // the attribute or field at a path; nullptr if it has none
  TextOf value;                                              // the text at a path, or nullopt if it is missing
  TextOf input;                                              // the text of an input
  int64_t now_ms = 0;
};

// Returns true if the condition holds. Values compare as numbers if the attribute is a number, otherwise as bytes. As
// in DynamoDB, missing() and <> are true for a missing attribute, and every other comparison is false.
bool Holds(const Condition&, const ConditionValues&);
bool Holds(const ConditionNode&, const ConditionValues&);
bool Holds(const Comparison&, const ConditionValues&);

// The current time as an attribute of the type stores it: text for a time, seconds since 1970 for any type that is no
// time at all.
std::string NowAs(AttributeType, int64_t now_ms);

}  // namespace keyfold::model

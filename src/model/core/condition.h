// The conditions of a model file (`where`, `when`, `if`): comparisons joined by `and`. Their operands are also used by
// `set`, `between` and `begins`.
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
  kLock,
};

struct Comparison {
  std::string path;       // as written: a declared attribute's name, or a document path below one
  std::string attribute;  // the declared attribute at its head
  Mark mark;
  Comparator comparator = Comparator::kEqual;
  Operand right;  // unused for kExists and kMissing; for kLock, the input of the attribute's name
};

struct Condition {
  std::string text;  // as written; empty if there is no condition
  Mark mark;
  std::vector<Comparison> all;

  bool empty() const { return all.empty(); }
};

Fault ParseCondition(Phrase, const AttributeScope&, Condition& out);

// The operand of a `between` bound or a `begins` prefix: an identifier is an input, anything else a literal.
Operand BoundOperand(std::string_view text, bool number);
bool IsIdentifier(std::string_view text);

// Returns true if the condition holds. `value_of` returns an attribute's text (as FormatValue takes it) by its path, or
// nullopt if it is missing; `input_of` returns the text of an input. Values compare as numbers if the attribute is a
// number, otherwise as bytes. As in DynamoDB, missing() and <> are true for a missing attribute, and every other
// comparison is false.
using TextOf = FunctionRef<std::optional<std::string>(std::string_view)>;
bool Holds(const Condition&, FunctionRef<const Attribute*(std::string_view)> find, TextOf value_of, TextOf input_of,
           int64_t now_ms);

// The current time as an attribute of the type stores it: iso_ms for a time, seconds since 1970 for any other type.
std::string NowAs(AttributeType, int64_t now_ms);

}  // namespace keyfold::model

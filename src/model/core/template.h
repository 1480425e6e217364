// Key templates, `USER#{userId}`: literals and placeholders, each with the alphabet of texts it can write. A template
// writes a key from values and reads the values back from a key. What two templates can write in common is
// model/keys/key_automaton.h's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "model/core/format.h"
#include "model/core/mark.h"
#include "model/core/phrase.h"
#include "model/core/type.h"
#include "model/core/unreadable.h"

namespace keyfold::model {

struct Attribute;
class AttributeScope;

inline constexpr size_t kTemplateBytesMax = 4096;  // twice the longest key
inline constexpr size_t kPlaceholdersMax = 32;     // in one template
inline constexpr int kPadMax = 38;

// The texts a placeholder can write. None is empty.
enum class Alphabet : uint8_t {
  kText,     // characters, free of the separator
  kLower,    // the same without A-Z
  kUpper,    // the same without a-z
  kNumber,   // a number in canonical form: no exponent, no needless zeros
  kNatural,  // digits, no needless zeros
  kDigits,   // exactly `width` digits
  kTime,     // the layout of `format`
  kChoice,   // one of `values`
  kShard,    // 0 to shards - 1
  kBytes,    // anything: a lone binary
};

struct TemplatePart {
  enum class Kind : uint8_t { kLiteral, kAttribute, kShard };
  Kind kind = Kind::kLiteral;
  std::string text;  // the literal, or the attribute's name
  Format format = Format::kPlain;
  uint8_t width = 0;  // of kPad
  // Resolved against the entity, of a placeholder:
  AttributeType type = AttributeType::kString;
  Alphabet alphabet = Alphabet::kText;
  std::vector<std::string> values;  // of kChoice, in the format's case
  uint32_t shards = 1;              // of kShard
  std::string known;                // of kTime: the start it is known to have; never from a model file

  bool IsLiteral() const { return kind == Kind::kLiteral; }
};

// Adjoining literals are one part; no part is an empty literal.
struct Template {
  std::string text;  // as written; of an attribute that is itself the key, `{name}`
  Mark mark;
  std::vector<TemplatePart> parts;
  StoredType type = StoredType::kS;  // of the key attribute: the attribute's own for a lone placeholder
  std::string separator = "#";

  // Exactly one unformatted placeholder: the key has the attribute's own type.
  bool IsLone() const {
    return parts.size() == 1 && parts[0].kind == TemplatePart::Kind::kAttribute && parts[0].format == Format::kPlain;
  }
  // The text that every key starts with.
  std::string_view LeadingLiteral() const {
    return !parts.empty() && parts[0].IsLiteral() ? std::string_view(parts[0].text) : std::string_view();
  }
};

std::string FormatName(Format, uint8_t width);  // "pad8"; empty for kPlain

// The text alone. Bind resolves the placeholders.
Fault ParseTemplate(Phrase, std::string_view separator, Template& out);

// Resolves the placeholders against an entity's attributes; `shards` where the entity has a shard.
Fault BindTemplate(Phrase, const AttributeScope&, std::optional<uint32_t> shards, Template&);

// The template of a key attribute that is an attribute of the item itself.
Template NativeTemplate(const Attribute&, std::string_view separator);

// A value's text in a placeholder's format. Values are texts: a string as is, a number as it is written, a time in
// iso_ms (or a start of one), true or false.
std::string FormatValue(Format, uint8_t width, AttributeType, std::string_view value);

// The key, or nothing where a value is missing (then an item has no such key).
using ValueOf = FunctionRef<std::optional<std::string>(const TemplatePart&)>;
std::optional<std::string> WriteKey(const Template&, ValueOf);

// Does the text lie in the placeholder's alphabet?
bool Fits(const TemplatePart&, std::string_view separator, std::string_view text);

// How the end of a part's text is found in a key, where the part starts at a known place.
struct Extent {
  enum class Kind : uint8_t {
    kLiteral,
    kWidth,   // all of its texts are `width` bytes long
    kToByte,  // at the first `end`, which cannot be part of it
    kRest,    // nothing follows it
    kOpen,    // has to be tried out
  };
  Kind kind = Kind::kLiteral;
  char end = 0;
  size_t width = 0;
};
Extent ExtentOf(const Template&, size_t part);

// The text of each part in order, literals too, or false: not a key of this template. Where several readings exist, one
// of them. `out` is for reuse and views `text`. Time is linear in the text where every placeholder of open width is
// followed by what cannot be part of it, and the product of parts and text otherwise.
bool ReadKey(const Template&, std::string_view text, std::vector<std::string_view>& out);

// FNV-1a over the bytes of the text, 32 bits, modulo n: hash(x) of a model file.
uint32_t ShardOf(std::string_view text, uint32_t n);

}  // namespace keyfold::model

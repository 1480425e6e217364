// Key templates, such as `USER#{userId}`: literals and placeholders, each placeholder with the alphabet of texts it can
// write. A template writes a key from values and reads the values back from a key. model/keys/key_automaton.h finds
// which texts two templates have in common.
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

// The texts a placeholder can write. They are never empty.
enum class Alphabet : uint8_t {
  kText,     // characters, without the separator, and the declared values that contain it
  kLower,    // the same without A-Z
  kUpper,    // the same without a-z
  kNumber,   // a number in canonical form: no exponent, no redundant zeros
  kNatural,  // digits, no leading zeros
  kDigits,   // exactly `width` digits
  kTime,     // the layout of `format`, or of the type if there is none
  kId,       // an id of `type`: ulid, ksuid or uuid7
  kChoice,   // one of `values`
  kShard,    // 0 to shards - 1
  kBytes,    // any bytes: a binary attribute that is the whole key
};

struct TemplatePart {
  enum class Kind : uint8_t { kLiteral, kAttribute, kShard };
  Kind kind = Kind::kLiteral;
  std::string text;  // the literal, or the attribute's name
  Format format = Format::kPlain;
  uint8_t width = 0;  // for kPad and kDesc
  // For a placeholder, resolved against the entity:
  AttributeType type = AttributeType::kString;
  Alphabet alphabet = Alphabet::kText;
  // For kChoice, in the format's case. For a text, the values that the model declares although they contain the
  // separator: the attribute's default.
  std::vector<std::string> values;
  uint32_t shards = 1;  // for kShard
  std::string known;    // for kTime: the known start of the text; never set by a model file

  bool IsLiteral() const { return kind == Kind::kLiteral; }
};

// Adjacent literals are one part; no literal is empty.
struct Template {
  std::string text;  // as written; `{name}` for an attribute that is itself the key
  Mark mark;
  std::vector<TemplatePart> parts;
  StoredType type = StoredType::kS;  // type of the key: a lone placeholder has its attribute's type
  std::string separator = "#";

  // Returns true if the template is one unformatted placeholder, so that the key has the attribute's own type.
  bool IsLone() const {
    return parts.size() == 1 && parts[0].kind == TemplatePart::Kind::kAttribute && parts[0].format == Format::kPlain;
  }
  // The text that every key starts with.
  std::string_view LeadingLiteral() const {
    return !parts.empty() && parts[0].IsLiteral() ? std::string_view(parts[0].text) : std::string_view();
  }
};

std::string FormatName(Format, uint8_t width);  // "pad8"; empty for kPlain

// The layout of a time's text. Empty if the placeholder does not write a time.
std::string_view TimeLayoutOf(const TemplatePart&);
// The width that all texts of the placeholder have, or 0 if it varies.
size_t FixedWidth(const TemplatePart&);

// Parses the text only. BindTemplate resolves the placeholders.
Fault ParseTemplate(Phrase, std::string_view separator, Template& out);

// Resolves the placeholders against an entity's attributes. `shards` is set if the entity has a shard.
Fault BindTemplate(Phrase, const AttributeScope&, std::optional<uint32_t> shards, Template&);

// The template of a key attribute that is an attribute of the item itself.
Template NativeTemplate(const Attribute&, std::string_view separator);

// Formats a value as a placeholder writes it. Values are texts: a string as is, a number as written, a time as its type
// stores it (or a prefix of that), true or false.
std::string FormatValue(Format, uint8_t width, AttributeType, std::string_view value);

// Returns the value that a placeholder's text in a key stands for, as far as the text tells: of a calendar part or a
// text in another case, the text itself.
std::string ValueOfText(const TemplatePart&, std::string_view text);

// Returns the key, or nullopt if a value is missing (then the item has no such key).
using ValueOf = FunctionRef<std::optional<std::string>(const TemplatePart&)>;
std::optional<std::string> WriteKey(const Template&, ValueOf);

// Returns true if the placeholder can write the text.
bool Fits(const TemplatePart&, std::string_view separator, std::string_view text);

// How the end of a part's text is found in a key, given where the part starts.
struct Extent {
  enum class Kind : uint8_t {
    kLiteral,
    kWidth,   // every text of the part has `width` bytes
    kToByte,  // ends before the first `end`, which the text cannot contain
    kRest,    // the last part: takes the rest of the key
    kOpen,    // lengths have to be tried
  };
  Kind kind = Kind::kLiteral;
  char end = 0;
  size_t width = 0;
};
Extent ExtentOf(const Template&, size_t part);

// Splits a key into the text of each part in order, literals included. Returns false if the text is not a key of this
// template. If several readings exist, returns one of them. `out` can be reused and views `text`. Takes linear time in
// the text if every placeholder of variable width is followed by something it cannot contain; otherwise time
// proportional to parts times text.
bool ReadKey(const Template&, std::string_view text, std::vector<std::string_view>& out);

// hash(x) of a model file: 32-bit FNV-1a over the bytes of the text, modulo n.
uint32_t ShardOf(std::string_view text, uint32_t n);

}  // namespace keyfold::model

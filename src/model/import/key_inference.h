// The template of one key attribute, guessed from the keys that the items of one entity have and the attributes they
// stand beside.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/import/sampled_item.h"
#include "model/import/tokens.h"

namespace keyfold::model {

struct GuessedPart {
  enum class Kind : uint8_t {
    kLiteral,
    kAttribute,  // an attribute of the items gives it
    kInvented,   // no attribute does; it got a name
    kShard,
  };
  Kind kind = Kind::kLiteral;
  std::string text;     // the literal, or the attribute's name
  Rendering rendering;  // of an attribute
  std::string type;     // of an invented one, as a model file says it
};

struct KeyGuess {
  std::string attribute;
  std::vector<GuessedPart> parts;
  bool native = false;  // an attribute of the items is the key; no parts
  size_t having = 0;    // items with the key
  size_t fitting = 0;   // of these, items whose key the template writes
  std::vector<std::string> doubts;

  bool HasShard() const;
  bool IsLiteral() const;    // nothing but literals
  std::string Text() const;  // as a model file says it
};

using ItemRefs = std::vector<const SampledItem*>;

struct KeyQuestion {
  std::string_view attribute;
  std::string_view separator;
  const std::vector<std::string>* keys = nullptr;  // names of all key attributes that are written for the purpose
  bool composite = false;                          // one of several attributes of a key side, and so never a template
};

KeyGuess InferKey(const KeyQuestion&, const ItemRefs&);

// 98 % or more: a few strays do not spoil a template.
bool NearlyAll(size_t part, size_t whole);

}  // namespace keyfold::model

// Infers the template of one key attribute from the keys and the other attributes of one entity's items.
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
    kInvented,   // no attribute gives it; it has a made-up name
    kShard,
  };
  Kind kind = Kind::kLiteral;
  std::string text;     // the literal, or the attribute's name
  Rendering rendering;  // for an attribute
  std::string type;     // for an invented one, in model file syntax
};

struct KeyGuess {
  std::string attribute;
  std::vector<GuessedPart> parts;
  bool native = false;  // an attribute of the items is itself the key; there are no parts
  size_t having = 0;    // items that have the key
  size_t fitting = 0;   // those whose key the template reproduces
  std::vector<std::string> doubts;

  bool HasShard() const;
  bool IsLiteral() const;    // only literals
  std::string Text() const;  // in model file syntax
};

using ItemRefs = std::vector<const SampledItem*>;

struct KeyQuestion {
  std::string_view attribute;
  std::string_view separator;
  const std::vector<std::string>* keys = nullptr;  // all key attributes that exist only to be keys
  bool composite = false;                          // one of several attributes of a key side, so never a template
};

KeyGuess InferKey(const KeyQuestion&, const ItemRefs&);

// At least 98 %: a few stray items do not invalidate a template.
bool NearlyAll(size_t part, size_t whole);

}  // namespace keyfold::model

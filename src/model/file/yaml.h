// A model file's text as a tree with places. YAML 1.2's core schema on libyaml's events, and so JSON too; of YAML only
// what plain data needs: no anchors, aliases, tags or second document, and no key twice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/core/mark.h"
#include "model/core/phrase.h"
#include "model/core/unreadable.h"

namespace keyfold::model {

inline constexpr size_t kModelBytesMax = 4u << 20;
inline constexpr size_t kModelLevelsMax = 64;

struct Node {
  enum class Kind : uint8_t { kNull, kBool, kInteger, kFloat, kString, kSequence, kMapping };
  Kind kind = Kind::kNull;
  bool inside = false;  // Phrase::inside
  Mark mark;            // of a scalar's text, behind its quote; of a collection's first character
  Mark key_mark;        // in a mapping
  std::string key;      // in a mapping
  std::string text;     // of a scalar, as its quoting says
  std::vector<Node> children;

  bool IsScalar() const { return kind < Kind::kSequence; }
  Phrase phrase() const { return {text, mark, inside}; }
  Phrase KeyPhrase() const { return {key, key_mark, true}; }
  // The value of a mapping's key, or nullptr.
  const Node* Find(std::string_view name) const;
  // Of kInteger (also 0x and 0o) and kFloat; infinite where the text is.
  double Number() const;
};

std::variant<Node, Unreadable> ReadYaml(std::string_view text);

}  // namespace keyfold::model

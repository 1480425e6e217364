// Parses a model file's text into a tree with positions. Implements the core schema of YAML 1.2 on libyaml's events,
// which covers JSON too. Accepts only what plain data needs: no anchors, aliases, tags or second document, and no
// duplicate keys.
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
  Mark mark;            // scalar: its text, after any quote; collection: its first character
  Mark key_mark;        // for an entry of a mapping
  std::string key;      // for an entry of a mapping
  std::string text;     // scalar, unquoted and unescaped
  std::vector<Node> children;

  bool IsScalar() const { return kind < Kind::kSequence; }
  Phrase phrase() const { return {text, mark, inside}; }
  Phrase KeyPhrase() const { return {key, key_mark, true}; }
  // Returns the value of a mapping's key, or nullptr.
  const Node* Find(std::string_view name) const;
  // Value of kInteger (also 0x and 0o) and kFloat; infinite if the text is.
  double Number() const;
};

std::variant<Node, Unreadable> ReadYaml(std::string_view text);

}  // namespace keyfold::model

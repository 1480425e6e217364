// The texts that key templates can write, as automata over bytes, and the questions the checker asks about them: can
// two keys be equal, can a prefix or a range reach another entity's keys, can a key be read in two ways. Every "yes"
// comes with a shortest example text.
//
// A placeholder writes what its Alphabet allows (model/core/template.h). Attributes of different entities are
// independent; an attribute that occurs in several places of one entity's key has one value.
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/core/template.h"

namespace keyfold::model {

// The texts of a key attribute that a request or a template describes: parts, followed by nothing, anything, or a
// range.
struct KeyForm {
  enum class Tail : uint8_t { kNothing, kAnything, kRange };
  // What a placeholder of the shard is computed from: the text of an attribute in some format.
  struct Hash {
    std::string attribute;
    Format format = Format::kPlain;
    uint8_t width = 0;
  };
  StoredType type = StoredType::kS;
  std::string separator = "#";
  std::vector<TemplatePart> parts;
  Tail tail = Tail::kNothing;
  std::string low;   // for kRange: the rest of the text is at least `low`,
  std::string high;  // and at most `high` or starting with it
  std::optional<Hash> hash = {};

  static KeyForm Of(const Template&);
  std::string_view LeadingLiteral() const {
    return !parts.empty() && parts[0].IsLiteral() ? std::string_view(parts[0].text) : std::string_view();
  }
};

// A nondeterministic automaton without empty moves. Immutable once built.
class KeyAutomaton {
 public:
  explicit KeyAutomaton(const KeyForm&);

 private:
  friend class PairSearch;
  using ByteSet = std::bitset<256>;
  struct Edge {
    ByteSet on;
    uint32_t to;
  };
  struct State {
    std::vector<Edge> edges;
    uint16_t part = 0;  // the part that the byte leading here belongs to
    bool accepts = false;
  };
  class Builder;

  std::vector<State> states_;  // the first is the start state
};

// Returns a shortest text that both can write, or nullopt.
std::optional<std::string> Overlap(const KeyAutomaton&, const KeyAutomaton&);
std::optional<std::string> Overlap(const KeyForm&, const KeyForm&);

// A text that can be read in two ways, each split into the parts' texts.
struct TwoReadings {
  std::string text;
  std::vector<std::string> first;
  std::vector<std::string> second;
};
std::optional<TwoReadings> FindTwoReadings(const Template&);

// Returns two values of a placeholder, the first a proper prefix of the second, or nullopt if its values are
// prefix-free.
std::optional<std::pair<std::string, std::string>> FindPrefixPair(const TemplatePart&, std::string_view separator);

// Returns a text of the placeholder that contains the separator, or nullopt.
std::optional<std::string> FindSeparatorInside(const TemplatePart&, std::string_view separator);

// Returns the key texts of an item that both describe, the partition key's first, or nullopt. Both must name the same
// key attributes in the same order. An attribute that occurs in several places, and one that the shard is the hash of,
// is tried with values that its places and the literals of the other side suggest. If none is found although there may
// be one, as for a key that can be read in two ways, texts are returned that no item may have.
using KeyForms = std::vector<KeyForm>;
std::optional<std::vector<std::string>> OverlapTogether(std::span<const KeyForm> a, std::span<const KeyForm> b);

// Returns true if two leading literals can start the same text. A cheap test before Overlap.
inline bool PrefixesMeet(std::string_view a, std::string_view b) { return a.starts_with(b) || b.starts_with(a); }

// Finds ids by the literal that their key starts with: those whose key could share a text with a given literal. Used by
// one thread at a time; thread-safe once nothing more is added.
class PrefixIndex {
 public:
  void Add(std::string_view literal, uint32_t id) { ids_[std::string(literal)].push_back(id); }
  // Returns the ids in the order of their literals.
  std::vector<uint32_t> Meeting(std::string_view literal) const;

 private:
  std::map<std::string, std::vector<uint32_t>, std::less<>> ids_;
};

}  // namespace keyfold::model

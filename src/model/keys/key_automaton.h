// What key templates can write, as automata over bytes, and the questions the checker asks of them: can two keys be
// equal, can a prefix or a range reach another entity's keys, can a key be read in two ways. Every yes comes with a
// shortest text that shows it.
//
// A placeholder writes what its Alphabet says (model/core/template.h); attributes of different entities are
// independent; one attribute that stands in several places of one entity's key has one value.
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

// Texts of a key attribute as a request or a template names them: parts, and then nothing, anything, or what lies in a
// range.
struct KeyForm {
  enum class Tail : uint8_t { kNothing, kAnything, kRange };
  StoredType type = StoredType::kS;
  std::string separator = "#";
  std::vector<TemplatePart> parts;
  Tail tail = Tail::kNothing;
  std::string low;   // kRange: the rest of the text is not below it,
  std::string high;  // and not above it or starts with it

  static KeyForm Of(const Template&);
  std::string_view LeadingLiteral() const {
    return !parts.empty() && parts[0].IsLiteral() ? std::string_view(parts[0].text) : std::string_view();
  }
};

// An automaton without empty moves. Immutable once built.
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
    uint16_t part = 0;  // whose text the byte belongs to that leads here
    bool accepts = false;
  };
  class Builder;

  std::vector<State> states_;  // the first is the start
};

// A shortest text that both write.
std::optional<std::string> Overlap(const KeyAutomaton&, const KeyAutomaton&);
std::optional<std::string> Overlap(const KeyForm&, const KeyForm&);

// One text with two readings, as the texts of the parts.
struct TwoReadings {
  std::string text;
  std::vector<std::string> first;
  std::vector<std::string> second;
};
std::optional<TwoReadings> FindTwoReadings(const Template&);

// Two values of a placeholder, the first a proper start of the second; nothing: its values are prefix-free.
std::optional<std::pair<std::string, std::string>> FindPrefixPair(const TemplatePart&, std::string_view separator);

// A text of the placeholder that holds the separator.
std::optional<std::string> FindSeparatorInside(const TemplatePart&, std::string_view separator);

// Both name the same key attributes in the same order. The texts of one item that both describe: the partition key's,
// then the sort key's. Exact but for one thing: where one attribute stands in several places that no literal decides,
// its value is sought among those that each place alone allows.
using KeyForms = std::vector<KeyForm>;
std::optional<std::vector<std::string>> OverlapTogether(std::span<const KeyForm> a, std::span<const KeyForm> b);

// Could the leading literals of two texts belong to one text? The cheap test before Overlap.
inline bool PrefixesMeet(std::string_view a, std::string_view b) { return a.starts_with(b) || b.starts_with(a); }

// Things found by the literal their key starts with: those whose key could share a text with a given literal.
// One thread at a time; thread-safe once no more is added.
class PrefixIndex {
 public:
  void Add(std::string_view literal, uint32_t id) { ids_[std::string(literal)].push_back(id); }
  // In the order of their literals.
  std::vector<uint32_t> Meeting(std::string_view literal) const;

 private:
  std::map<std::string, std::vector<uint32_t>, std::less<>> ids_;
};

}  // namespace keyfold::model

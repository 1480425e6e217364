#include "model/keys/key_automaton.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/check.h"
#include "base/text/ascii.h"
#include "model/core/calendar.h"
#include "model/core/sortable_id.h"

namespace keyfold::model {
namespace {

using ByteSet = std::bitset<256>;

ByteSet Single(char c) {
  ByteSet set;
  set.set(static_cast<unsigned char>(c));
  return set;
}

ByteSet ByteRange(int first, int last) {
  ByteSet set;
  for (int c = first; c <= last; ++c) set.set(static_cast<size_t>(c));
  return set;
}

// Which byte an example text gets if several are possible. kLetters prefers what a person would write: a letter, then a
// digit, a sign, an unprintable byte. kDigits prefers a digit other than zero, so that the text is a valid number
// wherever it can be.
enum class Preference : uint8_t { kLetters, kDigits };

char Preferred(const ByteSet& set, Preference preference) {
  for (char c = '1'; preference == Preference::kDigits && c <= '9'; ++c) {
    if (set.test(static_cast<unsigned char>(c))) return c;
  }
  static constexpr std::string_view kOrder =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/@+=#*!$%&'(),;<>?[]^`{|}~\"\\ ";
  for (const char c : kOrder) {
    if (set.test(static_cast<unsigned char>(c))) return c;
  }
  for (size_t c = 0x80; c < 256; ++c) {
    if (set.test(c)) return static_cast<char>(c);
  }
  return static_cast<char>(set._Find_first());
}

// For each state (bytes of the separator matched so far) and byte, the next state. The last state is the whole
// separator.
std::vector<std::array<uint8_t, 256>> SeparatorSteps(std::string_view separator) {
  std::vector<std::array<uint8_t, 256>> steps(separator.size());
  if (separator.size() == 1) {
    steps[0].fill(0);
    steps[0][static_cast<unsigned char>(separator[0])] = 1;
    return steps;
  }
  for (size_t matched = 0; matched < separator.size(); ++matched) {
    for (int c = 0; c < 256; ++c) {
      std::string seen(separator.substr(0, matched));
      seen += static_cast<char>(c);
      size_t length = seen.size();
      while (!std::string_view(seen).ends_with(separator.substr(0, length))) --length;
      steps[matched][static_cast<size_t>(c)] = static_cast<uint8_t>(length);
    }
  }
  return steps;
}

constexpr size_t kSearchPairsMax = 4'000'000;  // far beyond any real model; a search that reaches it finds nothing

}  // namespace

// Builds an automaton from left to right. `ends_` are the states in which the text so far is complete.
class KeyAutomaton::Builder {
 public:
  explicit Builder(std::vector<State>& states) : states_(states) {
    states_.emplace_back();
    ends_ = {0};
  }

  void Add(const TemplatePart& part, std::string_view separator) {
    if (part.IsLiteral()) {
      AddLiteral(part.text);
    } else {
      AddPlaceholder(part, separator);
    }
    ++part_;
  }

  void AddAnything() {
    const uint32_t loop = NewState();
    for (const uint32_t end : ends_) Connect(end, ByteSet().set(), loop);
    Connect(loop, ByteSet().set(), loop);
    ends_.push_back(loop);
  }

  // Adds the texts that are at least `low`, and at most `high` or starting with `high`.
  void AddRange(std::string_view low, std::string_view high);

  void Finish() {
    for (const uint32_t end : ends_) states_[end].accepts = true;
  }

 private:
  uint32_t NewState() {
    states_.emplace_back();
    states_.back().part = part_;
    return static_cast<uint32_t>(states_.size() - 1);
  }
  void Connect(uint32_t from, const ByteSet& on, uint32_t to) {
    if (on.any()) states_[from].edges.push_back({on, to});
  }
  void Step(const ByteSet& on) {
    const uint32_t to = NewState();
    for (const uint32_t end : ends_) Connect(end, on, to);
    ends_ = {to};
  }
  void AddLiteral(std::string_view text) {
    for (const char c : text) Step(Single(c));
  }
  void AddPlaceholder(const TemplatePart& part, std::string_view separator);
  void AddTextOr(const std::vector<std::string>& values, std::string_view separator, const ByteSet& without);
  void AddText(std::string_view separator, const ByteSet& without);
  void AddNatural();
  void AddNumber();
  void AddTime(std::string_view layout, std::string_view known);
  void AddTwoDigits(std::string_view alternatives);
  void AddChoice(const std::vector<std::string>& values);
  void AddBelow(uint32_t n);

  std::vector<State>& states_;
  std::vector<uint32_t> ends_;
  uint16_t part_ = 0;
};

void KeyAutomaton::Builder::AddPlaceholder(const TemplatePart& part, std::string_view separator) {
  switch (part.alphabet) {
    case Alphabet::kText:
      return AddTextOr(part.values, separator, {});
    case Alphabet::kLower:
      return AddTextOr(part.values, separator, ByteRange('A', 'Z'));
    case Alphabet::kUpper:
      return AddTextOr(part.values, separator, ByteRange('a', 'z'));
    case Alphabet::kNumber:
      return AddNumber();
    case Alphabet::kNatural:
      return AddNatural();
    case Alphabet::kDigits:
      for (int i = 0; i < part.width; ++i) Step(ByteRange('0', '9'));
      return;
    case Alphabet::kTime:
      return AddTime(TimeLayoutOf(part), part.known);
    case Alphabet::kId:
      for (size_t i = 0; i < IdWidth(part.type); ++i) {
        ByteSet on;
        for (const char c : IdCharacters(part.type, i)) on |= Single(c);
        Step(on);
      }
      return;
    case Alphabet::kChoice:
      return AddChoice(part.values);
    case Alphabet::kShard:
      return AddBelow(part.shards);
    case Alphabet::kBytes: {
      const uint32_t loop = NewState();
      for (const uint32_t end : ends_) Connect(end, ByteSet().set(), loop);
      Connect(loop, ByteSet().set(), loop);
      ends_ = {loop};
      return;
    }
  }
}

// Adds a text without the separator, or one of the values that contain it.
void KeyAutomaton::Builder::AddTextOr(const std::vector<std::string>& values, std::string_view separator,
                                      const ByteSet& without) {
  std::vector<uint32_t> start = ends_;
  AddText(separator, without);
  if (values.empty()) return;
  std::swap(start, ends_);
  AddChoice(values);
  ends_.insert(ends_.end(), start.begin(), start.end());
}

// Adds one or more UTF-8 characters that do not contain the separator. A state consists of how much of the separator
// was just read and how many bytes of a character remain.
void KeyAutomaton::Builder::AddText(std::string_view separator, const ByteSet& without) {
  const auto steps = SeparatorSteps(separator);
  const size_t count = steps.size();
  std::vector<uint32_t> states(count * 4);
  for (uint32_t& state : states) state = NewState();
  const std::pair<ByteSet, size_t> leads[] = {{ByteRange(1, 0x7F) & ~without, 0},
                                              {ByteRange(0xC2, 0xDF), 1},
                                              {ByteRange(0xE0, 0xEF), 2},
                                              {ByteRange(0xF0, 0xF4), 3}};
  const auto connect = [&](uint32_t from, size_t matched, const ByteSet& on, size_t remaining) {
    std::vector<ByteSet> by_next(count + 1);
    for (size_t c = on._Find_first(); c < 256; c = on._Find_next(c)) by_next[steps[matched][c]].set(c);
    for (size_t next = 0; next < count; ++next) Connect(from, by_next[next], states[next * 4 + remaining]);
  };
  for (const auto& [bytes, remaining] : leads) {
    for (const uint32_t end : ends_) connect(end, 0, bytes, remaining);
    for (size_t matched = 0; matched < count; ++matched) connect(states[matched * 4], matched, bytes, remaining);
  }
  for (size_t matched = 0; matched < count; ++matched) {
    for (size_t remaining = 1; remaining < 4; ++remaining) {
      connect(states[matched * 4 + remaining], matched, ByteRange(0x80, 0xBF), remaining - 1);
    }
  }
  ends_.clear();
  for (size_t matched = 0; matched < count; ++matched) ends_.push_back(states[matched * 4]);
}

void KeyAutomaton::Builder::AddNatural() {
  const uint32_t zero = NewState();
  const uint32_t digits = NewState();
  for (const uint32_t end : ends_) {
    Connect(end, Single('0'), zero);
    Connect(end, ByteRange('1', '9'), digits);
  }
  Connect(digits, ByteRange('0', '9'), digits);
  ends_ = {zero, digits};
}

void KeyAutomaton::Builder::AddNumber() {
  const uint32_t minus = NewState();
  const uint32_t zero = NewState();
  const uint32_t minus_zero = NewState();
  const uint32_t digits = NewState();
  const uint32_t point = NewState();
  const uint32_t fraction = NewState();
  for (const uint32_t end : ends_) {
    Connect(end, Single('-'), minus);
    Connect(end, Single('0'), zero);
    Connect(end, ByteRange('1', '9'), digits);
  }
  Connect(minus, Single('0'), minus_zero);
  Connect(minus, ByteRange('1', '9'), digits);
  Connect(digits, ByteRange('0', '9'), digits);
  for (const uint32_t whole : {zero, minus_zero, digits}) Connect(whole, Single('.'), point);
  // A fraction ends only in a digit other than zero.
  Connect(point, Single('0'), point);
  Connect(point, ByteRange('1', '9'), fraction);
  Connect(fraction, ByteRange('1', '9'), fraction);
  Connect(fraction, Single('0'), point);
  ends_ = {zero, digits, fraction};
}

// `alternatives` is a sequence of range pairs for two digits: "0019" is [0-0][1-9].
void KeyAutomaton::Builder::AddTwoDigits(std::string_view alternatives) {
  const uint32_t to = NewState();
  for (; alternatives.size() >= 4; alternatives.remove_prefix(4)) {
    const uint32_t first = NewState();
    for (const uint32_t end : ends_) Connect(end, ByteRange(alternatives[0], alternatives[1]), first);
    Connect(first, ByteRange(alternatives[2], alternatives[3]), to);
  }
  ends_ = {to};
}

// `known` ends with a field of the layout.
void KeyAutomaton::Builder::AddTime(std::string_view layout, std::string_view known) {
  AddLiteral(known);
  layout.remove_prefix(std::min(known.size(), layout.size()));
  while (!layout.empty()) {
    const char field = layout[0];
    size_t taken = 2;
    if (field == 'M') {
      AddTwoDigits("00191102");
    } else if (field == 'D') {
      AddTwoDigits("001912093301");
    } else if (field == 'h') {
      AddTwoDigits("01092203");
    } else if (field == 'm' || field == 's') {
      AddTwoDigits("0509");
    } else {
      taken = 1;
      Step(field == 'Y' || field == 'f' ? ByteRange('0', '9') : Single(field));
    }
    layout.remove_prefix(taken);
  }
}

// Adds one state per prefix of a value (a trie), so that many values cost no more than their letters.
void KeyAutomaton::Builder::AddChoice(const std::vector<std::string>& values) {
  std::unordered_map<std::string_view, uint32_t> at;
  std::vector<uint32_t> ends;
  for (const std::string& value : values) {
    for (size_t bytes = 1; bytes <= value.size(); ++bytes) {
      const auto [it, added] = at.try_emplace(std::string_view(value).substr(0, bytes), 0);
      if (!added) continue;
      const uint32_t to = it->second = NewState();
      const ByteSet on = Single(value[bytes - 1]);
      if (bytes > 1) {
        Connect(at.at(std::string_view(value).substr(0, bytes - 1)), on, to);
      } else {
        for (const uint32_t end : ends_) Connect(end, on, to);
      }
    }
    if (!value.empty()) ends.push_back(at.at(value));
  }
  ends_ = std::move(ends);
}

// Adds the numbers 0 to n - 1 without leading zeros: all shorter numbers, and those as long as the largest that are not
// above it.
void KeyAutomaton::Builder::AddBelow(uint32_t n) {
  const std::string largest = std::to_string(n - 1);
  const std::vector<uint32_t> start = ends_;
  std::vector<uint32_t> ends;
  // rest[k]: exactly k more digits follow, of any value.
  std::vector<uint32_t> rest(largest.size());
  for (size_t k = 0; k < rest.size(); ++k) {
    rest[k] = NewState();
    if (k > 0) Connect(rest[k], ByteRange('0', '9'), rest[k - 1]);
  }
  ends.push_back(rest[0]);
  const auto from_all = [&](const std::vector<uint32_t>& from, const ByteSet& on, uint32_t to) {
    for (const uint32_t one : from) Connect(one, on, to);
  };
  if (largest.size() > 1) from_all(start, Single('0'), rest[0]);
  for (size_t length = 1; length < largest.size(); ++length) from_all(start, ByteRange('1', '9'), rest[length - 1]);
  std::vector<uint32_t> along = start;
  for (size_t i = 0; i < largest.size(); ++i) {
    const char lowest = i == 0 && largest.size() > 1 ? '1' : '0';
    if (largest[i] > lowest) from_all(along, ByteRange(lowest, largest[i] - 1), rest[largest.size() - 1 - i]);
    const uint32_t next = NewState();
    from_all(along, Single(largest[i]), next);
    along = {next};
  }
  ends.push_back(along[0]);
  ends_ = std::move(ends);
}

// A Place records how far the text still equals `low` or `high`. Once it equals neither, anything may follow.
void KeyAutomaton::Builder::AddRange(std::string_view low, std::string_view high) {
  struct Place {
    std::vector<uint32_t> at;
    size_t depth = 0;
    bool on_low = true;
    bool on_high = true;
  };
  const uint32_t free = NewState();
  Connect(free, ByteSet().set(), free);
  std::vector<uint32_t> ends = {free};
  std::vector<Place> open = {{ends_}};
  const auto follow = [&](const Place& place, const ByteSet& on, bool on_low, bool on_high) {
    const uint32_t next = NewState();
    for (const uint32_t from : place.at) Connect(from, on, next);
    open.push_back({{next}, place.depth + 1, on_low, on_high});
  };
  while (!open.empty()) {
    const Place place = std::move(open.back());
    open.pop_back();
    const bool above = !place.on_low || place.depth >= low.size();
    const bool below = !place.on_high || place.depth >= high.size();
    if (above) ends.insert(ends.end(), place.at.begin(), place.at.end());
    const int from = above ? -1 : static_cast<unsigned char>(low[place.depth]);
    const int to = below ? 256 : static_cast<unsigned char>(high[place.depth]);
    for (const uint32_t one : place.at) Connect(one, ByteRange(from + 1, to - 1), free);
    if (from > to) continue;
    if (!above) follow(place, Single(low[place.depth]), true, from == to);
    if (!below && from != to) follow(place, Single(high[place.depth]), false, true);
  }
  ends_ = std::move(ends);
}

KeyAutomaton::KeyAutomaton(const KeyForm& form) {
  Builder builder(states_);
  for (const TemplatePart& part : form.parts) builder.Add(part, form.separator);
  if (form.tail == KeyForm::Tail::kAnything) builder.AddAnything();
  if (form.tail == KeyForm::Tail::kRange) builder.AddRange(form.low, form.high);
  builder.Finish();
}

KeyForm KeyForm::Of(const Template& whole) {
  KeyForm form;
  form.type = whole.type;
  form.separator = whole.separator;
  form.parts = whole.parts;
  return form;
}

// Breadth-first search over the pairs of states that one text leads to, so that the first text found is a shortest one.
class PairSearch {
 public:
  struct Pair {
    uint32_t a = 0;
    uint32_t b = 0;
    bool apart = false;  // the two readings assigned some byte to different parts
    uint32_t from = 0;   // position of the previous pair
    char byte = 0;
  };

  // Both must outlive the search.
  PairSearch(const KeyAutomaton& a, const KeyAutomaton& b, Preference preference = Preference::kLetters)
      : a_(a.states_), b_(b.states_), preference_(preference) {}

  // Returns the position of the first pair for which `wanted` returns true, or nullopt if there is none.
  template <typename Wanted>
  std::optional<size_t> Run(Wanted wanted) {
    pairs_.push_back({});
    seen_.emplace(KeyOf(pairs_[0]), true);
    for (size_t i = 0; i < pairs_.size() && pairs_.size() < kSearchPairsMax; ++i) {
      if (wanted(pairs_[i], a_[pairs_[i].a].accepts, b_[pairs_[i].b].accepts)) return i;
      Expand(i);
    }
    return {};
  }

  std::string TextTo(size_t at) const {
    std::string text;
    for (; at != 0; at = pairs_[at].from) text += pairs_[at].byte;
    std::reverse(text.begin(), text.end());
    return text;
  }

  // Splits the text into the parts of one reading.
  std::vector<std::string> Reading(size_t at, bool second, size_t parts) const {
    std::vector<std::string> reading(parts);
    for (; at != 0; at = pairs_[at].from) {
      const Pair& pair = pairs_[at];
      std::string& text = reading[second ? b_[pair.b].part : a_[pair.a].part];
      text.insert(text.begin(), pair.byte);
    }
    return reading;
  }

 private:
  static uint64_t KeyOf(const Pair& pair) { return uint64_t{pair.a} << 33 | uint64_t{pair.b} << 1 | pair.apart; }

  void Expand(size_t at) {
    const Pair from = pairs_[at];
    for (const KeyAutomaton::Edge& a : a_[from.a].edges) {
      for (const KeyAutomaton::Edge& b : b_[from.b].edges) {
        const ByteSet both = a.on & b.on;
        if (both.none()) continue;
        Pair next{a.to, b.to, from.apart || a_[a.to].part != b_[b.to].part, static_cast<uint32_t>(at), 0};
        if (!seen_.emplace(KeyOf(next), true).second) continue;
        next.byte = Preferred(both, preference_);
        pairs_.push_back(next);
      }
    }
  }

  const std::vector<KeyAutomaton::State>& a_;
  const std::vector<KeyAutomaton::State>& b_;
  Preference preference_;
  std::vector<Pair> pairs_;
  std::unordered_map<uint64_t, bool> seen_;
};

std::optional<std::string> Overlap(const KeyAutomaton& a, const KeyAutomaton& b) {
  PairSearch search(a, b);
  const auto found = search.Run([](const PairSearch::Pair&, bool a_ends, bool b_ends) { return a_ends && b_ends; });
  if (!found) return {};
  return search.TextTo(*found);
}

std::optional<std::string> Overlap(const KeyForm& a, const KeyForm& b) {
  if (a.type != b.type || !PrefixesMeet(a.LeadingLiteral(), b.LeadingLiteral())) return {};
  return Overlap(KeyAutomaton(a), KeyAutomaton(b));
}

std::optional<TwoReadings> FindTwoReadings(const Template& whole) {
  const KeyAutomaton language(KeyForm::Of(whole));
  PairSearch search(language, language);
  const auto found =
      search.Run([](const PairSearch::Pair& pair, bool a_ends, bool b_ends) { return pair.apart && a_ends && b_ends; });
  if (!found) return {};
  const size_t parts = whole.parts.size();
  return TwoReadings{search.TextTo(*found), search.Reading(*found, false, parts), search.Reading(*found, true, parts)};
}

std::optional<std::pair<std::string, std::string>> FindPrefixPair(const TemplatePart& part,
                                                                  std::string_view separator) {
  KeyForm value;
  value.separator = separator;
  value.parts = {part};
  KeyForm longer = value;
  longer.tail = KeyForm::Tail::kAnything;
  const KeyAutomaton values(value);
  const KeyAutomaton longer_values(longer);
  PairSearch search(values, longer_values);
  // `apart` means that the second text is in its tail: it continues after one value, and the whole text is a value too.
  const auto found =
      search.Run([](const PairSearch::Pair& pair, bool a_ends, bool b_ends) { return pair.apart && a_ends && b_ends; });
  if (!found) return {};
  const std::vector<std::string> cut = search.Reading(*found, true, 2);
  return std::pair(cut[0], search.TextTo(*found));
}

std::optional<std::string> FindSeparatorInside(const TemplatePart& part, std::string_view separator) {
  KeyForm value;
  value.separator = separator;
  value.parts = {part};
  TemplatePart literal;
  literal.text = separator;
  // The separator with anything before and after it. `any` is never empty, so `behind` covers an empty start.
  KeyForm behind;
  behind.separator = separator;
  behind.parts = {literal};
  behind.tail = KeyForm::Tail::kAnything;
  KeyForm inside = behind;
  TemplatePart any;
  any.kind = TemplatePart::Kind::kAttribute;
  any.alphabet = Alphabet::kBytes;
  inside.parts.insert(inside.parts.begin(), any);
  const KeyAutomaton values(value);
  if (auto text = Overlap(values, KeyAutomaton(behind))) return text;
  return Overlap(values, KeyAutomaton(inside));
}

namespace {

// The text of a placeholder at one place in a key.
struct Occurrence {
  const TemplatePart* part;
  std::string text;
};

size_t StemOf(const TemplatePart& part) {
  const std::string_view layout = TimeLayoutOf(part);
  return layout.ends_with('Z') ? layout.size() - 1 : layout.size();
}

// What one place of an attribute can contain if another place of it contains `known`: a literal, or the part with a
// known start. Returns nullopt if the two are incompatible.
std::optional<TemplatePart> Narrow(const TemplatePart& part, const Occurrence& known) {
  TemplatePart literal;
  literal.text = known.text;
  if (part.alphabet == Alphabet::kTime && known.part->alphabet == Alphabet::kTime) {
    const size_t shared = std::min(StemOf(part), StemOf(*known.part));
    literal.text = FormatValue(part.format, 0, part.type, known.text.substr(0, StemOf(*known.part)) + "Z");
    if (StemOf(part) <= StemOf(*known.part)) return literal;
    TemplatePart narrowed = part;
    narrowed.known = known.text.substr(0, shared);
    return narrowed;
  }
  if (StoredAs(part.type) == StoredType::kN && !known.text.empty()) {
    literal.text = FormatValue(part.format, part.width, part.type, ValueOfText(*known.part, known.text));
    if (part.alphabet == Alphabet::kDigits && literal.text.size() > part.width) return {};
    return literal;
  }
  if (part.format != Format::kPlain) literal.text = FormatValue(part.format, part.width, part.type, known.text);
  return literal;
}

// Returns true if one value can have written both.
bool Agree(const Occurrence& a, const Occurrence& b) {
  const auto allows = [](const Occurrence& known, const Occurrence& other) {
    const std::optional<TemplatePart> narrowed = Narrow(*other.part, known);
    if (!narrowed) return false;
    return narrowed->IsLiteral() ? narrowed->text == other.text : other.text.starts_with(narrowed->known);
  };
  return allows(a, b) || allows(b, a);
}

// The texts of one attribute, or of the shard, at all its places in one key.
using Occurrences = std::vector<Occurrence>;

constexpr std::string_view kShardName = "{shard}";

struct Joint {
  std::vector<std::string> texts;
  std::vector<std::pair<std::string, Occurrences>> sides[2];
};

void Note(std::vector<std::pair<std::string, Occurrences>>& side, const KeyForm& form,
          std::vector<std::string> reading) {
  for (size_t i = 0; i < form.parts.size(); ++i) {
    const TemplatePart& part = form.parts[i];
    if (part.IsLiteral()) continue;
    const std::string name(part.kind == TemplatePart::Kind::kShard ? kShardName : std::string_view(part.text));
    auto it = std::find_if(side.begin(), side.end(), [&](const auto& one) { return one.first == name; });
    if (it == side.end()) it = side.insert(side.end(), {name, {}});
    it->second.push_back({&part, std::move(reading[i])});
  }
}

// Finds an overlap of each key attribute on its own.
std::optional<Joint> OverlapEach(std::span<const KeyForm> a, std::span<const KeyForm> b, Preference preference) {
  Joint joint;
  for (size_t i = 0; i < a.size(); ++i) {
    const KeyAutomaton first(a[i]);
    const KeyAutomaton second(b[i]);
    PairSearch search(first, second, preference);
    const auto found = search.Run([](const PairSearch::Pair&, bool a_ends, bool b_ends) { return a_ends && b_ends; });
    if (!found) return {};
    joint.texts.push_back(search.TextTo(*found));
    Note(joint.sides[0], a[i], search.Reading(*found, false, a[i].parts.size() + 1));
    Note(joint.sides[1], b[i], search.Reading(*found, true, b[i].parts.size() + 1));
  }
  return joint;
}

// The texts that the shard may be the hash of, given the attribute's text at one place.
struct HashedTexts {
  std::vector<std::string> texts;
  bool all = true;  // it cannot be the hash of any other
};

// A text with its letters in either case, as far as there are not too many.
HashedTexts InEitherCase(const std::string& text) {
  constexpr size_t kLettersMax = 5;
  HashedTexts made;
  made.texts = {text};
  size_t letters = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!IsLetter(text[i])) continue;
    made.all = ++letters <= kLettersMax;
    if (!made.all) break;
    for (size_t one = 0, count = made.texts.size(); one < count; ++one) {
      std::string other = made.texts[one];
      other[i] = IsLower(other[i]) ? ToUpper(other[i]) : ToLower(other[i]);
      made.texts.push_back(std::move(other));
    }
  }
  return made;
}

HashedTexts HashedTextsOf(const KeyForm::Hash& hash, const Occurrence& known) {
  const bool text = StoredAs(known.part->type) == StoredType::kS && !IsTimeText(known.part->type);
  if (text && hash.format == Format::kPlain && known.part->format != Format::kPlain) return InEitherCase(known.text);
  TemplatePart part = *known.part;
  part.format = hash.format;
  part.width = hash.width;
  if (StoredAs(part.type) == StoredType::kN) part.alphabet = Alphabet::kNumber;  // the hash is not limited to a width
  const std::optional<TemplatePart> narrowed = Narrow(part, known);
  if (narrowed && narrowed->IsLiteral()) return {{narrowed->text}};
  return {{}, false};
}

const KeyForm::Hash* HashOf(const KeyForms& forms) {
  for (const KeyForm& form : forms) {
    if (form.hash) return &*form.hash;
  }
  return nullptr;
}

const Occurrences* FindPlaces(const std::vector<std::pair<std::string, Occurrences>>& side, std::string_view name) {
  for (const auto& [one, places] : side) {
    if (one == name) return &places;
  }
  return nullptr;
}

// Searches for texts in which every attribute has one value, and the shard is that of its attribute. Used by one thread
// at a time.
class JointSearch {
 public:
  using Texts = std::optional<std::vector<std::string>>;

  Texts Run(const KeyForms& a, const KeyForms& b) {
    const std::optional<Joint> joint = OverlapEach(a, b, Preference::kLetters);
    if (!joint || ++tries_ > kTriesMax) return {};
    // An attribute that another literal fixes may be the one to begin with.
    bool agreed = true;
    for (int side = 0; side < 2; ++side) {
      for (const auto& [name, places] : joint->sides[side]) {
        if (Agreed(places)) continue;
        agreed = false;
        if (Texts found = Split(a, b, side, name, places)) return found;
      }
    }
    if (!agreed) {
      searched_ = true;
      return {};
    }
    for (int side = 0; side < 2; ++side) {
      if (HasOtherShard(side == 0 ? a : b, joint->sides[side])) return SplitByHash(a, b, side, *joint);
    }
    return joint->texts;
  }

  // Texts for which no values were found, although there may be some.
  const Texts& unproven() const { return unproven_; }
  // An attribute got no value that suits all its places.
  bool searched() const { return searched_; }

 private:
  static constexpr int kTriesMax = 512;

  static bool Agreed(const Occurrences& places) {
    for (size_t i = 1; i < places.size(); ++i) {
      const auto agrees = [&](const Occurrence& other) { return Agree(other, places[i]); };
      if (!std::all_of(places.begin(), places.begin() + static_cast<ptrdiff_t>(i), agrees)) return false;
    }
    return true;
  }

  static bool HasOtherShard(const KeyForms& forms, const std::vector<std::pair<std::string, Occurrences>>& side) {
    const KeyForm::Hash* hash = HashOf(forms);
    const Occurrences* shards = hash != nullptr ? FindPlaces(side, kShardName) : nullptr;
    const Occurrences* places = shards != nullptr ? FindPlaces(side, hash->attribute) : nullptr;
    if (places == nullptr) return false;
    const Occurrence& shard = (*shards)[0];
    return std::any_of(places->begin(), places->end(), [&](const Occurrence& place) {
      const HashedTexts hashed = HashedTextsOf(*hash, place);
      const auto fits = [&](const std::string& text) {
        return std::to_string(ShardOf(text, shard.part->shards)) == shard.text;
      };
      return !hashed.texts.empty() && std::none_of(hashed.texts.begin(), hashed.texts.end(), fits);
    });
  }

  // The texts that the attribute has in an overlap that prefers digits, and the values of its enum.
  static Occurrences OthersOf(const KeyForms& a, const KeyForms& b, int side, const std::string& name,
                              const Occurrences& places) {
    Occurrences others;
    const std::optional<Joint> joint = OverlapEach(a, b, Preference::kDigits);
    if (const Occurrences* found = FindPlaces(joint->sides[side], name)) others = *found;
    for (const std::string& value : places[0].part->values) others.push_back({places[0].part, value});
    return others;
  }

  // Tries the attribute with each text that it had at some place, and with each value of its enum.
  Texts Split(const KeyForms& a, const KeyForms& b, int side, const std::string& name, const Occurrences& places) {
    Occurrences candidates = places;
    const Occurrences others = OthersOf(a, b, side, name, places);
    candidates.insert(candidates.end(), others.begin(), others.end());
    AddTextsOf(side == 0 ? b : a, *places[0].part, candidates);
    if (HashOf(a) != nullptr || HashOf(b) != nullptr) AddLike(places[0], candidates);
    for (const Occurrence& candidate : candidates) {
      if (Texts found = RunWith(a, b, side, name, candidate)) return found;
    }
    return {};
  }

  // The texts that the shard may be the hash of if the attribute has the candidate's value: as the place says that has
  // most of the value.
  static HashedTexts HashedTextsWith(const KeyForms& forms, const std::string& name, const Occurrence& candidate) {
    HashedTexts fewest;
    const KeyForm::Hash* hash = HashOf(forms);
    if (hash == nullptr || hash->attribute != name) return fewest;
    for (const KeyForm& form : forms) {
      for (const TemplatePart& part : form.parts) {
        if (part.kind != TemplatePart::Kind::kAttribute || part.text != name) continue;
        const std::optional<TemplatePart> narrowed = Narrow(part, candidate);
        if (!narrowed || !narrowed->IsLiteral()) continue;
        HashedTexts hashed = HashedTextsOf(*hash, {&part, narrowed->text});
        const bool fewer = fewest.texts.empty() || hashed.texts.size() < fewest.texts.size();
        if (!hashed.texts.empty() && fewer) fewest = std::move(hashed);
      }
    }
    return fewest;
  }

  // With the attribute fixed, and the shard if it is the hash of the attribute.
  Texts RunWith(const KeyForms& a, const KeyForms& b, int side, const std::string& name, const Occurrence& candidate) {
    const KeyForms& own = side == 0 ? a : b;
    KeyForms narrowed = own;
    if (!NarrowAll(narrowed, name, candidate)) return {};
    const auto run = [&](const KeyForms& forms) { return side == 0 ? Run(forms, b) : Run(a, forms); };
    const HashedTexts hashed = HashedTextsWith(own, name, candidate);
    if (hashed.texts.empty()) return run(narrowed);
    for (const std::string& text : hashed.texts) {
      KeyForms sharded = narrowed;
      NarrowShard(sharded, text);
      if (Texts found = run(sharded)) return found;
    }
    return {};
  }

  // Tries the hashed attribute with the text that it has and, if the other side allows any, with others like it.
  Texts SplitByHash(const KeyForms& a, const KeyForms& b, int side, const Joint& joint) {
    const KeyForms& own = side == 0 ? a : b;
    const std::string name = HashOf(own)->attribute;
    const Occurrences& places = *FindPlaces(joint.sides[side], name);
    Occurrences candidates = OthersOf(a, b, side, name, places);
    AddTextsOf(side == 0 ? b : a, *places[0].part, candidates);
    AddLike(places[0], candidates);
    const bool pinned = IsPinned(a, b, side, name, joint, candidates);
    if (pinned) candidates.clear();
    candidates.insert(candidates.begin(), places.begin(), places.end());
    for (const Occurrence& candidate : candidates) {
      if (Texts found = RunWith(a, b, side, name, candidate)) return found;
    }
    const bool finite = pinned || places[0].part->alphabet == Alphabet::kChoice;
    const auto all_tried = [&](const Occurrence& place) { return HashedTextsOf(*HashOf(own), place).all; };
    if (!finite || std::none_of(places.begin(), places.end(), all_tried)) unproven_ = joint.texts;
    return {};
  }

  // Returns true if no other value of the attribute gives an overlap.
  static bool IsPinned(const KeyForms& a, const KeyForms& b, int side, const std::string& name, const Joint& joint,
                       const Occurrences& others) {
    constexpr int kTriedMax = 24;
    int tried = 0;
    for (const Occurrence& other : others) {
      KeyForms narrowed = side == 0 ? a : b;
      if (tried == kTriedMax || !NarrowAll(narrowed, name, other)) continue;
      ++tried;
      const auto found =
          side == 0 ? OverlapEach(narrowed, b, Preference::kLetters) : OverlapEach(a, narrowed, Preference::kLetters);
      if (found && found->texts != joint.texts) return false;
    }
    return true;
  }

  // Texts of the placeholder with another last character, or one more, and other numbers.
  static void AddLike(const Occurrence& place, Occurrences& out) {
    static constexpr std::string_view kLast = "0a1b2c3d4e5f6g7h8i9jklmnopqrstuvwxyzABCDEF";
    for (int n = 11; StoredAs(place.part->type) == StoredType::kN && n < 99; n += 2)
      out.push_back(
          {place.part, FormatValue(place.part->format, place.part->width, place.part->type, std::to_string(n))});
    for (const bool longer : {false, true}) {
      for (const char c : kLast) {
        std::string text = place.text;
        const bool zone = text.ends_with('Z') && IsTimeText(place.part->type);
        if (zone) text.pop_back();
        if (!longer) text.pop_back();
        text += c;
        if (zone) text += 'Z';
        out.push_back({place.part, std::move(text)});
      }
    }
  }

  // The words in the literals of the other side, alone and together, and the values of its enums.
  static void AddTextsOf(const KeyForms& forms, const TemplatePart& part, Occurrences& out) {
    for (const KeyForm& form : forms) {
      for (const TemplatePart& other : form.parts) {
        if (other.IsLiteral()) AddWordsOf(other.text, part, out);
        for (const std::string& value : other.values) out.push_back({&part, value});
      }
    }
  }

  static void AddWordsOf(const std::string& literal, const TemplatePart& part, Occurrences& out) {
    constexpr size_t kWordsMax = 12;
    const auto in_word = [&](size_t at) { return at < literal.size() && IsLetterOrDigit(literal[at]); };
    std::vector<size_t> begins, ends;
    for (size_t at = 0; at < literal.size() && ends.size() < kWordsMax; ++at) {
      if (in_word(at) && (at == 0 || !in_word(at - 1))) begins.push_back(at);
      if (in_word(at) && !in_word(at + 1)) ends.push_back(at + 1);
    }
    for (const size_t begin : begins) {
      for (const size_t end : ends) {
        if (end > begin) out.push_back({&part, literal.substr(begin, end - begin)});
      }
    }
  }

  static bool NarrowAll(KeyForms& forms, const std::string& name, const Occurrence& candidate) {
    for (KeyForm& form : forms) {
      for (TemplatePart& part : form.parts) {
        const bool shard = part.kind == TemplatePart::Kind::kShard && name == kShardName;
        if (part.IsLiteral() || (!shard && (part.kind == TemplatePart::Kind::kShard || part.text != name))) continue;
        std::optional<TemplatePart> one = Narrow(part, candidate);
        // The place itself must be able to write the text.
        if (!one || (one->IsLiteral() && !Fits(part, form.separator, one->text))) return false;
        part = *std::move(one);
      }
    }
    return true;
  }

  static void NarrowShard(KeyForms& forms, std::string_view hashed) {
    for (KeyForm& form : forms) {
      for (TemplatePart& part : form.parts) {
        if (part.kind != TemplatePart::Kind::kShard) continue;
        TemplatePart literal;
        literal.text = std::to_string(ShardOf(hashed, part.shards));
        part = std::move(literal);
      }
    }
  }

  int tries_ = 0;
  Texts unproven_;
  bool searched_ = false;
};

bool HasTwoReadings(KeyForm form) {
  form.tail = KeyForm::Tail::kNothing;
  const KeyAutomaton language(form);
  PairSearch search(language, language);
  const auto found =
      search.Run([](const PairSearch::Pair& pair, bool a_ends, bool b_ends) { return pair.apart && a_ends && b_ends; });
  return found.has_value();
}

}  // namespace

std::optional<std::vector<std::string>> OverlapTogether(std::span<const KeyForm> a, std::span<const KeyForm> b) {
  CHECK(a.size() == b.size());
  // Most pairs are ruled out here, before anything is copied or built.
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].type != b[i].type || !PrefixesMeet(a[i].LeadingLiteral(), b[i].LeadingLiteral())) return {};
  }
  JointSearch search;
  const std::optional<std::vector<std::string>> found =
      search.Run(KeyForms(a.begin(), a.end()), KeyForms(b.begin(), b.end()));
  if (found || search.unproven()) return found ? found : search.unproven();
  // If a key can be read in two ways, only some of them were looked at.
  const bool open = search.searched() && (std::any_of(a.begin(), a.end(), HasTwoReadings) ||
                                          std::any_of(b.begin(), b.end(), HasTwoReadings));
  if (!open) return {};
  const std::optional<Joint> joint = OverlapEach(a, b, Preference::kLetters);
  return joint ? std::optional(joint->texts) : std::nullopt;
}

std::vector<uint32_t> PrefixIndex::Meeting(std::string_view literal) const {
  std::vector<uint32_t> found;
  const auto take = [&](const std::vector<uint32_t>& ids) { found.insert(found.end(), ids.begin(), ids.end()); };
  for (size_t bytes = 0; bytes < literal.size(); ++bytes) {
    if (const auto it = ids_.find(literal.substr(0, bytes)); it != ids_.end()) take(it->second);
  }
  for (auto it = ids_.lower_bound(literal); it != ids_.end() && it->first.starts_with(literal); ++it) take(it->second);
  return found;
}

}  // namespace keyfold::model

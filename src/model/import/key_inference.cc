#include "model/import/key_inference.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "base/check.h"
#include "model/core/template.h"

namespace keyfold::model {
namespace {

constexpr uint32_t kShardsMax = 1000;
constexpr size_t kShardedMin = 8;  // items, and 1.5 per shard; with fewer it may just as well be an id

// The key of one item, split at the separators.
struct Split {
  const SampledItem* item;
  std::vector<std::string_view> tokens;
};

// An attribute and a rendering of it that give the token at a position in many items.
struct Candidate {
  std::string name;
  Rendering rendering;
  size_t matches = 0;
};

std::string EscapeBraces(std::string_view text) {
  std::string out;
  for (const char c : text) out.append(c == '{' || c == '}' ? 2 : 1, c);
  return out;
}

std::string Lower(std::string_view text) { return FormatValue(Format::kLower, 0, AttributeType::kString, text); }

// Returns true if the name refers to the literal before the position, as userId refers to USER.
bool Speaks(std::string_view name, std::string_view literal) {
  if (literal.empty()) return false;
  const std::string low_name = Lower(name);
  const std::string low = Lower(CamelCase(literal, false));
  return low_name.find(low) != std::string::npos || low.find(low_name) != std::string::npos;
}

// Infers one key attribute of one entity. Used by one thread at a time.
class KeyInference {
 public:
  KeyInference(const KeyQuestion& question, const ItemRefs& sample) : question_(question), sample_(sample) {
    guess_.attribute = question.attribute;
  }

  KeyGuess Infer() {
    if (!Collect()) return Native();
    if (question_.composite || splits_.empty()) return Native();
    KeepCommonLength();
    for (size_t place = 0; place < splits_[0].tokens.size(); ++place) guess_.parts.push_back(InferPlace(place));
    if (IsNative()) return Native();
    CountFitting();
    return std::move(guess_);
  }

 private:
  // Returns false if the key is not a string.
  bool Collect() {
    for (const SampledItem* item : sample_) {
      const SampledValue* value = item->Find(question_.attribute);
      if (value == nullptr) continue;
      ++guess_.having;
      if (value->type != Type::kS) return false;
      splits_.push_back({item, SplitKey(value->text, question_.separator)});
    }
    return true;
  }

  KeyGuess Native() {
    guess_.native = true;
    guess_.parts.clear();
    guess_.doubts.clear();
    guess_.having = guess_.fitting = 0;
    for (const SampledItem* item : sample_) guess_.having += item->Find(question_.attribute) != nullptr;
    guess_.fitting = guess_.having;
    return std::move(guess_);
  }

  void KeepCommonLength() {
    std::map<size_t, size_t> lengths;
    for (const Split& split : splits_) ++lengths[split.tokens.size()];
    const auto common = std::max_element(lengths.begin(), lengths.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (common->second < splits_.size()) {
      guess_.doubts.push_back(fmt::format("{} keys of {} do not have the {} parts the others have",
                                          splits_.size() - common->second, question_.attribute, common->first));
    }
    const size_t length = common->first;
    std::erase_if(splits_, [&](const Split& split) { return split.tokens.size() != length; });
  }

  GuessedPart InferPlace(size_t place) {
    std::map<std::string_view, size_t> tokens;
    for (const Split& split : splits_) ++tokens[split.tokens[place]];
    const auto top = std::max_element(tokens.begin(), tokens.end(),
                                      [](const auto& a, const auto& b) { return a.second < b.second; });
    const bool constant = NearlyAll(top->second, splits_.size());
    const std::vector<Candidate> candidates = CandidatesOf(place);
    if (constant && IsLiteralPlace(place, top->first, candidates)) {
      return {GuessedPart::Kind::kLiteral, std::string(top->first), {}, {}};
    }
    if (!candidates.empty()) return OfAttribute(place, candidates.front());
    if (LooksSharded(tokens)) return {GuessedPart::Kind::kShard, {}, {}, {}};
    return Invent(place, tokens);
  }

  bool IsLiteralPlace(size_t place, std::string_view token, const std::vector<Candidate>& candidates) const {
    if (candidates.empty()) return IsWord(token) || IsCapitals(token) || splits_.size() >= 5 || token.empty();
    if (IsCapitals(token) && !Speaks(candidates.front().name, LiteralBefore(place))) return true;
    // If the attribute has other values on items without the key, the literal is the condition of a sparse index.
    for (const SampledItem* item : sample_) {
      const SampledValue* value = item->Find(candidates.front().name);
      if (value != nullptr && RenderingsOf(*value, token).empty()) return splits_.size() >= 2;
    }
    return false;
  }

  std::string_view LiteralBefore(size_t place) const {
    return place > 0 && guess_.parts[place - 1].kind == GuessedPart::Kind::kLiteral
               ? std::string_view(guess_.parts[place - 1].text)
               : std::string_view();
  }

  bool MayGive(const SampledValue& value) const {
    if (!value.IsText() || value.name == question_.attribute || value.text.empty()) return false;
    return std::find(question_.keys->begin(), question_.keys->end(), value.name) == question_.keys->end();
  }

  // Candidates that give the token of nearly all items, best first.
  std::vector<Candidate> CandidatesOf(size_t place) const {
    std::vector<Candidate> all;
    std::set<std::string> seen;
    const size_t looks = std::min<size_t>(splits_.size(), 50);
    for (size_t i = 0; i < looks; ++i) {
      const Split& split = splits_[i * splits_.size() / looks];
      for (const SampledValue& value : split.item->attributes) {
        if (!MayGive(value)) continue;
        for (const Rendering& rendering : RenderingsOf(value, split.tokens[place])) {
          const std::string id =
              fmt::format("{} {} {}", value.name, static_cast<int>(rendering.format), rendering.width);
          if (seen.insert(id).second) all.push_back({value.name, rendering, 0});
        }
      }
    }
    for (Candidate& each : all) each.matches = Matches(place, each);
    std::erase_if(all, [&](const Candidate& each) { return !NearlyAll(each.matches, splits_.size()); });
    const std::string_view before = LiteralBefore(place);
    std::stable_sort(all.begin(), all.end(), [&](const Candidate& a, const Candidate& b) {
      const auto rank = [&](const Candidate& each) {
        const bool folded = each.rendering.format == Format::kLower || each.rendering.format == Format::kUpper;
        return std::tuple(!Speaks(each.name, before), folded, each.name.size());
      };
      return rank(a) < rank(b);
    });
    return all;
  }

  size_t Matches(size_t place, const Candidate& candidate) const {
    size_t matches = 0;
    for (const Split& split : splits_) matches += Gives(split, place, candidate.name, candidate.rendering);
    return matches;
  }

  static bool Gives(const Split& split, size_t place, std::string_view name, const Rendering& rendering) {
    const SampledValue* value = split.item->Find(name);
    if (value == nullptr) return false;
    const std::vector<Rendering> all = RenderingsOf(*value, split.tokens[place]);
    return std::find(all.begin(), all.end(), rendering) != all.end();
  }

  GuessedPart OfAttribute(size_t place, const Candidate& candidate) {
    GuessedPart part{GuessedPart::Kind::kAttribute, candidate.name, candidate.rendering, {}};
    if (candidate.rendering.format == Format::kPad) {
      const bool zeros = std::any_of(splits_.begin(), splits_.end(), [&](const Split& split) {
        return split.tokens[place].size() > 1 && split.tokens[place][0] == '0';
      });
      if (!zeros) {
        guess_.doubts.push_back(fmt::format("{} is always {} digits wide in {}, so padding is assumed", part.text,
                                            candidate.rendering.width, question_.attribute));
      }
    }
    if (splits_.size() < 3) {
      guess_.doubts.push_back(fmt::format("{} in {} is based on only {} item{}", part.text, question_.attribute,
                                          splits_.size(), splits_.size() == 1 ? "" : "s"));
    }
    return part;
  }

  bool LooksSharded(const std::map<std::string_view, size_t>& tokens) const {
    uint32_t most = 0;
    for (const auto& [token, count] : tokens) {
      uint32_t value = 0;
      const bool natural = IsDigits(token) && (token[0] != '0' || token.size() == 1) && token.size() < 6;
      if (!natural) return false;
      std::from_chars(token.data(), token.data() + token.size(), value);
      most = std::max(most, value);
    }
    return tokens.size() >= 2 && most < kShardsMax && tokens.size() * 2 > most && splits_.size() >= kShardedMin &&
           splits_.size() * 2 >= 3 * tokens.size();
  }

  GuessedPart Invent(size_t place, const std::map<std::string_view, size_t>& tokens) {
    GuessedPart part{GuessedPart::Kind::kInvented, {}, {}, "string"};
    const std::string_view first = tokens.begin()->first;
    const Format time = TimeFormatOf(first);
    const auto all = [&](auto holds) {
      return std::all_of(tokens.begin(), tokens.end(), [&](const auto& each) { return holds(each.first); });
    };
    if (time != Format::kPlain && all([&](std::string_view token) { return TimeFormatOf(token) == time; })) {
      part.rendering.format = time;
      part.type = "time";
    } else if (first[0] == '0' && first.size() > 1 &&
               all([&](std::string_view token) { return IsDigits(token) && token.size() == first.size(); })) {
      part.rendering = {Format::kPad, static_cast<uint8_t>(std::min<size_t>(first.size(), kPadMax))};
      part.type = "number";
    }
    part.text = NameFor(place, part.type);
    guess_.doubts.push_back(
        fmt::format("{} in {} is not an attribute of the items; its name is made up", part.text, question_.attribute));
    return part;
  }

  std::string NameFor(size_t place, std::string_view type) const {
    const std::string_view before = LiteralBefore(place);
    std::string name = before.empty() ? CamelCase(question_.attribute, false) + "Part" + std::to_string(place + 1)
                                      : CamelCase(before, false) + (type == "time" ? "At" : "Id");
    while (IsTaken(name)) name += "Key";
    return name;
  }

  bool IsTaken(std::string_view name) const {
    return std::any_of(sample_.begin(), sample_.end(),
                       [&](const SampledItem* item) { return item->Find(name) != nullptr; });
  }

  // A single part that no other attribute gives: the attribute itself is the key.
  bool IsNative() const {
    if (guess_.parts.size() != 1) return false;
    if (guess_.parts[0].kind == GuessedPart::Kind::kInvented) return true;
    const bool synthetic =
        std::find(question_.keys->begin(), question_.keys->end(), question_.attribute) != question_.keys->end();
    return guess_.parts[0].kind == GuessedPart::Kind::kLiteral && !synthetic;
  }

  void CountFitting() {
    for (const Split& split : splits_) {
      bool fits = true;
      for (size_t i = 0; i < guess_.parts.size(); ++i) {
        const GuessedPart& part = guess_.parts[i];
        if (part.kind == GuessedPart::Kind::kLiteral) fits &= split.tokens[i] == part.text;
        if (part.kind == GuessedPart::Kind::kAttribute) fits &= Gives(split, i, part.text, part.rendering);
      }
      guess_.fitting += fits;
    }
    // The separators between the parts become literals too.
    std::vector<GuessedPart> joined;
    for (GuessedPart& part : guess_.parts) {
      if (!joined.empty()) joined.push_back({GuessedPart::Kind::kLiteral, std::string(question_.separator), {}, {}});
      joined.push_back(std::move(part));
    }
    guess_.parts = std::move(joined);
  }

  const KeyQuestion& question_;
  const ItemRefs& sample_;
  std::vector<Split> splits_;
  KeyGuess guess_;
};

}  // namespace

bool NearlyAll(size_t part, size_t whole) { return part * 100 >= whole * 98; }

bool KeyGuess::HasShard() const {
  return std::any_of(parts.begin(), parts.end(),
                     [](const GuessedPart& part) { return part.kind == GuessedPart::Kind::kShard; });
}

bool KeyGuess::IsLiteral() const {
  return !native && std::all_of(parts.begin(), parts.end(),
                                [](const GuessedPart& part) { return part.kind == GuessedPart::Kind::kLiteral; });
}

std::string KeyGuess::Text() const {
  if (native) return fmt::format("{{{}}}", attribute);
  std::string out;
  for (const GuessedPart& part : parts) {
    if (part.kind == GuessedPart::Kind::kLiteral) {
      out += EscapeBraces(part.text);
      continue;
    }
    const std::string name = part.kind == GuessedPart::Kind::kShard ? "shard" : part.text;
    const std::string format = FormatName(part.rendering.format, part.rendering.width);
    out.append("{").append(name).append(format.empty() ? "" : "|").append(format).append("}");
  }
  return out;
}

KeyGuess InferKey(const KeyQuestion& question, const ItemRefs& sample) {
  return KeyInference(question, sample).Infer();
}

}  // namespace keyfold::model

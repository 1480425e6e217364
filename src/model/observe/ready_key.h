// A key template prepared for parsing many keys: where each part ends is computed once, and a key is read from left to
// right in one pass. Accepts the same keys as ReadKey.
#pragma once

#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/template.h"

namespace keyfold::model {

// Literals and placeholders alternate.
inline constexpr size_t kKeyPartsMax = 2 * kPlaceholdersMax + 1;
using KeyParts = std::array<std::string_view, kKeyPartsMax>;

// Immutable, thread-safe.
class ReadyKey {
 public:
  ReadyKey() = default;  // no parts: matches the empty key
  explicit ReadyKey(Template whole);

  const Template& whole() const { return whole_; }

  // Stores the text of each part in order, including literals. Returns false if `text` is not a key of the template.
  // `out` views `text`.
  bool Read(std::string_view text, KeyParts& out) const;
  // Returns true if `text` is a key of the template.
  bool Fits(std::string_view text) const {
    if (!text.starts_with(literal_)) return false;
    if (literal_is_all_) return text.size() == literal_.size();
    if (!one_text_follows_) return ReadsWhole(text);
    const std::string_view rest = text.substr(literal_.size());
    return !rest.empty() && std::memchr(rest.data(), whole_.separator[0], rest.size()) == nullptr;
  }

 private:
  struct Step {
    Extent extent;
    bool plain = false;  // any text without the separator
  };
  bool PartFits(size_t part, std::string_view text) const;
  bool ReadsWhole(std::string_view text) const;
  bool TryOut(std::string_view text, KeyParts& out) const;

  Template whole_;
  std::vector<Step> steps_;  // by part
  bool is_open_ = false;     // the end of some part has to be found by trial
  // The literal that keys start with, and whether it is the whole key or is followed by one plain text.
  std::string literal_;
  bool literal_is_all_ = false, one_text_follows_ = false;
};

}  // namespace keyfold::model

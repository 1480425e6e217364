#include "model/observe/key_agreement.h"

#include <algorithm>

#include "base/text/ascii.h"
#include "model/core/calendar.h"

namespace keyfold::model {
namespace {

// Equivalent to text == FormatTime(format, iso).
bool TimeAgrees(Format format, std::string_view iso, std::string_view text) {
  constexpr std::string_view kNoMillis = ".000Z";
  const size_t to_second = LayoutOf(Format::kIsoSeconds).size() - 1;
  if (format == Format::kIsoSeconds && iso.size() > to_second) {
    return text.size() == to_second + 1 && text.back() == 'Z' && text.substr(0, to_second) == iso.substr(0, to_second);
  }
  if (format == Format::kIsoMillis && iso.size() == to_second + 1 && iso.back() == 'Z') {
    return text.size() == to_second + kNoMillis.size() && text.ends_with(kNoMillis) &&
           text.substr(0, to_second) == iso.substr(0, to_second);
  }
  if (IsBucket(format)) return text == iso.substr(0, LayoutOf(format).size());
  return text == iso || text == FormatTime(format, iso);
}

// Equivalent to text == FormatValue of the part.
bool PaddedAgrees(const TemplatePart& part, std::string_view value, std::string_view text) {
  if (text.size() < value.size()) return false;
  const bool down = part.format == Format::kDesc;
  const std::string_view padding = text.substr(0, text.size() - value.size());
  const auto written = [&](char digit, char c) { return (down ? Complement(digit) : digit) == c; };
  if (!std::equal(value.begin(), value.end(), text.begin() + static_cast<ptrdiff_t>(padding.size()), written))
    return false;
  if (padding.empty()) return value.size() >= part.width;
  const char fill = down ? '9' : '0';
  return text.size() == part.width && std::all_of(padding.begin(), padding.end(), [&](char c) { return c == fill; });
}

}  // namespace

bool Agrees(const TemplatePart& part, std::string_view value, std::string_view text) {
  if (IsTimeText(part.type)) {
    return TimeAgrees(part.format == Format::kPlain ? StoredFormat(part.type) : part.format, value, text);
  }
  if (part.format == Format::kPlain) return value == text;
  if (IsPadded(part.format)) return PaddedAgrees(part, value, text);
  const char first = part.format == Format::kLower ? 'A' : 'a';
  const char last = static_cast<char>(first + 25);
  return std::equal(value.begin(), value.end(), text.begin(), text.end(), [&](char from, char to) {
    return (from >= first && from <= last ? static_cast<char>(from ^ 0x20) : from) == to;
  });
}

namespace {

std::string_view WithoutZone(std::string_view time) { return time.substr(0, time.size() - time.ends_with('Z')); }

// Keeps the last digit.
std::string_view WithoutZeros(std::string_view number) {
  return number.substr(std::min(number.find_first_not_of('0'), number.empty() ? 0 : number.size() - 1));
}

bool IsSameAttribute(const TemplatePart& a, const TemplatePart& b) {
  return !a.IsLiteral() && a.kind == b.kind && (a.kind == TemplatePart::Kind::kShard || a.text == b.text);
}

}  // namespace

bool AreAlike(Likeness likeness, std::string_view a, std::string_view b) {
  switch (likeness) {
    case Likeness::kText:
      return a == b;
    case Likeness::kLetters:
      return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                        [](char x, char y) { return ToLower(x) == ToLower(y); });
    case Likeness::kTime:
      a = WithoutZone(a);
      b = WithoutZone(b);
      return a.starts_with(b) || b.starts_with(a);
    case Likeness::kNumber:
      return WithoutZeros(a) == WithoutZeros(b);
  }
  return true;
}

Likeness LikenessOf(const TemplatePart& a, const TemplatePart& b) {
  if (a.format == b.format && a.width == b.width) return Likeness::kText;
  if (IsTimeText(a.type)) return Likeness::kTime;
  return StoredAs(a.type) == StoredType::kN ? Likeness::kNumber : Likeness::kLetters;
}

std::vector<Repeat> RepeatsIn(std::span<const Template* const> keys) {
  std::vector<Repeat> repeats;
  std::vector<std::pair<Repeat::Place, const TemplatePart*>> before;
  for (uint32_t key = 0; key < keys.size(); ++key) {
    for (uint32_t at = 0; at < keys[key]->parts.size(); ++at) {
      const TemplatePart& part = keys[key]->parts[at];
      for (const auto& [place, earlier] : before) {
        if (IsSameAttribute(*earlier, part)) repeats.push_back({place, {key, at}, LikenessOf(*earlier, part)});
      }
      before.push_back({{key, at}, &part});
    }
  }
  return repeats;
}

}  // namespace keyfold::model

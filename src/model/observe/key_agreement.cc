#include "model/observe/key_agreement.h"

#include <algorithm>

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

}  // namespace keyfold::model

#include "model/import/tokens.h"

#include <algorithm>

#include "base/text/ascii.h"
#include "model/core/calendar.h"
#include "model/core/template.h"

namespace keyfold::model {
namespace {

constexpr size_t kWordMax = 32;
constexpr Format kTimeFormats[] = {Format::kIsoMillis, Format::kIsoSeconds, Format::kHour,
                                   Format::kDay,       Format::kMonth,      Format::kYear};

void AddNumberRenderings(const SampledValue& value, std::string_view token, std::vector<Rendering>& out) {
  const bool same_width = token.size() >= value.text.size() && token.size() <= static_cast<size_t>(kPadMax);
  if (value.whole && IsDigits(token) && same_width && token.ends_with(value.text)) {
    const std::string_view zeros = token.substr(0, token.size() - value.text.size());
    if (zeros.find_first_not_of('0') == std::string_view::npos) {
      out.push_back({Format::kPad, static_cast<uint8_t>(token.size())});
    }
  }
  if (value.text == token) out.push_back({});
}

void AddTextRenderings(const SampledValue& value, std::string_view token, std::vector<Rendering>& out) {
  if (IsStoredTime(value.text)) {
    for (const Format format : kTimeFormats) {
      if (FormatTime(format, value.text) == token) out.push_back({format, 0});
    }
    return;
  }
  if (value.text == token) out.push_back({});
  for (const Format format : {Format::kLower, Format::kUpper}) {
    if (FormatValue(format, 0, AttributeType::kString, value.text) == token) out.push_back({format, 0});
  }
}

}  // namespace

std::vector<std::string_view> SplitKey(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> out;
  for (size_t at; (at = text.find(separator)) != std::string_view::npos; text.remove_prefix(at + separator.size())) {
    out.push_back(text.substr(0, at));
  }
  out.push_back(text);
  return out;
}

bool IsWord(std::string_view text) {
  const auto fits = [](char c) { return IsLetter(c) || c == '_' || c == '-'; };
  return !text.empty() && text.size() <= kWordMax && IsLetter(text[0]) && std::all_of(text.begin(), text.end(), fits);
}

bool IsCapitals(std::string_view text) {
  const auto fits = [](char c) { return IsUpper(c) || IsDigit(c) || c == '_' || c == '-'; };
  return !text.empty() && text.size() <= kWordMax && IsUpper(text[0]) && std::all_of(text.begin(), text.end(), fits);
}

bool IsDigits(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), IsDigit); }

bool IsStoredTime(std::string_view text) {
  return text.size() == LayoutOf(Format::kIsoMillis).size() && EpochMillis(text).has_value();
}

std::vector<Rendering> RenderingsOf(const SampledValue& value, std::string_view token) {
  std::vector<Rendering> out;
  if (value.type == Type::kN) AddNumberRenderings(value, token, out);
  if (value.type == Type::kS) AddTextRenderings(value, token, out);
  return out;
}

Format TimeFormatOf(std::string_view token) {
  for (const Format format : kTimeFormats) {
    const std::string_view layout = LayoutOf(format);
    if (format == Format::kYear || token.size() != layout.size() || !FollowsLayout(token, layout)) continue;
    if (IsBucket(format) ? Buckets(format, token, token, 1).has_value() : EpochMillis(token).has_value()) return format;
  }
  return Format::kPlain;
}

std::string CamelCase(std::string_view words, bool capital) {
  const bool shouted = IsCapitals(words);
  std::string out;
  bool raise = capital;
  for (const char c : words) {
    if (!IsLetterOrDigit(c)) {
      raise = !out.empty() || capital;
      continue;
    }
    out += raise ? ToUpper(c) : shouted || out.empty() ? ToLower(c) : c;
    raise = false;
  }
  return out;
}

}  // namespace keyfold::model

// Reading a key back: which texts a placeholder accepts, and where each part of a template is in a key.
#include <algorithm>
#include <charconv>

#include "base/text/ascii.h"
#include "model/core/calendar.h"
#include "model/core/model.h"
#include "model/core/sortable_id.h"
#include "model/core/template.h"

namespace keyfold::model {
namespace {

size_t LeadingDigits(std::string_view text) {
  return static_cast<size_t>(std::find_if_not(text.begin(), text.end(), IsDigit) - text.begin());
}

bool IsNatural(std::string_view text) {
  return !text.empty() && LeadingDigits(text) == text.size() && (text[0] != '0' || text.size() == 1);
}

// -?(0|[1-9][0-9]*)(.[0-9]*[1-9])?, and no negative zero.
bool IsCanonicalNumber(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string_view whole = text.substr(negative);
  const size_t point = whole.find('.');
  if (!IsNatural(whole.substr(0, point))) return false;
  if (point == std::string_view::npos) return !negative || whole != "0";
  const std::string_view fraction = whole.substr(point + 1);
  return !fraction.empty() && LeadingDigits(fraction) == fraction.size() && fraction.back() != '0';
}

bool IsPlainText(std::string_view text, std::string_view separator, Alphabet alphabet) {
  if (text.empty() || text.find(separator) != std::string_view::npos) return false;
  if (alphabet == Alphabet::kText) return true;
  const char first = alphabet == Alphabet::kLower ? 'A' : 'a';
  return std::none_of(text.begin(), text.end(), [&](char c) { return c >= first && c < first + 26; });
}

bool IsShard(std::string_view text, uint32_t shards) {
  uint32_t value = 0;
  return IsNatural(text) && std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc() &&
         value < shards;
}

// Returns true if the first byte of `next` cannot be part of the placeholder's text, so that the text ends at the first
// such byte.
bool EndsAt(const TemplatePart& part, std::string_view separator, std::string_view next) {
  switch (part.alphabet) {
    case Alphabet::kText:
    case Alphabet::kLower:
    case Alphabet::kUpper:
      return separator.size() == 1 && next.starts_with(separator) && part.values.empty();
    case Alphabet::kNumber:
      return !IsDigit(next[0]) && next[0] != '.' && next[0] != '-';
    case Alphabet::kNatural:
    case Alphabet::kShard:
      return !IsDigit(next[0]);
    default:
      return false;
  }
}

// Upper limit for the length of a text of the placeholder at the start of `rest`.
size_t LongestRun(const TemplatePart& part, std::string_view separator, std::string_view rest) {
  switch (part.alphabet) {
    case Alphabet::kText:
    case Alphabet::kLower:
    case Alphabet::kUpper:
      // A text can contain all bytes of a separator except the last.
      if (const size_t at = rest.find(separator); at != std::string_view::npos) return at + separator.size() - 1;
      return rest.size();
    case Alphabet::kNumber:
      return std::min(rest.find_first_not_of("0123456789.-"), rest.size());
    case Alphabet::kNatural:
    case Alphabet::kShard:
      return LeadingDigits(rest);
    default:
      return rest.size();
  }
}

// Reads parts from left to right and tries shorter texts of a part before longer ones. A combination of part and
// position that failed is not tried again. Used by one thread at a time.
class KeyReader {
 public:
  KeyReader(const Template& whole, std::string_view text, std::vector<std::string_view>& out)
      : whole_(whole), text_(text), out_(out) {}

  bool Read() {
    out_.assign(whole_.parts.size(), {});
    return ReadFrom(0, 0);
  }

 private:
  bool ReadFrom(size_t part, size_t at) {
    if (part == whole_.parts.size()) return at == text_.size();
    const TemplatePart& one = whole_.parts[part];
    if (one.IsLiteral()) {
      if (text_.compare(at, one.text.size(), one.text) != 0) return false;
      return Take(part, at, one.text.size()) && ReadFrom(part + 1, at + one.text.size());
    }
    const Extent extent = ExtentOf(whole_, part);
    if (extent.kind == Extent::Kind::kWidth) return TakeIfFits(part, at, extent.width);
    if (extent.kind == Extent::Kind::kRest) return TakeIfFits(part, at, text_.size() - at);
    if (extent.kind == Extent::Kind::kToByte) {
      const size_t end = text_.find(extent.end, at);
      return end != std::string_view::npos && TakeIfFits(part, at, end - at);
    }
    return TryOpen(part, at);
  }

  bool Take(size_t part, size_t at, size_t bytes) {
    out_[part] = text_.substr(at, bytes);
    return true;
  }

  bool TakeIfFits(size_t part, size_t at, size_t bytes) {
    if (at + bytes > text_.size() || !Fits(whole_.parts[part], whole_.separator, text_.substr(at, bytes))) return false;
    return Take(part, at, bytes) && ReadFrom(part + 1, at + bytes);
  }

  // A choice is one of its values. A text can have values that contain the separator, besides all others.
  bool TryOpen(size_t part, size_t at) {
    if (Failed(part, at)) return false;
    for (const std::string& value : whole_.parts[part].values) {
      if (text_.compare(at, value.size(), value) != 0) continue;
      if (Take(part, at, value.size()) && ReadFrom(part + 1, at + value.size())) return true;
    }
    const bool choice = whole_.parts[part].alphabet == Alphabet::kChoice;
    return (!choice && TryLengths(part, at)) || Fail(part, at);
  }

  bool TryLengths(size_t part, size_t at) {
    const size_t most = LongestRun(whole_.parts[part], whole_.separator, text_.substr(at));
    for (size_t bytes = 1; bytes <= most; ++bytes) {
      const bool inside_character =
          at + bytes < text_.size() && (static_cast<unsigned char>(text_[at + bytes]) & 0xC0) == 0x80;
      if (!inside_character && TakeIfFits(part, at, bytes)) return true;
    }
    return false;
  }

  bool Failed(size_t part, size_t at) const { return !failed_.empty() && failed_[part * (text_.size() + 1) + at]; }
  bool Fail(size_t part, size_t at) {
    if (failed_.empty()) failed_.resize(whole_.parts.size() * (text_.size() + 1));
    failed_[part * (text_.size() + 1) + at] = true;
    return false;
  }

  const Template& whole_;
  std::string_view text_;
  std::vector<std::string_view>& out_;
  std::vector<bool> failed_;
};

}  // namespace

Extent ExtentOf(const Template& whole, size_t part) {
  using Kind = Extent::Kind;
  const TemplatePart& one = whole.parts[part];
  if (one.IsLiteral()) return {Kind::kLiteral, 0, one.text.size()};
  if (const size_t width = FixedWidth(one); width != 0) return {Kind::kWidth, 0, width};
  if (part + 1 == whole.parts.size()) return {Kind::kRest};
  const TemplatePart& next = whole.parts[part + 1];
  if (next.IsLiteral() && EndsAt(one, whole.separator, next.text)) return {Kind::kToByte, next.text[0]};
  return {Kind::kOpen};
}

bool Fits(const TemplatePart& part, std::string_view separator, std::string_view text) {
  switch (part.alphabet) {
    case Alphabet::kText:
    case Alphabet::kLower:
    case Alphabet::kUpper:
      return IsPlainText(text, separator, part.alphabet) || Contains(part.values, text);
    case Alphabet::kNumber:
      return IsCanonicalNumber(text);
    case Alphabet::kNatural:
      return IsNatural(text);
    case Alphabet::kDigits:
      return text.size() == part.width && LeadingDigits(text) == text.size();
    case Alphabet::kTime:
      return IsWholeTime(part.format == Format::kPlain ? StoredFormat(part.type) : part.format, text);
    case Alphabet::kId:
      return IsWholeId(part.type, text);
    case Alphabet::kChoice:
      return Contains(part.values, text);
    case Alphabet::kShard:
      return IsShard(text, part.shards);
    case Alphabet::kBytes:
      return !text.empty();
  }
  return false;
}

bool ReadKey(const Template& whole, std::string_view text, std::vector<std::string_view>& out) {
  return KeyReader(whole, text, out).Read();
}

}  // namespace keyfold::model

#include "json/raw_json.h"

#include <cstring>

namespace keyfold {
namespace {

constexpr size_t kNowhere = std::string_view::npos;
constexpr std::string_view kSpace = " \t\r\n";

size_t SkipSpace(std::string_view text, size_t at) {
  while (at < text.size() && kSpace.find(text[at]) != kNowhere) ++at;
  return at;
}

bool IsAt(std::string_view text, size_t at, char c) { return at < text.size() && text[at] == c; }

// Returns the position after the closing quote of the string that begins at `at`.
size_t EndOfString(std::string_view text, size_t at) {
  for (size_t from = at + 1; from < text.size();) {
    const void* found = std::memchr(text.data() + from, '"', text.size() - from);
    if (found == nullptr) return kNowhere;
    const size_t quote = static_cast<size_t>(static_cast<const char*>(found) - text.data());
    size_t escapes = 0;
    while (text[quote - 1 - escapes] == '\\') ++escapes;  // stops at the opening quote at the latest
    if (escapes % 2 == 0) return quote + 1;
    from = quote + 1;
  }
  return kNowhere;
}

// Returns the position after the bracket that closes the one at `at`.
size_t EndOfBrackets(std::string_view text, size_t at) {
  for (size_t depth = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      at = EndOfString(text, at);
      continue;
    }
    ++at;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return at;
  }
  return kNowhere;
}

size_t EndOfValue(std::string_view text, size_t at) {
  if (at >= text.size()) return kNowhere;
  if (text[at] == '"') return EndOfString(text, at);
  if (text[at] == '{' || text[at] == '[') return EndOfBrackets(text, at);
  const size_t end = text.find_first_of(",]} \t\r\n", at);
  return end == kNowhere ? text.size() : end == at ? kNowhere : end;
}

// Iterates over the comma-separated contents of brackets. Used by one thread at a time.
class Inside {
 public:
  Inside(std::string_view text, char open, char close) : text_(text), close_(close), at_(SkipSpace(text, 0)) {
    good_ = IsAt(text_, at_, open);
    if (good_) at_ = SkipSpace(text_, at_ + 1);
    ended_ = good_ && IsAt(text_, at_, close);
  }

  bool good() const { return good_; }  // no error so far
  bool ended() const { return ended_ || !good_; }

  // Takes a name and its colon.
  std::string_view TakeName() {
    const size_t end = IsAt(text_, at_, '"') ? EndOfString(text_, at_) : kNowhere;
    const size_t colon = end == kNowhere ? kNowhere : SkipSpace(text_, end);
    if (colon == kNowhere || !IsAt(text_, colon, ':')) return Fail();
    const std::string_view name = text_.substr(at_ + 1, end - at_ - 2);
    at_ = SkipSpace(text_, colon + 1);
    return name;
  }

  // Takes a value and the comma after it, or reaches the end.
  std::string_view TakeValue() {
    const size_t end = good_ ? EndOfValue(text_, at_) : kNowhere;
    if (end == kNowhere) return Fail();
    const std::string_view value = text_.substr(at_, end - at_);
    at_ = SkipSpace(text_, end);
    ended_ = IsAt(text_, at_, close_);
    if (!ended_ && !IsAt(text_, at_, ',')) return Fail();
    if (!ended_) at_ = SkipSpace(text_, at_ + 1);
    return value;
  }

 private:
  std::string_view Fail() {
    good_ = false;
    return {};
  }

  const std::string_view text_;
  const char close_;
  size_t at_;
  bool good_ = false;
  bool ended_ = false;
};

}  // namespace

std::optional<std::string_view> FindRaw(std::string_view object, std::string_view name) {
  Inside inside(object, '{', '}');
  while (!inside.ended()) {
    const std::string_view found = inside.TakeName();
    const std::string_view value = inside.TakeValue();
    if (inside.good() && found == name) return value;
  }
  return std::nullopt;
}

std::optional<std::vector<std::string_view>> RawElementsOf(std::string_view array) {
  Inside inside(array, '[', ']');
  std::vector<std::string_view> elements;
  while (!inside.ended()) elements.push_back(inside.TakeValue());
  if (!inside.good()) return std::nullopt;
  return elements;
}

std::optional<std::vector<RawMember>> RawMembersOf(std::string_view object) {
  Inside inside(object, '{', '}');
  std::vector<RawMember> members;
  while (!inside.ended()) {
    const std::string_view name = inside.TakeName();
    members.push_back({name, inside.TakeValue()});
  }
  if (!inside.good()) return std::nullopt;
  return members;
}

}  // namespace keyfold

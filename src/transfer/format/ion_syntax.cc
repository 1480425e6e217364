#include "transfer/format/ion_syntax.h"

#include <algorithm>
#include <array>

#include "base/text/scan.h"

namespace keyfold::transfer::ion {
namespace {

constexpr size_t kNone = std::string_view::npos;

// Bytes that matter to a walk over a container; it skips the others.
constexpr std::array<bool, 256> MakeNotable() {
  std::array<bool, 256> notable{};
  for (const char c : {'"', '\'', '{', '}', '[', ']', '(', ')', '/', '\n'}) notable[static_cast<uint8_t>(c)] = true;
  return notable;
}
constexpr std::array<bool, 256> kNotable = MakeNotable();

bool StartsAt(std::string_view text, size_t at, std::string_view what) {
  return text.compare(at, what.size(), what) == 0;
}

// Returns whether the text ends before it is clear whether `what` is at `at`.
bool MayStartAt(std::string_view text, size_t at, std::string_view what) {
  const std::string_view rest = text.substr(at);
  return rest.size() < what.size() && what.substr(0, rest.size()) == rest;
}

// Returns the position after the comment at `at`, which is the end of the text if the comment is unterminated; `at`
// itself if there is no comment.
size_t SkipComment(std::string_view text, size_t at) {
  if (StartsAt(text, at, "//")) return std::min(text.find('\n', at), text.size());
  if (!StartsAt(text, at, "/*")) return at;
  const size_t end = text.find("*/", at + 2);
  return end == kNone ? text.size() : end + 2;
}

// An unterminated comment is an error: it would silently swallow records.
bool IsOpenComment(std::string_view text, size_t at, size_t behind) {
  const size_t bytes = behind - at;
  return StartsAt(text, at, "/*") && (bytes < 4 || !StartsAt(text, behind - 2, "*/"));
}

bool IsKeyword(std::string_view word) { return word == "null" || word == "true" || word == "false" || word == "nan"; }

// Walks over one record. Used by one thread at a time.
class Walk {
 public:
  Walk(std::string_view text, bool at_end, size_t at) : text_(text), at_end_(at_end), at_(at) {}

  std::optional<size_t> End() {
    while (!done_) Step();
    return end_;
  }

 private:
  void Step();
  void OpenBrace();
  void Close();
  void Quoted(char quote);
  void LongString();
  void SingleQuote();
  void Lob();
  void Slash();
  void LineEnd();
  void Word();
  void EndScalar();

  bool LooksPast(size_t bytes) {  // whether `bytes` from at_ are there or will never come
    if (at_ + bytes <= text_.size() || at_end_) return true;
    Cut();
    return false;
  }
  void Finish(size_t end) {
    end_ = end;
    done_ = true;
  }
  // The text ends inside the record: at the end of the file, that is where the record ends.
  void Cut() {
    if (at_end_) end_ = text_.size();
    done_ = true;
  }
  // Malformed at at_: the record ends with the line.
  void GiveUp() {
    const size_t line_end = text_.find('\n', at_);
    line_end == kNone ? Cut() : Finish(line_end + 1);
  }

  const std::string_view text_;
  const bool at_end_;
  size_t at_;
  size_t depth_ = 0;
  std::optional<size_t> end_;
  bool done_ = false;
};

void Walk::Step() {
  const auto passes = [this](char c) {
    return depth_ > 0 ? !kNotable[static_cast<uint8_t>(c)] : IsSpace(c) && c != '\n';
  };
  while (at_ < text_.size() && passes(text_[at_])) ++at_;
  if (at_ == text_.size()) return Cut();
  switch (text_[at_]) {
    case '{':
      return OpenBrace();
    case '[':
    case '(':
      ++depth_;
      ++at_;
      return;
    case '}':
    case ']':
    case ')':
      return Close();
    case '"':
      return Quoted('"');
    case '\'':
      return SingleQuote();
    case '/':
      return Slash();
    case '\n':
      return LineEnd();
    default:
      return Word();
  }
}

// No struct begins with a struct, so two braces begin a lob.
void Walk::OpenBrace() {
  if (!LooksPast(2)) return;
  if (StartsAt(text_, at_, "{{")) return Lob();
  ++depth_;
  ++at_;
}

void Walk::Close() {
  if (depth_ == 0) return GiveUp();
  ++at_;
  if (--depth_ == 0) Finish(at_);
}

// A short string or a symbol, which cannot contain line ends.
void Walk::Quoted(char quote) {
  ++at_;
  for (;;) {
    at_ += FirstWhere(text_.substr(at_), [quote](auto b) {
      return (b == static_cast<uint8_t>(quote)) | (b == uint8_t{'\\'}) | (b == uint8_t{'\n'});
    });
    if (at_ >= text_.size()) return Cut();
    if (text_[at_] == '\n') return GiveUp();
    if (text_[at_] == quote) break;
    at_ += 2;
    if (at_ > text_.size()) return Cut();
    if (text_[at_ - 1] == '\r' && at_ < text_.size() && text_[at_] == '\n') ++at_;  // an escaped CR LF
  }
  ++at_;
  EndScalar();
}

void Walk::LongString() {
  at_ += 3;
  for (;;) {
    at_ = std::min(text_.find_first_of("'\\", at_), text_.size());
    if (at_ == text_.size()) return Cut();
    if (text_[at_] == '\\') {
      at_ += 2;
    } else if (StartsAt(text_, at_, "'''")) {
      break;
    } else if (MayStartAt(text_, at_, "'''")) {
      return Cut();
    } else {
      ++at_;
    }
    if (at_ > text_.size()) return Cut();
  }
  at_ += 3;
  EndScalar();
}

void Walk::SingleQuote() {
  if (!LooksPast(3)) return;
  StartsAt(text_, at_, "'''") ? LongString() : Quoted('\'');
}

// {{ base64 }}, or {{ "text" }}, in which the text may contain a closing brace.
void Walk::Lob() {
  at_ += 2;
  const size_t depth = depth_;
  for (;;) {
    at_ = std::min(text_.find_first_of("}\"'", at_), text_.size());
    if (at_ == text_.size()) return Cut();
    if (text_[at_] == '}') break;
    depth_ = depth + 1;  // so that a string in it does not end the record
    text_[at_] == '"' ? Quoted('"') : SingleQuote();
    depth_ = depth;
    if (done_) return;
  }
  if (!LooksPast(2)) return;
  if (!StartsAt(text_, at_, "}}")) return GiveUp();
  at_ += 2;
  EndScalar();
}

// A comment, or an operator of an s-expression.
void Walk::Slash() {
  if (!LooksPast(2)) return;
  if (StartsAt(text_, at_, "//")) {
    at_ = text_.find('\n', at_);
    if (at_ == kNone) return Cut();
  } else if (StartsAt(text_, at_, "/*")) {
    const size_t end = text_.find("*/", at_ + 2);
    if (end == kNone) return Cut();
    at_ = end + 2;
  } else {
    depth_ == 0 ? GiveUp() : void(++at_);
  }
}

void Walk::LineEnd() {
  ++at_;
  const size_t behind = kVersionMarker.size() + 1;  // includes the byte that distinguishes it from a longer word
  if (MayStartAt(text_, at_, kVersionMarker) && !LooksPast(behind)) return;
  if (!StartsAt(text_, at_, kVersionMarker) || !LooksPast(behind)) return;
  if (IsVersionMarker(text_, at_)) Finish(at_);
}

// Outside of containers: numbers, keywords, symbols, and everything that Step() does not handle otherwise.
void Walk::Word() {
  const size_t start = at_;
  while (at_ < text_.size() && !IsSpace(text_[at_]) && text_[at_] != ',' &&
         !kNotable[static_cast<uint8_t>(text_[at_])]) {
    ++at_;
  }
  if (at_ == start) return GiveUp();  // a comma
  if (at_ == text_.size()) return Cut();
  if (text_[at_ - 1] != ':') EndScalar();
}

// A value in a container is part of the record. At the top level it is the record, unless it annotates another: a::{…}.
void Walk::EndScalar() {
  if (depth_ > 0) return;
  size_t next = at_;
  while (next < text_.size()) {
    const size_t behind = SkipComment(text_, next);
    if (behind == next && !IsSpace(text_[next])) break;
    next = std::max(behind, next + 1);
  }
  const bool maybe_comment = next + 1 == text_.size() && text_[next] == '/';
  if (next == text_.size() || maybe_comment) return at_end_ ? Finish(at_) : Cut();
  text_[next] == ':' ? void(at_ = next) : Finish(at_);
}

}  // namespace

bool IsPlainSymbol(std::string_view name) {
  if (name.empty() || !IsSymbolStart(name[0])) return false;
  if (!std::all_of(name.begin(), name.end(), IsSymbolPart)) return false;
  if (name[0] == '$' && name.size() > 1 && std::all_of(name.begin() + 1, name.end(), IsDigit)) return false;
  return !IsKeyword(name);
}

bool IsVersionMarker(std::string_view text, size_t at) {
  if (!StartsAt(text, at, kVersionMarker)) return false;
  const size_t behind = at + kVersionMarker.size();
  return behind == text.size() || !(IsSymbolPart(text[behind]) || text[behind] == ':');
}

Place FindRecord(std::string_view text, bool at_end, size_t& at) {
  while (at < text.size()) {
    const char c = text[at];
    if (IsSpace(c) || c == ',' || c == '[' || c == ']') {
      ++at;
    } else if (c == '/') {
      const size_t behind = SkipComment(text, at);
      if (!at_end && (behind == text.size() || at + 1 == text.size())) return Place::kCut;
      if (behind == at || IsOpenComment(text, at, behind)) return Place::kRecord;
      at = behind;
    } else if (c == '$') {
      const bool whole = at + kVersionMarker.size() < text.size();
      if (!whole && !at_end) return Place::kCut;
      if (!IsVersionMarker(text, at)) return Place::kRecord;
      at += kVersionMarker.size();
    } else {
      return Place::kRecord;
    }
  }
  return Place::kEnd;
}

std::optional<size_t> RecordEnd(std::string_view text, bool at_end, size_t at) { return Walk(text, at_end, at).End(); }

}  // namespace keyfold::transfer::ion

#include "model/core/words.h"

#include <utility>

namespace keyfold::model {
namespace {

constexpr Rule<"a quoted string is not closed"> kOpenQuote{"model-quote", Kind::kValidation};

bool IsWordSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

size_t SignBytes(std::string_view rest) {
  constexpr std::string_view kSigns[] = {"<>", "<=", ">=", "+=", "-=", "<", ">", "=", "(", ")", ","};
  for (const std::string_view sign : kSigns) {
    if (rest.starts_with(sign)) return sign.size();
  }
  return 0;
}

}  // namespace

Word Words::Take() {
  Word word = std::move(current_);
  Advance();
  return word;
}

bool Words::Accept(std::string_view name) {
  if (!current_.Is(name)) return false;
  Advance();
  return true;
}

bool Words::AcceptSign(std::string_view sign) {
  if (!current_.IsSign(sign)) return false;
  Advance();
  return true;
}

bool Words::StripEnd(char mark) {
  if (current_.kind != Word::Kind::kName || current_.text.size() < 2 || current_.text.back() != mark) return false;
  current_.text.pop_back();
  return true;
}

void Words::Advance() {
  const std::string_view text = phrase_.text;
  while (at_ < text.size() && IsWordSpace(text[at_])) ++at_;
  current_ = Word();
  current_.at = at_;
  if (at_ == text.size()) return;
  if (text[at_] == '\'' || text[at_] == '"') return TakeQuoted(text[at_]);
  const size_t start = at_;
  if (const size_t bytes = SignBytes(text.substr(at_)); bytes > 0) {
    current_.kind = Word::Kind::kSign;
    at_ += bytes;
  } else {
    current_.kind = Word::Kind::kName;
    while (at_ < text.size() && !IsWordSpace(text[at_]) && SignBytes(text.substr(at_)) == 0) ++at_;
  }
  current_.text = text.substr(start, at_ - start);
}

// A doubled quote is an escaped quote.
void Words::TakeQuoted(char quote) {
  const std::string_view text = phrase_.text;
  current_.kind = Word::Kind::kQuoted;
  for (++at_; at_ < text.size(); ++at_) {
    if (text[at_] != quote) {
      current_.text += text[at_];
    } else if (at_ + 1 < text.size() && text[at_ + 1] == quote) {
      current_.text += text[at_++];
    } else {
      ++at_;
      return;
    }
  }
  fault_ = Unreadable(phrase_.At(current_.at), kOpenQuote());
}

}  // namespace keyfold::model

// The words of a condition or an action: names, numbers, quoted strings and signs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/core/phrase.h"
#include "model/core/unreadable.h"

namespace keyfold::model {

struct Word {
  enum class Kind : uint8_t { kName, kQuoted, kSign, kEnd };
  Kind kind = Kind::kEnd;
  std::string text;  // of a quoted string: what it says
  size_t at = 0;     // its first byte in the phrase

  bool Is(std::string_view word) const { return kind == Kind::kName && text == word; }
  bool IsSign(std::string_view sign) const { return kind == Kind::kSign && text == sign; }
};

// Reads a phrase from left to right. One thread at a time.
class Words {
 public:
  explicit Words(Phrase phrase) : phrase_(phrase) { Advance(); }

  const Word& current() const { return current_; }
  bool AtEnd() const { return current_.kind == Word::Kind::kEnd; }
  Word Take();
  bool Accept(std::string_view name);      // a name
  bool AcceptSign(std::string_view sign);  // a sign
  Mark mark() const { return phrase_.At(current_.at); }
  Mark MarkOf(const Word& word) const { return phrase_.At(word.at); }
  // From the current word to the end.
  Phrase Rest() const { return phrase_.Cut(current_.at, std::string_view::npos); }
  // What could not be split into words: an open quote. It is then the last word.
  const Fault& fault() const { return fault_; }

 private:
  void Advance();
  void TakeQuoted(char quote);

  Phrase phrase_;
  size_t at_ = 0;
  Word current_;
  Fault fault_;
};

}  // namespace keyfold::model

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
  std::string text;  // a quoted string without its quotes, unescaped
  size_t at = 0;     // position of its first byte in the phrase

  bool Is(std::string_view word) const { return kind == Kind::kName && text == word; }
  bool IsSign(std::string_view sign) const { return kind == Kind::kSign && text == sign; }
};

// Splits a phrase into words, from left to right. Used by one thread at a time.
class Words {
 public:
  explicit Words(Phrase phrase) : phrase_(phrase) { Advance(); }

  const Word& current() const { return current_; }
  bool AtEnd() const { return current_.kind == Word::Kind::kEnd; }
  Word Take();
  bool Accept(std::string_view name);      // takes the current word if it is this name
  bool AcceptSign(std::string_view sign);  // takes the current word if it is this sign
  // Removes a final `mark`, such as ?, from the current name. Returns false if it has none.
  bool StripEnd(char mark);
  Mark mark() const { return phrase_.At(current_.at); }
  Mark MarkOf(const Word& word) const { return phrase_.At(word.at); }
  // The text from the current word to the end.
  Phrase Rest() const { return phrase_.Cut(current_.at, std::string_view::npos); }
  // Set if a quote is not closed; the rest of the phrase is then the last word.
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

// Builds source text: indented lines, and names that are valid in the target language.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace keyfold::model {

// Used by one thread at a time.
class Code {
 public:
  explicit Code(std::string_view indent) : indent_(indent) {}

  // Adds lines at the current depth. Empty lines stay empty.
  void Add(std::string_view lines = {});
  // Adds one line, then indents.
  void Open(std::string_view line) {
    Add(line);
    ++depth_;
  }
  // Adds `head`, the comma-separated parts and `tail`: on one line if it is short, otherwise one line per part.
  void AddList(std::string_view head, const std::vector<std::string>& parts, std::string_view tail);
  void OpenList(std::string_view head, const std::vector<std::string>& parts, std::string_view tail) {
    AddList(head, parts, tail);
    ++depth_;
  }
  // Unindents, then adds one line.
  void Close(std::string_view line) {
    --depth_;
    Add(line);
  }
  void Close() { --depth_; }
  void Indent() { ++depth_; }

  const std::string& text() const { return text_; }

 private:
  std::string indent_;
  std::string text_;
  int depth_ = 0;
};

enum class Case : uint8_t { kCamel, kPascal, kSnake };

// Turns `order-line` into orderLine, OrderLine or order_line. Drops letters outside ASCII; a name of which nothing
// remains becomes `x`.
std::string Cased(Case, std::string_view name);

bool IsPlainIdentifier(std::string_view name);

// Returns true if `words`, a list with spaces around each word, contains `word`.
bool HasWord(std::string_view words, std::string_view word);

// The names of one scope. No name is used twice, and none is a reserved word. Used by one thread at a time.
class Scope {
 public:
  // `reserved` lists words with spaces around each. It must outlive the scope.
  explicit Scope(std::string_view reserved) : reserved_(reserved) {}

  // Returns `wanted`, with `_` or a number appended if it is taken.
  std::string Take(const std::string& wanted);

 private:
  bool IsFree(const std::string& name) const;

  std::string_view reserved_;
  std::set<std::string, std::less<>> taken_;
};

// A function or type (if capitalized) that generated code contains only if it uses it.
struct Snippet {
  std::string_view name;
  std::string_view text;
};

// Returns the snippets that `body` uses, directly or through other snippets, in the given order, each after `gap`.
std::string UsedSnippets(std::span<const Snippet> all, std::string_view body, std::string_view gap = "\n");

// "a, b, c"
std::string Joined(const std::vector<std::string>& all, std::string_view by = ", ");

// Makes text safe for a comment: no line ends, nothing that closes the comment.
std::string Commented(std::string_view text);

}  // namespace keyfold::model

// Source text as it is written: lines with indentation, and names that the target language takes.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace keyfold::model {

// One thread at a time.
class Code {
 public:
  explicit Code(std::string_view indent) : indent_(indent) {}

  // Lines at the present depth; an empty one stays empty.
  void Add(std::string_view lines = {});
  // One line, then one step deeper.
  void Open(std::string_view line) {
    Add(line);
    ++depth_;
  }
  // `head`, the parts parted by commas, `tail`: in one line where that is short, else a line a part.
  void AddList(std::string_view head, const std::vector<std::string>& parts, std::string_view tail);
  void OpenList(std::string_view head, const std::vector<std::string>& parts, std::string_view tail) {
    AddList(head, parts, tail);
    ++depth_;
  }
  // One step back, then a line.
  void Close(std::string_view line) {
    --depth_;
    Add(line);
  }
  void Close() { --depth_; }

  const std::string& text() const { return text_; }

 private:
  std::string indent_;
  std::string text_;
  int depth_ = 0;
};

enum class Case : uint8_t { kCamel, kPascal, kSnake };

// `order-line` is orderLine, OrderLine or order_line; letters outside ASCII are left out, and a name that none remain
// of is `x`.
std::string Cased(Case, std::string_view name);

bool IsPlainIdentifier(std::string_view name);

// Is it one of the words, which stand between spaces?
bool HasWord(std::string_view words, std::string_view word);

// Names of one scope: none twice, none that the language keeps for itself. One thread at a time.
class Scope {
 public:
  // `reserved`: words between spaces. It outlives the scope.
  explicit Scope(std::string_view reserved) : reserved_(reserved) {}

  // `wanted`, or with `_` or a number behind it.
  std::string Take(std::string wanted);

 private:
  bool IsFree(const std::string& name) const;

  std::string_view reserved_;
  std::set<std::string, std::less<>> taken_;
};

// A function or type (then with a capital) that generated code has only where it is used.
struct Snippet {
  std::string_view name;
  std::string_view text;
};

// The snippets whose names `body` uses, and those that these use, in the order given, a blank line before each.
std::string UsedSnippets(std::span<const Snippet> all, std::string_view body);

// "a, b, c"
std::string Joined(const std::vector<std::string>& all, std::string_view by = ", ");

// Text for a comment: no line ends, nothing that closes a comment.
std::string Commented(std::string_view text);

}  // namespace keyfold::model

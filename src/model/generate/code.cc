#include "model/generate/code.h"

#include <algorithm>

#include "base/text/ascii.h"
#include "model/core/unreadable.h"

namespace keyfold::model {
namespace {

bool IsWordLetter(char c) { return IsLetterOrDigit(c) || c == '_'; }

// Splits a name into words: at characters other than letters and digits, before a capital that follows a lowercase
// letter or digit, and before the last capital of a run (GSIKey: GSI, Key).
std::vector<std::string> NameWords(std::string_view name) {
  std::vector<std::string> words(1);
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!IsLetterOrDigit(c)) {
      if (!words.back().empty()) words.emplace_back();
      continue;
    }
    const bool after_small = i > 0 && (IsLower(name[i - 1]) || IsDigit(name[i - 1]));
    const bool before_small = i + 1 < name.size() && IsLower(name[i + 1]) && i > 0 && IsUpper(name[i - 1]);
    if (IsUpper(c) && (after_small || before_small) && !words.back().empty()) words.emplace_back();
    words.back() += c;
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

}  // namespace

void Code::Add(std::string_view lines) {
  size_t at = 0;
  do {
    const size_t end = std::min(lines.find('\n', at), lines.size());
    const std::string_view line = lines.substr(at, end - at);
    for (int i = 0; i < depth_ && !line.empty(); ++i) text_ += indent_;
    (text_ += line) += '\n';
    at = end + 1;
  } while (at < lines.size());
}

void Code::AddList(std::string_view head, const std::vector<std::string>& parts, std::string_view tail) {
  constexpr size_t kLineMax = 100;
  const std::string line = std::string(head) + Joined(parts) + std::string(tail);
  if (parts.size() < 2 || line.size() + static_cast<size_t>(depth_) * indent_.size() <= kLineMax) return Add(line);
  // Drops the spaces inside the braces, which only the one-line form has.
  while (head.ends_with(' ')) head.remove_suffix(1);
  while (tail.starts_with(' ')) tail.remove_prefix(1);
  Open(head);
  for (const std::string& part : parts) Add(part + ',');
  Close(tail);
}

std::string Cased(Case form, std::string_view name) {
  std::string out;
  for (const std::string& word : NameWords(name)) {
    if (form == Case::kSnake) {
      if (!out.empty()) out += '_';
      for (const char c : word) out += ToLower(c);
      continue;
    }
    // A first word in capitals is lowercased as a whole: GSI1PK becomes gsi1PK, not gSI1PK.
    const bool capitals = std::none_of(word.begin(), word.end(), IsLower);
    for (size_t i = 0; i < word.size(); ++i) {
      const bool first = out.empty() || (i > 0 && out.size() == i);
      if (form == Case::kCamel && first && (i == 0 || capitals)) {
        out += ToLower(word[i]);
      } else {
        out += i == 0 ? ToUpper(word[i]) : word[i];
      }
    }
  }
  if (out.empty()) out = form == Case::kPascal ? "X" : "x";
  return IsDigit(out[0]) ? '_' + out : out;
}

bool IsPlainIdentifier(std::string_view name) {
  return !name.empty() && !IsDigit(name[0]) && std::all_of(name.begin(), name.end(), IsWordLetter);
}

bool HasWord(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

bool Scope::IsFree(const std::string& name) const {
  return taken_.find(name) == taken_.end() && !HasWord(reserved_, name);
}

std::string Scope::Take(const std::string& wanted) {
  std::string name = wanted;
  if (!IsFree(name)) name = wanted + '_';
  for (int i = 2; !IsFree(name); ++i) name = wanted + std::to_string(i);
  taken_.insert(name);
  return name;
}

std::string UsedSnippets(std::span<const Snippet> all, std::string_view body, std::string_view gap) {
  const auto uses = [](std::string_view text, std::string_view name) {
    for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
      const size_t end = at + name.size();
      // After a dot it is a member of something else, but not after `...`.
      const bool member = at > 0 && text[at - 1] == '.' && !(at > 1 && text[at - 2] == '.');
      const bool starts = at == 0 || (!IsWordLetter(text[at - 1]) && !member);
      const bool is_type = IsUpper(name[0]);
      const bool ends =
          end == text.size() || (is_type ? !IsWordLetter(text[end]) : text[end] == '(' || text[end] == '<');
      if (starts && ends) return true;
    }
    return false;
  };
  std::vector<bool> used(all.size());
  std::vector<std::string_view> texts{body};
  for (size_t t = 0; t < texts.size(); ++t) {
    for (size_t i = 0; i < all.size(); ++i) {
      if (used[i] || !uses(texts[t], all[i].name)) continue;
      used[i] = true;
      texts.push_back(all[i].text);
    }
  }
  std::string out;
  for (size_t i = 0; i < all.size(); ++i) {
    if (used[i]) (out += gap) += all[i].text;
  }
  return out;
}

std::string Joined(const std::vector<std::string>& all, std::string_view by) {
  std::string out;
  for (const std::string& one : all) {
    if (!out.empty()) out += by;
    out += one;
  }
  return out;
}

std::string Commented(std::string_view text) {
  std::string out = Printable(text);
  for (size_t at = out.find("*/"); at != std::string::npos; at = out.find("*/", at)) out.insert(at + 1, " ");
  std::replace(out.begin(), out.end(), '\n', ' ');
  // A trailing backslash would continue the line in C++ and escape the quote in Python.
  while (!out.empty() && out.back() == '\\') out.pop_back();
  for (size_t at = out.find("\"\"\""); at != std::string::npos; at = out.find("\"\"\"", at)) out.replace(at, 3, "'''");
  return out;
}

}  // namespace keyfold::model

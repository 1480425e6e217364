#include "model/file/yaml.h"

#include <yaml.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_set>
#include <utility>

#include "base/check.h"
#include "base/text/utf8.h"

namespace keyfold::model {
namespace {

constexpr Rule<"the file is larger than 4 MiB"> kTooLarge{"model-file-size", Kind::kValidation};
constexpr Rule<"the file is not valid UTF-8 here"> kNotUtf8{"model-utf8", Kind::kValidation};
constexpr Rule<"the file has a NUL character"> kNul{"model-nul", Kind::kValidation};
constexpr Rule<"the file does not contain a model"> kNoModel{"model-empty", Kind::kValidation};
constexpr Rule<"neither YAML nor JSON: {}"> kNotYaml{"model-yaml", Kind::kValidation};
constexpr Rule<"a tab cannot indent a line in YAML; use spaces"> kTabIndent{"model-tab", Kind::kValidation};
constexpr Rule<"a template must be in quotes, because YAML reads { as the start of a mapping; write \"{}\""> kUnquoted{
    "model-unquoted", Kind::kValidation};
constexpr Rule<"a second document starts here; a model file has one"> kSecondDocument{"model-documents",
                                                                                      Kind::kValidation};
constexpr Rule<"anchors (&) are not supported; write the value where it is used"> kAnchor{"model-anchor",
                                                                                          Kind::kValidation};
constexpr Rule<"aliases (*) are not supported; write the value where it is used"> kAlias{"model-alias",
                                                                                         Kind::kValidation};
constexpr Rule<"tags (!) are not supported; a model file is plain data"> kTag{"model-tag", Kind::kValidation};
constexpr Rule<"nested more than 64 levels deep"> kTooDeep{"model-levels", Kind::kValidation};
constexpr Rule<"a key is a list or a mapping; keys must be names"> kKeyKind{"model-key-kind", Kind::kValidation};
constexpr Rule<"{} appears twice in this mapping, first on line {}"> kMappingKeyTwice{"model-key-twice",
                                                                                      Kind::kValidation};

bool HasOnlyDigits(std::string_view text) {
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
  }
  return !text.empty();
}

bool IsRadix(std::string_view text, std::string_view prefix, std::string_view digits) {
  return text.size() > prefix.size() && text.starts_with(prefix) &&
         text.find_first_not_of(digits, prefix.size()) == std::string_view::npos;
}

// [-+]? ( . digits | digits ( . digits? )? ) ( [eE] [-+]? digits )?
bool IsFloat(std::string_view text) {
  const auto skip_sign = [&] { text.remove_prefix(!text.empty() && (text[0] == '-' || text[0] == '+')); };
  const auto skip_digits = [&] {
    const size_t n = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(n);
    return n;
  };
  skip_sign();
  size_t digits = skip_digits();
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    digits += skip_digits();
  }
  if (digits == 0) return false;
  if (text.empty()) return true;
  if (text[0] != 'e' && text[0] != 'E') return false;
  text.remove_prefix(1);
  skip_sign();
  return HasOnlyDigits(text);
}

bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    if (text == word) return true;
  }
  return false;
}

// The type of a plain scalar under the core schema.
Node::Kind ResolvePlain(std::string_view text) {
  if (IsOneOf(text, {"", "~", "null", "Null", "NULL"})) return Node::Kind::kNull;
  if (IsOneOf(text, {"true", "True", "TRUE", "false", "False", "FALSE"})) return Node::Kind::kBool;
  const bool sign = text[0] == '-' || text[0] == '+';
  if (HasOnlyDigits(text.substr(sign))) return Node::Kind::kInteger;
  if (IsRadix(text, "0o", "01234567") || IsRadix(text, "0x", "0123456789abcdefABCDEF")) return Node::Kind::kInteger;
  if (IsOneOf(text.substr(sign), {".inf", ".Inf", ".INF"}) || IsOneOf(text, {".nan", ".NaN", ".NAN"})) {
    return Node::Kind::kFloat;
  }
  return IsFloat(text) ? Node::Kind::kFloat : Node::Kind::kString;
}

Mark MarkOf(const yaml_mark_t& at) {
  return {static_cast<uint32_t>(at.line + 1), static_cast<uint32_t>(at.column + 1)};
}

// The position of a byte.
Mark MarkAt(std::string_view text, size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  Mark mark{1, 1};
  size_t line = 0;
  for (size_t i = 0; i < before.size(); ++i) {
    if (before[i] == '\n') ++mark.line, line = i + 1;
  }
  for (const char c : before.substr(line)) mark.column += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return mark;
}

std::string_view LineOfMark(std::string_view text, Mark mark) {
  for (uint32_t line = 1; line < mark.line; ++line) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

// Bytes of a placeholder, such as {id} or {at|iso_s}, at the start of the text; zero if there is none.
size_t PlaceholderBytes(std::string_view text) {
  constexpr std::string_view kInName = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_|";
  if (!text.starts_with('{')) return 0;
  const size_t end = text.find_first_not_of(kInName, 1);
  return end != std::string_view::npos && end > 1 && text[end] == '}' ? end + 1 : 0;
}

// Bytes of a template that is not in quotes, from its first to its last character.
size_t TemplateBytes(std::string_view text) {
  size_t at = 0;
  while (at < text.size() && std::string_view(" ,[]}\r").find(text[at]) == std::string_view::npos) {
    const size_t placeholder = PlaceholderBytes(text.substr(at));
    if (text[at] == '{' && placeholder == 0) break;
    at += std::max<size_t>(placeholder, 1);
  }
  return at;
}

// A template without quotes.
struct BareTemplate {
  size_t at = 0;  // its first byte in the line
  std::string_view text;
};

// Returns the first template on a line of YAML that is not in quotes.
std::optional<BareTemplate> FindBareTemplate(std::string_view line) {
  size_t word = 0;  // where the current word starts
  for (size_t at = 0; at < line.size(); ++at) {
    if (PlaceholderBytes(line.substr(at)) > 0)
      return BareTemplate{word, line.substr(word, TemplateBytes(line.substr(word)))};
    const bool starts = at == word;
    if (starts && (line[at] == '"' || line[at] == '\'')) {
      const size_t end = line.find(line[at], at + 1);
      if (end == std::string_view::npos) return {};
      at = end;
      word = at + 1;
    } else if (starts && line[at] == '#') {
      return {};  // a comment
    } else if (std::string_view(" ,[{").find(line[at]) != std::string_view::npos) {
      word = at + 1;
    }
  }
  return {};
}

// Bytes of the longest valid prefix of a text that is not valid UTF-8: searches by lines, then by bytes.
size_t ValidBytes(std::string_view text) {
  size_t start = 0;
  for (size_t end;
       (end = text.find('\n', start)) != std::string_view::npos && IsUtf8(text.substr(start, end - start));) {
    start = end + 1;
  }
  size_t bytes = start;
  for (size_t i = start + 1; i <= text.size() && i <= start + 4096; ++i) {
    if (IsUtf8(text.substr(start, i - start))) bytes = i;
    if (i - bytes > 4) break;
  }
  return bytes;
}

Fault CheckBytes(std::string_view text) {
  if (text.size() > kModelBytesMax) return Unreadable({1, 1}, kTooLarge());
  if (const size_t nul = text.find('\0'); nul != std::string_view::npos) return Unreadable(MarkAt(text, nul), kNul());
  if (!IsUtf8(text)) return Unreadable(MarkAt(text, ValidBytes(text)), kNotUtf8());
  return {};
}

// The value of a \uXXXX escape at a position, or nullopt.
std::optional<uint32_t> UnicodeEscapeAt(std::string_view text, size_t at) {
  if (text.substr(at, 2) != "\\u" || at + 6 > text.size()) return {};
  uint32_t value = 0;
  const auto end = std::from_chars(text.data() + at + 2, text.data() + at + 6, value, 16);
  if (end.ptr != text.data() + at + 6) return {};
  return value;
}

// JSON escapes a character beyond 16 bits as a surrogate pair, which YAML does not support. Replaces each pair by the
// character itself.
std::string WithoutSurrogates(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    const std::optional<uint32_t> high = UnicodeEscapeAt(text, at);
    const std::optional<uint32_t> low = high ? UnicodeEscapeAt(text, at + 6) : std::nullopt;
    if (!low || *high < 0xD800 || *high > 0xDBFF || *low < 0xDC00 || *low > 0xDFFF) {
      // Copy an escaped backslash as a pair.
      if (text.substr(at, 2) == "\\\\") out += text[at++];
      out += text[at];
      continue;
    }
    const uint32_t code = 0x10000 + ((*high - 0xD800) << 10) + (*low - 0xDC00);
    for (const int shift : {18, 12, 6, 0}) {
      out += static_cast<char>((shift == 18 ? 0xF0 : 0x80) | (code >> shift & (shift == 18 ? 0x07 : 0x3F)));
    }
    at += 11;
  }
  return out;
}

// Builds the tree from libyaml's events without recursion. Used by one thread at a time.
class Builder {
 public:
  explicit Builder(std::string_view text) : text_(text) {
    CHECK(yaml_parser_initialize(&parser_) == 1);
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  ~Builder() { yaml_parser_delete(&parser_); }
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  std::variant<Node, Unreadable> Build();

 private:
  // A collection that is not yet closed.
  struct Open {
    Node node;
    bool flow = false;  // a mapping in braces
    bool has_key = false;
    std::string key;
    Mark key_mark;
    std::unordered_set<std::string> keys;  // seen so far
  };

  Fault Take(const yaml_event_t& event);
  Fault TakeScalar(const yaml_event_t& event);
  Fault TakeKey(const yaml_event_t& event);
  Fault OpenCollection(const yaml_event_t& event, Node::Kind kind, const yaml_char_t* anchor, const yaml_char_t* tag);
  void Attach(Node node);
  Unreadable ParserFault() const;
  // The fault of a template that is not in quotes, if the line has one at or after the column.
  Fault BareTemplateFault(Mark mark) const;
  bool WantsKey() const {
    return !open_.empty() && open_.back().node.kind == Node::Kind::kMapping && !open_.back().has_key;
  }

  std::string_view text_;
  yaml_parser_t parser_;
  std::vector<Open> open_;
  Node root_;
  bool documents_ = false;
  bool done_ = false;
};

std::variant<Node, Unreadable> Builder::Build() {
  while (!done_) {
    yaml_event_t event;
    if (yaml_parser_parse(&parser_, &event) != 1) return ParserFault();
    Fault fault = Take(event);
    yaml_event_delete(&event);
    if (fault) return *std::move(fault);
  }
  if (!documents_) return Unreadable({1, 1}, kNoModel());
  return std::move(root_);
}

Fault Builder::BareTemplateFault(Mark mark) const {
  std::string_view line = LineOfMark(text_, mark);
  size_t skipped = 0;
  for (uint32_t column = 1; column < mark.column && skipped < line.size(); ++column) {
    skipped += FirstCharacter(line.substr(skipped)).size();
  }
  const std::optional<BareTemplate> found = FindBareTemplate(line.substr(skipped));
  if (!found) return {};
  mark.column += static_cast<uint32_t>(CountCharacters(line.substr(skipped, found->at)));
  return Unreadable(mark, kUnquoted(found->text));
}

Unreadable Builder::ParserFault() const {
  const std::string_view problem = parser_.problem != nullptr ? parser_.problem : "";
  if (parser_.error == YAML_READER_ERROR) return {MarkAt(text_, parser_.problem_offset), kNotYaml(problem)};
  const Mark mark = MarkOf(parser_.problem_mark);
  const std::string_view line = LineOfMark(text_, mark);
  const bool at_tab = line.substr(std::min<size_t>(mark.column - 1, line.size())).starts_with('\t');
  if (at_tab && line.find_first_not_of(" \t") >= mark.column) return {mark, kTabIndent()};
  if (Fault fault = BareTemplateFault({mark.line, 1})) return *std::move(fault);
  return {mark, kNotYaml(problem)};
}

Fault Builder::Take(const yaml_event_t& event) {
  switch (event.type) {
    case YAML_DOCUMENT_START_EVENT:
      if (documents_) return Unreadable(MarkOf(event.start_mark), kSecondDocument());
      documents_ = true;
      if (event.data.document_start.tag_directives.start != event.data.document_start.tag_directives.end) {
        return Unreadable(MarkOf(event.start_mark), kTag());
      }
      return {};
    case YAML_ALIAS_EVENT:
      return Unreadable(MarkOf(event.start_mark), kAlias());
    case YAML_SCALAR_EVENT:
      return WantsKey() ? TakeKey(event) : TakeScalar(event);
    case YAML_SEQUENCE_START_EVENT:
      return OpenCollection(event, Node::Kind::kSequence, event.data.sequence_start.anchor,
                            event.data.sequence_start.tag);
    case YAML_MAPPING_START_EVENT:
      return OpenCollection(event, Node::Kind::kMapping, event.data.mapping_start.anchor, event.data.mapping_start.tag);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: {
      const bool flow = open_.back().flow;
      Node node = std::move(open_.back().node);
      open_.pop_back();
      // {email}: a mapping with a name and no value.
      const bool bare = flow && node.children.size() == 1 && node.children[0].kind == Node::Kind::kNull &&
                        node.children[0].text.empty();
      const std::string placeholder = bare ? "{" + node.children[0].key + "}" : "";
      if (PlaceholderBytes(placeholder) > 0) {
        Fault fault = BareTemplateFault(node.mark);
        return fault ? std::move(fault) : Unreadable(node.mark, kUnquoted(placeholder));
      }
      Attach(std::move(node));
      return {};
    }
    default:
      done_ = event.type == YAML_STREAM_END_EVENT;
      return {};
  }
}

Fault Builder::OpenCollection(const yaml_event_t& event, Node::Kind kind, const yaml_char_t* anchor,
                              const yaml_char_t* tag) {
  const Mark mark = MarkOf(event.start_mark);
  if (anchor != nullptr) return Unreadable(mark, kAnchor());
  if (tag != nullptr) return Unreadable(mark, kTag());
  if (WantsKey()) return Unreadable(mark, kKeyKind());
  if (open_.size() == kModelLevelsMax) return Unreadable(mark, kTooDeep());
  Open open;
  open.node.kind = kind;
  open.node.mark = mark;
  open.flow = kind == Node::Kind::kMapping && event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
  open_.push_back(std::move(open));
  return {};
}

std::string_view EventText(const yaml_event_t& event) {
  return {reinterpret_cast<const char*>(event.data.scalar.value), event.data.scalar.length};
}

bool IsQuoted(const yaml_event_t& scalar) {
  return scalar.data.scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE ||
         scalar.data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
}

Fault Builder::TakeKey(const yaml_event_t& event) {
  const Mark mark = MarkOf(event.start_mark);
  if (event.data.scalar.anchor != nullptr) return Unreadable(mark, kAnchor());
  if (event.data.scalar.tag != nullptr) return Unreadable(mark, kTag());
  Open& open = open_.back();
  open.key = EventText(event);
  open.key_mark = mark;
  if (IsQuoted(event)) ++open.key_mark.column;
  open.has_key = true;
  if (open.keys.insert(open.key).second) return {};
  for (const Node& child : open.node.children) {
    if (child.key == open.key) return Unreadable(mark, kMappingKeyTwice(open.key, child.key_mark.line));
  }
  CHECK(false);
  return {};
}

Fault Builder::TakeScalar(const yaml_event_t& event) {
  Mark mark = MarkOf(event.start_mark);
  if (event.data.scalar.anchor != nullptr) return Unreadable(mark, kAnchor());
  if (event.data.scalar.tag != nullptr) return Unreadable(mark, kTag());
  Node node;
  node.text = EventText(event);
  const bool plain = event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
  node.kind = plain ? ResolvePlain(node.text) : Node::Kind::kString;
  const bool quoted = IsQuoted(event);
  const size_t letters = event.end_mark.column - event.start_mark.column;
  node.inside =
      event.start_mark.line == event.end_mark.line && letters == CountCharacters(node.text) + (quoted ? 2 : 0);
  if (quoted && node.inside) ++mark.column;
  node.mark = mark;
  Attach(std::move(node));
  return {};
}

void Builder::Attach(Node node) {
  if (open_.empty()) {
    root_ = std::move(node);
    return;
  }
  Open& open = open_.back();
  if (open.has_key) {
    node.key = std::move(open.key);
    node.key_mark = open.key_mark;
    open.has_key = false;
  }
  open.node.children.push_back(std::move(node));
}

}  // namespace

const Node* Node::Find(std::string_view name) const {
  if (kind != Kind::kMapping) return nullptr;
  for (const Node& child : children) {
    if (child.key == name) return &child;
  }
  return nullptr;
}

double Node::Number() const {
  std::string_view rest = text;
  if (kind == Kind::kInteger && (rest.starts_with("0x") || rest.starts_with("0o"))) {
    const int base = rest[1] == 'x' ? 16 : 8;
    uint64_t value = 0;
    const auto end = std::from_chars(rest.data() + 2, rest.data() + rest.size(), value, base);
    return end.ec == std::errc() ? static_cast<double>(value) : std::numeric_limits<double>::infinity();
  }
  if (rest.starts_with('+')) rest.remove_prefix(1);
  if (rest.ends_with("nf") || rest.ends_with("NF")) {
    return rest.starts_with('-') ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }
  double value = std::numeric_limits<double>::quiet_NaN();
  const auto end = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (end.ec == std::errc::result_out_of_range) return std::numeric_limits<double>::infinity();
  return value;
}

std::variant<Node, Unreadable> ReadYaml(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (Fault fault = CheckBytes(text)) return *std::move(fault);
  std::variant<Node, Unreadable> read = Builder(text).Build();
  if (std::holds_alternative<Node>(read)) return read;
  // Retry with surrogate pairs joined. Columns after such a character then count it as one.
  const std::string joined = WithoutSurrogates(text);
  return joined.size() == text.size() ? std::move(read) : Builder(joined).Build();
}

}  // namespace keyfold::model

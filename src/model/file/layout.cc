#include "model/file/layout.h"

#include <yaml.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/check.h"
#include "base/text/utf8.h"
#include "model/file/fields.h"
#include "model/file/yaml.h"

namespace keyfold::model {
namespace {

constexpr Rule<"the file cannot be formatted without changing its meaning; nothing was written"> kChanged{
    "layout-changed", Kind::kValidation};
constexpr size_t kIndent = 2;

struct SourcePlace {
  size_t line = 0;  // from 0
  size_t byte = 0;  // in the line
};

// A node with its position. Its text is in the Source.
struct LayoutPiece {
  enum class Kind : uint8_t { kScalar, kMapping, kSequence };
  Kind kind = Kind::kScalar;
  bool flow = false;
  SourcePlace start;
  SourcePlace end;        // for a block collection, the end of its last entry
  SourcePlace key_start;  // for an entry of a mapping
  SourcePlace key_end;
  std::string key;  // for an entry of a mapping, unquoted
  std::vector<LayoutPiece> children;
};

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

size_t Indentation(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

// The file's lines, without line ends and trailing spaces.
class Source {
 public:
  explicit Source(std::string_view text) {
    for (size_t at = 0; at <= text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      lines_.push_back(Trimmed(text.substr(at, end - at)));
      at = end + 1;
    }
  }

  size_t count() const { return lines_.size(); }
  // Empty after the last line.
  std::string_view line(size_t i) const { return i < lines_.size() ? lines_[i] : std::string_view(); }
  SourcePlace PlaceOf(const yaml_mark_t& mark) const {
    if (mark.line >= lines_.size()) return {lines_.size(), 0};
    size_t byte = 0;
    const std::string_view line = lines_[mark.line];
    for (size_t column = 0; column < mark.column && byte < line.size(); ++column) {
      do ++byte;
      while (byte < line.size() && (static_cast<unsigned char>(line[byte]) & 0xC0) == 0x80);
    }
    return {mark.line, byte};
  }
  // `from` and `to` are on the same line.
  std::string_view Cut(SourcePlace from, SourcePlace to) const {
    const std::string_view line = lines_[from.line];
    return line.substr(std::min(from.byte, line.size()), to.byte - from.byte);
  }
  std::string_view Rest(SourcePlace from) const {
    return from.line < lines_.size() ? lines_[from.line].substr(std::min(from.byte, lines_[from.line].size()))
                                     : std::string_view();
  }

 private:
  std::vector<std::string_view> lines_;
};

// Reads the pieces of a text that ReadYaml accepted. Used by one thread at a time.
class PieceReader {
 public:
  PieceReader(std::string_view text, const Source& source) : source_(source) {
    CHECK(yaml_parser_initialize(&parser_) == 1);
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  ~PieceReader() { yaml_parser_delete(&parser_); }
  PieceReader(const PieceReader&) = delete;
  PieceReader& operator=(const PieceReader&) = delete;

  // Returns false if libyaml cannot parse the text, for example JSON with surrogate pairs.
  bool Read(LayoutPiece& root) {
    for (bool done = false; !done;) {
      yaml_event_t event;
      if (yaml_parser_parse(&parser_, &event) != 1) return false;
      Take(event);
      done = event.type == YAML_STREAM_END_EVENT;
      yaml_event_delete(&event);
    }
    root = std::move(root_);
    return true;
  }

 private:
  struct Open {
    LayoutPiece piece;
    LayoutPiece key;
    bool has_key = false;
  };

  void Take(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_SCALAR_EVENT:
        return TakeScalar(event);
      case YAML_MAPPING_START_EVENT:
        return Begin(event, LayoutPiece::Kind::kMapping, event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE);
      case YAML_SEQUENCE_START_EVENT:
        return Begin(event, LayoutPiece::Kind::kSequence, event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE);
      case YAML_MAPPING_END_EVENT:
      case YAML_SEQUENCE_END_EVENT:
        return End(event);
      default:
        return;
    }
  }

  void TakeScalar(const yaml_event_t& event) {
    LayoutPiece piece;
    piece.start = source_.PlaceOf(event.start_mark);
    piece.end = source_.PlaceOf(event.end_mark);
    // libyaml reports the start of a later line as the end of a block scalar: go back to its last line with text.
    const bool block =
        event.data.scalar.style == YAML_LITERAL_SCALAR_STYLE || event.data.scalar.style == YAML_FOLDED_SCALAR_STYLE;
    if (block) {
      while (piece.end.line > piece.start.line && (piece.end.line >= source_.count() || piece.end.byte == 0 ||
                                                   source_.line(piece.end.line).size() < piece.end.byte)) {
        --piece.end.line;
        piece.end.byte = source_.line(piece.end.line).size();
        if (piece.end.byte > 0) break;
      }
    }
    if (!open_.empty() && open_.back().piece.kind == LayoutPiece::Kind::kMapping && !open_.back().has_key) {
      piece.key.assign(reinterpret_cast<const char*>(event.data.scalar.value), event.data.scalar.length);
      open_.back().key = std::move(piece);
      open_.back().has_key = true;
      return;
    }
    Attach(std::move(piece));
  }

  void Begin(const yaml_event_t& event, LayoutPiece::Kind kind, bool flow) {
    Open open;
    open.piece.kind = kind;
    open.piece.flow = flow;
    open.piece.start = source_.PlaceOf(event.start_mark);
    open_.push_back(std::move(open));
  }

  void End(const yaml_event_t& event) {
    LayoutPiece piece = std::move(open_.back().piece);
    open_.pop_back();
    piece.end = piece.flow || piece.children.empty() ? source_.PlaceOf(event.end_mark) : piece.children.back().end;
    Attach(std::move(piece));
  }

  void Attach(LayoutPiece piece) {
    if (open_.empty()) {
      root_ = std::move(piece);
      return;
    }
    Open& open = open_.back();
    if (open.has_key) {
      piece.key = std::move(open.key.key);
      piece.key_start = open.key.start;
      piece.key_end = open.key.end;
      open.has_key = false;
    }
    // The position of an absent value is right after its key.
    const bool absent = piece.kind == LayoutPiece::Kind::kScalar && piece.start.line == piece.end.line &&
                        piece.start.byte == piece.end.byte;
    if (absent && !piece.key.empty()) {
      piece.start = piece.end = {piece.key_end.line, piece.key_end.byte + 1};
    }
    open.piece.children.push_back(std::move(piece));
  }

  const Source& source_;
  yaml_parser_t parser_;
  std::vector<Open> open_;
  LayoutPiece root_;
};

// The part of the grammar tables that applies to a piece.
struct Grammar {
  const Record* record = nullptr;  // for a mapping
  const Field* field = nullptr;    // for the collection below a field

  Grammar Below(const LayoutPiece& child) const {
    if (record != nullptr) {
      const Field* next = record->Find(child.key);
      if (next == nullptr) return {};
      const bool one = next->shape == Shape::kRecord || next->shape == Shape::kAttribute;
      return one ? Grammar{next->record, nullptr} : Grammar{nullptr, next};
    }
    if (field == nullptr) return {};
    const bool records =
        field->shape == Shape::kNamedRecords || field->shape == Shape::kRecords || field->shape == Shape::kAttributes;
    return records ? Grammar{field->record, nullptr} : Grammar{};
  }

  // Fields of a record in the order of the tables; other children in their own order.
  std::vector<const LayoutPiece*> Ordered(const LayoutPiece& piece) const {
    std::vector<const LayoutPiece*> all;
    for (const LayoutPiece& child : piece.children) all.push_back(&child);
    if (record == nullptr || piece.kind != LayoutPiece::Kind::kMapping) return all;
    std::stable_sort(all.begin(), all.end(), [&](const LayoutPiece* a, const LayoutPiece* b) {
      return record->Find(a->key) < record->Find(b->key);
    });
    return all;
  }
};

// Writes the pieces in their new layout. Used by one thread at a time.
class LayoutWriter {
 public:
  explicit LayoutWriter(const Source& source) : source_(source) {}

  std::string Write(const LayoutPiece& root) {
    if (root.flow || root.kind == LayoutPiece::Kind::kScalar) {
      Verbatim(0, source_.count());
    } else {
      Block(root, {&kModelRecord, nullptr}, 0, 0);
      Leading(root.end.line + 1, source_.count(), 0, 0);
    }
    while (out_.ends_with("\n\n")) out_.pop_back();
    return std::move(out_);
  }

  bool understood() const { return understood_; }

 private:
  void Verbatim(size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) out_.append(source_.line(i)).append("\n");
  }

  // Writes the comment lines and blank lines in [from, to). Comments indented deeper than `column`, where the next
  // entry starts, stay deeper.
  void Leading(size_t from, size_t to, size_t column, size_t indent) {
    for (size_t i = from; i < to; ++i) {
      const std::string_view line = source_.line(i);
      const size_t depth = Indentation(line);
      if (line.empty()) {
        if (!out_.empty() && !out_.ends_with("\n\n")) out_ += '\n';
        continue;
      }
      understood_ &=
          line.substr(depth).starts_with('#') || line.starts_with("---") || line.starts_with("%") || line == "...";
      out_.append(depth > column ? indent + kIndent : indent, ' ').append(line.substr(depth)).append("\n");
    }
  }

  // Writes the entries of a block collection. Its lines start at `from`.
  void Block(const LayoutPiece& piece, Grammar grammar, size_t indent, size_t from) {
    // The lines above an entry move with it.
    std::vector<size_t> begins;
    for (const LayoutPiece& child : piece.children) {
      begins.push_back(from);
      from = child.end.line + 1;
    }
    const bool mapping = piece.kind == LayoutPiece::Kind::kMapping;
    for (const LayoutPiece* child : grammar.Ordered(piece)) {
      const size_t begin = begins[static_cast<size_t>(child - piece.children.data())];
      const size_t start = mapping ? child->key_start.line : DashOf(*child, begin);
      const size_t depth = Indentation(source_.line(start));
      Leading(begin, start, depth, indent);
      out_.append(indent, ' ');
      mapping ? MappingEntry(*child, grammar.Below(*child), indent)
              : SequenceEntry(*child, grammar.Below(*child), indent, {start, depth});
    }
  }

  // The line of an entry's dash, searched from `begin`: blank lines and comments can come first.
  size_t DashOf(const LayoutPiece& child, size_t begin) const {
    for (; begin < child.start.line; ++begin) {
      const std::string_view line = source_.line(begin);
      if (Indentation(line) < line.size() && line[Indentation(line)] == '-' && !line.starts_with("---")) break;
    }
    return begin;
  }

  void MappingEntry(const LayoutPiece& child, Grammar grammar, size_t indent) {
    understood_ &= child.key_start.line == child.key_end.line;
    out_.append(source_.Cut(child.key_start, child.key_end)).append(":");
    SourcePlace colon = child.key_end;
    colon.byte = source_.line(colon.line).find(':', colon.byte);
    understood_ &= colon.byte != std::string_view::npos;
    if (!understood_) return;
    ++colon.byte;
    if (child.start.line > colon.line) return Below(child, grammar, colon, indent + kIndent);
    understood_ &= child.kind == LayoutPiece::Kind::kScalar || child.flow;
    const bool absent = child.start.line == child.end.line && child.start.byte == child.end.byte;
    if (!absent) out_ += ' ';
    Value(child, grammar, indent, Indentation(source_.line(colon.line)));
  }

  void SequenceEntry(const LayoutPiece& child, Grammar grammar, size_t indent, SourcePlace dash) {
    const std::string_view text = source_.line(dash.line);
    understood_ &= dash.byte < text.size() && text[dash.byte] == '-';
    out_ += '-';
    if (child.start.line > dash.line) return Below(child, grammar, {dash.line, dash.byte + 1}, indent + kIndent);
    if (child.kind == LayoutPiece::Kind::kScalar || child.flow) {
      out_ += ' ';
      return Value(child, grammar, indent, dash.byte);
    }
    // The first entry after reordering goes on the line of the dash: write the block, then put the dash into its
    // indentation.
    const size_t line = out_.size() - 1 - indent;
    out_.resize(line);
    Block(child, grammar, indent + kIndent, child.start.line);
    if (out_.size() > line + indent) out_[line + indent] = '-';
  }

  // Writes a value that begins on a line below its key or dash, which ends at `from`.
  void Below(const LayoutPiece& child, Grammar grammar, SourcePlace from, size_t indent) {
    EndLine(from);
    if (child.kind != LayoutPiece::Kind::kScalar && !child.flow) return Block(child, grammar, indent, from.line + 1);
    const size_t depth = Indentation(source_.line(child.start.line));
    understood_ &= depth == child.start.byte;
    Leading(from.line + 1, child.start.line, depth, indent);
    out_.append(indent, ' ');
    Value(child, grammar, indent, depth);
  }

  // Writes a scalar or flow collection, and the comment after it on its line. `was` is the old indentation.
  void Value(const LayoutPiece& piece, Grammar grammar, size_t indent, size_t was) {
    if (piece.start.line == piece.end.line) {
      Inline(piece, grammar);
      return EndLine(piece.end);
    }
    out_.append(source_.Rest(piece.start)).append("\n");
    for (size_t i = piece.start.line + 1; i <= piece.end.line && i < source_.count(); ++i) {
      const std::string_view text = source_.line(i);
      const size_t depth = Indentation(text);
      // Keep the indentation relative to the key.
      if (!text.empty()) out_.append(indent + (depth > was ? depth - was : 0), ' ').append(text.substr(depth));
      out_ += '\n';
    }
  }

  // Writes a value on one line.
  void Inline(const LayoutPiece& piece, Grammar grammar) {
    if (piece.kind == LayoutPiece::Kind::kScalar) {
      out_.append(source_.Cut(piece.start, piece.end));
    } else {
      Flow(piece, grammar);
    }
  }

  void Flow(const LayoutPiece& piece, Grammar grammar) {
    const bool mapping = piece.kind == LayoutPiece::Kind::kMapping;
    out_ += mapping ? '{' : '[';
    bool first = true;
    for (const LayoutPiece* child : grammar.Ordered(piece)) {
      if (!first) out_ += ", ";
      first = false;
      if (mapping) out_.append(source_.Cut(child->key_start, child->key_end)).append(":");
      const bool absent = child->kind == LayoutPiece::Kind::kScalar && child->start.byte == child->end.byte;
      if (absent) continue;
      if (mapping) out_ += ' ';
      Inline(*child, grammar.Below(*child));
    }
    out_ += mapping ? '}' : ']';
  }

  // Ends the line. A comment after `from` keeps its column if possible.
  void EndLine(SourcePlace from) {
    const std::string_view rest = source_.Rest(from);
    const size_t at = rest.find_first_not_of(" \t");
    if (at != std::string_view::npos) {
      understood_ &= rest[at] == '#';
      const size_t begin = out_.rfind('\n') == std::string::npos ? 0 : out_.rfind('\n') + 1;
      const size_t written = CountCharacters(std::string_view(out_).substr(begin));
      const size_t column = CountCharacters(source_.line(from.line).substr(0, from.byte + at));
      out_.append(column > written ? column - written : 1, ' ').append(rest.substr(at));
    }
    out_ += '\n';
  }

  const Source& source_;
  std::string out_;
  bool understood_ = true;
};

// Returns true if the text has line breaks that only YAML recognizes.
bool HasOddBreaks(std::string_view text) {
  for (const std::string_view odd : {"\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"}) {
    if (text.find(odd) != std::string_view::npos) return true;
  }
  for (size_t at = text.find('\r'); at != std::string_view::npos; at = text.find('\r', at + 1)) {
    if (at + 1 == text.size() || text[at + 1] != '\n') return true;
  }
  return false;
}

bool SameNodes(const Node& a, const Node& b) {
  if (a.kind != b.kind || a.key != b.key || a.text != b.text || a.children.size() != b.children.size()) return false;
  for (size_t i = 0; i < a.children.size(); ++i) {
    const Node* other = a.kind == Node::Kind::kMapping ? b.Find(a.children[i].key) : &b.children[i];
    if (other == nullptr || !SameNodes(a.children[i], *other)) return false;
  }
  return true;
}

// All characters except whitespace and commas, sorted: moving text must preserve them, also those of comments.
std::string SortedLetters(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t' && c != ',') out += c;
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::variant<std::string, Unreadable> LayOut(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::variant<Node, Unreadable> before = ReadYaml(text);
  if (auto* why = std::get_if<Unreadable>(&before)) return std::move(*why);
  if (HasOddBreaks(text)) return Unreadable({1, 1}, kChanged());
  const Source source(text);
  LayoutPiece root;
  PieceReader reader(text, source);
  if (!reader.Read(root)) return Unreadable({1, 1}, kChanged());
  LayoutWriter layout(source);
  std::string out = layout.Write(root);
  const std::variant<Node, Unreadable> after = ReadYaml(out);
  const Node* node = std::get_if<Node>(&after);
  const bool same = layout.understood() && node != nullptr && SameNodes(std::get<Node>(before), *node);
  if (!same || SortedLetters(out) != SortedLetters(text)) return Unreadable({1, 1}, kChanged());
  return out;
}

}  // namespace keyfold::model

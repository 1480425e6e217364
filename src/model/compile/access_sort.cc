// Compiles the conditions on the sort key: equalities, then a prefix or a range of the first part that is not given.
#include <algorithm>
#include <utility>

#include "model/compile/access_compiler.h"
#include "model/compile/pieces.h"
#include "model/core/calendar.h"

namespace keyfold::model {
namespace {

constexpr Rule<"the read starts at the item of {}, whose {} is {}, and not all of it is given"> kFromUnbound{
    "access-from-unbound", Kind::kValidation};
constexpr Rule<
    "the read starts at the item of {} and goes {}, but items of {} are not all on that side of it ({} and {})">
    kFromSide{"access-from-side", Kind::kValidation};

// The longest common prefix.
std::vector<Piece> SharedStart(const std::vector<Piece>& a, const std::vector<Piece>& b) {
  std::vector<Piece> shared;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (a[i].SameAs(b[i])) {
      shared.push_back(a[i]);
      continue;
    }
    if (a[i].kind == Piece::Kind::kLiteral && b[i].kind == Piece::Kind::kLiteral) {
      const auto [end, unused] = std::mismatch(a[i].text.begin(), a[i].text.end(), b[i].text.begin(), b[i].text.end());
      if (end != a[i].text.begin()) shared.push_back(LiteralPiece(std::string(a[i].text.begin(), end)));
    }
    break;
  }
  return shared;
}

// Cuts the prefix back to the end of the last separator or placeholder.
void CutBack(std::vector<Piece>& pieces, std::string_view separator) {
  if (pieces.empty() || pieces.back().kind != Piece::Kind::kLiteral) return;
  std::string& text = pieces.back().text;
  const size_t at = text.rfind(separator);
  text.resize(at == std::string::npos ? 0 : at + separator.size());
  if (text.empty()) pieces.pop_back();
}

bool Excludes(Comparator comparator) { return comparator == Comparator::kLess || comparator == Comparator::kGreater; }

std::optional<SortRange::Op> RangeOp(Comparator comparator) {
  switch (comparator) {
    case Comparator::kLess:
      return SortRange::Op::kLess;
    case Comparator::kLessEqual:
      return SortRange::Op::kLessEqual;
    case Comparator::kGreater:
      return SortRange::Op::kGreater;
    case Comparator::kGreaterEqual:
      return SortRange::Op::kGreaterEqual;
    case Comparator::kBeginsWith:
      return SortRange::Op::kBeginsWith;
    default:
      return {};
  }
}

}  // namespace

// A bound of a range: the prefix, then the bound in the placeholder's format.
Formula ReadCompiler::BoundFormula(const Ranging& ranging, const Operand& bound) const {
  const TemplatePart& part = ranging.part;
  Piece piece;
  piece.type = part.type;
  piece.format = part.format;
  piece.width = part.width;
  piece.origin = &part;
  piece.kind = bound.kind == Operand::Kind::kNow ? Piece::Kind::kNow : Piece::Kind::kInput;
  piece.text = bound.text;
  if (bound.IsLiteral()) {
    piece = LiteralPiece(FormatValue(part.format, part.width, part.type, bound.text));
    piece.origin = &part;
  }
  Formula formula{ranging.key.value.type, ranging.prefix};
  formula.pieces.push_back(std::move(piece));  // stays a piece of its own, not merged with the literal before it
  return formula;
}

// A literal time that is shorter than the format stays as written (L09).
Formula ReadCompiler::UpperFormula(const Ranging& ranging, const Operand& bound) const {
  Formula formula = BoundFormula(ranging, bound);
  const Piece& last = formula.pieces.back();
  const bool shortened = bound.IsLiteral() && last.text.size() < TimeLayoutOf(ranging.part).size();
  if (formula.type == StoredType::kS && !shortened) formula.end = Formula::End::kOpen;
  return formula;
}

// Makes the comparisons of `where` with the part a range of the key, as far as the key's order is that of the values.
bool ReadCompiler::WhereRange(const Ranging& ranging, Sorted& out) {
  const Comparison* lower = nullptr;
  const Comparison* upper = nullptr;
  for (const Comparison& one : pattern_.where.all) {
    const std::optional<SortRange::Op> op = one.size ? std::nullopt : RangeOp(one.comparator);
    if (!op || one.path != ranging.part.text) continue;
    if (*op == SortRange::Op::kBeginsWith) {
      if (!ranging.key.value.IsLone() || ranging.key.value.type == StoredType::kN) continue;
      out.range.op = *op;
      out.range.low = BoundFormula(ranging, one.right);
      out.consumed.push_back(&one);
      return true;
    }
    const bool low = *op == SortRange::Op::kGreater || *op == SortRange::Op::kGreaterEqual;
    const Comparison*& bound = low ? lower : upper;
    if (bound == nullptr) bound = &one;
  }
  if (lower == nullptr && upper == nullptr) return false;
  if (ranging.key.value.IsLone()) return LoneRange(ranging, lower, upper, out), true;
  // A key's text goes on after the part, so it sorts like the part only if no value is the start of another.
  const TemplatePart& part = ranging.part;
  const bool text =
      part.alphabet == Alphabet::kText || part.alphabet == Alphabet::kLower || part.alphabet == Alphabet::kUpper;
  if (FixedWidth(part) == 0 && !(ranging.last && text && part.format == Format::kPlain)) return false;
  part.format == Format::kDesc ? TextRange(ranging, upper, lower, out) : TextRange(ranging, lower, upper, out);
  return true;
}

// The key is the attribute's value, so its comparison is that of the key. Of two, one that is exclusive is left to the
// filter, or to the caller if the attribute is the key itself.
void ReadCompiler::LoneRange(const Ranging& ranging, const Comparison* lower, const Comparison* upper, Sorted& out) {
  if (lower != nullptr && upper != nullptr) {
    out.range.op = SortRange::Op::kBetween;
    out.range.low = BoundFormula(ranging, lower->right);
    out.range.high = BoundFormula(ranging, upper->right);
    if (lower->comparator == Comparator::kGreaterEqual) out.consumed.push_back(lower);
    if (upper->comparator == Comparator::kLessEqual) out.consumed.push_back(upper);
    return;
  }
  const Comparison& one = lower != nullptr ? *lower : *upper;
  out.range.op = *RangeOp(one.comparator);
  out.range.low = BoundFormula(ranging, one.right);
  out.consumed.push_back(&one);
}

// The range of the key's texts, inside the prefix, between the bounds of the text. A coarser format than the value's
// reads more than is asked for; the comparison then stays in the filter.
void ReadCompiler::TextRange(const Ranging& ranging, const Comparison* lower, const Comparison* upper, Sorted& out) {
  const TemplatePart& part = ranging.part;
  const std::string_view stored = LayoutOf(StoredFormat(part.type));
  const bool time = part.alphabet == Alphabet::kTime;
  const bool exact = !time || TimeLayoutOf(part).size() == stored.size();
  const bool fixed = FixedWidth(part) != 0;
  SortRange& range = out.range;
  if (lower != nullptr) {
    range.low = BoundFormula(ranging, lower->right);
    const bool shortened = lower->right.IsLiteral() && time && range.low.pieces.back().text.size() < stored.size();
    if (Excludes(lower->comparator) && exact && !shortened)
      range.low.end = fixed ? Formula::End::kOpen : Formula::End::kAbove;
    if (exact) out.consumed.push_back(lower);
  }
  if (upper != nullptr) {
    range.high = BoundFormula(ranging, upper->right);
    const bool shortened = upper->right.IsLiteral() && time && range.high.pieces.back().text.size() < stored.size();
    const bool below = Excludes(upper->comparator) && exact;
    if (!below && fixed && !shortened) range.high.end = Formula::End::kOpen;
    const bool alone = lower == nullptr && ranging.prefix.empty();  // then < itself excludes the bound
    if (below && fixed && ranging.last && !alone && !shortened) range.high.end = Formula::End::kBelow;
    if (exact && (fixed || !Excludes(upper->comparator))) out.consumed.push_back(upper);
  }
  const Formula whole{StoredType::kS, ranging.prefix};
  if (lower == nullptr && ranging.prefix.empty()) {
    range.op = Excludes(upper->comparator) && exact ? SortRange::Op::kLess : SortRange::Op::kLessEqual;
    range.low = std::exchange(range.high, {});
  } else if (upper == nullptr && ranging.prefix.empty()) {
    range.op = SortRange::Op::kGreaterEqual;
  } else {
    range.op = SortRange::Op::kBetween;
    if (lower == nullptr) range.low = whole;
    if (upper == nullptr) range.high = whole, range.high.end = Formula::End::kOpen;
  }
}

void ReadCompiler::RangeOf(const Ranging& ranging, Sorted& out) {
  SortRange& range = out.range;
  range.attribute = ranging.key.attribute;
  range.of = ranging.part.kind == TemplatePart::Kind::kShard ? "" : ranging.part.text;
  if (pattern_.between && pattern_.between->attribute == range.of) {
    const bool down = ranging.part.format == Format::kDesc;  // the larger number has the smaller text
    range.op = SortRange::Op::kBetween;
    range.low = BoundFormula(ranging, down ? pattern_.between->to : pattern_.between->from);
    range.high = UpperFormula(ranging, down ? pattern_.between->from : pattern_.between->to);
    return;
  }
  if (pattern_.begins && pattern_.begins->attribute == range.of && ranging.key.value.type != StoredType::kN) {
    range.op = SortRange::Op::kBeginsWith;
    range.low = BoundFormula(ranging, pattern_.begins->prefix);
    return;
  }
  if (!range.of.empty() && WhereRange(ranging, out)) return;
  range.of.clear();
  if (ranging.prefix.empty()) return;
  range.op = SortRange::Op::kBeginsWith;
  range.low = {StoredType::kS, ranging.prefix};
}

ReadCompiler::Sorted ReadCompiler::SortOf(const Entity& entity, VariantId variant) {
  Sorted sorted;
  sorted.entity = static_cast<EntityId>(&entity - model_.entities.data());
  for (const std::string& attribute : model_.SortKey(index_)) {
    const KeyTemplate& key = *entity.FindKey(attribute, variant);
    std::vector<Piece> pieces;
    for (const TemplatePart& part : key.value.parts) {
      Piece piece = LiteralPiece(part.text);
      if (!part.IsLiteral() && !Bind(entity, part, false, piece = Piece())) {
        sorted.prefix = pieces;
        NoteFixed(entity, key.value, static_cast<size_t>(&part - key.value.parts.data()), sorted);
        RangeOf({key, part, pieces, &part == &key.value.parts.back()}, sorted);
        return sorted;
      }
      AppendPiece(pieces, std::move(piece));
    }
    sorted.prefix = pieces;
    sorted.equal.push_back({attribute, {key.value.type, std::move(pieces)}});
  }
  sorted.whole = true;
  return sorted;
}

namespace {

// Returns true if no other text of the part can be in a key that begins like one with this text, up to what follows it.
bool EndsThere(const Template& whole, size_t part, std::string_view text) {
  const TemplatePart& one = whole.parts[part];
  const Extent::Kind extent = ExtentOf(whole, part).kind;
  if (extent == Extent::Kind::kWidth || extent == Extent::Kind::kToByte) return true;
  if (one.alphabet != Alphabet::kChoice || !whole.parts[part + 1].IsLiteral()) return false;
  const char next = whole.parts[part + 1].text[0];
  return std::none_of(one.values.begin(), one.values.end(), [&](const std::string& other) {
    const size_t shared = std::min(other.size(), text.size());
    const std::string_view longer = other.size() > text.size() ? std::string_view(other) : text;
    return longer.size() > shared && other.compare(0, shared, text, 0, shared) == 0 && longer[shared] == next;
  });
}

}  // namespace

// Notes the attributes of the first parts that the read gives, as far as the key tells their values from all others.
void ReadCompiler::NoteFixed(const Entity& entity, const Template& whole, size_t parts, Sorted& out) const {
  for (size_t i = 0; i < parts; ++i) {
    const TemplatePart& part = whole.parts[i];
    if (part.kind != TemplatePart::Kind::kAttribute || !Recovers(part.format) || i + 1 == parts) continue;
    const std::optional<Operand> given = Given(entity, part.text);
    if (!given) continue;
    std::vector<std::string> texts = part.values;  // all that an input can be
    if (given->IsLiteral()) texts = {FormatValue(part.format, part.width, part.type, given->text)};
    if (texts.empty()) texts.emplace_back();
    const auto ends = [&](const std::string& text) { return EndsThere(whole, i, text); };
    if (std::all_of(texts.begin(), texts.end(), ends)) out.fixed.push_back(part.text);
  }
}

// Combines the conditions of several entities: the same condition if all agree, otherwise the longest common prefix of
// their sort keys.
void ReadCompiler::Combine(const std::vector<Sorted>& all, KeyRead& out) {
  const auto same = [](const Sorted& a, const Sorted& b) {
    const bool equal = a.equal.size() == b.equal.size() &&
                       std::equal(a.equal.begin(), a.equal.end(), b.equal.begin(),
                                  [](const KeyPart& x, const KeyPart& y) { return x.value.SameAs(y.value); });
    return equal && a.range.op == b.range.op && a.range.low.SameAs(b.range.low) && a.range.high.SameAs(b.range.high);
  };
  const bool agree = std::all_of(all.begin(), all.end(), [&](const Sorted& one) { return same(all[0], one); });
  if (agree) {
    out.sort = all[0].equal;
    out.range = all[0].range;
    out.whole_key = all[0].whole;
    in_range_ = all[0].consumed;
    for (const std::string& name : all[0].fixed) {
      const auto has = [&](const Sorted& one) { return Contains(one.fixed, name); };
      if (std::all_of(all.begin(), all.end(), has)) exactly_.push_back(name);
    }
    return;
  }
  const KeySide& sort_key = model_.SortKey(index_);
  if (sort_key.size() != 1) return;
  std::vector<Piece> shared = all[0].prefix;
  for (const Sorted& one : all) shared = SharedStart(shared, one.prefix);
  CutBack(shared, model_.table.separator);
  if (shared.empty()) return;
  out.range.op = SortRange::Op::kBeginsWith;
  out.range.attribute = sort_key[0];
  out.range.low = {StoredType::kS, std::move(shared)};
}

namespace {

// Compares a whole text with the texts that begin with a prefix, all known but for inputs: negative if they all come
// before it, positive if they all come after it, 0 if that depends on the inputs.
int SideOf(const std::vector<Piece>& prefix, const std::vector<Piece>& whole) {
  for (size_t i = 0; i < prefix.size(); ++i) {
    if (i == whole.size()) return 1;
    if (prefix[i].SameAs(whole[i])) continue;
    if (prefix[i].kind != Piece::Kind::kLiteral || whole[i].kind != Piece::Kind::kLiteral) return 0;
    const std::string& a = prefix[i].text;
    const std::string& b = whole[i].text;
    const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (left != a.end() && right != b.end())
      return static_cast<unsigned char>(*left) < static_cast<unsigned char>(*right) ? -1 : 1;
    // The prefix goes on after the end of the whole text.
    return left != a.end() && i + 1 == whole.size() ? 1 : 0;
  }
  return 0;
}

}  // namespace

ReadCompiler::Missing ReadCompiler::StartFrom(const std::vector<Sorted>& all, KeyRead& out) {
  const Entity& parent = model_.entities[*pattern_.from];
  const auto start =
      std::find_if(all.begin(), all.end(), [&](const Sorted& one) { return one.entity == *pattern_.from; });
  const KeySide& sort_key = model_.SortKey(index_);
  if (start == all.end() || !start->whole || sort_key.size() != 1) {
    const KeyTemplate* key = sort_key.empty() ? nullptr : parent.FindKey(sort_key[0]);
    return Refuse(Unserved::Why::kFrom, *pattern_.from, sort_key.empty() ? "" : sort_key[0],
                  kFromUnbound(parent.name, sort_key.empty() ? "sort key" : sort_key[0],
                               key != nullptr ? key->value.text : "none")
                      .message());
  }
  const std::vector<Piece>& whole = start->prefix;
  const std::vector<Piece>* last = nullptr;  // the prefix that is farthest from the item
  for (const Sorted& one : all) {
    if (&one == &*start) continue;
    const int side = SideOf(one.prefix, whole);
    if (side != (access_.forward ? 1 : -1)) {
      const Entity& entity = model_.entities[one.entity];
      return Refuse(Unserved::Why::kFrom, one.entity, sort_key[0],
                    kFromSide(parent.name, access_.forward ? "up" : "down", entity.name,
                              parent.FindKey(sort_key[0])->value.text, entity.FindKey(sort_key[0])->value.text)
                        .message());
    }
    if (last == nullptr || SideOf(one.prefix, *last) == side) last = &one.prefix;
  }
  out.range.op = SortRange::Op::kBetween;
  out.range.attribute = sort_key[0];
  out.range.low = {StoredType::kS, access_.forward ? whole : *last};
  out.range.high = {StoredType::kS, access_.forward ? *last : whole};
  if (access_.forward) out.range.high.end = Formula::End::kOpen;
  return {};
}

}  // namespace keyfold::model

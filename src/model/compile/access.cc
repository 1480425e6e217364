#include "model/compile/access.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "model/compile/access_compiler.h"
#include "model/core/calendar.h"

namespace keyfold::model {
namespace {

constexpr Rule<"the {} of {} is {}, and {} is not given"> kKeyUnbound{"access-unbound", Kind::kValidation};
constexpr Rule<"no entity of the result has the whole key of {}"> kNotInIndex{"access-not-in-index", Kind::kValidation};
constexpr Rule<"{} and {} are in different partitions ({} and {}), which one query cannot read"> kKeysDiffer{
    "access-keys-differ", Kind::kValidation};
constexpr Rule<"a get reads the table by its key; an index is read by query"> kGetOnIndex{"access-get-on-index",
                                                                                          Kind::kValidation};
constexpr Rule<"the read starts at the item of {}, whose {} is {}, and not all of it is given"> kFromUnbound{
    "access-from-unbound", Kind::kValidation};
constexpr Rule<
    "the read starts at the item of {} and goes {}, but items of {} are not all on that side of it ({} and {})">
    kFromSide{"access-from-side", Kind::kValidation};
constexpr Rule<"a condition with or or not tests {}, which is part of the key, and DynamoDB refuses that in a filter">
    kKeyFilter{"access-key-filter", Kind::kValidation};

void AppendPiece(std::vector<Piece>& pieces, Piece piece) {
  const bool merge =
      piece.kind == Piece::Kind::kLiteral && !pieces.empty() && pieces.back().kind == Piece::Kind::kLiteral;
  if (merge) {
    pieces.back().text += piece.text;
  } else {
    pieces.push_back(std::move(piece));
  }
}

Piece LiteralPiece(std::string text) {
  Piece piece;
  piece.text = std::move(text);
  return piece;
}

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

std::string_view RangeSign(SortRange::Op op) {
  constexpr std::string_view kSigns[] = {"", "", "", " < ", " <= ", " > ", " >= "};
  return kSigns[static_cast<size_t>(op)];
}

}  // namespace

std::string_view NameOf(Operation operation) {
  constexpr std::string_view kNames[] = {"GetItem",         "Query",          "Scan",
                                         "PutItem",         "UpdateItem",     "DeleteItem",
                                         "BatchGetItem",    "BatchWriteItem", "TransactWriteItems",
                                         "TransactGetItems"};
  return kNames[static_cast<size_t>(operation)];
}

Compiled Compile(const Model& model, PatternId id) {
  const Pattern& pattern = model.patterns[id];
  if (!pattern.Reads()) return WriteCompiler(model, id).Run();
  Compiled compiled = ReadCompiler(model, id, pattern.index, false).Run();
  auto* unserved = std::get_if<Unserved>(&compiled);
  if (unserved == nullptr || (pattern.verb != Verb::kGet && pattern.verb != Verb::kQuery)) return compiled;
  const auto serves = [&](std::optional<IndexId> index) {
    return std::holds_alternative<Access>(ReadCompiler(model, id, index, index.has_value()).Run());
  };
  unserved->served_by_table = pattern.index.has_value() && serves({});
  for (IndexId index = 0; index < model.indexes.size() && !unserved->served_by_table && !unserved->served_by; ++index) {
    if (pattern.index != index && serves(index)) unserved->served_by = index;
  }
  return compiled;
}

Compiled ReadCompiler::Run() {
  access_.pattern = id_;
  access_.forward = pattern_.order != Order::kDescending;
  if (pattern_.verb == Verb::kScan) return CompileScan();
  if (pattern_.verb == Verb::kQuery || as_query_) return CompileQuery();
  return CompileGets();
}

Unserved ReadCompiler::Refuse(Unserved::Why why, EntityId entity, std::string_view key, std::string message) const {
  Unserved unserved;
  unserved.pattern = id_;
  unserved.why = why;
  unserved.entity = entity;
  unserved.key_attribute = key;
  unserved.message = std::move(message);
  return unserved;
}

Unserved ReadCompiler::Unbound(EntityId entity, const KeyTemplate& key, const TemplatePart& part) const {
  const std::string missing = part.kind == TemplatePart::Kind::kShard ? "shard" : part.text;
  Unserved unserved = Refuse(
      Unserved::Why::kUnbound, entity, key.attribute,
      kKeyUnbound(key.attribute, model_.entities[entity].name, key.native ? "an attribute" : key.value.text, missing)
          .message());
  unserved.missing = missing;
  return unserved;
}

const Attribute* ReadCompiler::FindDeclared(std::string_view path) const {
  for (const EntityId id : pattern_.entities) {
    if (const Attribute* attribute = model_.entities[id].FindPath(path)) return attribute;
  }
  return nullptr;
}

const Attribute* ReadCompiler::FindAttribute(std::string_view name) const {
  for (const EntityId id : pattern_.entities) {
    if (const Attribute* attribute = model_.entities[id].Find(name)) return attribute;
  }
  return nullptr;
}

// Returns the operand that gives the attribute: from `by`, or from an equality in `where`.
std::optional<Operand> ReadCompiler::Given(const Entity& entity, std::string_view attribute) const {
  const auto id = static_cast<EntityId>(&entity - model_.entities.data());
  if (const Binding* given = FindBinding(pattern_.by, id, attribute)) return given->value;
  for (const Comparison& one : pattern_.where.all) {
    const bool equal = one.comparator == Comparator::kEqual && !one.size && one.path == attribute;
    if (equal && one.right.kind != Operand::Kind::kNow) return one.right;
  }
  if (free_) return Operand{Operand::Kind::kInput, std::string(attribute)};
  return {};
}

bool ReadCompiler::BindShard(const Entity& entity, const TemplatePart& part, Piece& out) {
  out.origin = &part;
  out.shards = part.shards;
  CHECK(entity.shard.has_value());
  if (entity.shard->hash_of) {
    if (const std::optional<Operand> given = Given(entity, *entity.shard->hash_of)) {
      const Attribute& hashed = *entity.Find(*entity.shard->hash_of);
      out.kind = given->IsLiteral() ? Piece::Kind::kLiteral : Piece::Kind::kShardOfHash;
      out.text = given->text;
      out.type = hashed.type;
      out.format = entity.shard->hash_format;
      out.width = entity.shard->hash_width;
      if (given->IsLiteral())
        out =
            LiteralPiece(std::to_string(ShardOf(FormatValue(out.format, out.width, out.type, out.text), part.shards)));
      return true;
    }
  }
  out.kind = Piece::Kind::kShardEach;
  if (free_) out.kind = Piece::Kind::kInput, out.text = "shard", out.type = AttributeType::kNumber;
  return pattern_.fanout || free_;
}

bool ReadCompiler::Bind(const Entity& entity, const TemplatePart& part, bool partition, Piece& out) {
  if (part.kind == TemplatePart::Kind::kShard) return BindShard(entity, part, out);
  out.format = part.format;
  out.width = part.width;
  out.type = part.type;
  out.origin = &part;
  if (const std::optional<Operand> given = Given(entity, part.text)) {
    if (given->IsLiteral()) {
      out = LiteralPiece(FormatValue(part.format, part.width, part.type, given->text));
    } else {
      out.kind = Piece::Kind::kInput;
      out.text = given->text;
    }
    return true;
  }
  const bool bucket =
      partition && IsBucket(part.format) && pattern_.between && pattern_.between->attribute == part.text;
  if (!bucket) return false;
  out.kind = Piece::Kind::kBucket;
  out.text = part.text;
  access_.buckets = BucketRange{part.text, part.format, pattern_.between->from, pattern_.between->to};
  return true;
}

ReadCompiler::Missing ReadCompiler::BindPartition(EntityId id, VariantId variant, std::vector<KeyPart>& out) {
  const Entity& entity = model_.entities[id];
  for (const std::string& attribute : model_.PartitionKey(index_)) {
    const KeyTemplate& key = *entity.FindKey(attribute, variant);
    KeyPart part{attribute, {key.value.type, {}}};
    for (const TemplatePart& one : key.value.parts) {
      Piece piece = LiteralPiece(one.text);
      if (!one.IsLiteral() && !Bind(entity, one, true, piece = Piece())) return Unbound(id, key, one);
      AppendPiece(part.value.pieces, std::move(piece));
    }
    out.push_back(std::move(part));
  }
  return {};
}

// Whether the equalities of `where` decide that items of the variant are wanted; nullopt if they do not say.
std::optional<bool> ReadCompiler::WantsVariant(const Entity& entity, VariantId variant) const {
  const auto equal = [&](std::string_view path) -> std::optional<std::string> {
    for (const Comparison& one : pattern_.where.all) {
      if (one.comparator == Comparator::kEqual && !one.size && one.path == path && one.right.IsLiteral())
        return one.right.text;
    }
    return {};
  };
  const auto declared = [&](std::string_view path) { return entity.FindPath(path); };
  const auto no_input = [](std::string_view) { return std::optional<std::string>(); };
  for (VariantId id = 0; id < entity.variants.size(); ++id) {
    const Condition& condition = entity.variants[id].condition;
    const std::vector<const Comparison*> all = ComparisonsOf(condition);
    const auto known = [&](const Comparison* one) { return equal(one->path).has_value(); };
    if (!std::all_of(all.begin(), all.end(), known)) {
      if (id == variant) return {};
      continue;
    }
    const bool holds = Holds(condition, {declared, equal, no_input, 0});
    if (id == variant) return holds;
    if (holds) return false;
  }
  return {};
}

// Adds the variants of the entity whose partition key is that of the read. Returns false if there is none; `missing`
// then says why for the entity's own keys.
bool ReadCompiler::AddVariants(EntityId id, KeyRead& read, Missing& missing) {
  const std::vector<VariantId> all =
      index_ ? model_.entities[id].VariantsIn(model_.indexes[*index_]) : std::vector<VariantId>{kNoVariant};
  std::vector<VariantId>& taken = read.variants.emplace_back();
  for (const VariantId variant : all) {
    if (all.size() > 1 && WantsVariant(model_.entities[id], variant) == false) continue;
    std::vector<KeyPart> partition;
    if (Missing unbound = BindPartition(id, variant, partition)) {
      if (variant == kNoVariant) missing = std::move(unbound);
      continue;
    }
    if (read.partition.empty()) read.partition = partition;
    const auto differs = std::find_if(partition.begin(), partition.end(), [&](const KeyPart& part) {
      return !part.value.SameAs(read.partition[static_cast<size_t>(&part - partition.data())].value);
    });
    if (differs == partition.end()) {
      taken.push_back(variant);
      for (const KeyPart& part : partition) NotePieces(part.value.pieces, part.value.pieces.size());
    } else if (variant == kNoVariant) {
      const Formula& first = read.partition[static_cast<size_t>(differs - partition.begin())].value;
      missing = Refuse(Unserved::Why::kKeysDiffer, id, differs->attribute,
                       kKeysDiffer(model_.entities[read.wanted[0]].name, model_.entities[id].name, first.ToString(),
                                   differs->value.ToString())
                           .message());
    }
  }
  const bool some = !taken.empty();
  if (taken.size() == all.size()) taken.clear();
  return some;
}

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
  TextRange(ranging, lower, upper, out);
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

// The range of the key's texts, inside the prefix. A coarser format than the value's reads more than is asked for; the
// comparison then stays in the filter.
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
    if (lower->comparator == Comparator::kGreater && exact && !shortened)
      range.low.end = fixed ? Formula::End::kOpen : Formula::End::kAbove;
    if (exact) out.consumed.push_back(lower);
  }
  if (upper != nullptr) {
    range.high = BoundFormula(ranging, upper->right);
    const bool shortened = upper->right.IsLiteral() && time && range.high.pieces.back().text.size() < stored.size();
    const bool below = upper->comparator == Comparator::kLess && exact;
    if (!below && fixed && !shortened) range.high.end = Formula::End::kOpen;
    if (below && fixed && ranging.last && !ranging.prefix.empty() && !shortened) range.high.end = Formula::End::kBelow;
    if (exact && (fixed || upper->comparator == Comparator::kLessEqual)) out.consumed.push_back(upper);
  }
  const Formula whole{StoredType::kS, ranging.prefix};
  if (lower == nullptr && ranging.prefix.empty()) {
    range.op = upper->comparator == Comparator::kLess && exact ? SortRange::Op::kLess : SortRange::Op::kLessEqual;
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
    range.op = SortRange::Op::kBetween;
    range.low = BoundFormula(ranging, pattern_.between->from);
    range.high = UpperFormula(ranging, pattern_.between->to);
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

ReadCompiler::Missing ReadCompiler::WantEntities(KeyRead& read) {
  read.index = index_;
  for (const EntityId id : pattern_.entities) {
    const bool held = !index_ || model_.entities[id].Has(model_.indexes[*index_]);
    (held ? read.wanted : read.absent).push_back(id);
  }
  if (read.wanted.empty()) {
    return Refuse(Unserved::Why::kNotInIndex, pattern_.entities[0], "",
                  kNotInIndex(model_.indexes[*index_].name).message());
  }
  return {};
}

Compiled ReadCompiler::CompileQuery() {
  access_.operation = Operation::kQuery;
  KeyRead& read = access_.reads.emplace_back();
  if (Missing missing = WantEntities(read)) return *std::move(missing);
  std::vector<Sorted> sorted;
  for (const EntityId id : read.wanted) {
    Missing missing;
    if (!AddVariants(id, read, missing)) return *std::move(missing);
    const std::vector<VariantId>& some = read.variants.back();
    const std::vector<VariantId> all =
        index_ && some.empty() ? model_.entities[id].VariantsIn(model_.indexes[*index_]) : some;
    if (all.empty()) sorted.push_back(SortOf(model_.entities[id], kNoVariant));
    for (const VariantId variant : all) sorted.push_back(SortOf(model_.entities[id], variant));
  }
  if (pattern_.from) {
    if (Missing missing = StartFrom(sorted, read)) return *std::move(missing);
  } else {
    Combine(sorted, read);
  }
  for (const KeyPart& part : read.partition) {
    for (const Piece& piece : part.value.pieces) {
      if (piece.kind == Piece::Kind::kShardEach) access_.shards = piece.shards;
    }
  }
  NoteUse(read);
  NoteSorted(sorted, read);
  if (Missing missing = CheckFilter()) return *std::move(missing);
  AddInputs();
  WriteKeyCondition();
  WriteFilter();
  return std::move(access_);
}

// Binds the whole key of one entity.
ReadCompiler::Missing ReadCompiler::ReadKeyOf(EntityId id, bool free, KeyRead& out) {
  free_ = free;
  out.wanted = {id};
  if (Missing missing = BindPartition(id, kNoVariant, out.partition)) return missing;
  const Entity& entity = model_.entities[id];
  Sorted sorted = SortOf(entity, kNoVariant);
  if (!sorted.whole) {
    const KeyTemplate& key = *entity.FindKey(model_.SortKey({})[sorted.equal.size()]);
    Piece unused;
    for (const TemplatePart& part : key.value.parts) {
      if (!part.IsLiteral() && !Bind(entity, part, false, unused)) return Unbound(id, key, part);
    }
  }
  out.sort = std::move(sorted.equal);
  out.whole_key = true;
  for (const auto* parts : {&out.partition, &out.sort}) {
    for (const KeyPart& part : *parts) NotePieces(part.value.pieces, part.value.pieces.size());
  }
  NoteUse(out);
  return {};
}

Compiled ReadCompiler::CompileGets() {
  if (index_) return Refuse(Unserved::Why::kGetOnIndex, pattern_.entities[0], "", kGetOnIndex().message());
  access_.operation = pattern_.verb == Verb::kBatchGet      ? Operation::kBatchGetItem
                      : pattern_.verb == Verb::kTransactGet ? Operation::kTransactGetItems
                                                            : Operation::kGetItem;
  if (pattern_.verb == Verb::kGet && pattern_.consistent == Consistency::kTransactional) {
    access_.operation = Operation::kTransactGetItems;
  }
  // Keys of a batch or a transaction are inputs, unless `by` names them.
  const bool free = pattern_.verb != Verb::kGet && (pattern_.by.empty() || pattern_.verb == Verb::kTransactGet);
  for (const EntityId id : pattern_.entities) {
    if (Missing missing = ReadKeyOf(id, free, access_.reads.emplace_back())) return *std::move(missing);
  }
  AddInputs();
  for (const Binding& one : pattern_.by) {
    if (Contains(in_key_, one.attribute)) continue;
    const auto hashed = [&](const KeyRead& read) {
      const std::optional<Shard>& shard = model_.entities[read.wanted[0]].shard;
      return shard && shard->hash_of == one.attribute;
    };
    const bool in_shard = std::any_of(access_.reads.begin(), access_.reads.end(), hashed);
    (in_shard ? access_.untested : access_.unused_by).push_back(one.attribute);
  }
  return std::move(access_);
}

Compiled ReadCompiler::CompileScan() {
  access_.operation = Operation::kScan;
  KeyRead& read = access_.reads.emplace_back();
  if (Missing missing = WantEntities(read)) return *std::move(missing);
  AddInputs();
  WriteFilter();
  return std::move(access_);
}

// Records the attributes whose values are part of the key. An attribute that only names the shard is not: other values
// have the same shard.
void ReadCompiler::NotePieces(const std::vector<Piece>& pieces, size_t count) {
  for (size_t i = 0; i < pieces.size() && i < count; ++i) {
    const bool input = pieces[i].kind == Piece::Kind::kInput && pieces[i].origin != nullptr;
    if (input && pieces[i].origin->kind == TemplatePart::Kind::kAttribute) in_key_.push_back(pieces[i].origin->text);
  }
}

// Records the attributes in the sort keys of all wanted entities, as far as the key condition has them.
void ReadCompiler::NoteSorted(const std::vector<Sorted>& all, const KeyRead& read) {
  const bool equal = !read.sort.empty() || read.whole_key;
  for (const Sorted& one : all) {
    for (const KeyPart& part : one.equal) {
      if (equal) NotePieces(part.value.pieces, part.value.pieces.size());
    }
    const size_t shared = read.range.op == SortRange::Op::kNone ? 0 : read.range.low.pieces.size();
    if (pattern_.from && one.entity != *pattern_.from) continue;
    NotePieces(one.prefix, pattern_.from ? one.prefix.size() : shared);
  }
}

// Records the attributes whose values the key condition fixes: an equality of `where` with one needs no filter if the
// key's text contains the whole value.
void ReadCompiler::NoteUse(const KeyRead& read) {
  const auto note = [&](const Entity& entity, const KeyTemplate& key) {
    for (const TemplatePart& part : key.value.parts) {
      const bool attribute = part.kind == TemplatePart::Kind::kAttribute;
      if (attribute && Given(entity, part.text) && Recovers(part.format)) exactly_.push_back(part.text);
    }
  };
  for (size_t i = 0; i < read.wanted.size(); ++i) {
    const Entity& entity = model_.entities[read.wanted[i]];
    const bool some = i < read.variants.size() && !read.variants[i].empty();
    const VariantId variant = some ? read.variants[i][0] : kNoVariant;
    for (const auto* parts : {&read.partition, &read.sort}) {
      for (const KeyPart& part : *parts) note(entity, *entity.FindKey(part.attribute, variant));
    }
  }
}

void ReadCompiler::AddInput(const Operand& operand, const Attribute* attribute) {
  if (operand.kind != Operand::Kind::kInput || operand.text.empty())
    return;  // exists() and missing() have no right side
  const auto same = [&](const Input& one) { return one.name == operand.text; };
  if (std::any_of(access_.inputs.begin(), access_.inputs.end(), same)) return;
  access_.inputs.push_back({operand.text, attribute, false, {}});
}

void ReadCompiler::AddInputsOf(const Formula& formula) {
  for (const Piece& piece : formula.pieces) {
    if (piece.kind != Piece::Kind::kInput && piece.kind != Piece::Kind::kShardOfHash) continue;
    const std::string& attribute = piece.kind == Piece::Kind::kInput ? piece.origin->text : piece.text;
    AddInput({Operand::Kind::kInput, piece.text}, FindAttribute(attribute));
  }
}

void ReadCompiler::AddInputs() {
  for (const Binding& one : pattern_.by) AddInput(one.value, FindAttribute(one.attribute));
  // The inputs of a free key.
  for (const KeyRead& read : access_.reads) {
    for (const KeyPart& part : read.partition) AddInputsOf(part.value);
    for (const KeyPart& part : read.sort) AddInputsOf(part.value);
  }
  if (pattern_.between) {
    AddInput(pattern_.between->from, FindAttribute(pattern_.between->attribute));
    AddInput(pattern_.between->to, FindAttribute(pattern_.between->attribute));
  }
  if (pattern_.begins) AddInput(pattern_.begins->prefix, FindAttribute(pattern_.begins->attribute));
  for (const Comparison* one : ComparisonsOf(pattern_.where)) {
    for (const Operand& operand : one->operands()) AddInput(operand, OperandAttribute(*one, FindDeclared(one->path)));
  }
}

void ReadCompiler::WriteKeyCondition() {
  ExpressionWriter writer(access_.aliases);
  const KeyRead& read = access_.read();
  for (const auto* parts : {&read.partition, &read.sort}) {
    for (const KeyPart& part : *parts) {
      ExpressionWriter::Join(access_.key_condition,
                             writer.Name(part.attribute) + " = " + writer.Value(part.attribute, part.value));
    }
  }
  const SortRange& range = read.range;
  if (range.op == SortRange::Op::kNone) return;
  const std::string name = writer.Name(range.attribute);
  std::string text;
  if (range.op == SortRange::Op::kBetween) {
    text = name + " BETWEEN " + writer.Value(range.attribute + "_from", range.low);
    text += " AND " + writer.Value(range.attribute + "_to", range.high);
  } else if (range.op == SortRange::Op::kBeginsWith) {
    text = "begins_with(" + name + ", " + writer.Value(range.attribute, range.low) + ')';
  } else {
    text = name + std::string(RangeSign(range.op)) + writer.Value(range.attribute, range.low);
  }
  ExpressionWriter::Join(access_.key_condition, text);
}

bool ReadCompiler::IsKeyAttribute(std::string_view attribute) const {
  if (pattern_.verb == Verb::kScan) return false;
  const auto in = [&](const KeySide& side) { return std::find(side.begin(), side.end(), attribute) != side.end(); };
  return in(model_.PartitionKey(index_)) || in(model_.SortKey(index_));
}

// DynamoDB refuses key attributes in a filter. The caller can test a comparison that has to hold, but not a part of a
// condition that may or may not.
ReadCompiler::Missing ReadCompiler::CheckFilter() const {
  for (const ConditionNode& node : pattern_.where.other) {
    for (const Comparison* one : ComparisonsOf(node)) {
      if (!IsKeyAttribute(one->attribute)) continue;
      return Refuse(Unserved::Why::kKeyFilter, pattern_.entities[0], one->attribute,
                    kKeyFilter(one->attribute).message());
    }
  }
  return {};
}

// A scan of a table or index with several entities filters the wanted ones by the type attribute.
void ReadCompiler::WriteTypeFilter(ExpressionWriter& writer) {
  const KeyRead& read = access_.read();
  const auto is_there = [&](const Entity& entity) { return !index_ || entity.Has(model_.indexes[*index_]); };
  const auto there = std::count_if(model_.entities.begin(), model_.entities.end(), is_there);
  const bool scan = pattern_.verb == Verb::kScan && !model_.table.type_attribute.empty();
  if (!scan || read.wanted.size() == static_cast<size_t>(there)) return;
  std::string list;
  for (const EntityId id : read.wanted) {
    const Formula value{StoredType::kS, {LiteralPiece(model_.entities[id].name)}};
    (list += list.empty() ? "" : ", ") += writer.Value(model_.table.type_attribute, value);
  }
  const std::string name = writer.Name(model_.table.type_attribute);
  ExpressionWriter::Join(access_.filter, read.wanted.size() == 1 ? name + " = " + list : name + " IN (" + list + ')');
}

// Writes the conditions that the key condition does not cover.
void ReadCompiler::WriteFilter() {
  ExpressionWriter writer(access_.aliases);
  const SortRange& range = access_.read().range;
  const auto add = [&](std::string_view attribute, const auto& make) {
    if (IsKeyAttribute(attribute)) return access_.untested.emplace_back(attribute), void();
    ExpressionWriter::Join(access_.filter, make(*FindAttribute(attribute)));
  };
  WriteTypeFilter(writer);
  for (const Binding& one : pattern_.by) {
    if (Contains(in_key_, one.attribute)) continue;
    access_.unused_by.push_back(one.attribute);
    add(one.attribute, [&](const Attribute& attribute) {
      return writer.Name(attribute.name) + " = " + writer.Value(one.value.text, OperandFormula(one.value, &attribute));
    });
  }
  if (pattern_.between && range.of != pattern_.between->attribute) {
    access_.range_filtered = true;
    add(pattern_.between->attribute, [&](const Attribute& attribute) {
      Formula to = OperandFormula(pattern_.between->to, &attribute);
      const bool input = to.type == StoredType::kS && to.pieces[0].kind == Piece::Kind::kInput;
      if (input) to.end = Formula::End::kOpen;
      std::string text = writer.Name(attribute.name) + " BETWEEN ";
      text += writer.Value(attribute.name + "_from", OperandFormula(pattern_.between->from, &attribute));
      return text + " AND " + writer.Value(attribute.name + "_to", to);
    });
  }
  if (pattern_.begins && range.of != pattern_.begins->attribute) {
    access_.range_filtered = true;
    add(pattern_.begins->attribute, [&](const Attribute& attribute) {
      return "begins_with(" + writer.Name(attribute.name) + ", " +
             writer.Value(attribute.name, OperandFormula(pattern_.begins->prefix, &attribute)) + ')';
    });
  }
  const auto formula_of = [&](const Comparison& one, const Operand& operand) {
    return OperandFormula(operand, OperandAttribute(one, FindDeclared(one.path)));
  };
  for (const Comparison& one : pattern_.where.all) {
    const bool in_key = std::find(in_range_.begin(), in_range_.end(), &one) != in_range_.end();
    const bool equal = one.comparator == Comparator::kEqual && !one.size && Contains(exactly_, one.path);
    if (in_key || equal) continue;
    add(one.attribute, [&](const Attribute&) { return writer.Compare(one, formula_of); });
  }
  for (const ConditionNode& one : pattern_.where.other) {
    ExpressionWriter::Join(access_.filter, writer.Compare(one, formula_of));
  }
}

}  // namespace keyfold::model

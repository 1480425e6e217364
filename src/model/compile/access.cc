#include "model/compile/access.h"

#include <algorithm>

#include "base/check.h"
#include "model/compile/access_compiler.h"
#include "model/compile/projection.h"
#include "model/core/calendar.h"

namespace keyfold::model {
namespace {

constexpr Rule<"the {} of {} is {}, and {} is not given"> kKeyUnbound{"access-unbound", Kind::kValidation};
constexpr Rule<"no entity of the result has the whole key of {}"> kNotInIndex{"access-not-in-index", Kind::kValidation};
constexpr Rule<"{} and {} are in different partitions ({} and {}), which one query cannot read"> kKeysDiffer{
    "access-keys-differ", Kind::kValidation};
constexpr Rule<"a get reads the table by its key; an index is read by query"> kGetOnIndex{"access-get-on-index",
                                                                                          Kind::kValidation};

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

const Attribute* ReadCompiler::FindAttribute(std::string_view name) const {
  for (const EntityId id : pattern_.entities) {
    if (const Attribute* attribute = model_.entities[id].Find(name)) return attribute;
  }
  return nullptr;
}

// Returns the operand that gives the attribute: from `by`, or from an equality in `where`.
std::optional<Operand> ReadCompiler::Given(std::string_view attribute) const {
  if (Contains(pattern_.by, attribute)) return Operand{Operand::Kind::kInput, std::string(attribute)};
  for (const Comparison& one : pattern_.where.all) {
    const bool equal = one.comparator == Comparator::kEqual && one.path == attribute;
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
    if (const std::optional<Operand> given = Given(*entity.shard->hash_of)) {
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
  if (const std::optional<Operand> given = Given(part.text)) {
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

ReadCompiler::Missing ReadCompiler::BindPartition(EntityId id, std::vector<KeyPart>& out) {
  const Entity& entity = model_.entities[id];
  for (const std::string& attribute : model_.PartitionKey(index_)) {
    const KeyTemplate& key = *entity.FindKey(attribute);
    KeyPart part{attribute, {key.value.type, {}, false}};
    for (const TemplatePart& one : key.value.parts) {
      Piece piece = LiteralPiece(one.text);
      if (!one.IsLiteral() && !Bind(entity, one, true, piece = Piece())) return Unbound(id, key, one);
      AppendPiece(part.value.pieces, std::move(piece));
    }
    out.push_back(std::move(part));
  }
  return {};
}

// A bound of a range: the prefix, then the bound in the placeholder's format. An upper bound of text also covers
// everything that begins with it, so that a shortened input includes its last unit. A literal shorter than the format
// stays as written (L09).
Formula ReadCompiler::BoundFormula(const Template& whole, const TemplatePart& part, std::vector<Piece> prefix,
                                   const Operand& bound, bool upper) const {
  Piece piece;
  piece.type = part.type;
  piece.format = part.format;
  piece.width = part.width;
  piece.origin = &part;
  piece.kind = Piece::Kind::kInput;
  piece.text = bound.text;
  const std::string_view layout =
      LayoutOf(part.format == Format::kPlain && part.type == AttributeType::kTime ? Format::kIsoMillis : part.format);
  bool shortened = false;
  if (bound.IsLiteral()) {
    piece = LiteralPiece(FormatValue(part.format, part.width, part.type, bound.text));
    piece.origin = &part;
    shortened = piece.text.size() < layout.size();
  }
  prefix.push_back(std::move(piece));  // the bound stays a piece of its own, not merged with the literal before it
  return {whole.type, std::move(prefix), upper && whole.type == StoredType::kS && !shortened};
}

bool ReadCompiler::WhereRange(const KeyTemplate& key, const TemplatePart& part, SortRange& out) {
  if (!key.value.IsLone()) return false;
  for (const Comparison& one : pattern_.where.all) {
    const std::optional<SortRange::Op> op = RangeOp(one.comparator);
    if (!op || one.path != part.text || (*op == SortRange::Op::kBeginsWith && key.value.type == StoredType::kN))
      continue;
    out.op = *op;
    out.low = OperandFormula(one.right, FindAttribute(part.text), true);
    out.low.pieces[0].origin = &part;
    in_range_ = &one;
    return true;
  }
  return false;
}

void ReadCompiler::RangeOf(const KeyTemplate& key, const TemplatePart& part, std::vector<Piece> prefix,
                           SortRange& out) {
  out.attribute = key.attribute;
  out.of = part.kind == TemplatePart::Kind::kShard ? "" : part.text;
  if (pattern_.between && pattern_.between->attribute == out.of) {
    out.op = SortRange::Op::kBetween;
    out.low = BoundFormula(key.value, part, prefix, pattern_.between->from, false);
    out.high = BoundFormula(key.value, part, std::move(prefix), pattern_.between->to, true);
    return;
  }
  if (pattern_.begins && pattern_.begins->attribute == out.of && key.value.type != StoredType::kN) {
    out.op = SortRange::Op::kBeginsWith;
    out.low = BoundFormula(key.value, part, std::move(prefix), pattern_.begins->prefix, false);
    return;
  }
  if (prefix.empty() && WhereRange(key, part, out)) return;
  out.of.clear();
  if (prefix.empty()) return;
  out.op = SortRange::Op::kBeginsWith;
  out.low = {StoredType::kS, std::move(prefix), false};
}

ReadCompiler::Sorted ReadCompiler::SortOf(const Entity& entity) {
  Sorted sorted;
  for (const std::string& attribute : model_.SortKey(index_)) {
    const KeyTemplate& key = *entity.FindKey(attribute);
    std::vector<Piece> pieces;
    for (const TemplatePart& part : key.value.parts) {
      Piece piece = LiteralPiece(part.text);
      if (!part.IsLiteral() && !Bind(entity, part, false, piece = Piece())) {
        sorted.prefix = pieces;
        RangeOf(key, part, std::move(pieces), sorted.range);
        return sorted;
      }
      AppendPiece(pieces, std::move(piece));
    }
    sorted.prefix = pieces;
    sorted.equal.push_back({attribute, {key.value.type, std::move(pieces), false}});
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
    return;
  }
  const KeySide& sort_key = model_.SortKey(index_);
  in_range_ = nullptr;
  if (sort_key.size() != 1) return;
  std::vector<Piece> shared = all[0].prefix;
  for (const Sorted& one : all) shared = SharedStart(shared, one.prefix);
  CutBack(shared, model_.table.separator);
  if (shared.empty()) return;
  out.range.op = SortRange::Op::kBeginsWith;
  out.range.attribute = sort_key[0];
  out.range.low = {StoredType::kS, std::move(shared), false};
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
    std::vector<KeyPart> partition;
    if (Missing missing = BindPartition(id, partition)) return *std::move(missing);
    if (read.partition.empty()) read.partition = partition;
    for (size_t i = 0; i < partition.size(); ++i) {
      if (partition[i].value.SameAs(read.partition[i].value)) continue;
      return Refuse(Unserved::Why::kKeysDiffer, id, partition[i].attribute,
                    kKeysDiffer(model_.entities[read.wanted[0]].name, model_.entities[id].name,
                                read.partition[i].value.ToString(), partition[i].value.ToString())
                        .message());
    }
    sorted.push_back(SortOf(model_.entities[id]));
  }
  Combine(sorted, read);
  for (const KeyPart& part : read.partition) {
    for (const Piece& piece : part.value.pieces) {
      if (piece.kind == Piece::Kind::kShardEach) access_.shards = piece.shards;
    }
  }
  NoteUse(read);
  AddInputs();
  WriteKeyCondition();
  WriteFilter();
  access_.fetches = Fetches();
  return std::move(access_);
}

// Binds the whole key of one entity.
ReadCompiler::Missing ReadCompiler::ReadKeyOf(EntityId id, bool free, KeyRead& out) {
  free_ = free;
  out.wanted = {id};
  if (Missing missing = BindPartition(id, out.partition)) return missing;
  const Entity& entity = model_.entities[id];
  Sorted sorted = SortOf(entity);
  if (!sorted.whole) {
    const KeyTemplate& key = *entity.FindKey(model_.SortKey({})[sorted.equal.size()]);
    Piece unused;
    for (const TemplatePart& part : key.value.parts) {
      if (!part.IsLiteral() && !Bind(entity, part, false, unused)) return Unbound(id, key, part);
    }
  }
  out.sort = std::move(sorted.equal);
  out.whole_key = true;
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
  for (const std::string& name : pattern_.by) {
    if (!Contains(in_key_, name)) access_.unused_by.push_back(name);
  }
  return std::move(access_);
}

Compiled ReadCompiler::CompileScan() {
  access_.operation = Operation::kScan;
  KeyRead& read = access_.reads.emplace_back();
  if (Missing missing = WantEntities(read)) return *std::move(missing);
  AddInputs();
  WriteFilter();
  access_.fetches = Fetches();
  return std::move(access_);
}

// Returns true if a local index lacks an attribute that the caller needs or the filter tests.
bool ReadCompiler::Fetches() const {
  if (!index_ || !model_.indexes[*index_].local || model_.indexes[*index_].project == Project::kAll) return false;
  std::vector<std::string> needed = pattern_.needs.value_or(std::vector<std::string>());
  for (const std::string& name : pattern_.merge.value_or(std::vector<std::string>())) needed.push_back(name);
  for (const auto& [alias, name] : access_.aliases.names) {
    if (UsesAlias(access_.filter, alias)) needed.push_back(name);
  }
  const auto lacks = [&](const std::string& name) {
    return std::any_of(access_.read().wanted.begin(), access_.read().wanted.end(), [&](EntityId id) {
      const Entity& entity = model_.entities[id];
      const bool has = entity.Find(name) != nullptr || name == model_.table.type_attribute;
      return has && !EntryGives(model_, model_.indexes[*index_], entity, name);
    });
  };
  return std::any_of(needed.begin(), needed.end(), lacks);
}

// Records which attributes the key condition fixes and which inputs it takes.
void ReadCompiler::NoteUse(const KeyRead& read) {
  const auto note = [&](const Formula& formula) {
    for (const Piece& piece : formula.pieces) {
      if (piece.kind == Piece::Kind::kInput && piece.origin != nullptr)
        in_key_.push_back(piece.origin->kind == TemplatePart::Kind::kShard ? "" : piece.origin->text);
      if (piece.kind == Piece::Kind::kShardOfHash) in_key_.push_back(piece.text);
    }
  };
  for (const auto* parts : {&read.partition, &read.sort}) {
    for (const KeyPart& part : *parts) note(part.value);
  }
  if (read.range.of.empty() && read.range.op == SortRange::Op::kBeginsWith) note(read.range.low);
  if (!read.range.of.empty()) {
    for (const Piece& piece : read.range.low.pieces) {
      if (piece.kind == Piece::Kind::kInput && piece.origin->text != read.range.of)
        in_key_.push_back(piece.origin->text);
    }
  }
  // Equalities of `where` need no filter if the key text contains the whole value.
  const auto filled = [&](const KeyTemplate& key, size_t parts) {
    for (size_t i = 0; i < key.value.parts.size() && i < parts; ++i) {
      const TemplatePart& part = key.value.parts[i];
      if (!part.IsLiteral() && Given(part.text) && Recovers(part.format)) exactly_.push_back(part.text);
    }
  };
  for (const EntityId id : read.wanted) {
    const Entity& entity = model_.entities[id];
    for (const KeyPart& part : read.partition) filled(*entity.FindKey(part.attribute), SIZE_MAX);
    for (const KeyPart& part : read.sort) filled(*entity.FindKey(part.attribute), SIZE_MAX);
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
  for (const std::string& name : pattern_.by) AddInput({Operand::Kind::kInput, name}, FindAttribute(name));
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
  for (const Comparison& one : pattern_.where.all) AddInput(one.right, FindAttribute(one.attribute));
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

// A scan of a table or index with several entities filters the wanted ones by the type attribute.
void ReadCompiler::WriteTypeFilter(ExpressionWriter& writer) {
  const KeyRead& read = access_.read();
  const auto is_there = [&](const Entity& entity) { return !index_ || entity.Has(model_.indexes[*index_]); };
  const auto there = std::count_if(model_.entities.begin(), model_.entities.end(), is_there);
  const bool scan = pattern_.verb == Verb::kScan && !model_.table.type_attribute.empty();
  if (!scan || read.wanted.size() == static_cast<size_t>(there)) return;
  std::string list;
  for (const EntityId id : read.wanted) {
    const Formula value{StoredType::kS, {LiteralPiece(model_.entities[id].name)}, false};
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
  for (const std::string& name : pattern_.by) {
    if (Contains(in_key_, name)) continue;
    access_.unused_by.push_back(name);
    add(name, [&](const Attribute& attribute) {
      return writer.Name(name) + " = " +
             writer.Value(name, OperandFormula({Operand::Kind::kInput, name}, &attribute, true));
    });
  }
  if (pattern_.between && range.of != pattern_.between->attribute) {
    access_.range_filtered = true;
    add(pattern_.between->attribute, [&](const Attribute& attribute) {
      Formula to = OperandFormula(pattern_.between->to, &attribute, true);
      to.open_end = to.type == StoredType::kS && to.pieces[0].kind == Piece::Kind::kInput;
      std::string text = writer.Name(attribute.name) + " BETWEEN ";
      text += writer.Value(attribute.name + "_from", OperandFormula(pattern_.between->from, &attribute, true));
      return text + " AND " + writer.Value(attribute.name + "_to", to);
    });
  }
  if (pattern_.begins && range.of != pattern_.begins->attribute) {
    access_.range_filtered = true;
    add(pattern_.begins->attribute, [&](const Attribute& attribute) {
      return "begins_with(" + writer.Name(attribute.name) + ", " +
             writer.Value(attribute.name, OperandFormula(pattern_.begins->prefix, &attribute, true)) + ')';
    });
  }
  for (const Comparison& one : pattern_.where.all) {
    if (&one == in_range_ || (one.comparator == Comparator::kEqual && Contains(exactly_, one.path))) continue;
    add(one.attribute, [&](const Attribute& attribute) {
      return writer.Compare(one, attribute, OperandFormula(one.right, &attribute, one.path == one.attribute));
    });
  }
}

}  // namespace keyfold::model

#include "model/compile/access.h"

#include <algorithm>

#include "base/check.h"
#include "model/compile/access_compiler.h"
#include "model/compile/pieces.h"
#include "model/compile/projection.h"
#include "model/core/path.h"

namespace keyfold::model {
namespace {

constexpr Rule<"the {} of {} is {}, and {} is not given"> kKeyUnbound{"access-unbound", Kind::kValidation};
constexpr Rule<"no entity of the result has the whole key of {}"> kNotInIndex{"access-not-in-index", Kind::kValidation};
constexpr Rule<"{} and {} are in different partitions ({} and {}), which one query cannot read"> kKeysDiffer{
    "access-keys-differ", Kind::kValidation};
constexpr Rule<"a get reads the table by its key; an index is read by query"> kGetOnIndex{"access-get-on-index",
                                                                                          Kind::kValidation};

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
  access_.fetches = Fetches();
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
    for (const std::string& input : InputsOfPath(one->path)) AddInput({Operand::Kind::kInput, input}, nullptr);
  }
}

}  // namespace keyfold::model

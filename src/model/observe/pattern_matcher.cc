#include "model/observe/pattern_matcher.h"

#include <algorithm>

#include "model/observe/item_judge.h"

namespace keyfold::model {
namespace {

// An operation and a set of numbers as a map key. Short ones need no allocation.
std::string SetKey(Operation operation, std::vector<uint32_t>& members) {
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  std::string key(1, static_cast<char>(operation));
  for (const uint32_t member : members) {
    for (int shift = 0; shift < 32; shift += 8) key.push_back(static_cast<char>(member >> shift));
  }
  return key;
}

uint32_t MemberOf(Verb verb, EntityId entity) { return entity * 16 + static_cast<uint32_t>(verb); }

// Resolves the alias: "status" for "#status = :status".
std::string_view AttributeOf(const Clause& clause, const Aliases& aliases) {
  const size_t end = clause.text.find_first_of(" .[,)");
  const std::string_view alias = std::string_view(clause.text).substr(0, end);
  for (const auto& [name, attribute] : aliases.names) {
    if (name == alias) return attribute;
  }
  return alias;
}

TemplatePart LiteralPart(std::string text) {
  TemplatePart part;
  part.text = std::move(text);
  return part;
}

bool IsLiteral(const Formula& formula) {
  return std::all_of(formula.pieces.begin(), formula.pieces.end(),
                     [](const Piece& piece) { return piece.kind == Piece::Kind::kLiteral; });
}

// Returns true if the sort condition is the same in every request and a request without it reads the same entities.
bool CanBeShortened(const KeyRead& read, const Coverage& coverage) {
  const bool literal_range = read.range.op == SortRange::Op::kBeginsWith && read.range.of.empty();
  if (read.range.op != SortRange::Op::kNone && !(literal_range && IsLiteral(read.range.low))) return false;
  if (read.range.op == SortRange::Op::kNone && read.sort.empty()) return false;
  if (!std::all_of(read.sort.begin(), read.sort.end(), [](const KeyPart& p) { return IsLiteral(p.value); }))
    return false;
  KeyRead bare = read;
  bare.sort.clear();
  bare.range = {};
  bare.whole_key = false;
  return coverage.Of(bare).size() == coverage.Of(read).size();
}

}  // namespace

PatternMatcher::PatternMatcher(const Model& model) : model_(model) {
  accesses_.resize(model.patterns.size());
  for (PatternId id = 0; id < model.patterns.size(); ++id) {
    Compiled compiled = Compile(model, id);
    if (auto* access = std::get_if<Access>(&compiled)) accesses_[id] = std::move(*access);
  }
  reads_.resize(2 * (model.indexes.size() + 1));
  scans_.resize(model.indexes.size() + 1);
  single_writes_.resize(kVerbs * model.entities.size());
  const Coverage coverage(model);
  for (PatternId id = 0; id < model.patterns.size(); ++id) {
    if (!accesses_[id]) continue;
    accesses_[id]->writes.empty() ? AddRead(id, *accesses_[id], coverage) : AddWrites(id, *accesses_[id]);
  }
}

PatternMatcher::Side PatternMatcher::SideOf(const Formula& formula, bool open, const std::string& separator) {
  Template whole;
  whole.type = formula.type;
  whole.separator = separator;
  for (const Piece& piece : formula.pieces) {
    if (piece.kind == Piece::Kind::kLiteral) {
      auto& parts = whole.parts;
      if (!parts.empty() && parts.back().IsLiteral()) {
        parts.back().text += piece.text;
      } else {
        parts.push_back(LiteralPart(piece.text));
      }
    } else if (piece.origin) {
      whole.parts.push_back(*piece.origin);
    } else {
      open = true;
      break;
    }
  }
  Side side;
  side.open = open;
  side.any = whole.parts.empty() || whole.type != StoredType::kS;
  side.form = ReadyKey(std::move(whole));
  return side;
}

bool PatternMatcher::SameKeys(const std::vector<Side>& a, const std::vector<Side>& b) {
  const auto same_part = [](const TemplatePart& x, const TemplatePart& y) {
    if (x.IsLiteral() || y.IsLiteral()) return x.IsLiteral() && y.IsLiteral() && x.text == y.text;
    return x.alphabet == y.alphabet && x.format == y.format && x.width == y.width && x.values == y.values &&
           x.shards == y.shards;
  };
  const auto same_side = [&](const Side& x, const Side& y) {
    const Template &of_x = x.form.whole(), &of_y = y.form.whole();
    return x.open == y.open && of_x.type == of_y.type &&
           std::equal(of_x.parts.begin(), of_x.parts.end(), of_y.parts.begin(), of_y.parts.end(), same_part);
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_side);
}

void PatternMatcher::AddRead(PatternId id, const Access& access, const Coverage& coverage) {
  if (access.operation == Operation::kScan) {
    scans_[access.read().index ? *access.read().index + 1 : 0].push_back(id);
    return;
  }
  if (access.operation != Operation::kGetItem && access.operation != Operation::kQuery) {
    std::vector<uint32_t> entities(model_.patterns[id].entities);
    key_sets_[SetKey(access.operation, entities)].push_back(id);
    return;
  }
  const KeyRead& read = access.read();
  const std::string& separator = model_.table.separator;
  std::vector<Side> partition;
  for (const KeyPart& part : read.partition) partition.push_back(SideOf(part.value, false, separator));
  ReadForm form;
  form.pattern = id;
  for (const KeyPart& part : read.sort) form.sort_equal.push_back(SideOf(part.value, false, separator));
  form.op = read.range.op;
  if (form.op != SortRange::Op::kNone) form.low = SideOf(read.range.low, !read.range.of.empty(), separator);
  form.limit = static_cast<int64_t>(model_.patterns[id].limit.value_or(0));
  form.forward = access.forward;
  form.filtered = !access.filter.empty();
  Place& place = reads_[PlaceOf(access.operation, read.index)];
  if (access.operation == Operation::kQuery && CanBeShortened(read, coverage)) {
    ReadForm shortened = form;
    shortened.sort_equal.clear();
    shortened.op = SortRange::Op::kNone;
    shortened.shortened = true;
    AddForm(partition, std::move(shortened), place);
  }
  AddForm(std::move(partition), std::move(form), place);
}

void PatternMatcher::AddForm(std::vector<Side> partition, ReadForm form, Place& place) {
  form.turn = place.turns++;
  for (Group& group : place.groups) {
    if (SameKeys(group.partition, partition)) return group.forms.push_back(std::move(form));
  }
  const std::string_view literal = partition.empty() ? std::string_view() : partition[0].form.whole().LeadingLiteral();
  place.by_partition.Add(literal, static_cast<uint32_t>(place.groups.size()));
  Group& group = place.groups.emplace_back();
  group.partition = std::move(partition);
  group.forms.push_back(std::move(form));
}

void PatternMatcher::AddWrites(PatternId id, const Access& access) {
  std::vector<uint32_t> members;
  WriteForm form;
  form.pattern = id;
  for (const Write& write : access.writes) {
    members.push_back(MemberOf(write.verb, write.entity));
    std::vector<std::string>& changed = form.changed.emplace_back();
    for (const Clause& clause : write.clauses) changed.emplace_back(AttributeOf(clause, write.aliases));
    std::sort(changed.begin(), changed.end());
  }
  const bool single = access.operation == Operation::kPutItem || access.operation == Operation::kUpdateItem ||
                      access.operation == Operation::kDeleteItem;
  (single ? single_writes_[SingleOf(access.writes[0].verb, access.writes[0].entity)]
          : write_sets_[SetKey(access.operation, members)])
      .push_back(std::move(form));
}

bool PatternMatcher::Fits(const Side& side, ValueView value) {
  if (!HasStoredType(value, side.form.whole().type)) return false;
  if (side.any) return true;
  const std::string_view text = value.AsText();
  if (side.open) return text.starts_with(side.form.whole().LeadingLiteral());
  return side.form.Fits(text);
}

bool PatternMatcher::AllFit(const std::vector<Side>& sides, std::span<const ValueView> values) {
  if (sides.size() != values.size()) return false;
  for (size_t i = 0; i < sides.size(); ++i) {
    if (!Fits(sides[i], values[i])) return false;
  }
  return true;
}

bool PatternMatcher::SortFits(const ReadForm& form, const ReadShape& shape) {
  return form.op == shape.op && AllFit(form.sort_equal, shape.sort_equal) &&
         (form.op == SortRange::Op::kNone || Fits(form.low, shape.low));
}

int PatternMatcher::ScoreOf(const ReadForm& form, const ReadShape& shape) {
  return (form.shortened ? 0 : 8) + (form.limit == shape.limit ? 4 : 0) + (form.forward == shape.forward ? 2 : 0) +
         (form.filtered == shape.filtered ? 1 : 0);
}

std::optional<PatternId> PatternMatcher::OfRead(Operation operation, const ReadShape& shape) const {
  const Place& place = reads_[PlaceOf(operation, shape.index)];
  if (place.groups.empty() || shape.partition.empty()) return std::nullopt;
  const ReadForm* best = nullptr;
  int best_score = -1;
  size_t best_literal = 0;
  const auto consider = [&](const Group& group) {
    const size_t literal = group.partition.empty() ? 0 : group.partition[0].form.whole().LeadingLiteral().size();
    bool fits = false;
    for (const ReadForm& form : group.forms) {
      if (!SortFits(form, shape)) continue;
      fits = fits || AllFit(group.partition, shape.partition);
      if (!fits) return;
      const int score = ScoreOf(form, shape);
      if (score < best_score) continue;
      if (best != nullptr && score == best_score && (literal > best_literal || form.turn > best->turn)) continue;
      best = &form;
      best_score = score;
      best_literal = literal;
    }
  };
  // Keys that are not strings have no literals.
  const ValueView first = shape.partition[0];
  place.by_partition.Walk(first.tag() == Tag::kS ? first.AsText() : std::string_view(),
                          [&](uint32_t id) { consider(place.groups[id]); });
  return best ? std::optional(best->pattern) : std::nullopt;
}

std::optional<PatternId> PatternMatcher::OfScan(std::optional<IndexId> index, bool filtered) const {
  const std::vector<PatternId>& scans = scans_[index ? *index + 1 : 0];
  for (const PatternId id : scans) {
    if (accesses_[id]->filter.empty() != filtered) return id;
  }
  return scans.empty() ? std::nullopt : std::optional(scans.front());
}

std::optional<PatternId> PatternMatcher::OfKeys(Operation operation, std::span<const EntityId> entities) const {
  std::vector<uint32_t> members(entities.begin(), entities.end());
  const auto it = key_sets_.find(SetKey(operation, members));
  return it != key_sets_.end() ? std::optional(it->second.front()) : std::nullopt;
}

int PatternMatcher::ScoreOf(const WriteForm& form, std::span<const WriteShape> shapes) const {
  const Access& access = *accesses_[form.pattern];
  int score = 0;
  for (const WriteShape& shape : shapes) {
    int best = -1;
    for (size_t i = 0; i < access.writes.size(); ++i) {
      const Write& write = access.writes[i];
      if (write.verb != shape.verb || write.entity != shape.entity) continue;
      const std::vector<std::string>& allowed = form.changed[i];
      const bool changes_fit = std::all_of(shape.changed.begin(), shape.changed.end(), [&](std::string_view name) {
        return std::binary_search(allowed.begin(), allowed.end(), name);
      });
      if (!changes_fit) continue;
      // Prefers the update that names more of its attributes, and the write that matches in having a condition.
      const int named = allowed.empty() ? 0 : static_cast<int>(8 * shape.changed.size() / allowed.size());
      best = std::max(best, named + (write.condition.empty() != shape.conditional ? 1 : 0));
    }
    if (best < 0) return -1;
    score += best;
  }
  return score;
}

const PatternMatcher::WriteForm* PatternMatcher::Best(const std::vector<WriteForm>& forms,
                                                      std::span<const WriteShape> shapes) const {
  const WriteForm* best = nullptr;
  int best_score = -1;
  for (const WriteForm& form : forms) {
    const int score = ScoreOf(form, shapes);
    if (score <= best_score) continue;
    best = &form;
    best_score = score;
  }
  return best;
}

std::optional<PatternId> PatternMatcher::OfWrites(Operation operation, std::span<const WriteShape> shapes) const {
  const WriteForm* best = nullptr;
  if (operation == Operation::kPutItem || operation == Operation::kUpdateItem || operation == Operation::kDeleteItem) {
    best = Best(single_writes_[SingleOf(shapes[0].verb, shapes[0].entity)], shapes);
  } else {
    std::vector<uint32_t> members;
    members.reserve(shapes.size());
    for (const WriteShape& shape : shapes) members.push_back(MemberOf(shape.verb, shape.entity));
    const auto it = write_sets_.find(SetKey(operation, members));
    if (it != write_sets_.end()) best = Best(it->second, shapes);
  }
  return best ? std::optional(best->pattern) : std::nullopt;
}

}  // namespace keyfold::model

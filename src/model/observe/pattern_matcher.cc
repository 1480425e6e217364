#include "model/observe/pattern_matcher.h"

#include <algorithm>

#include "model/core/action.h"
#include "model/observe/item_judge.h"
#include "model/observe/ready_condition.h"

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

// What a bound ends in to include or exclude the keys that begin with it (Formula::End).
constexpr std::string_view kLast = "\xEF\xBF\xBF";
constexpr char kNext = '\x01';

bool IsMarked(std::string_view text) { return text.ends_with(kLast) || text.ends_with(kNext); }

std::string_view WithoutMark(std::string_view text) {
  if (text.ends_with(kLast)) return text.substr(0, text.size() - kLast.size());
  return text.substr(0, text.size() - text.ends_with(kNext));
}

// What SET a = a + :x, a = if_not_exists(a, :y) - :x or a = list_append(a, :x) does to the old value.
std::optional<expr::UpdateOperand::Kind> ArithmeticOf(const expr::UpdateOperand& operand) {
  using Kind = expr::UpdateOperand::Kind;
  const bool computes =
      operand.kind == Kind::kPlus || operand.kind == Kind::kMinus || operand.kind == Kind::kListAppend;
  return computes ? std::optional(operand.kind) : std::nullopt;
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

PatternMatcher::Side PatternMatcher::SideOf(const Formula& formula, std::string_view ranging,
                                            const std::string& separator) {
  Template whole;
  whole.type = formula.type;
  whole.separator = separator;
  Side side;
  for (const Piece& piece : formula.pieces) {
    const bool value = piece.kind == Piece::Kind::kInput || piece.kind == Piece::Kind::kNow;
    if (piece.kind == Piece::Kind::kLiteral) {
      auto& parts = whole.parts;
      if (!parts.empty() && parts.back().IsLiteral()) {
        parts.back().text += piece.text;
      } else {
        parts.push_back(LiteralPart(piece.text));
      }
    } else if (!piece.origin || (value && piece.origin->text == ranging)) {
      side.open = true;
      break;
    } else {
      whole.parts.push_back(*piece.origin);
      // A placeholder is named after its input, as two attributes can have the same input. A bucket has none.
      whole.parts.back().text = value ? piece.text : '{' + piece.text;
    }
  }
  side.marked = formula.end != Formula::End::kNothing;
  side.any = whole.type != StoredType::kS || formula.pieces.empty();
  if (side.open) {
    side.start = ReadyKey(whole);
    TemplatePart rest;
    rest.kind = TemplatePart::Kind::kAttribute;
    rest.alphabet = Alphabet::kBytes;
    whole.parts.push_back(std::move(rest));
  }
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
    return of_x.type == of_y.type &&
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
  for (const KeyPart& part : read.partition) partition.push_back(SideOf(part.value, "", separator));
  ReadForm form;
  form.pattern = id;
  for (const KeyPart& part : read.sort) form.sort_equal.push_back(SideOf(part.value, "", separator));
  form.op = read.range.op;
  if (form.op != SortRange::Op::kNone) form.low = SideOf(read.range.low, read.range.of, separator);
  if (form.op == SortRange::Op::kBetween) form.high = SideOf(read.range.high, read.range.of, separator);
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
  FindRepeats(partition, form);
  for (Group& group : place.groups) {
    if (SameKeys(group.partition, partition)) return group.forms.push_back(std::move(form));
  }
  const std::string_view literal = partition.empty() ? std::string_view() : partition[0].form.whole().LeadingLiteral();
  place.by_partition.Add(literal, static_cast<uint32_t>(place.groups.size()));
  Group& group = place.groups.emplace_back();
  group.partition = std::move(partition);
  group.forms.push_back(std::move(form));
}

void PatternMatcher::FindRepeats(const std::vector<Side>& partition, ReadForm& form) {
  std::vector<const Template*> keys;
  for (const Side& side : partition) keys.push_back(&side.form.whole());
  for (const Side& side : form.sort_equal) keys.push_back(&side.form.whole());
  if (form.op != SortRange::Op::kNone && !form.low.any) keys.push_back(&form.low.form.whole());
  form.repeats = RepeatsIn(keys);
}

// What the update's own assignments change is required, unless the caller may leave it out. What keeps its index keys,
// its type and its version up to date is not: the item's drift shows whether that was forgotten.
PatternMatcher::Changes PatternMatcher::ChangesOf(const Pattern& pattern, const Write& write) const {
  Changes changes;
  if (write.verb != Verb::kUpdate) return changes;
  const Entity& entity = model_.entities[write.entity];
  for (const Assignment& one : AssignmentsOf(model_, pattern, *write.action)) {
    Change& change = changes.all.emplace_back();
    change.path = {one.attribute, StepsBelow(one.path, one.attribute)};
    change.required = !one.optional;
    change.how = kBySet;
    if (one.op == Assignment::Op::kSet) continue;
    const Attribute* declared = entity.FindPath(one.path);
    const bool adds = one.op == Assignment::Op::kAdd;
    const bool document = declared && IsDocument(declared->type);
    change.sign = document ? expr::UpdateOperand::Kind::kListAppend
                  : adds   ? expr::UpdateOperand::Kind::kPlus
                           : expr::UpdateOperand::Kind::kMinus;
    change.how = !document || !IsSet(declared->type) ? kBySet | kByAdd : adds ? kByAdd : kByDelete;
  }
  for (const std::string& path : write.action->remove) {
    const Attribute* head = entity.FindHead(path);
    const std::string& root = head ? head->name : path;
    changes.all.push_back({{root, StepsBelow(path, root)}, kByRemove, true, {}});
  }
  for (const Clause& clause : write.clauses) {
    const std::string_view root = AttributeOf(clause, write.aliases);
    const bool known = std::any_of(changes.all.begin(), changes.all.end(),
                                   [&](const Change& change) { return change.path.root == root; });
    if (!known) changes.all.push_back({{std::string(root), {}}, kByAny, false, {}});
  }
  const auto required = [](const Change& change) { return change.required; };
  changes.required = static_cast<size_t>(std::count_if(changes.all.begin(), changes.all.end(), required));
  return changes;
}

void PatternMatcher::AddWrites(PatternId id, const Access& access) {
  std::vector<uint32_t> members;
  WriteForm form;
  form.pattern = id;
  for (const Write& write : access.writes) {
    members.push_back(MemberOf(write.verb, write.entity));
    form.changes.push_back(ChangesOf(model_.patterns[id], write));
    form.repeats |= write.times > 1;
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
  const std::string_view text = side.marked ? WithoutMark(value.AsText()) : value.AsText();
  return side.form.Fits(text) || (side.open && side.start.Fits(text));
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

// The sides and the values fit each other.
bool PatternMatcher::RepeatsAgree(const ReadForm& form, const std::vector<Side>& partition, const ReadShape& shape) {
  const size_t equal = partition.size() + form.sort_equal.size();
  const auto read = [&](Repeat::Place place, KeyParts& parts, std::string& room) {
    const size_t sort = place.key - partition.size();
    const Side& side = place.key < partition.size() ? partition[place.key]
                       : place.key < equal          ? form.sort_equal[sort]
                                                    : form.low;
    const ValueView value = place.key < partition.size() ? shape.partition[place.key]
                            : place.key < equal          ? shape.sort_equal[sort]
                                                         : shape.low;
    return side.form.Read(ScalarText(value, room), parts);
  };
  return std::all_of(form.repeats.begin(), form.repeats.end(), [&](const Repeat& one) {
    KeyParts first, second;
    std::string first_room, second_room;
    // A bound without its last text has no parts to compare.
    if (!read(one.first, first, first_room) || !read(one.second, second, second_room)) return true;
    return AreAlike(one.likeness, first[one.first.part], second[one.second.part]);
  });
}

// How well a bound fits the side: 0 to 3.
int PatternMatcher::BoundScoreOf(const Side& side, ValueView value) {
  if (value.bytes().empty() || value.tag() != Tag::kS || side.any) return 0;
  const std::string_view text = value.AsText();
  return (side.form.Fits(WithoutMark(text)) ? 2 : 0) + (IsMarked(text) == side.marked ? 1 : 0);
}

int PatternMatcher::ScoreOf(const ReadForm& form, const ReadShape& shape) {
  int score = (form.shortened ? 0 : 64) + (form.limit == shape.limit ? 4 : 0) +
              (form.forward == shape.forward ? 2 : 0) + (form.filtered == shape.filtered ? 1 : 0);
  if (form.op == SortRange::Op::kBetween) {
    score += 8 * (BoundScoreOf(form.low, shape.low) + BoundScoreOf(form.high, shape.high));
  }
  return score;
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
      if (!form.repeats.empty() && !RepeatsAgree(form, group.partition, shape)) continue;
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

const PatternMatcher::Change* PatternMatcher::Find(const Changes& changes, const expr::Path& path, By how) {
  for (const Change& change : changes.all) {
    if ((change.how & how) != 0 && change.path == path) return &change;
  }
  return nullptr;
}

// An update names every path once.
int PatternMatcher::ScoreOf(const Changes& changes, const expr::Update* update) {
  size_t named = 0, required = 0;
  bool signs_agree = true;
  const auto take = [&](const expr::Path& path, By how) -> const Change* {
    const Change* change = Find(changes, path, how);
    if (!change) return nullptr;
    ++named;
    required += change->required ? 1 : 0;
    return change;
  };
  if (update) {
    for (const expr::Update::Set& set : update->sets) {
      const Change* change = take(set.path, kBySet);
      if (!change) return -1;
      signs_agree &= change->how == kByAny || change->sign == ArithmeticOf(set.operand);
    }
    for (const expr::Path& path : update->removes) {
      if (!take(path, kByRemove)) return -1;
    }
    for (const expr::Update::Change& add : update->adds) {
      if (!take(add.path, kByAdd)) return -1;
    }
    for (const expr::Update::Change& removal : update->deletes) {
      if (!take(removal.path, kByDelete)) return -1;
    }
  }
  if (required < changes.required) return -1;
  // Prefers the update that names more of its paths.
  const int share = changes.all.empty() ? 0 : static_cast<int>(16 * named / changes.all.size());
  return share + (signs_agree ? 2 : 0);
}

int PatternMatcher::ScoreOf(const WriteForm& form, std::span<const WriteShape> shapes) const {
  const Access& access = *accesses_[form.pattern];
  int score = 0;
  for (const WriteShape& shape : shapes) {
    int best = -1;
    for (size_t i = 0; i < access.writes.size(); ++i) {
      const Write& write = access.writes[i];
      if (write.verb != shape.verb || write.entity != shape.entity) continue;
      const int changes = ScoreOf(form.changes[i], shape.update);
      // Prefers the write that matches in having a condition.
      if (changes >= 0) best = std::max(best, changes + (write.condition.empty() != shape.conditional ? 1 : 0));
    }
    if (best < 0) return -1;
    score += best;
  }
  // Prefers as many writes as the pattern has.
  const bool as_many = form.repeats ? shapes.size() >= access.writes.size() : shapes.size() == access.writes.size();
  return score + (as_many ? 1 : 0);
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

// Finds the declared pattern of a request: a read by its operation, index, key condition shape and key literals; a
// write by what it does to which entities. Patterns with the same shape are distinguished by limit, direction and
// filter, if they differ in these.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expr/update.h"
#include "model/compile/access.h"
#include "model/keys/coverage.h"
#include "model/observe/key_agreement.h"
#include "model/observe/prefix_tree.h"
#include "model/observe/ready_key.h"
#include "value/item.h"

namespace keyfold::model {

// A GetItem, a Query, or an element of a larger request. Borrows the request's values.
struct ReadShape {
  std::optional<IndexId> index;
  std::span<const ValueView> partition;
  std::span<const ValueView> sort_equal;
  SortRange::Op op = SortRange::Op::kNone;
  ValueView low = {};   // the only operand of the range, or its lower end
  ValueView high = {};  // the upper end, for kBetween
  int64_t limit = 0;
  bool forward = true;
  bool filtered = false;
};

// One write of a request.
struct WriteShape {
  Verb verb = Verb::kPut;
  EntityId entity = 0;
  bool conditional = false;
  const expr::Update* update = nullptr;  // null unless it is an update with an expression
};

// Immutable, thread-safe. Views the Model, which outlives it.
class PatternMatcher {
 public:
  explicit PatternMatcher(const Model&);

  std::optional<PatternId> OfRead(Operation, const ReadShape&) const;  // kGetItem, kQuery
  std::optional<PatternId> OfScan(std::optional<IndexId>, bool filtered) const;
  // For BatchGetItem and TransactGetItems: the entities of their keys, in any order.
  std::optional<PatternId> OfKeys(Operation, std::span<const EntityId>) const;
  std::optional<PatternId> OfWrites(Operation, std::span<const WriteShape>) const;

  const Model& model() const { return model_; }
  // Null if no request serves the pattern.
  const Access* AccessOf(PatternId id) const { return accesses_[id] ? &*accesses_[id] : nullptr; }

 private:
  // One value of a key condition: the form that its text must have.
  struct Side {
    ReadyKey form;
    bool any = false;     // only its type matters
    bool open = false;    // a bound that ends in an input: the form has any text there
    ReadyKey start;       // the form of an open bound without that text
    bool marked = false;  // a bound whose text goes on after the value, to include or exclude what begins with it
  };
  struct ReadForm {
    PatternId pattern = 0;
    std::vector<Side> sort_equal;
    SortRange::Op op = SortRange::Op::kNone;
    Side low, high;
    // Places with one value. The keys are those of the partition, then `sort_equal`, then `low`.
    std::vector<Repeat> repeats;
    // These and the pattern's limit, direction and filter make up the score.
    bool shortened = false;  // without the pattern's sort condition, which would exclude nothing
    int64_t limit = 0;
    bool forward = true;
    bool filtered = false;
    uint32_t turn = 0;  // among forms with the same score, the lowest wins
  };
  // Forms with the same partition key, regardless of placeholder names.
  struct Group {
    std::vector<Side> partition;
    std::vector<ReadForm> forms;
  };
  struct Place {
    std::vector<Group> groups;
    PrefixTree by_partition;
    uint32_t turns = 0;
  };
  // A path that an update may change.
  struct Change {
    expr::Path path;
    uint8_t how = 0;                                // bits of By
    bool required = false;                          // an update without it is not the pattern's
    std::optional<expr::UpdateOperand::Kind> sign;  // what is done with the old value
  };
  enum By : uint8_t { kBySet = 1, kByRemove = 2, kByAdd = 4, kByDelete = 8, kByAny = 15 };
  struct Changes {
    std::vector<Change> all;
    size_t required = 0;  // how many are
  };
  struct WriteForm {
    PatternId pattern = 0;
    std::vector<Changes> changes;  // for each write of the access
    bool repeats = false;          // some action writes several items
  };

  // `ranging` is the attribute whose values a bound limits; empty for a whole value or a prefix.
  static Side SideOf(const Formula&, std::string_view ranging, const std::string& separator);
  static bool SameKeys(const std::vector<Side>&, const std::vector<Side>&);
  static bool Fits(const Side&, ValueView);
  static bool AllFit(const std::vector<Side>&, std::span<const ValueView>);
  static bool SortFits(const ReadForm&, const ReadShape&);
  static bool RepeatsAgree(const ReadForm&, const std::vector<Side>& partition, const ReadShape&);
  static void FindRepeats(const std::vector<Side>& partition, ReadForm&);
  static int BoundScoreOf(const Side&, ValueView);
  static int ScoreOf(const ReadForm&, const ReadShape&);
  Changes ChangesOf(const Pattern&, const Write&) const;
  static const Change* Find(const Changes&, const expr::Path&, By);
  // Negative if it is not this pattern.
  static int ScoreOf(const Changes&, const expr::Update*);
  int ScoreOf(const WriteForm&, std::span<const WriteShape>) const;
  const WriteForm* Best(const std::vector<WriteForm>&, std::span<const WriteShape>) const;
  void AddRead(PatternId, const Access&, const Coverage&);
  static void AddForm(std::vector<Side> partition, ReadForm, Place&);
  void AddWrites(PatternId, const Access&);
  static size_t PlaceOf(Operation operation, std::optional<IndexId> index) {
    return 2 * (index ? *index + 1 : 0) + (operation == Operation::kQuery ? 1 : 0);
  }
  static constexpr size_t kVerbs = 16;
  static size_t SingleOf(Verb verb, EntityId entity) { return entity * kVerbs + static_cast<size_t>(verb); }

  const Model& model_;
  std::vector<std::optional<Access>> accesses_;  // by pattern
  std::vector<Place> reads_;                     // by PlaceOf
  std::vector<std::vector<PatternId>> scans_;    // by index, the table first
  std::map<std::string, std::vector<PatternId>, std::less<>> key_sets_;
  // by operation, and the verbs and entities of the writes
  std::map<std::string, std::vector<WriteForm>, std::less<>> write_sets_;
  std::vector<std::vector<WriteForm>> single_writes_;  // by SingleOf: PutItem, UpdateItem, DeleteItem
};

}  // namespace keyfold::model

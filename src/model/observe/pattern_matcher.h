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

#include "model/compile/access.h"
#include "model/keys/coverage.h"
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
  ValueView low = {};  // lower end of the range
  int64_t limit = 0;
  bool forward = true;
  bool filtered = false;
};

// One write of a request.
struct WriteShape {
  Verb verb = Verb::kPut;
  EntityId entity = 0;
  bool conditional = false;
  std::span<const std::string_view> changed = {};  // for an update: the attributes it names
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
    bool open = false;  // a bound that comes from an input: only its leading literal is known
    bool any = false;   // only its type matters
  };
  struct ReadForm {
    PatternId pattern = 0;
    std::vector<Side> sort_equal;
    SortRange::Op op = SortRange::Op::kNone;
    Side low;
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
  struct WriteForm {
    PatternId pattern = 0;
    // For each write of the access: the attributes that an update may name, sorted.
    std::vector<std::vector<std::string>> changed;
  };

  static Side SideOf(const Formula&, bool open, const std::string& separator);
  static bool SameKeys(const std::vector<Side>&, const std::vector<Side>&);
  static bool Fits(const Side&, ValueView);
  static bool AllFit(const std::vector<Side>&, std::span<const ValueView>);
  static bool SortFits(const ReadForm&, const ReadShape&);
  static int ScoreOf(const ReadForm&, const ReadShape&);
  // Negative if it is not this pattern.
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

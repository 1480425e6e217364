// The function of a pattern in a generated program. Which functions exist, what their requests contain and in which
// order is the same in all languages and implemented here. Subclasses write it in one language.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/compile/access.h"
#include "model/generate/code.h"
#include "model/generate/program.h"
#include "model/generate/target.h"

namespace keyfold::model {

// Used by one thread at a time. Views its constructor arguments.
class PatternFunction {
 public:
  virtual ~PatternFunction() = default;
  PatternFunction(const PatternFunction&) = delete;
  PatternFunction& operator=(const PatternFunction&) = delete;

  // Writes the types of its inputs and results, then the function.
  void Write();

 protected:
  // A part of an update expression, and the test that decides whether a request contains it. An empty test means
  // always.
  struct GuardedClause {
    std::string test;
    std::string text;
  };
  // The clauses after one word: "SET".
  struct ClauseList {
    std::string_view word;
    std::vector<GuardedClause> clauses;  // at least one
  };
  // An update whose clauses depend on its inputs.
  struct GuardedUpdate {
    std::vector<ClauseList> lists;
    // If everything that it sets is optional: its inputs, of which one has to be given unless there is a condition.
    std::vector<std::string> optional;
  };
  // An attribute of an item to put, and what gives its value.
  struct ItemSource {
    EntityId entity = 0;
    const Attribute* attribute = nullptr;
    const Input* input = nullptr;  // nullptr for a literal or the current time, which is `value`
    std::string value;
    bool each = false;  // the input belongs to the repeated element
  };

  PatternFunction(const Program& program, const Target& target, const Access& access, Code& code)
      : program_(program),
        model_(program.model),
        pattern_(program.model.patterns[access.pattern]),
        access_(access),
        target_(target),
        code_(code) {}

  virtual void WriteTypes() = 0;
  virtual void WriteGet() = 0;
  virtual void WriteTransactGet() = 0;
  virtual void WriteBatchGet() = 0;
  virtual void WriteQuery() = 0;  // or a scan
  virtual void WriteSingle() = 0;
  virtual void WriteTransaction() = 0;
  virtual void WriteBatch() = 0;

  // An expression for an input. Inputs of a repeated element take precedence. An optional input is required here.
  virtual std::string InputOf(const model::Write*, std::string_view name) const = 0;
  // The same, but an optional input may be missing.
  virtual std::string GivenInput(const model::Write*, std::string_view name) const = 0;
  // Write a member of the current request.
  virtual void WriteText(std::string_view member, std::string_view text) = 0;
  virtual void WriteFlag(std::string_view member, bool) = 0;
  virtual void WriteCount(std::string_view member, uint64_t) = 0;
  virtual void WriteAliases(const Aliases&, const Names&) = 0;
  virtual void WriteGuardedUpdate(const model::Write&, const GuardedUpdate&) = 0;

  // Writes all members except the table's name. `shard` is an expression for the shard's text.
  void WriteQueryMembers(const std::string& shard);
  // Writes the update and the condition of one write.
  void WriteExpressions(const model::Write&);

  // The function's comment: what the pattern is for, its request, its cost, and what it leaves unchanged.
  std::vector<std::string> About() const;
  std::vector<ItemSource> ItemSourcesOf(const model::Write&) const;
  // A test whether the caller gives all optional inputs of a value; empty if it has none.
  std::string GivenTest(const model::Write&, const Formula&) const;
  // A test whether the range of the sort key is empty, in which case DynamoDB refuses the request; empty if it never
  // is.
  std::string EmptyRangeTest() const;
  // The conditions that the program tests itself, on `item`; empty if there are none.
  std::string OwnTests() const;
  // Returns true if the code must check whether items belong to a wanted entity.
  bool TestsEntities(const std::vector<Returned>&) const;
  // Returns true if the code leaves out items that are of no wanted entity or have expired.
  bool LeavesOut(const std::vector<Returned>&) const;
  // The attribute by which expired items that DynamoDB has not deleted yet are left out. Null if there is none, or if
  // the pattern itself says which items it wants.
  const Attribute* HidesBy(const Returned&) const;
  // Returns true if a condition can make the writes fail.
  bool IsConditional() const;
  bool IsStrong() const { return pattern_.consistent == Consistency::kStrong; }

  const Program& program_;
  const Model& model_;
  const Pattern& pattern_;
  const Access& access_;
  const Target& target_;
  Code& code_;

 private:
  const Input* FindInputOf(const model::Write&, std::string_view name) const;
  std::string GuardOf(const model::Write&, const Guard&) const;
  GuardedUpdate GuardedUpdateOf(const model::Write&) const;
};

// The name of a write inside a transaction: "Put".
std::string_view ElementName(Verb);

std::vector<KeyPart> WholeKey(const KeyRead&);

// The attributes of a LastEvaluatedKey of the read, each with its type: "S".
std::vector<std::pair<std::string, std::string_view>> CursorKeyOf(const Model&, const KeyRead&);

}  // namespace keyfold::model

// The function that a pattern is in a generated program. Which functions there are, what their requests hold and in
// which order is the same in every language and stands here; each language says it in its own words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/compile/access.h"
#include "model/generate/code.h"
#include "model/generate/program.h"
#include "model/generate/target.h"

namespace keyfold::model {

// One thread at a time. Views all that it is made of.
class PatternFunction {
 public:
  virtual ~PatternFunction() = default;
  PatternFunction(const PatternFunction&) = delete;
  PatternFunction& operator=(const PatternFunction&) = delete;

  // The types of its inputs and results, then the function.
  void Write();

 protected:
  // A part of an update expression, and the test that tells whether a request has it; empty: always.
  struct GuardedClause {
    std::string test;
    bool unless = false;
    std::string text;
  };
  // An attribute of an item that is put, and the input that it is.
  struct ItemSource {
    const Attribute* attribute = nullptr;
    const Input* input = nullptr;
    bool each = false;  // of the repeated element
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

  // An expression for an input; those of a repeated element come first. One that may be left out is demanded here.
  virtual std::string InputOf(const model::Write*, std::string_view name) const = 0;
  // Members of the request being written.
  virtual void WriteText(std::string_view member, std::string_view text) = 0;
  virtual void WriteFlag(std::string_view member, bool) = 0;
  virtual void WriteCount(std::string_view member, uint64_t) = 0;
  virtual void WriteAliases(const Aliases&, const Names&) = 0;
  // An update whose clauses depend on its inputs.
  virtual void WriteGuardedUpdate(const model::Write&, const std::vector<GuardedClause>& set,
                                  const std::vector<GuardedClause>& remove) = 0;

  // All but the table's name. `shard`: an expression for its text.
  void WriteQueryMembers(const std::string& shard);
  // The update and the condition of one write.
  void WriteExpressions(const model::Write&);

  // For people: what the pattern is for, its request, what it costs and what it leaves behind.
  std::vector<std::string> About() const;
  std::vector<ItemSource> ItemSourcesOf(const model::Write&) const;
  // Items are tested for being of a wanted entity.
  bool TestsEntities(const std::vector<Returned>&) const;
  // The attribute by which items that have ended, and that DynamoDB has not deleted yet, are left out; nullptr: none,
  // or the pattern says itself which it wants.
  const Attribute* HidesBy(const Returned&) const;
  // A condition may refuse its writes.
  bool IsConditional() const;
  bool IsStrong() const { return pattern_.consistent == Consistency::kStrong; }

  const Program& program_;
  const Model& model_;
  const Pattern& pattern_;
  const Access& access_;
  const Target& target_;
  Code& code_;

 private:
  std::string WhenOf(const model::Write&, const When&) const;
  std::vector<GuardedClause> ClausesOf(const model::Write&, Clause::Kind) const;
};

// "Put", as an element of a transaction is called.
std::string_view ElementName(Verb);

std::vector<KeyPart> WholeKey(const KeyRead&);

}  // namespace keyfold::model

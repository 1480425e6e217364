// A pattern's function in TypeScript. function.cc has what all of them have, reads.cc and writes.cc the rest.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/generate/entity_names.h"
#include "model/generate/pattern_function.h"
#include "model/generate/typescript/values.h"

namespace keyfold::model::typescript {

// One thread at a time. Views all that it is made of.
class FunctionCode final : public PatternFunction {
 public:
  // `name`: its own, taken in `scope` as those of `entities` are.
  FunctionCode(const Program&, const std::vector<EntityNames>& entities, const Values&, const Access&, std::string name,
               Scope& scope, Code&);

 private:
  void WriteTypes() override;
  void WriteGet() override;
  void WriteTransactGet() override;
  void WriteBatchGet() override;
  void WriteQuery() override;
  void WriteSingle() override;
  void WriteTransaction() override;
  void WriteBatch() override;

  std::string InputOf(const model::Write*, std::string_view name) const override;
  void WriteText(std::string_view member, std::string_view text) override;
  void WriteFlag(std::string_view member, bool) override;
  void WriteCount(std::string_view member, uint64_t) override;
  void WriteAliases(const Aliases&, const Names&) override;
  void WriteGuardedUpdate(const model::Write&, const std::vector<GuardedClause>& set,
                          const std::vector<GuardedClause>& remove) override;

  void WriteInput(const Input&);
  void WriteResultType();
  // The comment, then the first line.
  void OpenFunction(std::string_view keyword, const std::string& result, const std::string& more = "");
  void WritePage();
  void WriteLoop(const std::string& call);
  // What is done with each item of a loop that is of a wanted entity. `keep` is a format for it.
  void WriteKept(std::string_view keep);
  void WriteFanOut(const FanOut&);
  std::string Combined(const FanOut&, const std::string& streams) const;
  // The item that is put, or the key of what is updated or deleted. `before` and `after` stand around it.
  void WriteSubject(const model::Write&, const std::string& before, const std::string& after);
  void WriteElement(const model::Write&);

  std::string ElementType(const Returned&) const;
  std::string ReadCall(const Returned&, const std::string& item) const;
  // Of one entity as it is, of several with its name.
  std::string Tagged(const Returned&, bool several, const std::string& item) const;
  std::string TaggedType(const Returned&) const;
  std::string TypeOfResult(const std::vector<Returned>&) const;
  std::vector<std::string> KeyMembers(const std::vector<KeyPart>&, const Names&) const;
  std::string KeyObject(const std::vector<KeyPart>&, const Names&) const;
  std::string TokenText() const;
  // The SDK's call, by itself, or where a condition may refuse it by the runtime.
  void OpenSend(const std::string& before, std::string_view command);
  std::string_view SendEnd() const { return IsConditional() ? "})));" : "}));"; }
  std::string OwnTests() const;

  const std::vector<EntityNames>& entities_;
  const std::string function_;
  std::string result_type_;                           // of what a read gives, where that has a name of its own
  std::string input_type_;                            // empty: it takes no input
  std::map<const model::Write*, std::string> lists_;  // the member with the elements of a repeated write
  Scope& scope_;
};

}  // namespace keyfold::model::typescript

// The TypeScript function of a pattern. function.cc has the common part; reads.cc and writes.cc have the rest.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/generate/entity_names.h"
#include "model/generate/pattern_function.h"
#include "model/generate/typescript/values.h"

namespace keyfold::model::typescript {

// Used by one thread at a time. Views its constructor arguments.
class FunctionCode final : public PatternFunction {
 public:
  // `name` is the function's name. It and the names of `entities` are already taken in `scope`.
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
  std::string GivenInput(const model::Write*, std::string_view name) const override;
  // An input that is known to be given.
  std::string PresentInput(const model::Write*, std::string_view name, const std::string& value) const;
  void WriteText(std::string_view member, std::string_view text) override;
  void WriteFlag(std::string_view member, bool) override;
  void WriteCount(std::string_view member, uint64_t) override;
  void WriteAliases(const Aliases&, const Names&) override;
  void WriteGuardedUpdate(const model::Write&, const GuardedUpdate&) override;

  void WriteInput(const Input&);
  void WriteResultType();
  // Writes the comment, then the first line.
  void OpenFunction(std::string_view keyword, const std::string& result, bool paged = false);
  void WritePage();
  void WriteLoop(const std::string& call);
  // Writes what is done with one item. `keep` is a format for the statement that handles one of a wanted entity, `skip`
  // the statement for one that the caller does not get.
  void WriteKept(std::string_view keep, std::string_view skip);
  void WriteFanOut(const FanOut&);
  void WriteFanOutPage(const FanOut&);
  // Writes a local function that yields the items of one shard and bucket.
  void WritePart();
  std::string PartParameters() const;
  std::string BucketsText() const;
  // The attributes of the key in a cursor.
  std::string CursorKey() const;
  std::string OrderText(const FanOut&) const;
  // All shards and buckets, merged.
  std::string AllParts(const FanOut&) const;
  std::string Combined(const FanOut&, const std::string& streams) const;
  // Writes the item to put, or the key of the item to update or delete, between `before` and `after`.
  void WriteSubject(const model::Write&, const std::string& before, const std::string& after);
  void WriteElement(const model::Write&);

  std::string ElementType(const Returned&) const;
  std::string ReadCall(const Returned&, const std::string& item) const;
  // The item itself, or with its entity's name if there are several entities.
  std::string Tagged(const Returned&, bool several, const std::string& item) const;
  std::string TaggedType(const Returned&) const;
  std::string TypeOfResult(const std::vector<Returned>&) const;
  std::vector<std::string> KeyMembers(const std::vector<KeyPart>&, const Names&) const;
  std::string KeyObject(const std::vector<KeyPart>&, const Names&) const;
  std::string TokenText() const;
  // Writes the SDK call up to its arguments. If a condition can fail, the call goes through the runtime.
  void OpenSend(const std::string& before, std::string_view command);
  std::string_view SendEnd() const { return IsConditional() ? "})));" : "}));"; }

  const std::vector<EntityNames>& entities_;
  const std::string function_;
  std::string result_type_;                           // type of a read's results, if it has a name of its own
  std::string input_type_;                            // empty if it takes no input
  std::map<const model::Write*, std::string> lists_;  // the member with the elements of a repeated write
  Scope& scope_;
};

}  // namespace keyfold::model::typescript

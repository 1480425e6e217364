// The Python function of a pattern. function.cc has the common part; reads.cc and writes.cc have the rest.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/generate/entity_names.h"
#include "model/generate/pattern_function.h"
#include "model/generate/python/values.h"

namespace keyfold::model::python {

// Used by one thread at a time. Views its constructor arguments.
class FunctionCode final : public PatternFunction {
 public:
  // `name` is the function's name. It and the names of `entities` are already taken in `scope`.
  FunctionCode(const Program&, const std::vector<EntityNames>& entities, const Values&, const Access&, std::string name,
               Scope& scope, Code&);

 private:
  // A parameter that holds the elements of a repeated write.
  struct Elements {
    std::string name;
    std::string type;
  };

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
  std::string PresentInput(const model::Write*, std::string_view name) const;
  // A value in a request: maps with declared fields are converted.
  static std::string Converted(const Input*, const std::string& value);
  void WriteText(std::string_view member, std::string_view text) override;
  void WriteFlag(std::string_view member, bool) override;
  void WriteCount(std::string_view member, uint64_t) override;
  void WriteAliases(const Aliases&, const Names&) override;
  void WriteGuardedUpdate(const model::Write&, const GuardedUpdate&) override;

  // Writes the first line, then the docstring.
  void OpenFunction(const std::string& result, bool paged = false);
  void WriteResultType();
  // "Name=" or "\"Name\": ".
  std::string Member(std::string_view name) const;
  void WritePage();
  // Leaves the function with the statement if the range of the sort key is empty.
  void WriteEmptyRange(std::string_view statement);
  void WriteRequest();
  // Writes the loop over the items of one request, which reads those of the wanted entities. `keep` is a format for the
  // statement that handles one.
  void WriteLoop(const std::string& items, std::string_view keep);
  // Writes what is done with one item; `skip` is the statement for one that is not wanted.
  void WriteKept(std::string_view keep, std::string_view skip);
  void WriteFanOut(const FanOut&);
  void WriteFanOutPage(const FanOut&);
  // Writes a local function that yields the items of one shard and bucket.
  void WritePart();
  std::string PartParameters() const;
  // The attributes of the key in a cursor, as a dictionary.
  std::string CursorKey() const;
  std::string BucketsText() const;
  std::string OrderText(const FanOut&) const;
  std::string Combined(const FanOut&, const std::string& streams) const;
  // All shards and buckets, merged.
  std::string AllParts(const FanOut&) const;
  // Writes the item to put, or the key of the item to update or delete, between `before` and `after`.
  void WriteSubject(const model::Write&, const std::string& before, const std::string& after);
  void WriteElement(const model::Write&);

  std::string TypeOfInput(const Input&) const;
  // A value for an attribute of an item to put, from the input that gives it.
  std::string Given(const ItemSource&) const;
  std::string ElementType(const Returned&) const;
  std::string ReadCall(const Returned&, const std::string& item) const;
  // The item itself, or with its entity's name if there are several entities.
  std::string Tagged(const Returned&, bool several, const std::string& item) const;
  std::string TaggedType(const Returned&) const;
  std::string TypeOfResult(const std::vector<Returned>&) const;
  std::string KeyObject(const std::vector<KeyPart>&, const Names&) const;
  std::vector<std::string> KeyMembers(const std::vector<KeyPart>&, const Names&) const;
  std::string ParameterOf(std::string_view input) const;
  std::string TokenText() const;
  // Writes a write call up to its arguments. If a condition can fail, the call goes through the runtime.
  void OpenCall(const std::string& before, std::string_view method);

  const std::vector<EntityNames>& entities_;
  const std::string function_;
  std::map<std::string, std::string, std::less<>> parameters_;  // by input
  std::map<const model::Write*, Elements> lists_;
  std::map<EntityId, std::string> partial_types_;  // types of results that lack some of an entity's attributes
  MapNames maps_;                                  // the types of maps of all entities
  std::string batch_type_;                         // type of one key of a batch
  std::string result_type_;                        // type of a read's results, if it has a name of its own
  bool keyword_arguments_ = true;  // the current request is written as call arguments, otherwise as a dictionary
  Scope& scope_;
};

}  // namespace keyfold::model::python

// The C++ function of a pattern: it builds the pattern's requests and leaves sending them to the caller.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/generate/cpp/values.h"
#include "model/generate/entity_names.h"
#include "model/generate/pattern_function.h"

namespace keyfold::model::cpp {

// The names of an entity's declarations, and the members of its struct.
struct NamedEntity {
  EntityNames names;
  MemberNames members;
};

// Used by one thread at a time. Views its constructor arguments.
class FunctionCode final : public PatternFunction {
 public:
  // `name` is the function's name. It and the names of `entities` are already taken in `scope`.
  FunctionCode(const Program&, const std::vector<NamedEntity>& entities, const Values&, const Access&, std::string name,
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
  std::string GivenInput(const model::Write* write, std::string_view name) const override {
    return MemberOfInput(write, name);
  }
  void WriteText(std::string_view member, std::string_view text) override;
  void WriteFlag(std::string_view member, bool) override;
  void WriteCount(std::string_view member, uint64_t) override;
  void WriteAliases(const Aliases&, const Names&) override;
  void WriteGuardedUpdate(const model::Write&, const GuardedUpdate&) override;

  void WriteInput(const Input&, const MemberNames&);
  // Writes the comment, then the first line. `input` is the first parameter.
  void OpenFunction(std::string_view result, const std::string& input, bool paged = false);
  void WriteMember(std::string_view name, std::string_view value);
  // Writes the members of one write, after TableName.
  void WriteWrite(const model::Write&);
  void WriteElements();

  // The attributes of the key in a cursor, as a KeyTypes.
  std::string CursorKey() const;
  // The name of one request of a fan-out.
  std::string PartName() const;
  std::string NamesObject(const Aliases&) const;
  std::string KeyObject(const std::vector<KeyPart>&, const Names&) const;
  std::string ItemOf(const model::Write&) const;
  std::string MemberOfInput(const model::Write*, std::string_view name) const;
  std::string InputParameter() const;

  const std::vector<NamedEntity>& entities_;
  const std::string function_;
  std::string input_type_;  // empty if it takes no input
  MemberNames inputs_;
  std::map<const model::Write*, std::string> lists_;  // the member with the elements of a repeated write
  std::map<const model::Write*, MemberNames> each_;   // and the members of those elements
  Scope& scope_;
};

}  // namespace keyfold::model::cpp

// The two halves of the pattern compiler. Private to access*.cc.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/compile/access.h"
#include "model/compile/expression.h"

namespace keyfold::model {

// Compiles get, query, scan, batch_get and transact_get against the table or one index. Used by one thread at a time.
class ReadCompiler {
 public:
  // `as_query` compiles a get as a query, to see whether an index would serve it.
  ReadCompiler(const Model& model, PatternId id, std::optional<IndexId> index, bool as_query)
      : model_(model), id_(id), pattern_(model.patterns[id]), index_(index), as_query_(as_query) {}

  Compiled Run();

 private:
  // The conditions on an entity's sort key.
  struct Sorted {
    std::vector<KeyPart> equal;
    SortRange range;
    bool whole = false;
    std::vector<Piece> prefix;  // the known part of the first incomplete key attribute, or of the last one
  };
  using Missing = std::optional<Unserved>;

  Compiled CompileQuery();
  Compiled CompileGets();
  Compiled CompileScan();
  // Sorts the pattern's entities by whether the table or index can hold them. Fails if it can hold none.
  Missing WantEntities(KeyRead& read);
  Missing ReadKeyOf(EntityId entity, bool free, KeyRead& out);
  Missing BindPartition(EntityId entity, std::vector<KeyPart>& out);
  // Returns false if the placeholder is not given. `partition` allows a calendar bucket to be enumerated.
  bool Bind(const Entity& entity, const TemplatePart& part, bool partition, Piece& out);
  bool BindShard(const Entity& entity, const TemplatePart& part, Piece& out);
  std::optional<Operand> Given(std::string_view attribute) const;
  Sorted SortOf(const Entity& entity);
  void RangeOf(const KeyTemplate& key, const TemplatePart& part, std::vector<Piece> prefix, SortRange& out);
  bool WhereRange(const KeyTemplate& key, const TemplatePart& part, SortRange& out);
  void Combine(const std::vector<Sorted>& all, KeyRead& out);
  Formula BoundFormula(const Template& whole, const TemplatePart& part, std::vector<Piece> prefix, const Operand& bound,
                       bool upper) const;

  void NoteUse(const KeyRead& read);
  bool Fetches() const;
  void AddInputs();
  void AddInput(const Operand& operand, const Attribute* attribute);
  void AddInputsOf(const Formula& formula);
  void WriteKeyCondition();
  void WriteFilter();
  void WriteTypeFilter(ExpressionWriter& writer);
  bool IsKeyAttribute(std::string_view attribute) const;
  const Attribute* FindAttribute(std::string_view name) const;
  Unserved Unbound(EntityId entity, const KeyTemplate& key, const TemplatePart& part) const;
  Unserved Refuse(Unserved::Why why, EntityId entity, std::string_view key, std::string message) const;

  const Model& model_;
  PatternId id_;
  const Pattern& pattern_;
  std::optional<IndexId> index_;
  bool as_query_;
  bool free_ = false;  // attributes that are not given become inputs
  Access access_;
  std::vector<std::string> in_key_;       // attributes that the key condition uses
  std::vector<std::string> exactly_;      // attributes whose values the key condition fixes
  const Comparison* in_range_ = nullptr;  // the comparison of `where` that is the sort key's condition
};

// Compiles put, update, delete, batch_write and transact. Used by one thread at a time.
class WriteCompiler {
 public:
  WriteCompiler(const Model& model, PatternId id) : model_(model), pattern_(model.patterns[id]), id_(id) {}

  Compiled Run();

 private:
  std::optional<Unserved> CompileWrite(const Action& action, Write& out);
  std::optional<Unserved> WriteKeyParts(const Action& action, Write& out);
  std::optional<Unserved> CheckGiven(const Action& action, const KeyTemplate& key) const;
  void NoteInputsOf(const Entity& entity, const Formula& formula);
  void WriteItem(const Action& action, Write& out);
  void WriteUpdate(const Action& action, Write& out);
  void WriteAssignment(const Action& action, const Assignment& one, ExpressionWriter& writer, Write& out);
  void WriteIndexKeys(const Action& action, const std::vector<Assignment>& set, ExpressionWriter& writer, Write& out);
  void WriteIndex(IndexId index, const Action& action, const std::vector<Assignment>& set, ExpressionWriter& writer,
                  Write& out);
  void SetIndexKey(IndexId index, const Action& action, const KeyTemplate& key, const std::vector<Assignment>& set,
                   const When* only, ExpressionWriter& writer, Write& out);
  bool IsKnown(const Entity& entity, std::string_view attribute) const;
  void WriteCondition(const Action& action, Write& out);

  Formula KeyFormula(const Entity& entity, const Template& whole, Verb verb);
  Piece InputPiece(const Entity& entity, const TemplatePart& part);
  // The name of the input that gives an attribute of an entity. NoteInput also adds it to the inputs.
  std::string InputName(const Entity& entity, const Attribute& attribute);
  std::string NoteInput(const Operand& operand, const Entity& entity, const Attribute& attribute);
  void Note(std::string name, const Entity& entity, const Attribute* attribute, bool optional);

  const Model& model_;
  const Pattern& pattern_;
  PatternId id_;
  Access access_;
  std::vector<Input>* inputs_ = nullptr;  // where the current action's inputs go: the pattern's, or each element's
};

}  // namespace keyfold::model

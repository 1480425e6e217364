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
    EntityId entity = 0;
    std::vector<KeyPart> equal;
    SortRange range;
    bool whole = false;
    std::vector<Piece> prefix;  // the known part of the first incomplete key attribute, or of the last one
    std::vector<const Comparison*> consumed;  // comparisons of `where` that the range means exactly
    std::vector<std::string> fixed;           // attributes whose values the prefix gives, and ends
  };
  // A part of a sort key that ranges, with the known pieces before it.
  struct Ranging {
    const KeyTemplate& key;
    const TemplatePart& part;
    const std::vector<Piece>& prefix;
    bool last = false;  // nothing follows it in the template
  };
  using Missing = std::optional<Unserved>;

  Compiled CompileQuery();
  Compiled CompileGets();
  Compiled CompileScan();
  // Sorts the pattern's entities by whether the table or index can hold them. Fails if it can hold none.
  Missing WantEntities(KeyRead& read);
  Missing ReadKeyOf(EntityId entity, bool free, KeyRead& out);
  Missing BindPartition(EntityId entity, VariantId variant, std::vector<KeyPart>& out);
  std::optional<bool> WantsVariant(const Entity& entity, VariantId variant) const;
  bool AddVariants(EntityId entity, KeyRead& read, Missing& missing);
  // Returns false if the placeholder is not given. `partition` allows a calendar bucket to be enumerated.
  bool Bind(const Entity& entity, const TemplatePart& part, bool partition, Piece& out);
  bool BindShard(const Entity& entity, const TemplatePart& part, Piece& out);
  std::optional<Operand> Given(const Entity& entity, std::string_view attribute) const;
  Sorted SortOf(const Entity& entity, VariantId variant);
  void RangeOf(const Ranging& ranging, Sorted& out);
  bool WhereRange(const Ranging& ranging, Sorted& out);
  void LoneRange(const Ranging& ranging, const Comparison* lower, const Comparison* upper, Sorted& out);
  void TextRange(const Ranging& ranging, const Comparison* lower, const Comparison* upper, Sorted& out);
  void NoteFixed(const Entity& entity, const Template& whole, size_t parts, Sorted& out) const;
  void Combine(const std::vector<Sorted>& all, KeyRead& out);
  // The range of a read that starts at the item of `from`.
  Missing StartFrom(const std::vector<Sorted>& all, KeyRead& out);
  Formula BoundFormula(const Ranging& ranging, const Operand& bound) const;
  // An upper bound that also covers everything that begins with it.
  Formula UpperFormula(const Ranging& ranging, const Operand& bound) const;
  Missing CheckFilter() const;

  void NoteUse(const KeyRead& read);
  bool Fetches() const;
  void NotePieces(const std::vector<Piece>& pieces, size_t count);
  void NoteSorted(const std::vector<Sorted>& all, const KeyRead& read);
  void AddInputs();
  void AddInput(const Operand& operand, const Attribute* attribute);
  void AddInputsOf(const Formula& formula);
  void WriteKeyCondition();
  void WriteFilter();
  bool IsImplied(const Comparison& one) const;
  static bool Requires(const Condition& condition, const Comparison& one);
  static bool IsLeftOver(const Entity& entity, const Comparison& one);
  void WriteTypeFilter(ExpressionWriter& writer);
  bool IsKeyAttribute(std::string_view attribute) const;
  const Attribute* FindAttribute(std::string_view name) const;
  const Attribute* FindDeclared(std::string_view path) const;  // an attribute, or a declared field below one
  Unserved Unbound(EntityId entity, const KeyTemplate& key, const TemplatePart& part) const;
  Unserved Refuse(Unserved::Why why, EntityId entity, std::string_view key, std::string message) const;

  const Model& model_;
  PatternId id_;
  const Pattern& pattern_;
  std::optional<IndexId> index_;
  bool as_query_;
  bool free_ = false;  // attributes that are not given become inputs
  Access access_;
  std::vector<std::string> in_key_;          // attributes that the key condition uses
  std::vector<std::string> exactly_;         // attributes whose values the key condition fixes
  std::vector<const Comparison*> in_range_;  // the comparisons of `where` that the sort key's condition means
};

// Compiles put, update, delete, batch_write and transact. Used by one thread at a time.
class WriteCompiler {
 public:
  WriteCompiler(const Model& model, PatternId id) : model_(model), pattern_(model.patterns[id]), id_(id) {}

  Compiled Run();

 private:
  Access::Returned Returned() const;
  std::optional<Unserved> CompileWrite(const Action& action, Write& out);
  std::optional<Unserved> WriteKeyParts(const Action& action, Write& out);
  std::optional<Unserved> CheckGiven(const Action& action, const KeyTemplate& key) const;
  // Inputs that are in `optional` need not be given.
  void NoteInputsOf(const Entity& entity, const Formula& formula, const std::vector<std::string>& optional = {});
  void WriteItem(const Action& action, Write& out);
  void WriteUpdate(const Action& action, Write& out);
  void WriteAssignment(const Action& action, const Assignment& one, ExpressionWriter& writer, Write& out);
  struct IndexUpdate;
  void WriteIndex(IndexId index, const Action& action, const std::vector<Assignment>& set, ExpressionWriter& writer,
                  Write& out);
  void WriteVariants(IndexUpdate& update, const std::vector<std::string>& keys, Guards guards);
  bool TouchesVariants(const IndexUpdate& update) const;
  bool ReplacesIn(const Entity& entity, IndexId index) const;
  void WriteItemKey(const Entity& entity, IndexId index, const std::string& attribute, Write& out);
  void AssignPiece(const Entity& entity, const Assignment& one, Piece& piece);
  void SetIndexKey(IndexUpdate& update, const KeyTemplate& key, const Guards& guards);
  bool IsKnown(const Entity& entity, std::string_view attribute) const;
  std::vector<std::string> UnknownIn(const Condition& condition, const IndexUpdate& update) const;
  void WriteKnown(const std::vector<Assignment>& set, Write& out);
  void WriteCondition(const Action& action, Write& out);

  Formula KeyFormula(const Entity& entity, const Template& whole, Verb verb);
  Piece KeyPiece(const Entity& entity, const TemplatePart& part);
  Piece ShardPiece(const Entity& entity, const TemplatePart& part, Verb verb);
  // Where the current action takes an attribute's value from: `with`, `by`, or the input of its name.
  Operand OperandOf(const Entity& entity, const Attribute& attribute);
  // The name of the input that gives an attribute of an entity. NoteInput also adds it to the inputs.
  std::string InputName(const Entity& entity, const Attribute& attribute);
  std::string NoteInput(const Operand& operand, const Entity& entity, const Attribute& attribute,
                        bool optional = false);
  void Note(std::string name, const Entity& entity, const Attribute* attribute, bool optional);
  void NotePath(std::string_view path);

  const Model& model_;
  const Pattern& pattern_;
  PatternId id_;
  Access access_;
  const Action* action_ = nullptr;        // the current one
  std::vector<Input>* inputs_ = nullptr;  // where the current action's inputs go: the pattern's, or each element's
};

}  // namespace keyfold::model

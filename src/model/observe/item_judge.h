// Decides which entity of a model an item belongs to and what is wrong with it, for every item that requests read or
// write. The entity is found by the type attribute, or by the literals that the key starts with.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "model/core/model.h"
#include "model/observe/drift.h"
#include "model/observe/key_agreement.h"
#include "model/observe/name_table.h"
#include "model/observe/prefix_tree.h"
#include "model/observe/ready_condition.h"
#include "model/observe/ready_key.h"
#include "model/observe/value_form.h"
#include "value/item.h"

namespace keyfold::model {

// Buffers that are reused from item to item. Used by one thread at a time.
struct JudgeRoom {
  std::vector<ValueView> values;  // by name; empty bytes if absent
  std::vector<NameId> present;    // names of the attributes that are not absent
  KeyParts pk_parts, sk_parts, parts;
  std::string pk_text, sk_text, key_text, hashed;  // texts of number keys; the text that a shard hashes
  std::string text;                                // text of a number attribute
  NameId text_of = kNoName;                        // the name of that attribute
  // Cache for consecutive rows: the last type attribute seen, the judge that resolved it, and its entity.
  std::string type;
  uint64_t type_judge = 0;
  EntityId type_entity = 0;
};

// Immutable, thread-safe. Views the Model, which outlives it.
class ItemJudge {
 public:
  explicit ItemJudge(const Model&);

  // Finds the entity by the key alone.
  std::optional<EntityId> EntityOfKey(ItemView item_or_key, JudgeRoom&) const;
  // Finds the entity by the type attribute if the item has it, otherwise by the key. Checks nothing else.
  std::optional<EntityId> EntityOfItem(ItemView, JudgeRoom&) const;
  // Returns the entity that the item belongs to or should belong to. Appends everything that is wrong to `drifts`.
  std::optional<EntityId> Judge(ItemView, const Clock&, JudgeRoom&, std::vector<Drift>& drifts) const;

  // Splits an item into its attributes, as Judge does. `room` then views the item.
  void TakeApart(ItemView, JudgeRoom& room) const;
  // Copies the partition key of an index, as far as it fits into `out`, from the item that was split last. Returns the
  // number of values, 0 if some are missing.
  size_t PartitionOf(IndexId, const JudgeRoom&, std::span<ValueView> out) const;

 private:
  // An attribute that an item of an entity may have.
  struct Field {
    NameId name = kNoName;
    const Attribute* attribute = nullptr;
    StoredType type = StoredType::kS;  // the attribute's type
    ValueForm form = ValueForm::kAny;
    // A place in the table's key that has the value as it is, if there is one: an equal value has the form.
    std::optional<Repeat::Place> in_key;
    bool required = false;     // not optional, without a default, and not part of the key
    bool in_base_key = false;  // a placeholder of the key: the item need not repeat it
    bool foreign = false;      // a key attribute of an index that the entity does not declare
  };
  // A placeholder of a key that must agree with the item's attributes.
  struct Placeholder {
    uint32_t part = 0;
    NameId name = kNoName;  // for a shard: the hashed attribute
    StoredType type = StoredType::kS;
    bool is_shard = false;
    bool in_base_key = false;
    std::vector<Repeat> in_base;  // its places in the table's key, which are `first`
  };
  struct Key {
    const KeyTemplate* key = nullptr;
    ReadyKey form;
    NameId name = kNoName;
    std::vector<Placeholder> placeholders;
    std::vector<Repeat> repeats;   // within this key, if it is an index's
    std::optional<IndexId> index;  // nullopt for the table's own key
    const When* when = nullptr;
    ReadyCondition condition;  // that of `when`
  };
  // The index keys of a variant.
  struct VariantForm {
    ReadyCondition condition;
    std::vector<Key> index_keys;
  };
  struct Form {
    EntityId entity = 0;
    std::vector<Field> fields;          // by name
    Key pk, sk;                         // sk.key is null if the table has no sort key
    std::vector<Repeat> repeats;        // in the table's key: 0 is the partition key, 1 the sort key
    std::vector<NameId> repeated;       // their attributes; kNoName for the shard
    std::vector<Key> index_keys;        // keys with templates, of items that no variant's condition holds for
    std::vector<VariantForm> variants;  // in the entity's order
    std::vector<Key> native_keys;       // keys of indexes with a `when`
    NameId hash_name = kNoName;         // the attribute that the shard hashes
    AttributeType hash_type = AttributeType::kString;
    NameId ttl_name = kNoName;
  };
  // Empty bytes if absent.
  struct BaseKey {
    ValueView pk, sk;
  };
  class Examination;

  Form MakeForm(EntityId);
  Key MakeKey(const Form&, const KeyTemplate*) const;
  static void CompareWithBase(const Form&, Key&);
  void AddFields(const Entity&, Form&);
  void FindRepeats(Form&) const;
  void AddIndexKeys(const Entity&, VariantId, Form&, std::vector<Key>& out) const;

  BaseKey BaseKeyOf(ItemView) const;
  // Splits the key into `room`. Returns false if it does not fit the entity's templates.
  bool ReadsBaseKey(const Form&, const BaseKey&, JudgeRoom&) const;
  // Returns the first two places of one value that differ in the key that was split, or nullptr.
  static const Repeat* FindDifference(const Form&, const JudgeRoom&);
  bool FitsBaseKey(const Form&, const BaseKey&, JudgeRoom&) const;
  std::optional<EntityId> EntityOf(const BaseKey&, JudgeRoom&) const;
  std::optional<EntityId> EntityNamed(ValueView type) const;
  std::optional<EntityId> Identify(ItemView, JudgeRoom&, std::vector<Drift>&) const;

  const Model& model_;
  const uint64_t serial_;  // unique among all judges, so that a JudgeRoom's cache is used only with its own judge
  NameTable names_;        // all attributes that the model knows
  NameTable entity_names_;
  NameId pk_ = kNoName, sk_ = kNoName, type_ = kNoName;
  std::vector<std::vector<NameId>> index_pks_;  // by index
  std::vector<Form> forms_;                     // by entity
  PrefixTree by_pk_;
};

// Returns an attribute's value, with empty bytes if the item lacks it.
ValueView FindValue(ItemView item, std::string_view name);

// The text of a scalar in the form that templates use. `room` holds it if it has to be built.
std::string_view OtherScalarText(ValueView, std::string& room);
inline std::string_view ScalarText(ValueView value, std::string& room) {
  return value.tag() == Tag::kS ? value.AsText() : OtherScalarText(value, room);
}

// The key of an item as readable text: USER#1 / PROFILE.
std::string KeyForPeople(const Model&, ItemView);

}  // namespace keyfold::model

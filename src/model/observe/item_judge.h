// Whose item it is, and what is wrong with it: every item that requests read or write, against the entities of a
// model. Found by the type attribute, or by the literals its key starts with.
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
#include "model/observe/name_table.h"
#include "model/observe/prefix_tree.h"
#include "model/observe/ready_key.h"
#include "value/item.h"

namespace keyfold::model {

// Room that is used again from item to item. One thread at a time.
struct JudgeRoom {
  std::vector<ValueView> values;  // by name; empty bytes: absent
  std::vector<NameId> present;    // those that are not
  KeyParts pk_parts, sk_parts, parts;
  std::string pk_text, sk_text, key_text, hashed;  // of keys that are numbers; what a shard is the hash of
  std::string text;                                // of an attribute that is a number
  NameId text_of = kNoName;                        // which one
  // Of rows one behind the other: the type attribute that was seen last, and who in whose model that is.
  std::string type;
  uint64_t type_judge = 0;
  EntityId type_entity = 0;
};

// Immutable, thread-safe. Views the Model, which outlives it.
class ItemJudge {
 public:
  explicit ItemJudge(const Model&);

  // By the key alone.
  std::optional<EntityId> EntityOfKey(ItemView item_or_key, JudgeRoom&) const;
  // By the type attribute if the item has it, else by the key; nothing else is looked at.
  std::optional<EntityId> EntityOfItem(ItemView, JudgeRoom&) const;
  // Whose it is, or would be; all that is wrong goes to `drifts`.
  std::optional<EntityId> Judge(ItemView, const Clock&, JudgeRoom&, std::vector<Drift>& drifts) const;

  // Takes an item's attributes apart, as Judge does; `room` then views the item.
  void TakeApart(ItemView, JudgeRoom& room) const;
  // Of the item that was taken apart last: the partition key of an index, as far as `out` has room for it. How many
  // values, 0 where it has not all of them.
  size_t PartitionOf(IndexId, const JudgeRoom&, std::span<ValueView> out) const;

 private:
  // An attribute that an item of an entity may have.
  struct Field {
    NameId name = kNoName;
    const Attribute* attribute = nullptr;
    StoredType type = StoredType::kS;  // of the attribute
    bool required = false;             // it is neither optional, nor has it a default, nor does the key say it
    bool in_base_key = false;          // a placeholder of it: the item need not say it again
    bool foreign = false;              // a key attribute of an index that the entity does not declare
  };
  // A placeholder of a key that the item's attributes have to agree with.
  struct Placeholder {
    uint32_t part = 0;
    NameId name = kNoName;  // of a shard: what is hashed
    StoredType type = StoredType::kS;
    bool is_shard = false;
    bool in_base_key = false;
  };
  struct Key {
    const KeyTemplate* key = nullptr;
    ReadyKey form;
    NameId name = kNoName;
    std::vector<Placeholder> placeholders;
    std::optional<IndexId> index;  // nothing: the table's own
    const When* when = nullptr;
    bool when_is_plain = false;  // comparisons of texts with literals only
  };
  struct Form {
    EntityId entity = 0;
    std::vector<Field> fields;     // by name
    Key pk, sk;                    // sk.key null: the table has no sort key
    std::vector<Key> index_keys;   // templates
    std::vector<Key> native_keys;  // of indexes with a `when`
    NameId hash_name = kNoName;    // of the shard's hash
    AttributeType hash_type = AttributeType::kString;
    NameId ttl_name = kNoName;
  };
  // Empty bytes: absent.
  struct BaseKey {
    ValueView pk, sk;
  };
  class Examination;

  Form MakeForm(EntityId);
  Key MakeKey(const Form&, const KeyTemplate*) const;
  void AddFields(const Entity&, Form&);
  void AddIndexKeys(const Entity&, Form&) const;
  bool IsPlain(const Entity&, const When&) const;

  BaseKey BaseKeyOf(ItemView) const;
  bool FitsBaseKey(const Form&, const BaseKey&, JudgeRoom&) const;
  std::optional<EntityId> EntityOf(const BaseKey&, JudgeRoom&) const;
  std::optional<EntityId> EntityNamed(ValueView type) const;
  std::optional<EntityId> Identify(ItemView, JudgeRoom&, std::vector<Drift>&) const;

  const Model& model_;
  const uint64_t serial_;  // of all judges that ever were; what a room remembers is of one of them
  NameTable names_;        // of all attributes that the model knows
  NameTable entity_names_;
  NameId pk_ = kNoName, sk_ = kNoName, type_ = kNoName;
  std::vector<std::vector<NameId>> index_pks_;  // by index
  std::vector<Form> forms_;                     // by entity
  PrefixTree by_pk_;
};

// An attribute's value; empty bytes: the item has it not.
ValueView FindValue(ItemView item, std::string_view name);

// The text of a scalar as templates have it; `room` holds it where it has to be made.
std::string_view OtherScalarText(ValueView, std::string& room);
inline std::string_view ScalarText(ValueView value, std::string& room) {
  return value.tag() == Tag::kS ? value.AsText() : OtherScalarText(value, room);
}

bool HasOtherStoredType(ValueView, StoredType);
inline bool HasStoredType(ValueView value, StoredType type) {
  return value.tag() == Tag::kS ? type == StoredType::kS : HasOtherStoredType(value, type);
}

// The key of an item, for people: USER#1 / PROFILE.
std::string KeyForPeople(const Model&, ItemView);

}  // namespace keyfold::model

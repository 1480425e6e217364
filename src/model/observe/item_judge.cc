#include "model/observe/item_judge.h"

#include <algorithm>
#include <atomic>

#include "base/check.h"
#include "base/text/base64.h"
#include "model/observe/key_agreement.h"
#include "value/number.h"

namespace keyfold::model {
namespace {

constexpr Rule<"its key {} fits no entity"> kKeyFitsNoEntity{"drift-no-entity", Kind::kValidation};
constexpr Rule<"it has no {}, but its key is that of {}"> kTypeAttributeMissing{"drift-no-type", Kind::kValidation};
constexpr Rule<"its {} is {}, but its key is that of {}"> kOtherType{"drift-other-type", Kind::kValidation};
constexpr Rule<"its {} is {}, but its key {} does not fit {}"> kKeyMisfit{"drift-key-misfit", Kind::kValidation};
constexpr Rule<"its {} is {}, which contradicts its {}"> kKeyDisagrees{"drift-key-disagrees", Kind::kValidation};
constexpr Rule<"{} must be {}, but is {}"> kAttributeWrongType{"drift-attribute-type", Kind::kValidation};
constexpr Rule<"{} is \"{}\", which is not one of its values"> kNotInEnum{"drift-not-in-enum", Kind::kValidation};
constexpr Rule<"{} is missing"> kAttributeMissing{"drift-missing", Kind::kValidation};
constexpr Rule<"it has {}, a key of {}, which {} does not declare"> kForeignKey{"drift-foreign-key", Kind::kValidation};
constexpr Rule<"{} is missing, so it is not in {}: it should be {}"> kIndexKeyMissing{"drift-index-key-missing",
                                                                                      Kind::kValidation};
constexpr Rule<"{} is {}, which does not fit {}"> kIndexKeyMisfit{"drift-index-key-misfit", Kind::kValidation};
constexpr Rule<"it has {} although {} does not hold: remove the keys of {}"> kKeptSparse{"drift-sparse",
                                                                                         Kind::kValidation};
constexpr Rule<"{} must be a number of seconds since 1970, but is {}: it never expires"> kTtlType{"drift-ttl-type",
                                                                                                  Kind::kValidation};
constexpr Rule<"{} is {}, which is in milliseconds: store seconds, or it never expires"> kTtlMillis{"drift-ttl-millis",
                                                                                                    Kind::kValidation};
constexpr Rule<"{} is {}, more than five years in the past: it never expires"> kTtlPast{"drift-ttl-past",
                                                                                        Kind::kValidation};

constexpr int64_t kMillisFrom = 100'000'000'000;  // as seconds, this is after the year 5000
constexpr int64_t kFiveYearsS = 5LL * 365 * 24 * 3600;

uint64_t NextSerial() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

ValueView FindPart(ItemView item, const KeySide& side) { return side.empty() ? ValueView() : FindValue(item, side[0]); }

bool ReadsAs(const ReadyKey& form, ValueView value, std::string& room, KeyParts& parts) {
  return HasStoredType(value, form.whole().type) && form.Read(ScalarText(value, room), parts);
}

}  // namespace

std::string_view NameOf(DriftKind kind) {
  constexpr std::string_view kNames[kDriftKinds] = {"no_entity", "type_attribute", "key",    "attribute_type",
                                                    "missing",   "index_key",      "sparse", "ttl"};
  return kNames[static_cast<size_t>(kind)];
}

ValueView FindValue(ItemView item, std::string_view name) { return item.Find(name).value_or(ValueView()); }

bool HasOtherStoredType(ValueView value, StoredType type) {
  switch (type) {
    case StoredType::kS:
      return value.tag() == Tag::kS;
    case StoredType::kN:
      return value.tag() == Tag::kN;
    case StoredType::kB:
      return value.tag() == Tag::kB;
    case StoredType::kBool:
      return value.tag() == Tag::kTrue || value.tag() == Tag::kFalse;
    case StoredType::kL:
      return value.tag() == Tag::kL;
    case StoredType::kM:
      return value.tag() == Tag::kM;
    case StoredType::kSS:
      return value.tag() == Tag::kSS;
    case StoredType::kNS:
      return value.tag() == Tag::kNS;
    case StoredType::kBS:
      return value.tag() == Tag::kBS;
  }
  return false;
}

std::string_view OtherScalarText(ValueView value, std::string& room) {
  switch (value.tag()) {
    case Tag::kS:
    case Tag::kB:
      return value.AsText();
    case Tag::kN:
      room.clear();
      Number::Decode(value.AsEncodedNumber()).PrintTo(room);
      return room;
    case Tag::kTrue:
      return "true";
    case Tag::kFalse:
      return "false";
    default:
      return "";
  }
}

std::string KeyForPeople(const Model& model, ItemView item) {
  std::string out;
  for (const KeySide* side : {&model.table.pk, &model.table.sk}) {
    const ValueView value = FindPart(item, *side);
    if (value.bytes().empty()) continue;
    if (!out.empty()) out += " / ";
    std::string room;
    const std::string_view text = ScalarText(value, room);
    value.tag() == Tag::kB ? AppendBase64(out, text) : void(out += Printable(text));
  }
  return out;
}

ItemJudge::ItemJudge(const Model& model) : model_(model), serial_(NextSerial()) {
  if (!model.table.pk.empty()) pk_ = names_.Add(model.table.pk[0]);
  if (!model.table.sk.empty()) sk_ = names_.Add(model.table.sk[0]);
  if (!model.table.type_attribute.empty()) type_ = names_.Add(model.table.type_attribute);
  for (const Index& index : model.indexes) {
    std::vector<NameId>& pk = index_pks_.emplace_back();
    for (const std::string& name : index.pk) pk.push_back(names_.Add(name));
  }
  for (EntityId id = 0; id < model.entities.size(); ++id) {
    CHECK(entity_names_.Add(model.entities[id].name) == id);
    forms_.push_back(MakeForm(id));
    if (forms_.back().pk.key) by_pk_.Add(forms_.back().pk.key->value.LeadingLiteral(), id);
  }
}

void ItemJudge::AddFields(const Entity& entity, Form& form) {
  const auto add = [&](const std::string& name) -> Field& {
    const NameId id = names_.Add(name);
    for (Field& field : form.fields) {
      if (field.name == id) return field;
    }
    return form.fields.emplace_back(Field{id, entity.Find(name)});
  };
  for (const Attribute& attribute : entity.attributes) add(attribute.name);
  for (const KeySide* side : {&model_.table.pk, &model_.table.sk}) {
    for (const std::string& name : *side) add(name);
  }
  for (const Index& index : model_.indexes) {
    for (const KeySide* side : {&index.pk, &index.sk}) {
      for (const std::string& name : *side) add(name).foreign = !entity.FindKey(name) && !entity.Find(name);
    }
  }
  if (!model_.table.ttl.empty()) add(model_.table.ttl);
  for (const KeySide* side : {&model_.table.pk, &model_.table.sk}) {
    const KeyTemplate* key = side->empty() ? nullptr : entity.FindKey((*side)[0]);
    if (!key) continue;
    for (const TemplatePart& part : key->value.parts) {
      if (part.kind == TemplatePart::Kind::kAttribute) add(part.text).in_base_key = true;
    }
  }
  for (Field& field : form.fields) {
    if (!field.attribute) continue;
    field.type = StoredAs(field.attribute->type);
    field.required = !field.attribute->optional && !field.attribute->default_value && !field.in_base_key;
  }
  std::sort(form.fields.begin(), form.fields.end(),
            [&](const Field& a, const Field& b) { return names_.NameOf(a.name) < names_.NameOf(b.name); });
}

ItemJudge::Key ItemJudge::MakeKey(const Form& form, const KeyTemplate* key) const {
  Key made;
  made.key = key;
  made.form = ReadyKey(key->value);
  made.name = names_.Find(key->attribute);
  for (uint32_t i = 0; i < key->value.parts.size(); ++i) {
    const TemplatePart& part = key->value.parts[i];
    if (part.IsLiteral()) continue;
    const bool is_shard = part.kind == TemplatePart::Kind::kShard;
    const NameId name = is_shard ? form.hash_name : names_.Find(part.text);
    if (name == kNoName) continue;  // a random shard agrees with anything
    const auto field =
        std::find_if(form.fields.begin(), form.fields.end(), [&](const Field& f) { return f.name == name; });
    const bool in_base_key = field != form.fields.end() && field->in_base_key;
    made.placeholders.push_back({i, name, StoredAs(part.type), is_shard, in_base_key});
  }
  return made;
}

void ItemJudge::AddIndexKeys(const Entity& entity, Form& form) const {
  const auto add = [&](IndexId id, const std::string& name) {
    const KeyTemplate* key = entity.FindKey(name);
    if (!key || model_.IsBaseKey(name)) return;
    Key made = MakeKey(form, key);
    made.index = id;
    made.when = entity.FindWhen(id);
    made.when_is_plain = made.when && IsPlain(entity, *made.when);
    if (key->native && !made.when) return;
    (key->native ? form.native_keys : form.index_keys).push_back(std::move(made));
  };
  for (IndexId id = 0; id < model_.indexes.size(); ++id) {
    for (const std::string& name : model_.indexes[id].pk) add(id, name);
    for (const std::string& name : model_.indexes[id].sk) add(id, name);
  }
}

bool ItemJudge::IsPlain(const Entity& entity, const When& when) const {
  const auto& all = when.condition.all;
  return when.condition.other.empty() && std::all_of(all.begin(), all.end(), [&](const Comparison& one) {
           const Attribute* attribute = entity.Find(one.attribute);
           const bool compares = one.comparator == Comparator::kEqual || one.comparator == Comparator::kNotEqual;
           return compares && one.right.IsLiteral() && one.path == one.attribute && attribute &&
                  StoredAs(attribute->type) == StoredType::kS;
         });
}

ItemJudge::Form ItemJudge::MakeForm(EntityId id) {
  const Entity& entity = model_.entities[id];
  Form form;
  form.entity = id;
  AddFields(entity, form);
  const Attribute* hashed = entity.shard && entity.shard->hash_of ? entity.Find(*entity.shard->hash_of) : nullptr;
  if (hashed) {
    form.hash_name = names_.Find(hashed->name);
    form.hash_type = hashed->type;
  }
  const auto base_key = [&](const KeySide& side) -> Key {
    const KeyTemplate* key = side.empty() ? nullptr : entity.FindKey(side[0]);
    return key ? MakeKey(form, key) : Key{};
  };
  form.pk = base_key(model_.table.pk);
  form.sk = base_key(model_.table.sk);
  AddIndexKeys(entity, form);
  if (!model_.table.ttl.empty()) form.ttl_name = names_.Find(model_.table.ttl);
  return form;
}

void ItemJudge::TakeApart(ItemView item, JudgeRoom& room) const {
  for (const NameId id : room.present) room.values[id] = ValueView();
  room.present.clear();
  room.text_of = kNoName;
  if (room.values.size() < names_.size()) room.values.resize(names_.size());
  for (const Entry& entry : item.entries()) {
    const NameId id = names_.Find(entry.name);
    if (id == kNoName) continue;
    room.values[id] = entry.value;
    room.present.push_back(id);
  }
}

size_t ItemJudge::PartitionOf(IndexId id, const JudgeRoom& room, std::span<ValueView> out) const {
  const std::vector<NameId>& names = index_pks_[id];
  for (size_t i = 0; i < names.size(); ++i) {
    if (i == out.size() || room.values[names[i]].bytes().empty()) return 0;
    out[i] = room.values[names[i]];
  }
  return names.size();
}

ItemJudge::BaseKey ItemJudge::BaseKeyOf(ItemView item) const {
  return {FindPart(item, model_.table.pk), FindPart(item, model_.table.sk)};
}

bool ItemJudge::FitsBaseKey(const Form& form, const BaseKey& base, JudgeRoom& room) const {
  if (!form.pk.key || base.pk.bytes().empty()) return false;
  if (!ReadsAs(form.pk.form, base.pk, room.pk_text, room.pk_parts)) return false;
  if (model_.table.sk.empty()) return true;
  return form.sk.key && !base.sk.bytes().empty() && ReadsAs(form.sk.form, base.sk, room.sk_text, room.sk_parts);
}

std::optional<EntityId> ItemJudge::EntityOfKey(ItemView item, JudgeRoom& room) const {
  return EntityOf(BaseKeyOf(item), room);
}

std::optional<EntityId> ItemJudge::EntityOf(const BaseKey& base, JudgeRoom& room) const {
  if (base.pk.bytes().empty()) return std::nullopt;
  std::string pk_room, sk_room;
  const std::string_view pk_text = ScalarText(base.pk, pk_room);
  const std::string_view sk_text = base.sk.bytes().empty() ? std::string_view() : ScalarText(base.sk, sk_room);
  std::optional<EntityId> best;
  size_t best_literals = 0;
  by_pk_.Walk(pk_text, [&](EntityId id) {
    const Form& form = forms_[id];
    const std::string_view sk_literal = form.sk.key ? form.sk.key->value.LeadingLiteral() : std::string_view();
    if (!sk_text.starts_with(sk_literal)) return;
    const size_t literals = form.pk.key->value.LeadingLiteral().size() + sk_literal.size();
    if (best && literals <= best_literals) return;
    if (!FitsBaseKey(form, base, room)) return;
    best = id;
    best_literals = literals;
  });
  return best;
}

std::optional<EntityId> ItemJudge::EntityNamed(ValueView type) const {
  if (type.bytes().empty() || type.tag() != Tag::kS) return std::nullopt;
  const NameId id = entity_names_.Find(type.AsText());
  return id != kNoName ? std::optional<EntityId>(id) : std::nullopt;
}

std::optional<EntityId> ItemJudge::EntityOfItem(ItemView item, JudgeRoom& room) const {
  if (type_ == kNoName) return EntityOfKey(item, room);
  const ValueView type = FindValue(item, model_.table.type_attribute);
  if (room.type_judge == serial_ && type.bytes() == room.type) return room.type_entity;
  const std::optional<EntityId> named = EntityNamed(type);
  if (!named) return EntityOfKey(item, room);
  room.type = type.bytes();
  room.type_judge = serial_;
  room.type_entity = *named;
  return named;
}

std::optional<EntityId> ItemJudge::Identify(ItemView item, JudgeRoom& room, std::vector<Drift>& drifts) const {
  const auto value = [&](NameId name) { return name == kNoName ? ValueView() : room.values[name]; };
  const BaseKey base{value(pk_), value(sk_)};
  const std::string& type_attribute = model_.table.type_attribute;
  const ValueView type = value(type_);
  const std::optional<EntityId> named = EntityNamed(type);
  if (named && FitsBaseKey(forms_[*named], base, room)) return named;
  if (named) {
    const Entity& entity = model_.entities[*named];
    std::string templates;
    for (const Key* key : {&forms_[*named].pk, &forms_[*named].sk}) {
      if (key->key) templates += (templates.empty() ? "" : " / ") + key->key->value.text;
    }
    drifts.push_back({DriftKind::kKey, *named, std::nullopt,
                      kKeyMisfit(type_attribute, entity.name, KeyForPeople(model_, item), templates).message()});
    return std::nullopt;  // so its other attributes cannot be judged
  }
  const std::optional<EntityId> found = EntityOf(base, room);
  if (!found) {
    drifts.push_back(
        {DriftKind::kNoEntity, std::nullopt, std::nullopt, kKeyFitsNoEntity(KeyForPeople(model_, item)).message()});
    return std::nullopt;
  }
  FitsBaseKey(forms_[*found], base, room);  // sets the parts, which are those of the last candidate
  if (type_attribute.empty()) return found;
  const std::string& name = model_.entities[*found].name;
  std::string text;
  drifts.push_back({DriftKind::kTypeAttribute, *found, std::nullopt,
                    type.bytes().empty()
                        ? kTypeAttributeMissing(type_attribute, name).message()
                        : kOtherType(type_attribute, Printable(ScalarText(type, text)), name).message()});
  return found;
}

// Checks one item, split into its attributes, against one entity. Used by one thread at a time.
class ItemJudge::Examination {
 public:
  Examination(const ItemJudge& judge, const Form& form, const Clock& clock, JudgeRoom& room, std::vector<Drift>& drifts)
      : model_(judge.model_),
        names_(judge.names_),
        entity_(judge.model_.entities[form.entity]),
        form_(form),
        clock_(clock),
        room_(room),
        drifts_(drifts) {}

  void Run() {
    CheckAttributes();
    CheckParts(form_.pk, room_.pk_parts, DriftKind::kKey);
    if (form_.sk.key) CheckParts(form_.sk, room_.sk_parts, DriftKind::kKey);
    CheckIndexKeys();
    CheckTtl();
  }

 private:
  const ValueView* Value(NameId name) const {
    if (name == kNoName || room_.values[name].bytes().empty()) return nullptr;
    return &room_.values[name];
  }
  const ValueView* Value(const std::string& name) const { return Value(names_.Find(name)); }

  // The text of an attribute that is present. Valid until the next call for another attribute.
  std::string_view TextOf(NameId name) {
    const ValueView value = room_.values[name];
    if (value.tag() != Tag::kN) return ScalarText(value, room_.text);
    if (room_.text_of != name) ScalarText(value, room_.text);
    room_.text_of = name;
    return room_.text;
  }

  void Add(DriftKind kind, std::optional<IndexId> index, const Error& why) {
    drifts_.push_back({kind, form_.entity, index, why.message()});
  }

  void CheckAttributes() {
    for (const Field& field : form_.fields) {
      const ValueView* value = Value(field.name);
      if (!value) {
        if (field.required) Add(DriftKind::kMissing, std::nullopt, kAttributeMissing(names_.NameOf(field.name)));
      } else if (!field.attribute) {
        if (field.foreign) CheckForeign(names_.NameOf(field.name));
      } else if (!HasStoredType(*value, field.type)) {
        if (field.name == form_.ttl_name) continue;  // CheckTtl reports it
        Add(DriftKind::kAttributeType, std::nullopt,
            kAttributeWrongType(names_.NameOf(field.name), NameOf(field.type), keyfold::NameOf(value->type())));
      } else if (field.attribute->type == AttributeType::kEnum && !IsOneOf(*field.attribute, value->AsText())) {
        Add(DriftKind::kAttributeType, std::nullopt, kNotInEnum(names_.NameOf(field.name), Printable(value->AsText())));
      }
    }
  }

  static bool IsOneOf(const Attribute& attribute, std::string_view text) {
    return std::find(attribute.values.begin(), attribute.values.end(), text) != attribute.values.end();
  }

  void CheckForeign(const std::string& name) {
    for (IndexId id = 0; id < model_.indexes.size(); ++id) {
      const Index& index = model_.indexes[id];
      for (const KeySide* side : {&index.pk, &index.sk}) {
        if (std::find(side->begin(), side->end(), name) == side->end()) continue;
        return Add(DriftKind::kIndexKey, id, kForeignKey(name, index.name, entity_.name));
      }
    }
  }

  // Reports each placeholder of a parsed key that contradicts the item's attribute.
  void CheckParts(const Key& key, const KeyParts& parts, DriftKind kind) {
    if (key.key->native) return;
    for (const Placeholder& placeholder : key.placeholders) {
      const std::string_view text = parts[placeholder.part];
      const TemplatePart& part = key.key->value.parts[placeholder.part];
      if (placeholder.is_shard ? ShardAgrees(text) : PartAgrees(placeholder, part, text)) continue;
      const ValueView* value = Value(key.name);
      const std::string name = placeholder.is_shard ? *entity_.shard->hash_of : part.text;
      std::string room;
      Add(kind, key.index, kKeyDisagrees(key.key->attribute, Printable(ScalarText(*value, room)), name));
    }
  }

  bool PartAgrees(const Placeholder& placeholder, const TemplatePart& part, std::string_view text) {
    const ValueView* value = Value(placeholder.name);
    if (!value || !HasStoredType(*value, placeholder.type)) return true;  // absent, or reported as a wrong type
    return Agrees(part, TextOf(placeholder.name), text);
  }

  // Returns true if the key's shard is that of the hashed attribute. `text` is a valid shard number.
  bool ShardAgrees(std::string_view text) {
    const ValueView* value = Value(form_.hash_name);
    if (!value) return true;  // the attribute is absent
    const Shard& shard = *entity_.shard;
    const std::string_view hashed = TextOf(form_.hash_name);
    const bool number = value->tag() == Tag::kN && StoredAs(form_.hash_type) == StoredType::kN;
    if (number && shard.hash_format != Format::kDesc) {  // its text is canonical
      const bool is_short = shard.hash_format == Format::kPad && hashed.size() < shard.hash_width;
      room_.hashed.assign(is_short ? shard.hash_width - hashed.size() : 0, '0').append(hashed);
    } else {
      room_.hashed = FormatValue(shard.hash_format, shard.hash_width, form_.hash_type, hashed);
    }
    uint32_t said = 0;
    for (const char digit : text) said = said * 10 + static_cast<uint32_t>(digit - '0');
    return said == ShardOf(room_.hashed, shard.n);
  }

  // Returns true if the sparse rule holds. A condition on a value inside an attribute is not evaluated and counts as
  // true.
  bool Holds(const Key& key) {
    const auto& all = key.when->condition.all;
    if (key.when_is_plain) {
      return std::all_of(all.begin(), all.end(), [&](const Comparison& one) {
        const NameId name = names_.Find(one.attribute);
        const bool equal = Value(name) && TextOf(name) == one.right.text;
        return equal == (one.comparator == Comparator::kEqual);
      });
    }
    const std::vector<const Comparison*> tested = ComparisonsOf(key.when->condition);
    const auto is_inside = [](const Comparison* one) { return one->path != one->attribute; };
    if (std::any_of(tested.begin(), tested.end(), is_inside)) return true;
    const auto find = [&](std::string_view name) { return entity_.Find(name); };
    const auto value_of = [&](std::string_view name) -> std::optional<std::string> {
      const NameId id = names_.Find(name);
      return Value(id) ? std::optional<std::string>(TextOf(id)) : std::nullopt;
    };
    const auto no_input = [](std::string_view) { return std::optional<std::string>(); };
    return model::Holds(key.when->condition, {find, value_of, no_input, clock_.Now() / 1000});
  }

  // Returns true if everything the key is built from is in the item or in its own key.
  bool IsResolvable(const Key& key) const {
    return std::all_of(key.placeholders.begin(), key.placeholders.end(),
                       [&](const Placeholder& one) { return one.in_base_key || Value(one.name); });
  }

  void CheckIndexKeys() {
    const When* tested = nullptr;
    bool holds = true;
    const auto is_in = [&](const Key& key) {
      if (!key.when) return true;
      if (key.when != tested) holds = Holds(key);
      tested = key.when;
      return holds;
    };
    for (const Key& key : form_.index_keys) CheckIndexKey(key, is_in(key));
    for (const Key& key : form_.native_keys) {
      if (Value(key.name) && !is_in(key) && HasWholeKey(*key.index)) {
        AddSparse(key);
        return;  // the index's other attributes would repeat the same finding
      }
    }
  }

  bool HasWholeKey(IndexId id) const {
    for (const KeySide* side : {&model_.indexes[id].pk, &model_.indexes[id].sk}) {
      for (const std::string& name : *side) {
        if (!Value(name)) return false;
      }
    }
    return true;
  }

  void AddSparse(const Key& key) {
    Add(DriftKind::kSparse, key.index,
        kKeptSparse(key.key->attribute, key.when->condition.text, model_.indexes[*key.index].name));
  }

  void CheckIndexKey(const Key& key, bool is_in) {
    const ValueView* value = Value(key.name);
    if (!value) {
      if (!is_in || !IsResolvable(key)) return;
      return Add(DriftKind::kIndexKey, key.index,
                 kIndexKeyMissing(key.key->attribute, model_.indexes[*key.index].name, key.key->value.text));
    }
    if (!is_in) return AddSparse(key);
    if (!ReadsAs(key.form, *value, room_.key_text, room_.parts)) {
      return Add(
          DriftKind::kIndexKey, key.index,
          kIndexKeyMisfit(key.key->attribute, Printable(ScalarText(*value, room_.key_text)), key.key->value.text));
    }
    CheckParts(key, room_.parts, DriftKind::kIndexKey);
  }

  void CheckTtl() {
    const ValueView* value = Value(form_.ttl_name);
    if (!value) return;
    const std::string& name = model_.table.ttl;
    if (value->tag() != Tag::kN) {
      return Add(DriftKind::kTtl, std::nullopt, kTtlType(name, keyfold::NameOf(value->type())));
    }
    int64_t seconds = 0;
    if (!Number::Decode(value->AsEncodedNumber()).WithoutFraction().ToInt64(seconds)) return;
    if (seconds >= kMillisFrom) {
      Add(DriftKind::kTtl, std::nullopt, kTtlMillis(name, TextOf(form_.ttl_name)));
    } else if (seconds < clock_.Now() / 1'000'000 - kFiveYearsS) {
      Add(DriftKind::kTtl, std::nullopt, kTtlPast(name, TextOf(form_.ttl_name)));
    }
  }

  const Model& model_;
  const NameTable& names_;
  const Entity& entity_;
  const Form& form_;
  const Clock& clock_;
  JudgeRoom& room_;
  std::vector<Drift>& drifts_;
};

std::optional<EntityId> ItemJudge::Judge(ItemView item, const Clock& clock, JudgeRoom& room,
                                         std::vector<Drift>& drifts) const {
  TakeApart(item, room);
  const std::optional<EntityId> entity = Identify(item, room, drifts);
  if (entity) Examination(*this, forms_[*entity], clock, room, drifts).Run();
  return entity;
}

}  // namespace keyfold::model

#include "model/observe/item_judge.h"

#include <algorithm>
#include <atomic>

#include "base/check.h"
#include "base/text/base64.h"
#include "value/number.h"

namespace keyfold::model {
namespace {

constexpr Rule<"its key {} fits no entity"> kKeyFitsNoEntity{"drift-no-entity", Kind::kValidation};
constexpr Rule<"it has no {}, but its key is that of {}"> kTypeAttributeMissing{"drift-no-type", Kind::kValidation};
constexpr Rule<"its {} is {}, but its key is that of {}"> kOtherType{"drift-other-type", Kind::kValidation};
constexpr Rule<"its {} is {}, but its key {} does not fit {}"> kKeyMisfit{"drift-key-misfit", Kind::kValidation};
constexpr Rule<"its {} is {}, which contradicts its {}"> kKeyDisagrees{"drift-key-disagrees", Kind::kValidation};
constexpr Rule<"its key has two values of {}"> kKeyDiffers{"drift-key-differs", Kind::kValidation};
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
    Field& field = form.fields.emplace_back();
    field.name = id;
    field.attribute = entity.Find(name);
    return field;
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
    // The time to live has a check of its own.
    if (names_.NameOf(field.name) != model_.table.ttl) field.form = FormOf(*field.attribute);
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
    made.placeholders.push_back({i, name, StoredAs(part.type), is_shard, in_base_key, {}});
  }
  return made;
}

// Notes which placeholders of an index key have to agree with the table's key, and with each other.
void ItemJudge::CompareWithBase(const Form& form, Key& key) {
  const Template* const base[] = {&form.pk.form.whole(), &form.sk.form.whole(), &key.form.whole()};
  constexpr uint32_t kOwn = 2;
  for (const Repeat& repeat : RepeatsIn(base)) {
    if (repeat.second.key != kOwn) continue;
    if (repeat.first.key == kOwn) {
      key.repeats.push_back(repeat);
      continue;
    }
    for (Placeholder& one : key.placeholders) {
      if (one.part == repeat.second.part) one.in_base.push_back(repeat);
    }
  }
}

void ItemJudge::FindRepeats(Form& form) const {
  const Template* const base[] = {&form.pk.form.whole(), &form.sk.form.whole()};
  form.repeats = RepeatsIn(base);
  for (const Repeat& repeat : form.repeats) {
    const TemplatePart& part = base[repeat.first.key]->parts[repeat.first.part];
    form.repeated.push_back(part.kind == TemplatePart::Kind::kShard ? kNoName : names_.Find(part.text));
  }
  for (uint32_t key = 0; key < std::size(base); ++key) {
    for (uint32_t at = 0; at < base[key]->parts.size(); ++at) {
      const TemplatePart& part = base[key]->parts[at];
      const bool whole =
          part.format == Format::kPlain || (IsTimeText(part.type) && part.format == StoredFormat(part.type));
      if (part.kind != TemplatePart::Kind::kAttribute || !whole || StoredAs(part.type) != StoredType::kS) continue;
      for (Field& field : form.fields) {
        if (field.name == names_.Find(part.text)) field.in_key = Repeat::Place{key, at};
      }
    }
  }
}

void ItemJudge::AddIndexKeys(const Entity& entity, VariantId variant, Form& form, std::vector<Key>& out) const {
  const auto add = [&](IndexId id, const std::string& name) {
    const KeyTemplate* key = entity.FindKey(name, variant);
    if (!key || model_.IsBaseKey(name)) return;
    Key made = MakeKey(form, key);
    made.index = id;
    made.when = entity.FindWhen(id);
    if (made.when) made.condition = ReadyCondition(made.when->condition, entity, names_);
    if (!key->native) {
      CompareWithBase(form, made);
      out.push_back(std::move(made));
    } else if (made.when && variant == kNoVariant) {
      form.native_keys.push_back(std::move(made));
    }
  };
  for (IndexId id = 0; id < model_.indexes.size(); ++id) {
    for (const std::string& name : model_.indexes[id].pk) add(id, name);
    for (const std::string& name : model_.indexes[id].sk) add(id, name);
  }
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
  FindRepeats(form);
  AddIndexKeys(entity, kNoVariant, form, form.index_keys);
  for (VariantId variant = 0; variant < entity.variants.size(); ++variant) {
    VariantForm& made = form.variants.emplace_back();
    made.condition = ReadyCondition(entity.variants[variant].condition, entity, names_);
    AddIndexKeys(entity, variant, form, made.index_keys);
  }
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

bool ItemJudge::ReadsBaseKey(const Form& form, const BaseKey& base, JudgeRoom& room) const {
  if (!form.pk.key || base.pk.bytes().empty()) return false;
  if (!ReadsAs(form.pk.form, base.pk, room.pk_text, room.pk_parts)) return false;
  if (!model_.table.sk.empty()) {
    if (!form.sk.key || base.sk.bytes().empty()) return false;
    if (!ReadsAs(form.sk.form, base.sk, room.sk_text, room.sk_parts)) return false;
  }
  return true;
}

const Repeat* ItemJudge::FindDifference(const Form& form, const JudgeRoom& room) {
  const auto text = [&](Repeat::Place place) { return (place.key == 0 ? room.pk_parts : room.sk_parts)[place.part]; };
  for (const Repeat& one : form.repeats) {
    if (!AreAlike(one.likeness, text(one.first), text(one.second))) return &one;
  }
  return nullptr;
}

bool ItemJudge::FitsBaseKey(const Form& form, const BaseKey& base, JudgeRoom& room) const {
  return ReadsBaseKey(form, base, room) && !FindDifference(form, room);
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
  if (named && ReadsBaseKey(forms_[*named], base, room)) return named;
  if (named) {
    const Entity& entity = model_.entities[*named];
    std::string templates;
    for (const Key* key : {&forms_[*named].pk, &forms_[*named].sk}) {
      if (key->key) templates += (templates.empty() ? "" : " / ") + key->key->value.text;
    }
    drifts.push_back({DriftKind::kKey, *named, std::nullopt, "", "",
                      kKeyMisfit(type_attribute, entity.name, KeyForPeople(model_, item), templates).message()});
    return std::nullopt;  // so its other attributes cannot be judged
  }
  const std::optional<EntityId> found = EntityOf(base, room);
  if (!found) {
    drifts.push_back({DriftKind::kNoEntity, std::nullopt, std::nullopt, "", "",
                      kKeyFitsNoEntity(KeyForPeople(model_, item)).message()});
    return std::nullopt;
  }
  FitsBaseKey(forms_[*found], base, room);  // sets the parts, which are those of the last candidate
  if (type_attribute.empty()) return found;
  const std::string& name = model_.entities[*found].name;
  std::string text;
  drifts.push_back({DriftKind::kTypeAttribute, *found, std::nullopt, type_attribute, "",
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
    CheckBaseKey();
    CheckIndexKeys();
    CheckTtl();
  }

 private:
  const ValueView* Value(NameId name) const {
    if (name == kNoName || room_.values[name].bytes().empty()) return nullptr;
    return &room_.values[name];
  }

  // The text of an attribute that is present. Valid until the next call for another attribute.
  std::string_view TextOf(NameId name) {
    const ValueView value = room_.values[name];
    if (value.tag() != Tag::kN) return ScalarText(value, room_.text);
    if (room_.text_of != name) ScalarText(value, room_.text);
    room_.text_of = name;
    return room_.text;
  }

  // `attribute` is the one that is wrong; `other` one that it contradicts.
  void Add(DriftKind kind, std::optional<IndexId> index, const std::string& attribute, const Error& why,
           const std::string& other = "") {
    drifts_.push_back({kind, form_.entity, index, attribute, other, why.message()});
  }

  void CheckAttributes() {
    for (const Field& field : form_.fields) {
      const ValueView* value = Value(field.name);
      if (!value) {
        const std::string& name = names_.NameOf(field.name);
        if (field.required) Add(DriftKind::kMissing, std::nullopt, name, kAttributeMissing(name));
      } else if (!field.attribute) {
        if (field.foreign) CheckForeign(names_.NameOf(field.name));
      } else if (!IsAsDeclared(field, *value)) {
        if (field.name == form_.ttl_name) continue;  // CheckTtl reports it
        CheckValue(*field.attribute, *value, [&](const std::string& path, bool missing, const Error& why) {
          Add(missing ? DriftKind::kMissing : DriftKind::kAttributeType, std::nullopt, path, why);
        });
      }
    }
  }

  bool IsAsDeclared(const Field& field, ValueView value) const {
    if (!HasStoredType(value, field.type)) return false;
    if (field.form == ValueForm::kAny) return true;
    if (field.in_key) {
      const KeyParts& parts = field.in_key->key == 0 ? room_.pk_parts : room_.sk_parts;
      if (value.AsText() == parts[field.in_key->part]) return true;
    }
    return HasForm(field.form, *field.attribute, value);
  }

  void CheckForeign(const std::string& name) {
    for (IndexId id = 0; id < model_.indexes.size(); ++id) {
      const Index& index = model_.indexes[id];
      for (const KeySide* side : {&index.pk, &index.sk}) {
        if (std::find(side->begin(), side->end(), name) == side->end()) continue;
        return Add(DriftKind::kIndexKey, id, name, kForeignKey(name, index.name, entity_.name));
      }
    }
  }

  // A placeholder with two values contradicts the attribute at one place, if the item repeats it.
  void CheckBaseKey() {
    const size_t before = drifts_.size();
    CheckParts(form_.pk, room_.pk_parts, DriftKind::kKey);
    if (form_.sk.key) CheckParts(form_.sk, room_.sk_parts, DriftKind::kKey);
    const auto is_there = [&](NameId name) { return Value(name) != nullptr; };
    if (drifts_.size() != before || std::all_of(form_.repeated.begin(), form_.repeated.end(), is_there)) return;
    const Repeat* repeat = FindDifference(form_, room_);
    if (!repeat) return;
    const Key& first = repeat->first.key == 0 ? form_.pk : form_.sk;
    const TemplatePart& part = first.key->value.parts[repeat->first.part];
    Add(DriftKind::kKey, std::nullopt, first.key->attribute,
        kKeyDiffers(part.kind == TemplatePart::Kind::kShard ? "the shard" : part.text), part.text);
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
      Add(kind, key.index, key.key->attribute,
          kKeyDisagrees(key.key->attribute, Printable(ScalarText(*value, room)), name), name);
    }
  }

  bool PartAgrees(const Placeholder& placeholder, const TemplatePart& part, std::string_view text) {
    const ValueView* value = Value(placeholder.name);
    if (!value) {
      return std::all_of(placeholder.in_base.begin(), placeholder.in_base.end(), [&](const Repeat& one) {
        const KeyParts& base = one.first.key == 0 ? room_.pk_parts : room_.sk_parts;
        return AreAlike(one.likeness, base[one.first.part], text);
      });
    }
    if (!HasStoredType(*value, placeholder.type)) return true;  // reported as a wrong type
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

  // Returns true if everything the key is built from is in the item or in its own key.
  bool IsResolvable(const Key& key) const {
    return std::all_of(key.placeholders.begin(), key.placeholders.end(),
                       [&](const Placeholder& one) { return one.in_base_key || Value(one.name); });
  }

  bool Holds(const ReadyCondition& condition) const { return condition.Holds(room_.values, clock_.Now() / 1000); }

  // Those of the first variant whose condition holds, or else the entity's.
  const std::vector<Key>& OwnIndexKeys() const {
    for (const VariantForm& variant : form_.variants) {
      if (Holds(variant.condition)) return variant.index_keys;
    }
    return form_.index_keys;
  }

  void CheckIndexKeys() {
    const When* tested = nullptr;
    bool holds = true;
    const auto is_in = [&](const Key& key) {
      if (!key.when) return true;
      if (key.when != tested) holds = Holds(key.condition);
      tested = key.when;
      return holds;
    };
    for (const Key& key : OwnIndexKeys()) CheckIndexKey(key, is_in(key));
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
        if (!Value(names_.Find(name))) return false;
      }
    }
    return true;
  }

  void AddSparse(const Key& key) {
    Add(DriftKind::kSparse, key.index, key.key->attribute,
        kKeptSparse(key.key->attribute, key.when->condition.text, model_.indexes[*key.index].name));
  }

  void CheckIndexKey(const Key& key, bool is_in) {
    const ValueView* value = Value(key.name);
    if (!value) {
      if (!is_in || !IsResolvable(key)) return;
      return Add(DriftKind::kIndexKey, key.index, key.key->attribute,
                 kIndexKeyMissing(key.key->attribute, model_.indexes[*key.index].name, key.key->value.text));
    }
    if (!is_in) return AddSparse(key);
    if (!ReadsAs(key.form, *value, room_.key_text, room_.parts) || !RepeatsAgree(key)) {
      return Add(
          DriftKind::kIndexKey, key.index, key.key->attribute,
          kIndexKeyMisfit(key.key->attribute, Printable(ScalarText(*value, room_.key_text)), key.key->value.text));
    }
    CheckParts(key, room_.parts, DriftKind::kIndexKey);
  }

  bool RepeatsAgree(const Key& key) const {
    return std::all_of(key.repeats.begin(), key.repeats.end(), [&](const Repeat& one) {
      return AreAlike(one.likeness, room_.parts[one.first.part], room_.parts[one.second.part]);
    });
  }

  void CheckTtl() {
    const ValueView* value = Value(form_.ttl_name);
    if (!value) return;
    const std::string& name = model_.table.ttl;
    if (value->tag() != Tag::kN) {
      return Add(DriftKind::kTtl, std::nullopt, name, kTtlType(name, keyfold::NameOf(value->type())));
    }
    int64_t seconds = 0;
    if (!Number::Decode(value->AsEncodedNumber()).WithoutFraction().ToInt64(seconds)) return;
    if (seconds >= kMillisFrom) {
      Add(DriftKind::kTtl, std::nullopt, name, kTtlMillis(name, TextOf(form_.ttl_name)));
    } else if (seconds < clock_.Now() / 1'000'000 - kFiveYearsS) {
      Add(DriftKind::kTtl, std::nullopt, name, kTtlPast(name, TextOf(form_.ttl_name)));
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

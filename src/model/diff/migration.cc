#include "model/diff/migration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "model/core/figures.h"
#include "model/diff/change.h"
#include "model/diff/definition.h"
#include "model/estimate/population.h"

namespace keyfold::model {
namespace {

using StepKind = MigrationStep::Kind;

const KeyTemplate* WrittenKey(const Entity& entity, std::string_view attribute) {
  for (const KeyTemplate& key : entity.keys) {
    if (key.attribute == attribute) return &key;
  }
  return nullptr;
}

// Describes how an entity's key attribute is built, so that two entities can be compared.
std::string KeyFormText(const Entity& entity, std::string_view attribute) {
  const KeyTemplate* key = entity.FindKey(attribute);
  if (key == nullptr) return "";
  std::string form = key->native ? fmt::format("{{{}}}", attribute) : key->value.text;
  if (form.find("{shard}") != std::string::npos && entity.shard) {
    form += fmt::format(" of {} by {}", entity.shard->n, entity.shard->hash_of.value_or("random"));
  }
  return form;
}

std::string WholeKeyText(const Entity& entity, const KeySide& pk, const KeySide& sk) {
  std::string out;
  for (const KeySide* side : {&pk, &sk}) {
    for (const std::string& name : *side) {
      out.append(out.empty() ? "" : ", ").append(name).append(" = ").append(KeyFormText(entity, name));
    }
  }
  return out;
}

bool SameKey(const Entity& a, const Entity& b, const KeySide& pk, const KeySide& sk) {
  for (const KeySide* side : {&pk, &sk}) {
    for (const std::string& name : *side) {
      if (KeyFormText(a, name) != KeyFormText(b, name)) return false;
    }
  }
  return true;
}

bool HasValue(const Attribute& attribute) { return !attribute.optional || attribute.default_value; }

// An attribute that a new model adds to an entity, and the one it replaces, if it looks renamed.
struct NewAttribute {
  const Attribute* attribute = nullptr;
  const Attribute* renamed_from = nullptr;
};

// An attribute is taken as renamed if it is the only new one of its type, and only one of that type is gone.
std::vector<NewAttribute> NewAttributes(const Entity& old, const Entity& entity) {
  const auto alike = [](const Attribute& a, const Attribute& b) { return a.type == b.type && a.values == b.values; };
  std::vector<NewAttribute> fresh;
  for (const Attribute& attribute : entity.attributes) {
    if (old.Find(attribute.name) == nullptr) fresh.push_back({&attribute, nullptr});
  }
  for (NewAttribute& one : fresh) {
    const auto same = [&](const NewAttribute& other) { return alike(*other.attribute, *one.attribute); };
    size_t gone = 0;
    const Attribute* last = nullptr;
    for (const Attribute& attribute : old.attributes) {
      if (entity.Find(attribute.name) != nullptr || !alike(attribute, *one.attribute)) continue;
      ++gone;
      last = &attribute;
    }
    if (gone == 1 && std::count_if(fresh.begin(), fresh.end(), same) == 1) one.renamed_from = last;
  }
  return fresh;
}

bool ProjectsAttribute(const Index& index, std::string_view attribute) {
  return index.project == Project::kAll || Contains(index.included, attribute);
}

// Builds the steps. Views both models. Used by one thread at a time.
class Migrating {
 public:
  Migrating(const Model& before, const Model& after, const PriceFile& prices)
      : before_(before),
        after_(after),
        prices_(prices),
        old_(DefinitionOf(before)),
        new_(DefinitionOf(after)),
        counts_before_(before),
        counts_after_(after) {}

  Migration Make() {
    out_.price_file = fmt::format("{}, {}", prices_.name, prices_.effective);
    if (old_.key != new_.key) {
      MoveTable();
      return std::move(out_);
    }
    if (old_.name != new_.name) {
      Add({.kind = StepKind::kNote,
           .title =
               fmt::format("the table is called {} in one model and {} in the other; a table cannot be renamed, so "
                           "the steps are for {}",
                           old_.name, new_.name, old_.name)});
    }
    ChangeSettings();
    ChangeEntities();
    ChangeIndexes();
    DeleteOld();
    return std::move(out_);
  }

 private:
  double WriteUnits(double bytes) const { return std::max(1.0, std::ceil(bytes / prices_.rules.write_unit_bytes)); }

  void Price(MigrationStep& step) const {
    step.usd = step.write_units * prices_.UnitPrice("WriteRequestUnits").value_or(0) +
               step.read_units * prices_.UnitPrice("ReadRequestUnits").value_or(0);
  }

  MigrationStep& Add(MigrationStep step) {
    Price(step);
    out_.steps.push_back(std::move(step));
    return out_.steps.back();
  }

  // Read units of one eventually consistent scan over all items whose number is known.
  double ScanUnits(const Model& model, const Population& counts) const {
    double bytes = 0;
    for (EntityId id = 0; id < model.entities.size(); ++id) {
      bytes += counts.Count(id).value_or(0) * model.entities[id].size_avg;
    }
    return std::ceil(bytes / prices_.rules.read_unit_bytes) * prices_.rules.eventual_factor;
  }

  // Counts the writes of a backfill of an entity's items: to the table and, with `indexes`, to every index of `model`
  // that holds them. If only one attribute is set, `attribute` names it: other indexes are not written.
  void Count(MigrationStep& step, const Model& model, const Population& counts, EntityId id, bool indexes,
             std::string_view attribute = "") const {
    const std::optional<double> count = counts.Count(id);
    step.items = count;
    step.uncounted = !count;
    if (!count) return;
    step.write_units = *count * WriteUnits(model.entities[id].size_avg);
    for (IndexId index = 0; indexes && index < model.indexes.size(); ++index) {
      if (!attribute.empty() && !ProjectsAttribute(model.indexes[index], attribute)) continue;
      const double share = counts.ShareIn(index, id);
      if (share > 0) step.write_units += *count * share * WriteUnits(counts.EntryBytes(index, id));
    }
  }

  EntityId IdOf(const Model& model, const Entity& entity) const {
    return static_cast<EntityId>(&entity - model.entities.data());
  }

  void MoveTable() {
    const std::string name = new_.name == old_.name ? new_.name + "-v2" : new_.name;
    TableDefinition made = new_;
    made.name = name;
    Add({.kind = StepKind::kCreateTable,
         .title = fmt::format("create table {} with key {}", name, NameOf(new_.key)),
         .details = {fmt::format("the key of {} is {}, which cannot be changed", old_.name, NameOf(old_.key))},
         .operation = "CreateTable",
         .body = CreateTableBody(made, {})});
    Add({.kind = StepKind::kDualWrite, .title = fmt::format("write every item to {} and {}", old_.name, name)});
    MigrationStep copy{.kind = StepKind::kBackfill,
                       .title = fmt::format("copy the items of {} to {}", old_.name, name)};
    copy.details = {"put each with attribute_not_exists on its key, so that newer writes are kept"};
    CountAll(copy);
    Add(std::move(copy));
    Add({.kind = StepKind::kVerify,
         .title = fmt::format("compare {} with {}", name, old_.name),
         .details = {"Scan both with Select=COUNT, and compare a sample of items by their keys"}});
    Add({.kind = StepKind::kCutOver, .title = fmt::format("read from {}, then write only there", name)});
    Add({.kind = StepKind::kDeleteTable,
         .title = fmt::format("delete table {}", old_.name),
         .operation = "DeleteTable",
         .body = fmt::format("{{\"TableName\":\"{}\"}}", old_.name)});
  }

  // Billing, class, stream, expiry, recovery: the calls that apply would make.
  void ChangeSettings() {
    TableDefinition current = old_, wanted = new_;
    wanted.name = old_.name;
    current.indexes.clear();
    wanted.indexes.clear();
    for (Call& call : ChangeFrom(&current, wanted, {}).calls) {
      Add({.kind = StepKind::kCallApi, .title = call.title, .operation = call.operation, .body = call.body});
    }
  }

  void ChangeEntities() {
    for (const Entity& entity : after_.entities) {
      const Entity* old = before_.FindEntity(entity.name);
      if (old == nullptr) {
        AddEntity(entity);
        continue;
      }
      AddAttributes(*old, entity);
      const bool moved = !SameKey(*old, entity, after_.table.pk, after_.table.sk);
      if (moved) {
        MoveEntity(*old, entity);
      } else {
        RewriteIndexKeys(*old, entity);
      }
      RetypeAttributes(*old, entity);
    }
    if (before_.table.type_attribute != after_.table.type_attribute && !after_.table.type_attribute.empty()) {
      RewriteTypes();
    }
  }

  void AddAttributes(const Entity& old, const Entity& entity) {
    for (const NewAttribute& one : NewAttributes(old, entity)) {
      if (one.renamed_from != nullptr) {
        RenameAttribute(entity, one.renamed_from->name, one.attribute->name);
      } else if (!HasValue(*one.attribute)) {
        Add({.kind = StepKind::kNote,
             .title = fmt::format("{} of {} is new and optional; stored items do not change", one.attribute->name,
                                  entity.name),
             .entity = entity.name});
      } else {
        FillAttribute(entity, *one.attribute);
      }
    }
    for (const Attribute& attribute : entity.attributes) {
      const Attribute* was = old.Find(attribute.name);
      if (was != nullptr && was->optional && !attribute.optional) FillAttribute(entity, attribute);
    }
  }

  void RenameAttribute(const Entity& entity, const std::string& from, const std::string& to) {
    Add({.kind = StepKind::kDualWrite,
         .title = fmt::format("write {} besides {} with every {}", to, from, entity.name),
         .entity = entity.name,
         .details = {fmt::format("{} is gone and {} has its type, so this is taken as a new name; if it is another "
                                 "value, stored items have none for it",
                                 from, to)}});
    SetAttribute(entity, to, fmt::format("set {} of every {} from {}", to, entity.name, from),
                 fmt::format("with attribute_not_exists({}), so that newer writes are kept", to));
    Add({.kind = StepKind::kCutOver,
         .title = fmt::format("read {} of {}, then stop writing {}", to, entity.name, from),
         .entity = entity.name});
  }

  // Gives the attribute to stored items that lack it.
  void FillAttribute(const Entity& entity, const Attribute& attribute) {
    const std::string& name = attribute.name;
    Add({.kind = StepKind::kDualWrite,
         .title = fmt::format("write {} with every {}", name, entity.name),
         .entity = entity.name});
    const std::string keep = fmt::format("with attribute_not_exists({}), so that newer writes are kept", name);
    if (attribute.default_value) {
      SetAttribute(
          entity, name,
          fmt::format("set {} = {} on every {} that lacks it", name, attribute.default_value->text, entity.name), keep);
    } else if (entity.copy_of) {
      SetAttribute(entity, name,
                   fmt::format("set {} of every {} from its {}", name, entity.name,
                               after_.entities[entity.copy_of->source].name),
                   keep);
    } else if (name == after_.table.ttl && entity.ttl_after_s) {
      SetAttribute(entity, name,
                   fmt::format("set {} = now + {} s on every {} that lacks it", name, *entity.ttl_after_s, entity.name),
                   keep);
    } else {
      SetAttribute(entity, name, fmt::format("set {} on every {} that lacks it", name, entity.name),
                   fmt::format("this needs new data: no stored attribute gives the value of {}; without it, declare a "
                               "default or optional: true",
                               name));
      needs_data_.insert(entity.name + "." + name);
    }
  }

  void SetAttribute(const Entity& entity, const std::string& name, std::string title, std::string detail) {
    MigrationStep step{
        .kind = StepKind::kBackfill, .title = std::move(title), .entity = entity.name, .details = {std::move(detail)}};
    Count(step, after_, counts_after_, IdOf(after_, entity), true, name);
    step.read_units = ScanUnits(before_, counts_before_);
    Add(std::move(step));
  }

  // Says which attributes of the new key no stored item has.
  void NoteMissingData(const Entity& entity) {
    std::vector<std::string> missing;
    for (const KeySide* side : {&after_.table.pk, &after_.table.sk}) {
      for (const std::string& name : *side) {
        for (const TemplatePart& part : entity.FindKey(name)->value.parts) {
          if (needs_data_.count(entity.name + "." + part.text) != 0 && !Contains(missing, part.text))
            missing.push_back(part.text);
        }
      }
    }
    if (missing.empty()) return;
    Add({.kind = StepKind::kNote,
         .title = fmt::format("{} cannot get its new key from stored items alone: {} is in the key, and they have no "
                              "value for it; set it first",
                              entity.name, Listed(missing)),
         .entity = entity.name});
  }

  void AddEntity(const Entity& entity) {
    if (!entity.copy_of) {
      Add({.kind = StepKind::kNote,
           .title = fmt::format("{} is new; stored items do not change", entity.name),
           .entity = entity.name});
      return;
    }
    const std::string& source = after_.entities[entity.copy_of->source].name;
    Add({.kind = StepKind::kDualWrite,
         .title = fmt::format("write {} with every write of {}", entity.name, source),
         .entity = entity.name});
    Backfill(entity, fmt::format("put {} for every {}", entity.name, source),
             {fmt::format("{} with attribute_not_exists({})", WholeKeyText(entity, after_.table.pk, after_.table.sk),
                          after_.table.pk[0])});
    Verify(entity, {}, "");
  }

  void Backfill(const Entity& entity, std::string title, std::vector<std::string> details, bool indexes = true) {
    MigrationStep step{
        .kind = StepKind::kBackfill, .title = std::move(title), .entity = entity.name, .details = std::move(details)};
    Count(step, after_, counts_after_, IdOf(after_, entity), indexes);
    step.read_units = ScanUnits(before_, counts_before_);
    Add(std::move(step));
  }

  // An empty `index` means the table. Otherwise it is the name that the index has or will have, and `in` has its keys.
  void Verify(const Entity& entity, std::string_view index, std::string_view why, const Index* in = nullptr) {
    const KeySide& pk = in != nullptr ? in->pk : after_.table.pk;
    const KeySide& sk = in != nullptr ? in->sk : after_.table.sk;
    const std::optional<double> count = counts_after_.Count(IdOf(after_, entity));
    MigrationStep step{.kind = StepKind::kVerify,
                       .title = fmt::format("verify {}{}{}", entity.name, index.empty() ? "" : " in ", index),
                       .entity = entity.name,
                       .index = std::string(index)};
    step.details.push_back(
        fmt::format("Query {} where {}", index.empty() ? old_.name : std::string(index), WholeKeyText(entity, pk, sk)));
    if (count && index.empty()) step.details.push_back(fmt::format("expect about {:.0f} items", *count));
    if (!why.empty()) step.details.emplace_back(why);
    Add(std::move(step));
  }

  void MoveEntity(const Entity& old, const Entity& entity) {
    const std::string from = WholeKeyText(old, before_.table.pk, before_.table.sk);
    const std::string to = WholeKeyText(entity, after_.table.pk, after_.table.sk);
    NoteMissingData(entity);
    Add({.kind = StepKind::kDualWrite,
         .title = fmt::format("write every {} under its old and its new key, in one transaction", entity.name),
         .entity = entity.name,
         .details = {"old: " + from, "new: " + to}});
    Backfill(entity, fmt::format("put every {} under its new key", entity.name),
             {fmt::format("with attribute_not_exists({}), so that newer writes are kept", after_.table.pk[0])});
    Verify(entity, {}, "compare a sample with the items under the old key");
    Add({.kind = StepKind::kCutOver,
         .title = fmt::format("read {} under the new key, then write only the new key", entity.name),
         .entity = entity.name});
    MigrationStep step{.kind = StepKind::kDeleteItems,
                       .title = fmt::format("delete every {} under its old key", entity.name),
                       .entity = entity.name,
                       .details = {from}};
    Count(step, before_, counts_before_, IdOf(before_, old), true);
    step.read_units = ScanUnits(before_, counts_before_);
    late_.push_back(std::move(step));
  }

  // Adds steps for index key attributes that an entity's items need to get or that change their form.
  void RewriteIndexKeys(const Entity& old, const Entity& entity) {
    std::vector<std::string> fresh, changed;
    for (const Index& index : after_.indexes) {
      for (const KeySide* side : {&index.pk, &index.sk}) {
        for (const std::string& name : *side) {
          if (WrittenKey(entity, name) == nullptr || KeyFormText(old, name) == KeyFormText(entity, name)) continue;
          (KeyFormText(old, name).empty() ? fresh : changed).push_back(name);
        }
      }
    }
    const bool rules = ChangedRules(old, entity);
    if (fresh.empty() && changed.empty() && !rules) return;
    std::vector<std::string> forms;
    for (const auto* names : {&fresh, &changed}) {
      for (const std::string& name : *names) forms.push_back(fmt::format("{} = {}", name, KeyFormText(entity, name)));
    }
    if (rules) forms.push_back("set the keys of items for which `when` now holds, and remove those of the others");
    Add({.kind = StepKind::kDualWrite,
         .title =
             changed.empty()
                 ? fmt::format("write the index keys with every {}", entity.name)
                 : fmt::format("write the new index keys with every {}; until the backfill is done, readers of the "
                               "index query both the old and the new form",
                               entity.name),
         .entity = entity.name,
         .details = forms});
    Backfill(entity, fmt::format("set the index keys of every {}", entity.name),
             {"update each on the condition that the attributes its keys are built from have not changed"},
             !changed.empty());
  }

  bool ChangedRules(const Entity& old, const Entity& entity) const {
    for (IndexId id = 0; id < after_.indexes.size(); ++id) {
      const auto before = before_.index_ids.find(after_.indexes[id].name);
      if (before == before_.index_ids.end() || !entity.Has(after_.indexes[id])) continue;
      const When* was = old.FindWhen(before->second);
      const When* is = entity.FindWhen(id);
      if ((was == nullptr ? "" : was->condition.text) != (is == nullptr ? "" : is->condition.text)) return true;
    }
    return false;
  }

  void RetypeAttributes(const Entity& old, const Entity& entity) {
    for (const Attribute& attribute : entity.attributes) {
      const Attribute* was = old.Find(attribute.name);
      if (was == nullptr || StoredAs(was->type) == StoredAs(attribute.type)) continue;
      Add({.kind = StepKind::kDualWrite,
           .title = fmt::format("read {}.{} as {} and as {}, write {}", entity.name, attribute.name,
                                NameOf(StoredAs(was->type)), NameOf(StoredAs(attribute.type)),
                                NameOf(StoredAs(attribute.type))),
           .entity = entity.name});
      Backfill(entity, fmt::format("rewrite {} of every {}", attribute.name, entity.name), {}, false);
    }
  }

  // Counts a step that reads every item and writes it again.
  void CountAll(MigrationStep& step) {
    step.items = 0;
    for (EntityId id = 0; id < after_.entities.size(); ++id) {
      MigrationStep one;
      Count(one, after_, counts_after_, id, true);
      step.uncounted |= one.uncounted;
      *step.items += one.items.value_or(0);
      step.write_units += one.write_units;
    }
    step.read_units = ScanUnits(before_, counts_before_);
  }

  void RewriteTypes() {
    MigrationStep step{.kind = StepKind::kBackfill,
                       .title = fmt::format("set {} on every item", after_.table.type_attribute)};
    CountAll(step);
    Add(std::move(step));
  }

  void ChangeIndexes() {
    for (IndexId id = 0; id < after_.indexes.size(); ++id) {
      const IndexDefinition& wanted = new_.indexes[id];
      const IndexDefinition* current = old_.Find(wanted.name);
      if (current == nullptr) {
        CreateIndex(id, wanted);
      } else if (current->key != wanted.key || !current->ProjectsAs(wanted)) {
        ReplaceIndex(id, *current, wanted);
      }
    }
  }

  void CreateIndex(IndexId id, const IndexDefinition& wanted) {
    if (wanted.local) {
      Add({.kind = StepKind::kNote,
           .title = fmt::format("{} is a local index, which can only be created with its table: make it global, or "
                                "move to a new table",
                                wanted.name),
           .index = wanted.name});
      return;
    }
    TableDefinition current = old_, target = old_;
    target.indexes.push_back(wanted);
    const Change change = ChangeFrom(&current, target, {});
    MigrationStep step{.kind = StepKind::kCreateIndex,
                       .title = fmt::format("create index {} on {}", wanted.name, NameOf(wanted.key)),
                       .index = wanted.name,
                       .details = {"one index at a time: wait until it is ACTIVE"}};
    if (!change.calls.empty()) {
      step.operation = change.calls[0].operation;
      step.body = change.calls[0].body;
    }
    CountEntries(id, step);
    Add(std::move(step));
    for (const Entity& entity : after_.entities) {
      if (entity.Has(after_.indexes[id])) Verify(entity, wanted.name, "", &after_.indexes[id]);
    }
  }

  // Counts the entries that DynamoDB writes when it fills the index.
  void CountEntries(IndexId id, MigrationStep& step) const {
    step.items = 0;
    for (EntityId entity = 0; entity < after_.entities.size(); ++entity) {
      const double share = counts_after_.ShareIn(id, entity);
      if (share <= 0) continue;
      const std::optional<double> count = counts_after_.Count(entity);
      step.uncounted |= !count;
      *step.items += count.value_or(0) * share;
      step.write_units += count.value_or(0) * share * WriteUnits(counts_after_.EntryBytes(id, entity));
    }
  }

  // An index's key and projection cannot be changed, so a new index with another name takes its place.
  void ReplaceIndex(IndexId id, const IndexDefinition& current, const IndexDefinition& wanted) {
    IndexDefinition fresh = wanted;
    for (int i = 2; fresh.name == wanted.name || old_.Find(fresh.name) || new_.Find(fresh.name); ++i) {
      fresh.name = fmt::format("{}v{}", wanted.name, i);
    }
    Add({.kind = StepKind::kNote,
         .title = fmt::format("{} changes its {}, which is not possible for an index: call it {} in the new model",
                              wanted.name, current.key != wanted.key ? "key" : "projection", fresh.name),
         .index = wanted.name});
    CreateIndex(id, fresh);
    Add({.kind = StepKind::kCutOver,
         .title = fmt::format("read {} instead of {}", fresh.name, wanted.name),
         .index = fresh.name});
    DeleteIndex(wanted.name);
  }

  void DeleteIndex(const std::string& name) {
    late_.push_back({.kind = StepKind::kDeleteIndex,
                     .title = fmt::format("delete index {} once nothing reads it", name),
                     .index = name,
                     .operation = "UpdateTable",
                     .body = fmt::format("{{\"TableName\":\"{}\",\"GlobalSecondaryIndexUpdates\":[{{\"Delete\":{{"
                                         "\"IndexName\":\"{}\"}}}}]}}",
                                         old_.name, name)});
  }

  void DeleteOld() {
    for (const IndexDefinition& index : old_.indexes) {
      if (new_.Find(index.name) != nullptr) continue;
      if (index.local) {
        Add({.kind = StepKind::kNote,
             .title = fmt::format("{} is a local index and exists as long as its table", index.name),
             .index = index.name});
        continue;
      }
      DeleteIndex(index.name);
    }
    for (const Entity& entity : before_.entities) {
      if (after_.FindEntity(entity.name) != nullptr) continue;
      MigrationStep step{.kind = StepKind::kDeleteItems,
                         .title = fmt::format("delete every {}, or keep it in the model", entity.name),
                         .entity = entity.name,
                         .details = {WholeKeyText(entity, before_.table.pk, before_.table.sk)}};
      Count(step, before_, counts_before_, IdOf(before_, entity), true);
      step.read_units = ScanUnits(before_, counts_before_);
      late_.push_back(std::move(step));
    }
    for (MigrationStep& step : late_) Add(std::move(step));
  }

  const Model& before_;
  const Model& after_;
  const PriceFile& prices_;
  const TableDefinition old_;
  const TableDefinition new_;
  const Population counts_before_;
  const Population counts_after_;
  std::vector<MigrationStep> late_;
  std::set<std::string> needs_data_;  // "Entity.attribute": no stored item has a value for it
  Migration out_;
};

}  // namespace

Migration MigrationFrom(const Model& before, const Model& after, const PriceFile& prices) {
  return Migrating(before, after, prices).Make();
}

}  // namespace keyfold::model

// UpdateTable: one change of indexes, throughput or settings at a time.
#include <algorithm>

#include "base/text/distinct_texts.h"
#include "engine/catalog/rules.h"
#include "ops/handlers.h"
#include "ops/table_description.h"
#include "ops/table_rules.h"
#include "value/limits.h"
#include "wire/requests/tables.h"

namespace keyfold::ops {
namespace {

constexpr Rule<
    "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or "
    "SSESpecification or ReplicaUpdates is required for UpdateTable">
    kNothingToUpdate{"nothing-to-update", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: One of GlobalSecondaryIndexUpdate.Update, "
    "GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null">
    kEmptyIndexUpdate{"index-update-empty", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: Only one of GlobalSecondaryIndexUpdate.Update, "
    "GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete may be given">
    kSeveralInIndexUpdate{"index-update-several", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: Only one global secondary index update per index is allowed "
    "simultaneously. Index: {}">
    kIndexUpdatedTwice{"index-updated-twice", Kind::kValidation};
constexpr Rule<"Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table">
    kSeveralOnlineChanges{"several-online-changes", Kind::kLimitExceeded};
constexpr Rule<"Attempting to create an index which already exists"> kIndexExists{"index-exists", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: Attributes cannot be redefined. Please check that your attribute has "
    "the same type as previously defined. Existing schema: Schema:[SchemaElement: key{{}:{}:HASH}] New schema: "
    "Schema:[SchemaElement: key{{}:{}:HASH}]">
    kRedefined{"attribute-redefined", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: ProvisionedThroughput must be specified when BillingMode is "
    "PROVISIONED">
    kUpdateThroughputMissing{"update-throughput-missing", Kind::kValidation};
constexpr Rule<
    "The provisioned throughput for the table will not change. The requested value equals the current value. Current "
    "ReadCapacityUnits provisioned for the table: {}. Requested ReadCapacityUnits: {}. Current WriteCapacityUnits "
    "provisioned for the table: {}. Requested WriteCapacityUnits: {}. Refer to the Amazon DynamoDB Developer Guide for "
    "current limits and how to request higher limits.">
    kThroughputSame{"throughput-same", Kind::kValidation};
constexpr Rule<
    "The provisioned throughput for the index {} will not change. The requested value equals the current value. "
    "Current ReadCapacityUnits provisioned for the index: {}. Requested ReadCapacityUnits: {}. Current "
    "WriteCapacityUnits provisioned for the index: {}. Requested WriteCapacityUnits: {}. Refer to the Amazon DynamoDB "
    "Developer Guide for current limits and how to request higher limits.">
    kIndexThroughputSame{"index-throughput-same", Kind::kValidation};
constexpr Rule<"Table already has an enabled stream: TableName: {}"> kStreamEnabled{"stream-enabled",
                                                                                    Kind::kValidation};
constexpr Rule<"Table has no stream to disable: TableName: {}"> kNoStreamToDisable{"no-stream-to-disable",
                                                                                   Kind::kValidation};

using IndexUpdates = std::vector<wire::GlobalSecondaryIndexUpdate>;

const std::string& NameIn(const wire::GlobalSecondaryIndexUpdate& u) {
  if (u.update) return u.update->index_name;
  return u.create ? u.create->index_name : u.remove->index_name;
}

Status IndexUpdatesAreSound(const IndexUpdates& updates) {
  int online = 0;
  DistinctTexts names;
  for (const wire::GlobalSecondaryIndexUpdate& u : updates) {
    const int actions = int{u.update.has_value()} + int{u.create.has_value()} + int{u.remove.has_value()};
    if (actions == 0) return kEmptyIndexUpdate();
    if (actions > 1) return kSeveralInIndexUpdate();
    if (!names.Add(NameIn(u))) return kIndexUpdatedTwice(NameIn(u));
    online += u.update ? 0 : 1;
  }
  if (online > 1) return kSeveralOnlineChanges();
  return Ok();
}

Status CheckUpdateTable(const wire::UpdateTableRequest& r) {
  const bool indexes = r.global_secondary_index_updates && !r.global_secondary_index_updates->empty();
  if (!indexes && !r.billing_mode && !r.provisioned_throughput && !r.stream_specification && !r.sse_specification &&
      !r.table_class && !r.deletion_protection_enabled && !r.on_demand_throughput && !r.warm_throughput) {
    return kNothingToUpdate();
  }
  if (r.provisioned_throughput) RETURN_IF_ERROR(ThroughputIsInBounds(*r.provisioned_throughput));
  if (indexes) RETURN_IF_ERROR(IndexUpdatesAreSound(*r.global_secondary_index_updates));
  return Ok();
}

void ChangeThroughput(engine::Throughput& throughput, int64_t read_units, int64_t write_units, Micros now) {
  if (read_units > throughput.read_units || write_units > throughput.write_units) throughput.last_increase = now;
  if (read_units < throughput.read_units || write_units < throughput.write_units) {
    throughput.last_decrease = now;
    ++throughput.decreases_today;
  }
  throughput.read_units = read_units;
  throughput.write_units = write_units;
}

Status ChangeBilling(const wire::UpdateTableRequest& r, Micros now, engine::Table& next) {
  const bool was_on_demand = next.on_demand_billing;
  const bool on_demand = r.billing_mode ? *r.billing_mode == wire::BillingMode::kPayPerRequest : was_on_demand;
  if (on_demand && r.provisioned_throughput) return kThroughputUnneeded();
  if (!on_demand && was_on_demand && !r.provisioned_throughput) return kUpdateThroughputMissing();
  next.on_demand_billing = on_demand;
  if (on_demand && !was_on_demand) {
    next.on_demand_since = now;
    next.throughput = {};
    for (engine::Index& index : next.indexes) index.throughput = {};
  }
  if (!r.provisioned_throughput) return Ok();
  const int64_t read = r.provisioned_throughput->read_capacity_units,
                write = r.provisioned_throughput->write_capacity_units;
  if (!was_on_demand && read == next.throughput.read_units && write == next.throughput.write_units) {
    return kThroughputSame(read, read, write, write);
  }
  ChangeThroughput(next.throughput, read, write, now);
  return Ok();
}

Status DefineAttributes(const wire::UpdateTableRequest& r, const std::vector<wire::KeySchemaElement>& schema,
                        engine::Table& next) {
  for (const KeyAttribute& a : AttributesOf(*r.attribute_definitions)) {
    const auto is_key = [&](const wire::KeySchemaElement& e) { return e.attribute_name == a.name; };
    if (std::none_of(schema.begin(), schema.end(), is_key)) continue;
    const std::optional<Type> present = next.TypeOf(a.name);
    if (present && *present != a.type) return kRedefined(a.name, *present, a.name, a.type);
    if (!present) next.attributes.push_back(a);
  }
  return Ok();
}

Status CreateIndex(const wire::UpdateTableRequest& r, const wire::GlobalSecondaryIndex& created, engine::Table& next) {
  if (next.FindIndex(created.index_name)) return kIndexExists();
  const std::vector<wire::AttributeDefinition> none;
  const auto& definitions = r.attribute_definitions ? *r.attribute_definitions : none;
  RETURN_IF_ERROR(GlobalIndexIsSound(created, definitions, next.on_demand_billing));
  RETURN_IF_ERROR(DefineAttributes(r, created.key_schema, next));
  engine::Index index = GlobalIndexOf(created, definitions);
  index.status = engine::IndexStatus::kCreating;
  index.backfilling = true;
  next.indexes.push_back(std::move(index));
  const auto global =
      std::count_if(next.indexes.begin(), next.indexes.end(), [](const engine::Index& i) { return i.global; });
  if (global > static_cast<std::ptrdiff_t>(kGlobalIndexesMax)) return kTooManyGlobal();
  return ProjectedAttributesAreFew(next.indexes);
}

Status UpdateIndex(const wire::UpdateGlobalSecondaryIndexAction& update, Micros now, bool was_on_demand,
                   engine::Index& index, const engine::Table& next) {
  if (update.on_demand_throughput) index.on_demand = UnitsOf(update.on_demand_throughput);
  if (update.warm_throughput) index.warm = UnitsOf(update.warm_throughput);
  if (!update.provisioned_throughput) return Ok();
  if (next.on_demand_billing) return kThroughputUnneeded();
  RETURN_IF_ERROR(ThroughputIsInBounds(*update.provisioned_throughput));
  const int64_t read = update.provisioned_throughput->read_capacity_units,
                write = update.provisioned_throughput->write_capacity_units;
  if (!was_on_demand && read == index.throughput.read_units && write == index.throughput.write_units) {
    return kIndexThroughputSame(index.name, read, read, write, write);
  }
  ChangeThroughput(index.throughput, read, write, now);
  return Ok();
}

Status ChangeIndexes(const wire::UpdateTableRequest& r, Micros now, const engine::Table& present, engine::Table& next) {
  for (const wire::GlobalSecondaryIndexUpdate& u : *r.global_secondary_index_updates) {
    if (u.create) {
      RETURN_IF_ERROR(CreateIndex(r, *u.create, next));
      continue;
    }
    const auto it = std::find_if(next.indexes.begin(), next.indexes.end(),
                                 [&](const engine::Index& i) { return i.global && i.name == NameIn(u); });
    if (it == next.indexes.end()) return engine::kResourceNotFound();
    if (u.remove) {
      it->status = engine::IndexStatus::kDeleting;
      it->backfilling = false;
    } else {
      RETURN_IF_ERROR(UpdateIndex(*u.update, now, present.on_demand_billing, *it, next));
    }
  }
  return Ok();
}

// After a change from on-demand to provisioned, every index needs its own throughput.
Status IndexesHaveThroughput(const engine::Table& next) {
  if (next.on_demand_billing) return Ok();
  for (const engine::Index& index : next.indexes) {
    if (index.global && index.IsMaintained() && index.throughput.read_units == 0)
      return kIndexThroughputMissing(index.name);
  }
  return Ok();
}

Status ChangeStream(const wire::StreamSpecification& specification, engine::Table& next) {
  ASSIGN_OR_RETURN(engine::StreamSettings stream, StreamOf(specification));
  if (stream.enabled && next.stream.enabled) return kStreamEnabled(next.name);
  if (!stream.enabled && !next.stream.enabled) return kNoStreamToDisable(next.name);
  if (!stream.enabled) stream.label = next.stream.label;
  next.stream = std::move(stream);
  return Ok();
}

Status ChangeTable(const wire::UpdateTableRequest& r, const Service& service, const engine::Table& present,
                   engine::Table& next) {
  const Micros now = service.db.clock.Now();
  RETURN_IF_ERROR(ChangeBilling(r, now, next));
  if (r.global_secondary_index_updates) RETURN_IF_ERROR(ChangeIndexes(r, now, present, next));
  RETURN_IF_ERROR(IndexesHaveThroughput(next));
  if (r.stream_specification) RETURN_IF_ERROR(ChangeStream(*r.stream_specification, next));
  if (r.sse_specification) next.encryption = EncryptionOf(*r.sse_specification, service.identity);
  if (r.table_class) {
    next.table_class = wire::NameOf(*r.table_class);
    next.table_class_since = now;
  }
  if (r.deletion_protection_enabled) next.deletion_protection = *r.deletion_protection_enabled;
  if (r.on_demand_throughput) next.on_demand = UnitsOf(r.on_demand_throughput);
  if (r.warm_throughput) next.warm = UnitsOf(r.warm_throughput);
  return Ok();
}

}  // namespace

Status UpdateTable(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::UpdateTableRequest r, wire::Decode<wire::UpdateTableRequest>(request));
  RETURN_IF_ERROR(CheckUpdateTable(r));
  ASSIGN_OR_RETURN(const std::string name, engine::TableNameOf(call.service.identity, r.table_name));
  const auto change = [&](const engine::Table& present, engine::Table& next) {
    return ChangeTable(r, call.service, present, next);
  };
  ASSIGN_OR_RETURN(const engine::TablePtr updated, call.service.lifecycle.Update(name, change));
  call.account.table = updated->name;
  answer.BeginObject();
  answer.Key("TableDescription");
  WriteTableDescription(answer, {call.service.db, call.service.identity, *updated, engine::TableStatus::kUpdating});
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops

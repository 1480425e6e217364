#include "ops/new_table.h"

#include "ops/table_rules.h"
#include "value/limits.h"

namespace keyfold::ops {
namespace {

constexpr Rule<
    "One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must both be specified when "
    "BillingMode is PROVISIONED">
    kThroughputMissing{"throughput-missing", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: List of GlobalSecondaryIndexes is empty"> kNoGlobalIndexes{
    "global-indexes-empty", Kind::kValidation};

bool IsOnDemand(const wire::CreateTableRequest& r) { return r.billing_mode == wire::BillingMode::kPayPerRequest; }

Status BillingIsSound(const wire::CreateTableRequest& r) {
  if (IsOnDemand(r)) {
    if (r.provisioned_throughput) return kThroughputUnneeded();
    return Ok();
  }
  if (!r.provisioned_throughput) return kThroughputMissing();
  return ThroughputIsInBounds(*r.provisioned_throughput);
}

Status GlobalIndexesAreSound(const wire::CreateTableRequest& r) {
  if (!r.global_secondary_indexes) return Ok();
  if (r.global_secondary_indexes->empty()) return kNoGlobalIndexes();
  for (const wire::GlobalSecondaryIndex& index : FirstOf(*r.global_secondary_indexes)) {
    RETURN_IF_ERROR(GlobalIndexIsSound(index, r.attribute_definitions, IsOnDemand(r)));
  }
  if (r.global_secondary_indexes->size() > kGlobalIndexesMax) return kTooManyGlobal();
  return Ok();
}

Status CheckNewTable(const wire::CreateTableRequest& r) {
  RETURN_IF_ERROR(BillingIsSound(r));
  RETURN_IF_ERROR(DefinitionsAreDistinct(r.attribute_definitions));
  RETURN_IF_ERROR(KeySchemaIsSound(r.key_schema, r.attribute_definitions, false));
  if (r.local_secondary_indexes) {
    RETURN_IF_ERROR(LocalIndexesAreSound(*r.local_secondary_indexes, r.key_schema, r.attribute_definitions));
  }
  return GlobalIndexesAreSound(r);
}

void FillIndexes(const wire::CreateTableRequest& r, engine::Table& table) {
  if (r.local_secondary_indexes) {
    for (const auto& index : *r.local_secondary_indexes)
      table.indexes.push_back(LocalIndexOf(index, r.attribute_definitions));
  }
  if (r.global_secondary_indexes) {
    for (const auto& index : *r.global_secondary_indexes)
      table.indexes.push_back(GlobalIndexOf(index, r.attribute_definitions));
  }
}

Status FillSettings(const wire::CreateTableRequest& r, const Service& service, engine::Table& table) {
  table.on_demand_billing = IsOnDemand(r);
  if (r.provisioned_throughput) {
    table.throughput.read_units = r.provisioned_throughput->read_capacity_units;
    table.throughput.write_units = r.provisioned_throughput->write_capacity_units;
  }
  table.on_demand = UnitsOf(r.on_demand_throughput);
  table.warm = UnitsOf(r.warm_throughput);
  if (r.table_class) table.table_class = wire::NameOf(*r.table_class);
  table.deletion_protection = r.deletion_protection_enabled.value_or(false);
  if (r.sse_specification) table.encryption = EncryptionOf(*r.sse_specification, service.identity);
  if (r.stream_specification) {
    ASSIGN_OR_RETURN(table.stream, StreamOf(*r.stream_specification));
  }
  if (r.tags) {
    ASSIGN_OR_RETURN(Tags tags, TagsOf(*r.tags));
    RETURN_IF_ERROR(MergeTags(table.tags, std::move(tags)));
  }
  return Ok();
}

}  // namespace

Result<engine::Table> NewTable(const wire::CreateTableRequest& r, const Service& service) {
  RETURN_IF_ERROR(CheckNewTable(r));
  engine::Table table;
  ASSIGN_OR_RETURN(table.name, engine::TableNameOf(service.identity, r.table_name));
  table.key = KeySchemaOf(r.key_schema, r.attribute_definitions);
  table.attributes = AttributesOf(r.attribute_definitions);
  FillIndexes(r, table);
  RETURN_IF_ERROR(DefinitionsAreUsed(table.attributes, table.key, table.indexes));
  RETURN_IF_ERROR(IndexNamesAreDistinct(table.indexes));
  RETURN_IF_ERROR(ProjectedAttributesAreFew(table.indexes));
  RETURN_IF_ERROR(FillSettings(r, service, table));
  return table;
}

}  // namespace keyfold::ops

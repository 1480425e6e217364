// Requests on tables: CreateTable, DescribeTable, UpdateTable, DeleteTable, ListTables, and the structures that
// describe a table's settings.
#pragma once

#include "wire/shapes.h"

namespace keyfold::wire {

struct CreateTableRequest {
  std::vector<AttributeDefinition> attribute_definitions;
  std::string table_name;
  std::vector<KeySchemaElement> key_schema;
  std::optional<std::vector<LocalSecondaryIndex>> local_secondary_indexes;
  std::optional<std::vector<GlobalSecondaryIndex>> global_secondary_indexes;
  std::optional<BillingMode> billing_mode;
  std::optional<ProvisionedThroughput> provisioned_throughput;
  std::optional<StreamSpecification> stream_specification;
  std::optional<SSESpecification> sse_specification;
  std::optional<std::vector<ResourceTag>> tags;
  std::optional<TableClass> table_class;
  std::optional<bool> deletion_protection_enabled;
  std::optional<WarmThroughput> warm_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
};
template <>
struct ShapeOf<CreateTableRequest> {
  using R = CreateTableRequest;
  static constexpr std::string_view kName = "CreateTableInput";
  static constexpr Field kFields[] = {
      Member<&R::attribute_definitions>("AttributeDefinitions", {.required = true}),
      Member<&R::table_name>("TableName", kNewTableName),
      Member<&R::billing_mode>("BillingMode"),
      Member<&R::provisioned_throughput>("ProvisionedThroughput"),
      Member<&R::key_schema>("KeySchema", {.required = true, .min = 1, .max = 2}),
      Member<&R::local_secondary_indexes>("LocalSecondaryIndexes"),
      Member<&R::global_secondary_indexes>("GlobalSecondaryIndexes"),
      Member<&R::stream_specification>("StreamSpecification"),
      Member<&R::sse_specification>("SSESpecification"),
      Member<&R::tags>("Tags"),
      Member<&R::table_class>("TableClass"),
      Member<&R::deletion_protection_enabled>("DeletionProtectionEnabled"),
      Member<&R::warm_throughput>("WarmThroughput"),
      Member<&R::on_demand_throughput>("OnDemandThroughput"),
      Refused<JsonType::kString>("ResourcePolicy"),
      Refused<JsonType::kString>("GlobalTableSourceArn"),
      Refused<JsonType::kString>("GlobalTableSettingsReplicationMode"),
      Refused<JsonType::kList>("VectorIndexes"),
  };
};

struct DescribeTableRequest {
  std::string table_name;
};
template <>
struct ShapeOf<DescribeTableRequest> {
  static constexpr std::string_view kName = "DescribeTableInput";
  static constexpr Field kFields[] = {
      Member<&DescribeTableRequest::table_name>("TableName", kDescribedTableName),
  };
};

struct UpdateTableRequest {
  std::optional<std::vector<AttributeDefinition>> attribute_definitions;
  std::string table_name;
  std::optional<BillingMode> billing_mode;
  std::optional<ProvisionedThroughput> provisioned_throughput;
  std::optional<std::vector<GlobalSecondaryIndexUpdate>> global_secondary_index_updates;
  std::optional<StreamSpecification> stream_specification;
  std::optional<SSESpecification> sse_specification;
  std::optional<TableClass> table_class;
  std::optional<bool> deletion_protection_enabled;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughput> warm_throughput;
};
template <>
struct ShapeOf<UpdateTableRequest> {
  using R = UpdateTableRequest;
  static constexpr std::string_view kName = "UpdateTableInput";
  static constexpr Field kFields[] = {
      Member<&R::table_name>("TableName", kChangedTableName),
      Member<&R::provisioned_throughput>("ProvisionedThroughput"),
      Member<&R::billing_mode>("BillingMode"),
      Member<&R::global_secondary_index_updates>("GlobalSecondaryIndexUpdates"),
      Member<&R::attribute_definitions>("AttributeDefinitions"),
      Member<&R::stream_specification>("StreamSpecification"),
      Member<&R::sse_specification>("SSESpecification"),
      Member<&R::table_class>("TableClass"),
      Member<&R::deletion_protection_enabled>("DeletionProtectionEnabled"),
      Member<&R::on_demand_throughput>("OnDemandThroughput"),
      Member<&R::warm_throughput>("WarmThroughput"),
      Refused<JsonType::kList>("ReplicaUpdates"),
      Refused<JsonType::kString>("MultiRegionConsistency"),
      Refused<JsonType::kList>("GlobalTableWitnessUpdates"),
      Refused<JsonType::kString>("GlobalTableSettingsReplicationMode"),
      Refused<JsonType::kList>("VectorIndexUpdates"),
  };
};

struct DeleteTableRequest {
  std::string table_name;
};
template <>
struct ShapeOf<DeleteTableRequest> {
  static constexpr std::string_view kName = "DeleteTableInput";
  static constexpr Field kFields[] = {
      Member<&DeleteTableRequest::table_name>("TableName", kChangedTableName),
  };
};

struct ListTablesRequest {
  std::optional<std::string> exclusive_start_table_name;
  std::optional<int32_t> limit;
};
template <>
struct ShapeOf<ListTablesRequest> {
  static constexpr std::string_view kName = "ListTablesInput";
  static constexpr Field kFields[] = {
      Member<&ListTablesRequest::limit>("Limit", {.min = 1, .max = 100}),
      Member<&ListTablesRequest::exclusive_start_table_name>("ExclusiveStartTableName",
                                                             {.min = 3, .max = 255, .pattern = Pattern::kName}),
  };
};

struct DescribeLimitsRequest {};
template <>
struct ShapeOf<DescribeLimitsRequest> {
  static constexpr std::string_view kName = "DescribeLimitsInput";
  static constexpr std::span<const Field> kFields = {};
};

struct DescribeEndpointsRequest {};
template <>
struct ShapeOf<DescribeEndpointsRequest> {
  static constexpr std::string_view kName = "DescribeEndpointsRequest";
  static constexpr std::span<const Field> kFields = {};
};

}  // namespace keyfold::wire

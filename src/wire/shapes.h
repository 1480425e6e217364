// The enums and structures that several requests share, each with its table. Enum values are in the order in which AWS
// prints them in errors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "value/item.h"
#include "wire/shape.h"

namespace keyfold::wire {

enum class ReturnValue : uint8_t { kAllNew, kUpdatedOld, kAllOld, kNone, kUpdatedNew };
template <>
struct EnumOf<ReturnValue> {
  static constexpr std::string_view kName = "ReturnValue";
  static constexpr std::string_view kValues[] = {"ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"};
};

enum class ReturnConsumedCapacity : uint8_t { kIndexes, kTotal, kNone };
template <>
struct EnumOf<ReturnConsumedCapacity> {
  static constexpr std::string_view kName = "ReturnConsumedCapacity";
  static constexpr std::string_view kValues[] = {"INDEXES", "TOTAL", "NONE"};
};

enum class ReturnItemCollectionMetrics : uint8_t { kSize, kNone };
template <>
struct EnumOf<ReturnItemCollectionMetrics> {
  static constexpr std::string_view kName = "ReturnItemCollectionMetrics";
  static constexpr std::string_view kValues[] = {"SIZE", "NONE"};
};

enum class ReturnValuesOnConditionCheckFailure : uint8_t { kAllOld, kNone };
template <>
struct EnumOf<ReturnValuesOnConditionCheckFailure> {
  static constexpr std::string_view kName = "ReturnValuesOnConditionCheckFailure";
  static constexpr std::string_view kValues[] = {"ALL_OLD", "NONE"};
};

enum class Select : uint8_t { kSpecificAttributes, kCount, kAllAttributes, kAllProjectedAttributes };
template <>
struct EnumOf<Select> {
  static constexpr std::string_view kName = "Select";
  static constexpr std::string_view kValues[] = {"SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES",
                                                 "ALL_PROJECTED_ATTRIBUTES"};
};

enum class ComparisonOperator : uint8_t {
  kIn,
  kNull,
  kBetween,
  kLt,
  kNotContains,
  kEq,
  kGt,
  kNotNull,
  kNe,
  kLe,
  kBeginsWith,
  kGe,
  kContains
};
template <>
struct EnumOf<ComparisonOperator> {
  static constexpr std::string_view kName = "ComparisonOperator";
  static constexpr std::string_view kValues[] = {"IN",          "NULL", "BETWEEN",  "LT", "NOT_CONTAINS",
                                                 "EQ",          "GT",   "NOT_NULL", "NE", "LE",
                                                 "BEGINS_WITH", "GE",   "CONTAINS"};
};

enum class ConditionalOperator : uint8_t { kOr, kAnd };
template <>
struct EnumOf<ConditionalOperator> {
  static constexpr std::string_view kName = "ConditionalOperator";
  static constexpr std::string_view kValues[] = {"OR", "AND"};
};

enum class AttributeAction : uint8_t { kAdd, kPut, kDelete };
template <>
struct EnumOf<AttributeAction> {
  static constexpr std::string_view kName = "AttributeAction";
  static constexpr std::string_view kValues[] = {"ADD", "PUT", "DELETE"};
};

enum class ScalarAttributeType : uint8_t { kB, kN, kS };
template <>
struct EnumOf<ScalarAttributeType> {
  static constexpr std::string_view kName = "ScalarAttributeType";
  static constexpr std::string_view kValues[] = {"B", "N", "S"};
};

enum class KeyType : uint8_t { kHash, kRange };
template <>
struct EnumOf<KeyType> {
  static constexpr std::string_view kName = "KeyType";
  static constexpr std::string_view kValues[] = {"HASH", "RANGE"};
};

enum class ProjectionType : uint8_t { kAll, kInclude, kKeysOnly };
template <>
struct EnumOf<ProjectionType> {
  static constexpr std::string_view kName = "ProjectionType";
  static constexpr std::string_view kValues[] = {"ALL", "INCLUDE", "KEYS_ONLY"};
};

enum class BillingMode : uint8_t { kProvisioned, kPayPerRequest };
template <>
struct EnumOf<BillingMode> {
  static constexpr std::string_view kName = "BillingMode";
  static constexpr std::string_view kValues[] = {"PROVISIONED", "PAY_PER_REQUEST"};
};

enum class TableClass : uint8_t { kStandard, kStandardInfrequentAccess };
template <>
struct EnumOf<TableClass> {
  static constexpr std::string_view kName = "TableClass";
  static constexpr std::string_view kValues[] = {"STANDARD", "STANDARD_INFREQUENT_ACCESS"};
};

enum class StreamViewType : uint8_t { kOldImage, kKeysOnly, kNewAndOldImages, kNewImage };
template <>
struct EnumOf<StreamViewType> {
  static constexpr std::string_view kName = "StreamViewType";
  static constexpr std::string_view kValues[] = {"OLD_IMAGE", "KEYS_ONLY", "NEW_AND_OLD_IMAGES", "NEW_IMAGE"};
};

enum class SSEType : uint8_t { kAes256, kKms };
template <>
struct EnumOf<SSEType> {
  static constexpr std::string_view kName = "SSEType";
  static constexpr std::string_view kValues[] = {"AES256", "KMS"};
};

// Constraints shared by many members.
inline constexpr Constraints kItemTableName = {
    .required = true, .min = 1, .max = 1024, .name = NameRule::kItemOperation};
inline constexpr Constraints kDescribedTableName = {
    .required = true, .min = 1, .max = 1024, .name = NameRule::kDescribe};
// In the actions of a transaction: reported with the other faults.
inline constexpr Constraints kTransactTableName = {
    .required = true, .min = 1, .max = 1024, .name = NameRule::kDescribe};
inline constexpr Constraints kChangedTableName = {
    .required = true, .min = 1, .max = 1024, .name = NameRule::kTableOperation};
inline constexpr Constraints kNewTableName = {.required = true, .min = 1, .max = 1024, .name = NameRule::kNewTable};
inline constexpr Constraints kRequiredIndexName = {.required = true, .min = 3, .max = 255, .pattern = Pattern::kName};
inline constexpr Constraints kIndexName = {.min = 3, .max = 255, .pattern = Pattern::kName};
inline constexpr Constraints kClientToken = {.pattern = Pattern::kClientToken};
inline constexpr Constraints kS3Bucket = {.required = true, .max = 255, .pattern = Pattern::kS3Bucket};
inline constexpr Constraints kS3BucketOwner = {.pattern = Pattern::kAccount};
inline constexpr Constraints kS3Prefix = {.max = 1024};
inline constexpr Constraints kKeyAttributeName = {.required = true, .min = 1, .max = 255};
inline constexpr Constraints kAttributesToGet = {.min = 1, .max = 255, .elements = {.max = 65535}};
inline constexpr Constraints kExpressionNames = {.elements = {.max = 65535}};
inline constexpr Constraints kByAttribute = {.keys = {.max = 65535}};

using ExpressionAttributeNames = OrderedMap<std::string>;
using ExpressionAttributeValues = OrderedMap<Supplied<Value>>;

struct KeySchemaElement {
  std::string attribute_name;
  KeyType key_type = KeyType::kHash;
};
template <>
struct ShapeOf<KeySchemaElement> {
  static constexpr std::string_view kName = "KeySchemaElement";
  static constexpr Field kFields[] = {
      Member<&KeySchemaElement::attribute_name>("AttributeName", kKeyAttributeName),
      Member<&KeySchemaElement::key_type>("KeyType", {.required = true}),
  };
};

struct AttributeDefinition {
  std::string attribute_name;
  ScalarAttributeType attribute_type = ScalarAttributeType::kS;
};
template <>
struct ShapeOf<AttributeDefinition> {
  static constexpr std::string_view kName = "AttributeDefinition";
  static constexpr Field kFields[] = {
      Member<&AttributeDefinition::attribute_name>("AttributeName", kKeyAttributeName),
      Member<&AttributeDefinition::attribute_type>("AttributeType", {.required = true}),
  };
};

// The attributes in an index (Projection is the name of the expressions' type).
struct IndexProjection {
  std::optional<ProjectionType> projection_type;
  std::optional<std::vector<std::string>> non_key_attributes;
};
template <>
struct ShapeOf<IndexProjection> {
  static constexpr std::string_view kName = "Projection";
  static constexpr Field kFields[] = {
      Member<&IndexProjection::projection_type>("ProjectionType"),
      Member<&IndexProjection::non_key_attributes>("NonKeyAttributes",
                                                   {.min = 1, .max = 20, .elements = {.min = 1, .max = 255}}),
  };
};

struct ProvisionedThroughput {
  int64_t write_capacity_units = 0;
  int64_t read_capacity_units = 0;
};
template <>
struct ShapeOf<ProvisionedThroughput> {
  static constexpr std::string_view kName = "ProvisionedThroughput";
  static constexpr Field kFields[] = {
      Member<&ProvisionedThroughput::write_capacity_units>("WriteCapacityUnits", {.required = true, .min = 1}),
      Member<&ProvisionedThroughput::read_capacity_units>("ReadCapacityUnits", {.required = true, .min = 1}),
  };
};

struct OnDemandThroughput {
  std::optional<int64_t> max_read_request_units;
  std::optional<int64_t> max_write_request_units;
};
template <>
struct ShapeOf<OnDemandThroughput> {
  static constexpr std::string_view kName = "OnDemandThroughput";
  static constexpr Field kFields[] = {
      Member<&OnDemandThroughput::max_read_request_units>("MaxReadRequestUnits"),
      Member<&OnDemandThroughput::max_write_request_units>("MaxWriteRequestUnits"),
  };
};

struct WarmThroughput {
  std::optional<int64_t> read_units_per_second;
  std::optional<int64_t> write_units_per_second;
};
template <>
struct ShapeOf<WarmThroughput> {
  static constexpr std::string_view kName = "WarmThroughput";
  static constexpr Field kFields[] = {
      Member<&WarmThroughput::read_units_per_second>("ReadUnitsPerSecond"),
      Member<&WarmThroughput::write_units_per_second>("WriteUnitsPerSecond"),
  };
};

struct LocalSecondaryIndex {
  std::string index_name;
  std::vector<KeySchemaElement> key_schema;
  IndexProjection projection;
};
template <>
struct ShapeOf<LocalSecondaryIndex> {
  static constexpr std::string_view kName = "LocalSecondaryIndex";
  static constexpr Field kFields[] = {
      Member<&LocalSecondaryIndex::index_name>("IndexName", kRequiredIndexName),
      Member<&LocalSecondaryIndex::key_schema>("KeySchema", {.required = true, .min = 1, .max = 2}),
      Member<&LocalSecondaryIndex::projection>("Projection", {.required = true}),
  };
};

struct GlobalSecondaryIndex {
  std::string index_name;
  std::vector<KeySchemaElement> key_schema;
  IndexProjection projection;
  std::optional<ProvisionedThroughput> provisioned_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughput> warm_throughput;
};
template <>
struct ShapeOf<GlobalSecondaryIndex> {
  static constexpr std::string_view kName = "GlobalSecondaryIndex";
  static constexpr Field kFields[] = {
      Member<&GlobalSecondaryIndex::index_name>("IndexName", kRequiredIndexName),
      Member<&GlobalSecondaryIndex::key_schema>("KeySchema", {.required = true, .min = 1}),
      Member<&GlobalSecondaryIndex::projection>("Projection", {.required = true}),
      Member<&GlobalSecondaryIndex::provisioned_throughput>("ProvisionedThroughput"),
      Member<&GlobalSecondaryIndex::on_demand_throughput>("OnDemandThroughput"),
      Member<&GlobalSecondaryIndex::warm_throughput>("WarmThroughput"),
  };
};

// The index of a CreateTable request, in an UpdateTable request.
struct CreateGlobalSecondaryIndexAction : GlobalSecondaryIndex {};
// Its members are those of its base, which decoding accesses through the same pointer.
static_assert(std::is_standard_layout_v<CreateGlobalSecondaryIndexAction>);
template <>
struct ShapeOf<CreateGlobalSecondaryIndexAction> {
  using T = CreateGlobalSecondaryIndexAction;
  static constexpr std::string_view kName = "CreateGlobalSecondaryIndexAction";
  static constexpr Field kFields[] = {
      Member<&T::projection>("Projection", {.required = true}),
      Member<&T::index_name>("IndexName", kRequiredIndexName),
      Member<&T::provisioned_throughput>("ProvisionedThroughput"),
      Member<&T::key_schema>("KeySchema", {.required = true, .min = 1}),
      Member<&T::on_demand_throughput>("OnDemandThroughput"),
      Member<&T::warm_throughput>("WarmThroughput"),
  };
};

struct UpdateGlobalSecondaryIndexAction {
  std::string index_name;
  std::optional<ProvisionedThroughput> provisioned_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughput> warm_throughput;
};
template <>
struct ShapeOf<UpdateGlobalSecondaryIndexAction> {
  using T = UpdateGlobalSecondaryIndexAction;
  static constexpr std::string_view kName = "UpdateGlobalSecondaryIndexAction";
  static constexpr Field kFields[] = {
      Member<&T::index_name>("IndexName", kRequiredIndexName),
      Member<&T::provisioned_throughput>("ProvisionedThroughput"),
      Member<&T::on_demand_throughput>("OnDemandThroughput"),
      Member<&T::warm_throughput>("WarmThroughput"),
  };
};

struct DeleteGlobalSecondaryIndexAction {
  std::string index_name;
};
template <>
struct ShapeOf<DeleteGlobalSecondaryIndexAction> {
  static constexpr std::string_view kName = "DeleteGlobalSecondaryIndexAction";
  static constexpr Field kFields[] = {
      Member<&DeleteGlobalSecondaryIndexAction::index_name>("IndexName", kRequiredIndexName),
  };
};

struct GlobalSecondaryIndexUpdate {
  std::optional<UpdateGlobalSecondaryIndexAction> update;
  std::optional<CreateGlobalSecondaryIndexAction> create;
  std::optional<DeleteGlobalSecondaryIndexAction> remove;
};
template <>
struct ShapeOf<GlobalSecondaryIndexUpdate> {
  static constexpr std::string_view kName = "GlobalSecondaryIndexUpdate";
  static constexpr Field kFields[] = {
      Member<&GlobalSecondaryIndexUpdate::update>("Update"),
      Member<&GlobalSecondaryIndexUpdate::create>("Create"),
      Member<&GlobalSecondaryIndexUpdate::remove>("Delete"),
  };
};

struct StreamSpecification {
  bool stream_enabled = false;
  std::optional<StreamViewType> stream_view_type;
};
template <>
struct ShapeOf<StreamSpecification> {
  static constexpr std::string_view kName = "StreamSpecification";
  static constexpr Field kFields[] = {
      Member<&StreamSpecification::stream_enabled>("StreamEnabled", {.required = true}),
      Member<&StreamSpecification::stream_view_type>("StreamViewType"),
  };
};

struct SSESpecification {
  std::optional<bool> enabled;
  std::optional<SSEType> sse_type;
  std::optional<std::string> kms_master_key_id;
};
template <>
struct ShapeOf<SSESpecification> {
  static constexpr std::string_view kName = "SSESpecification";
  static constexpr Field kFields[] = {
      Member<&SSESpecification::enabled>("Enabled"),
      Member<&SSESpecification::sse_type>("SSEType"),
      Member<&SSESpecification::kms_master_key_id>("KMSMasterKeyId", {.min = 1}),
  };
};

// Missing and malformed keys and values are not faults of shape: AWS says "The Tag Key provided is invalid, Key: null".
struct ResourceTag {
  std::optional<std::string> key;
  std::optional<std::string> value;
};
template <>
struct ShapeOf<ResourceTag> {
  static constexpr std::string_view kName = "Tag";
  static constexpr Field kFields[] = {
      Member<&ResourceTag::key>("Key"),
      Member<&ResourceTag::value>("Value"),
  };
};

struct ExpectedAttributeValue {
  std::optional<std::vector<Supplied<Value>>> attribute_value_list;
  std::optional<ComparisonOperator> comparison_operator;
  std::optional<bool> exists;
  std::optional<Supplied<Value>> value;
};
template <>
struct ShapeOf<ExpectedAttributeValue> {
  static constexpr std::string_view kName = "ExpectedAttributeValue";
  static constexpr Field kFields[] = {
      Member<&ExpectedAttributeValue::attribute_value_list>("AttributeValueList"),
      Member<&ExpectedAttributeValue::comparison_operator>("ComparisonOperator"),
      Member<&ExpectedAttributeValue::exists>("Exists"),
      Member<&ExpectedAttributeValue::value>("Value"),
  };
};

// QueryFilter, ScanFilter, KeyConditions: the API's Condition (here, Condition is the expressions' tree).
struct AttributeCondition {
  std::optional<std::vector<Supplied<Value>>> attribute_value_list;
  ComparisonOperator comparison_operator = ComparisonOperator::kEq;
};
template <>
struct ShapeOf<AttributeCondition> {
  static constexpr std::string_view kName = "Condition";
  static constexpr Field kFields[] = {
      Member<&AttributeCondition::attribute_value_list>("AttributeValueList"),
      Member<&AttributeCondition::comparison_operator>("ComparisonOperator", {.required = true}),
  };
};

struct AttributeValueUpdate {
  std::optional<AttributeAction> action;
  std::optional<Supplied<Value>> value;
};
template <>
struct ShapeOf<AttributeValueUpdate> {
  static constexpr std::string_view kName = "AttributeValueUpdate";
  static constexpr Field kFields[] = {
      Member<&AttributeValueUpdate::action>("Action"),
      Member<&AttributeValueUpdate::value>("Value"),
  };
};

struct KeysAndAttributes {
  std::vector<Supplied<Item>> keys;
  std::optional<std::vector<std::string>> attributes_to_get;
  std::optional<bool> consistent_read;
  std::optional<std::string> projection_expression;
  std::optional<ExpressionAttributeNames> expression_attribute_names;
};
template <>
struct ShapeOf<KeysAndAttributes> {
  static constexpr std::string_view kName = "KeysAndAttributes";
  static constexpr Field kFields[] = {
      Member<&KeysAndAttributes::keys>("Keys",
                                       {.required = true, .min = 1, .max = 100, .reporting = Reporting::kByName}),
      Member<&KeysAndAttributes::attributes_to_get>("AttributesToGet", kAttributesToGet),
      Member<&KeysAndAttributes::consistent_read>("ConsistentRead"),
      Member<&KeysAndAttributes::projection_expression>("ProjectionExpression"),
      Member<&KeysAndAttributes::expression_attribute_names>("ExpressionAttributeNames", kExpressionNames),
  };
};

struct PutRequest {
  Supplied<Item> item;
};
template <>
struct ShapeOf<PutRequest> {
  static constexpr std::string_view kName = "PutRequest";
  static constexpr Field kFields[] = {
      Member<&PutRequest::item>("Item", {.required = true}),
  };
};

struct DeleteRequest {
  Supplied<Item> key;
};
template <>
struct ShapeOf<DeleteRequest> {
  static constexpr std::string_view kName = "DeleteRequest";
  static constexpr Field kFields[] = {
      Member<&DeleteRequest::key>("Key", {.required = true}),
  };
};

struct WriteRequest {
  std::optional<PutRequest> put_request;
  std::optional<DeleteRequest> delete_request;
};
template <>
struct ShapeOf<WriteRequest> {
  static constexpr std::string_view kName = "WriteRequest";
  static constexpr Field kFields[] = {
      Member<&WriteRequest::put_request>("PutRequest"),
      Member<&WriteRequest::delete_request>("DeleteRequest"),
  };
};

}  // namespace keyfold::wire

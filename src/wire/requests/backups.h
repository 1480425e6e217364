// Requests on backups and on point-in-time recovery: CreateBackup, DescribeBackup, ListBackups, DeleteBackup,
// RestoreTableFromBackup, UpdateContinuousBackups, DescribeContinuousBackups, RestoreTableToPointInTime.
#pragma once

#include "wire/shapes.h"

namespace keyfold::wire {

enum class BackupTypeFilter : uint8_t { kUser, kSystem, kAwsBackup, kAll };
template <>
struct EnumOf<BackupTypeFilter> {
  static constexpr std::string_view kName = "BackupTypeFilter";
  static constexpr std::string_view kValues[] = {"USER", "SYSTEM", "AWS_BACKUP", "ALL"};
};

inline constexpr Constraints kBackupArn = {.required = true, .min = 37, .max = 1024};
// The table that a restore makes: a name, never an ARN.
inline constexpr Constraints kTargetTableName = {.required = true, .min = 3, .max = 255, .pattern = Pattern::kName};

struct CreateBackupRequest {
  std::string table_name;
  std::string backup_name;
};
template <>
struct ShapeOf<CreateBackupRequest> {
  static constexpr std::string_view kName = "CreateBackupInput";
  static constexpr Field kFields[] = {
      Member<&CreateBackupRequest::table_name>("TableName", kChangedTableName),
      Member<&CreateBackupRequest::backup_name>("BackupName",
                                                {.required = true, .min = 3, .max = 255, .pattern = Pattern::kName}),
  };
};

struct DescribeBackupRequest {
  std::string backup_arn;
};
template <>
struct ShapeOf<DescribeBackupRequest> {
  static constexpr std::string_view kName = "DescribeBackupInput";
  static constexpr Field kFields[] = {
      Member<&DescribeBackupRequest::backup_arn>("BackupArn", kBackupArn),
  };
};

struct ListBackupsRequest {
  std::optional<std::string> table_name;
  std::optional<int32_t> limit;
  std::optional<Timestamp> time_range_lower_bound;
  std::optional<Timestamp> time_range_upper_bound;
  std::optional<std::string> exclusive_start_backup_arn;
  std::optional<BackupTypeFilter> backup_type;
};
template <>
struct ShapeOf<ListBackupsRequest> {
  using R = ListBackupsRequest;
  static constexpr std::string_view kName = "ListBackupsInput";
  static constexpr Field kFields[] = {
      Member<&R::table_name>("TableName", {.min = 1, .max = 1024, .name = NameRule::kDescribe}),
      Member<&R::limit>("Limit", {.min = 1, .max = 100}),
      Member<&R::time_range_lower_bound>("TimeRangeLowerBound"),
      Member<&R::time_range_upper_bound>("TimeRangeUpperBound"),
      Member<&R::exclusive_start_backup_arn>("ExclusiveStartBackupArn", {.min = 37, .max = 1024}),
      Member<&R::backup_type>("BackupType"),
  };
};

struct DeleteBackupRequest {
  std::string backup_arn;
};
template <>
struct ShapeOf<DeleteBackupRequest> {
  static constexpr std::string_view kName = "DeleteBackupInput";
  static constexpr Field kFields[] = {
      Member<&DeleteBackupRequest::backup_arn>("BackupArn", kBackupArn),
  };
};

// Settings of a restored table that differ from its source.
struct RestoreOverrides {
  std::optional<BillingMode> billing_mode;
  std::optional<std::vector<GlobalSecondaryIndex>> global_secondary_indexes;
  std::optional<std::vector<LocalSecondaryIndex>> local_secondary_indexes;
  std::optional<ProvisionedThroughput> provisioned_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<SSESpecification> sse_specification;
};

struct RestoreTableFromBackupRequest : RestoreOverrides {
  std::string target_table_name;
  std::string backup_arn;
};
template <>
struct ShapeOf<RestoreTableFromBackupRequest> {
  using R = RestoreTableFromBackupRequest;
  static constexpr std::string_view kName = "RestoreTableFromBackupInput";
  static constexpr Field kFields[] = {
      Member<&R::target_table_name>("TargetTableName", kTargetTableName),
      Member<&R::backup_arn>("BackupArn", kBackupArn),
      Member<&R::billing_mode, R>("BillingModeOverride"),
      Member<&R::global_secondary_indexes, R>("GlobalSecondaryIndexOverride"),
      Member<&R::local_secondary_indexes, R>("LocalSecondaryIndexOverride"),
      Member<&R::provisioned_throughput, R>("ProvisionedThroughputOverride"),
      Member<&R::on_demand_throughput, R>("OnDemandThroughputOverride"),
      Member<&R::sse_specification, R>("SSESpecificationOverride"),
      Refused<JsonType::kList>("VectorIndexOverride"),
  };
};

struct RestoreTableToPointInTimeRequest : RestoreOverrides {
  std::optional<std::string> source_table_arn;
  std::optional<std::string> source_table_name;
  std::string target_table_name;
  std::optional<bool> use_latest_restorable_time;
  std::optional<Timestamp> restore_date_time;
};
template <>
struct ShapeOf<RestoreTableToPointInTimeRequest> {
  using R = RestoreTableToPointInTimeRequest;
  static constexpr std::string_view kName = "RestoreTableToPointInTimeInput";
  static constexpr Field kFields[] = {
      Member<&R::source_table_arn>("SourceTableArn", {.min = 1, .max = 1024}),
      Member<&R::source_table_name>("SourceTableName", {.min = 3, .max = 255, .pattern = Pattern::kName}),
      Member<&R::target_table_name>("TargetTableName", kTargetTableName),
      Member<&R::use_latest_restorable_time>("UseLatestRestorableTime"),
      Member<&R::restore_date_time>("RestoreDateTime"),
      Member<&R::billing_mode, R>("BillingModeOverride"),
      Member<&R::global_secondary_indexes, R>("GlobalSecondaryIndexOverride"),
      Member<&R::local_secondary_indexes, R>("LocalSecondaryIndexOverride"),
      Member<&R::provisioned_throughput, R>("ProvisionedThroughputOverride"),
      Member<&R::on_demand_throughput, R>("OnDemandThroughputOverride"),
      Member<&R::sse_specification, R>("SSESpecificationOverride"),
      Refused<JsonType::kList>("VectorIndexOverride"),
  };
};

struct PointInTimeRecoverySpecification {
  bool point_in_time_recovery_enabled = false;
  std::optional<int32_t> recovery_period_in_days;
};
template <>
struct ShapeOf<PointInTimeRecoverySpecification> {
  using T = PointInTimeRecoverySpecification;
  static constexpr std::string_view kName = "PointInTimeRecoverySpecification";
  static constexpr Field kFields[] = {
      Member<&T::point_in_time_recovery_enabled>("PointInTimeRecoveryEnabled", {.required = true}),
      Member<&T::recovery_period_in_days>("RecoveryPeriodInDays", {.min = 1, .max = 35}),
  };
};

struct UpdateContinuousBackupsRequest {
  std::string table_name;
  PointInTimeRecoverySpecification point_in_time_recovery_specification;
};
template <>
struct ShapeOf<UpdateContinuousBackupsRequest> {
  using R = UpdateContinuousBackupsRequest;
  static constexpr std::string_view kName = "UpdateContinuousBackupsInput";
  static constexpr Field kFields[] = {
      Member<&R::table_name>("TableName", kChangedTableName),
      Member<&R::point_in_time_recovery_specification>("PointInTimeRecoverySpecification", {.required = true}),
  };
};

struct DescribeContinuousBackupsRequest {
  std::string table_name;
};
template <>
struct ShapeOf<DescribeContinuousBackupsRequest> {
  static constexpr std::string_view kName = "DescribeContinuousBackupsInput";
  static constexpr Field kFields[] = {
      Member<&DescribeContinuousBackupsRequest::table_name>("TableName", kChangedTableName),
  };
};

}  // namespace keyfold::wire

// Requests on exports: ExportTableToPointInTime, DescribeExport, ListExports.
#pragma once

#include "wire/shapes.h"

namespace keyfold::wire {

enum class S3SseAlgorithm : uint8_t { kAes256, kKms };
template <>
struct EnumOf<S3SseAlgorithm> {
  static constexpr std::string_view kName = "S3SseAlgorithm";
  static constexpr std::string_view kValues[] = {"AES256", "KMS"};
};

enum class ExportFormat : uint8_t { kIon, kDynamoDbJson };
template <>
struct EnumOf<ExportFormat> {
  static constexpr std::string_view kName = "ExportFormat";
  static constexpr std::string_view kValues[] = {"ION", "DYNAMODB_JSON"};
};

enum class ExportType : uint8_t { kFullExport, kIncrementalExport };
template <>
struct EnumOf<ExportType> {
  static constexpr std::string_view kName = "ExportType";
  static constexpr std::string_view kValues[] = {"FULL_EXPORT", "INCREMENTAL_EXPORT"};
};

enum class ExportViewType : uint8_t { kNewImage, kNewAndOldImages };
template <>
struct EnumOf<ExportViewType> {
  static constexpr std::string_view kName = "ExportViewType";
  static constexpr std::string_view kValues[] = {"NEW_IMAGE", "NEW_AND_OLD_IMAGES"};
};

struct IncrementalExportSpecification {
  std::optional<Timestamp> export_from_time;
  std::optional<Timestamp> export_to_time;
  std::optional<ExportViewType> export_view_type;
};
template <>
struct ShapeOf<IncrementalExportSpecification> {
  using T = IncrementalExportSpecification;
  static constexpr std::string_view kName = "IncrementalExportSpecification";
  static constexpr Field kFields[] = {
      Member<&T::export_from_time>("ExportFromTime"),
      Member<&T::export_to_time>("ExportToTime"),
      Member<&T::export_view_type>("ExportViewType"),
  };
};

// Encryption by the bucket's service is described as requested; files in a folder are not encrypted.
struct ExportTableToPointInTimeRequest {
  std::string table_arn;
  std::optional<Timestamp> export_time;
  std::optional<std::string> client_token;
  std::string s3_bucket;
  std::optional<std::string> s3_bucket_owner;
  std::optional<std::string> s3_prefix;
  std::optional<S3SseAlgorithm> s3_sse_algorithm;
  std::optional<std::string> s3_sse_kms_key_id;
  std::optional<ExportFormat> export_format;
  std::optional<ExportType> export_type;
  std::optional<IncrementalExportSpecification> incremental_export_specification;
};
template <>
struct ShapeOf<ExportTableToPointInTimeRequest> {
  using R = ExportTableToPointInTimeRequest;
  static constexpr std::string_view kName = "ExportTableToPointInTimeInput";
  static constexpr Field kFields[] = {
      Member<&R::table_arn>("TableArn", {.required = true, .min = 1, .max = 1024}),
      Member<&R::export_time>("ExportTime"),
      Member<&R::client_token>("ClientToken", kClientToken),
      Member<&R::s3_bucket>("S3Bucket", kS3Bucket),
      Member<&R::s3_bucket_owner>("S3BucketOwner", kS3BucketOwner),
      Member<&R::s3_prefix>("S3Prefix", kS3Prefix),
      Member<&R::s3_sse_algorithm>("S3SseAlgorithm"),
      Member<&R::s3_sse_kms_key_id>("S3SseKmsKeyId", {.min = 1, .max = 2048}),
      Member<&R::export_format>("ExportFormat"),
      Member<&R::export_type>("ExportType"),
      Member<&R::incremental_export_specification>("IncrementalExportSpecification"),
  };
};

struct DescribeExportRequest {
  std::string export_arn;
};
template <>
struct ShapeOf<DescribeExportRequest> {
  static constexpr std::string_view kName = "DescribeExportInput";
  static constexpr Field kFields[] = {
      Member<&DescribeExportRequest::export_arn>("ExportArn", {.required = true, .min = 37, .max = 1024}),
  };
};

struct ListExportsRequest {
  std::optional<std::string> table_arn;
  std::optional<int32_t> max_results;
  std::optional<std::string> next_token;
};
template <>
struct ShapeOf<ListExportsRequest> {
  static constexpr std::string_view kName = "ListExportsInput";
  static constexpr Field kFields[] = {
      Member<&ListExportsRequest::table_arn>("TableArn", {.min = 1, .max = 1024}),
      Member<&ListExportsRequest::max_results>("MaxResults", {.min = 1, .max = 25}),
      Member<&ListExportsRequest::next_token>("NextToken"),
  };
};

}  // namespace keyfold::wire

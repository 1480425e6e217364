// Requests on imports: ImportTable, DescribeImport, ListImports.
#pragma once

#include "wire/shapes.h"

namespace keyfold::wire {

enum class InputFormat : uint8_t { kDynamoDbJson, kIon, kCsv };
template <>
struct EnumOf<InputFormat> {
  static constexpr std::string_view kName = "InputFormat";
  static constexpr std::string_view kValues[] = {"DYNAMODB_JSON", "ION", "CSV"};
};

enum class InputCompressionType : uint8_t { kGzip, kZstd, kNone };
template <>
struct EnumOf<InputCompressionType> {
  static constexpr std::string_view kName = "InputCompressionType";
  static constexpr std::string_view kValues[] = {"GZIP", "ZSTD", "NONE"};
};

struct S3BucketSource {
  std::optional<std::string> s3_bucket_owner;
  std::string s3_bucket;
  std::optional<std::string> s3_key_prefix;
};
template <>
struct ShapeOf<S3BucketSource> {
  static constexpr std::string_view kName = "S3BucketSource";
  static constexpr Field kFields[] = {
      Member<&S3BucketSource::s3_bucket_owner>("S3BucketOwner", kS3BucketOwner),
      Member<&S3BucketSource::s3_bucket>("S3Bucket", kS3Bucket),
      Member<&S3BucketSource::s3_key_prefix>("S3KeyPrefix", kS3Prefix),
  };
};

// The API's CsvOptions (CsvOptions here is the format's).
struct CsvInput {
  std::optional<std::string> delimiter;
  std::optional<std::vector<std::string>> header_list;
};
template <>
struct ShapeOf<CsvInput> {
  static constexpr std::string_view kName = "CsvOptions";
  static constexpr Field kFields[] = {
      Member<&CsvInput::delimiter>("Delimiter", {.min = 1, .max = 1, .pattern = Pattern::kCsvDelimiter}),
      Member<&CsvInput::header_list>(
          "HeaderList", {.min = 1, .max = 255, .elements = {.min = 1, .max = 65536, .pattern = Pattern::kCsvHeader}}),
  };
};

struct InputFormatOptions {
  std::optional<CsvInput> csv;
};
template <>
struct ShapeOf<InputFormatOptions> {
  static constexpr std::string_view kName = "InputFormatOptions";
  static constexpr Field kFields[] = {
      Member<&InputFormatOptions::csv>("Csv"),
  };
};

// The table that an import makes.
struct TableCreationParameters {
  std::string table_name;
  std::vector<AttributeDefinition> attribute_definitions;
  std::vector<KeySchemaElement> key_schema;
  std::optional<BillingMode> billing_mode;
  std::optional<ProvisionedThroughput> provisioned_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<SSESpecification> sse_specification;
  std::optional<std::vector<GlobalSecondaryIndex>> global_secondary_indexes;
};
template <>
struct ShapeOf<TableCreationParameters> {
  using T = TableCreationParameters;
  static constexpr std::string_view kName = "TableCreationParameters";
  static constexpr Field kFields[] = {
      Member<&T::table_name>("TableName", {.required = true, .min = 3, .max = 255, .pattern = Pattern::kName}),
      Member<&T::attribute_definitions>("AttributeDefinitions", {.required = true}),
      Member<&T::key_schema>("KeySchema", {.required = true, .min = 1, .max = 2}),
      Member<&T::billing_mode>("BillingMode"),
      Member<&T::provisioned_throughput>("ProvisionedThroughput"),
      Member<&T::on_demand_throughput>("OnDemandThroughput"),
      Member<&T::sse_specification>("SSESpecification"),
      Member<&T::global_secondary_indexes>("GlobalSecondaryIndexes"),
      Refused<JsonType::kList>("VectorIndexes"),
  };
};

// The token is required, despite AWS's description: its SDKs generate one if the caller gives none.
struct ImportTableRequest {
  std::string client_token;
  S3BucketSource s3_bucket_source;
  InputFormat input_format = InputFormat::kDynamoDbJson;
  std::optional<InputFormatOptions> input_format_options;
  std::optional<InputCompressionType> input_compression_type;
  TableCreationParameters table_creation_parameters;
};
template <>
struct ShapeOf<ImportTableRequest> {
  using R = ImportTableRequest;
  static constexpr std::string_view kName = "ImportTableInput";
  static constexpr Field kFields[] = {
      Member<&R::client_token>("ClientToken", {.required = true, .pattern = Pattern::kClientToken}),
      Member<&R::s3_bucket_source>("S3BucketSource", {.required = true}),
      Member<&R::input_format>("InputFormat", {.required = true}),
      Member<&R::input_format_options>("InputFormatOptions"),
      Member<&R::input_compression_type>("InputCompressionType"),
      Member<&R::table_creation_parameters>("TableCreationParameters", {.required = true}),
  };
};

struct DescribeImportRequest {
  std::string import_arn;
};
template <>
struct ShapeOf<DescribeImportRequest> {
  static constexpr std::string_view kName = "DescribeImportInput";
  static constexpr Field kFields[] = {
      Member<&DescribeImportRequest::import_arn>("ImportArn", {.required = true, .min = 37, .max = 1024}),
  };
};

struct ListImportsRequest {
  std::optional<std::string> table_arn;
  std::optional<int32_t> page_size;
  std::optional<std::string> next_token;
};
template <>
struct ShapeOf<ListImportsRequest> {
  static constexpr std::string_view kName = "ListImportsInput";
  static constexpr Field kFields[] = {
      Member<&ListImportsRequest::table_arn>("TableArn", {.min = 1, .max = 1024}),
      Member<&ListImportsRequest::page_size>("PageSize", {.min = 1, .max = 25}),
      Member<&ListImportsRequest::next_token>("NextToken",
                                              {.min = 112, .max = 1024, .pattern = Pattern::kImportNextToken}),
  };
};

}  // namespace keyfold::wire

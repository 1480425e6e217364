// ImportTable: makes a new table from the files in a bucket. The table is CREATING until the import has ended.
// ImportExports is Keyfold's own: it also applies incremental exports on top.
#include "ops/handlers.h"
#include "ops/import_description.h"
#include "ops/new_table.h"
#include "transfer/import/import_jobs.h"
#include "wire/requests/keyfold.h"

namespace keyfold {
namespace {

constexpr Rule<"Imports need a folder, but this server has no writable one"> kNoFolder{"imports-no-folder",
                                                                                       Kind::kUnavailable};
constexpr Rule<
    "One or more parameter values were invalid: InputFormatOptions must not be specified when InputFormat is {}">
    kOptionsUnneeded{"import-options-unneeded", Kind::kValidation};

DataFormat FormatOf(InputFormat format) {
  switch (format) {
    case InputFormat::kCsv:
      return DataFormat::kCsv;
    case InputFormat::kIon:
      return DataFormat::kIon;
    case InputFormat::kDynamoDbJson:
      break;
  }
  return DataFormat::kDynamoDbJson;
}

Compression CompressionOf(InputCompressionType type) {
  switch (type) {
    case InputCompressionType::kGzip:
      return Compression::kGzip;
    case InputCompressionType::kZstd:
      return Compression::kZstd;
    case InputCompressionType::kNone:
      break;
  }
  return Compression::kNone;
}

Status Check(const ImportTableRequest& r) {
  const bool has_options = r.input_format_options && r.input_format_options->csv;
  if (has_options && r.input_format != InputFormat::kCsv) return kOptionsUnneeded(NameOf(r.input_format));
  return Ok();
}

ImportOrder OrderOf(const ImportTableRequest& r) {
  ImportOrder order;
  order.token = r.client_token;
  order.bucket = r.s3_bucket_source.s3_bucket;
  order.prefix = r.s3_bucket_source.s3_key_prefix;
  order.bucket_owner = r.s3_bucket_source.s3_bucket_owner;
  order.format = FormatOf(r.input_format);
  order.compression = CompressionOf(r.input_compression_type.value_or(InputCompressionType::kNone));
  if (r.input_format_options && r.input_format_options->csv) {
    order.csv = {r.input_format_options->csv->delimiter, r.input_format_options->csv->header_list};
  }
  return order;
}

// The CreateTable request for the same table.
CreateTableRequest CreationOf(TableCreationParameters parameters) {
  CreateTableRequest creation;
  creation.table_name = std::move(parameters.table_name);
  creation.attribute_definitions = std::move(parameters.attribute_definitions);
  creation.key_schema = std::move(parameters.key_schema);
  creation.billing_mode = parameters.billing_mode;
  creation.provisioned_throughput = parameters.provisioned_throughput;
  creation.on_demand_throughput = parameters.on_demand_throughput;
  creation.sse_specification = std::move(parameters.sse_specification);
  creation.global_secondary_indexes = std::move(parameters.global_secondary_indexes);
  return creation;
}

Status BeginImport(Call& call, json::Value request, std::vector<std::string> increments, json::Writer& answer) {
  ASSIGN_OR_RETURN(ImportTableRequest r, Decode<ImportTableRequest>(request));
  RETURN_IF_ERROR(Check(r));
  ASSIGN_OR_RETURN(Table table, NewTable(CreationOf(std::move(r.table_creation_parameters)), call.service));
  if (!call.service.imports) return kNoFolder();
  call.account.table = table.name;
  ImportOrder order = OrderOf(r);
  order.increments = std::move(increments);
  ASSIGN_OR_RETURN(const ImportPtr import, call.service.imports->Create(std::move(order), std::move(table)));
  WriteImportDescription(answer, call, *import);
  return Ok();
}

}  // namespace

Status ImportTable(Call& call, json::Value request, json::Writer& answer) {
  return BeginImport(call, request, {}, answer);
}

Status ImportExports(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(ImportExportsRequest r, Decode<ImportExportsRequest>(request));
  return BeginImport(call, request, std::move(r.increments), answer);
}

}  // namespace keyfold

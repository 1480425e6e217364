// ImportTable: makes a new table from the files in a bucket. The table is CREATING until the import has ended.
// ImportExports is Keyfold's own: it also applies incremental exports on top.
#include "ops/handlers.h"
#include "ops/import_description.h"
#include "ops/new_table.h"
#include "transfer/import/import_jobs.h"
#include "wire/requests/keyfold.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"Imports need a folder, but this server has no writable one"> kNoImportFolder{"imports-no-folder",
                                                                                             Kind::kUnavailable};
constexpr Rule<
    "One or more parameter values were invalid: InputFormatOptions must not be specified when InputFormat is {}">
    kOptionsUnneeded{"import-options-unneeded", Kind::kValidation};

transfer::DataFormat FormatOf(wire::InputFormat format) {
  switch (format) {
    case wire::InputFormat::kCsv:
      return transfer::DataFormat::kCsv;
    case wire::InputFormat::kIon:
      return transfer::DataFormat::kIon;
    case wire::InputFormat::kDynamoDbJson:
      break;
  }
  return transfer::DataFormat::kDynamoDbJson;
}

files::Compression CompressionOf(wire::InputCompressionType type) {
  switch (type) {
    case wire::InputCompressionType::kGzip:
      return files::Compression::kGzip;
    case wire::InputCompressionType::kZstd:
      return files::Compression::kZstd;
    case wire::InputCompressionType::kNone:
      break;
  }
  return files::Compression::kNone;
}

Status CheckImportTable(const wire::ImportTableRequest& r) {
  const bool has_options = r.input_format_options && r.input_format_options->csv;
  if (has_options && r.input_format != wire::InputFormat::kCsv) return kOptionsUnneeded(wire::NameOf(r.input_format));
  return Ok();
}

transfer::ImportOrder ImportOrderOf(const wire::ImportTableRequest& r) {
  transfer::ImportOrder order;
  order.token = r.client_token;
  order.bucket = r.s3_bucket_source.s3_bucket;
  order.prefix = r.s3_bucket_source.s3_key_prefix;
  order.bucket_owner = r.s3_bucket_source.s3_bucket_owner;
  order.format = FormatOf(r.input_format);
  order.compression = CompressionOf(r.input_compression_type.value_or(wire::InputCompressionType::kNone));
  if (r.input_format_options && r.input_format_options->csv) {
    order.csv = {r.input_format_options->csv->delimiter, r.input_format_options->csv->header_list};
  }
  return order;
}

// The CreateTable request for the same table.
wire::CreateTableRequest CreationOf(wire::TableCreationParameters parameters) {
  wire::CreateTableRequest creation;
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
  ASSIGN_OR_RETURN(wire::ImportTableRequest r, wire::Decode<wire::ImportTableRequest>(request));
  RETURN_IF_ERROR(CheckImportTable(r));
  ASSIGN_OR_RETURN(engine::Table table, NewTable(CreationOf(std::move(r.table_creation_parameters)), call.service));
  if (!call.service.imports) return kNoImportFolder();
  call.account.table = table.name;
  transfer::ImportOrder order = ImportOrderOf(r);
  order.increments = std::move(increments);
  ASSIGN_OR_RETURN(const transfer::ImportPtr import, call.service.imports->Create(std::move(order), std::move(table)));
  WriteImportDescription(answer, call, *import);
  return Ok();
}

}  // namespace

Status ImportTable(Call& call, json::Value request, json::Writer& answer) {
  return BeginImport(call, request, {}, answer);
}

Status ImportExports(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(wire::ImportExportsRequest r, wire::Decode<wire::ImportExportsRequest>(request));
  return BeginImport(call, request, std::move(r.increments), answer);
}

}  // namespace keyfold::ops

#include "cli/commands/database_target.h"

#include <filesystem>

#include "cli/shell/options.h"
#include "client/service_client.h"
#include "embedded/embedded_database.h"

namespace keyfold::cli {
namespace {

constexpr Rule<"{} does not exist"> kNoFolder{"cli-no-data-folder", Kind::kValidation};

}  // namespace

void AddTargetOptions(OptionParser& parser, TargetOptions& options) {
  AddEndpointOptions(parser, options.client);
  parser.Text("--data", options.data, "Instead: data folder of a server that is not running")
      .Excludes("--endpoint")
      .Excludes("--profile")
      .Excludes("--region");
}

void AddBucketOptions(OptionParser& parser, embedded::BucketOptions& options, bool need_data) {
  const auto add = [&](const char* name, std::string& into, const char* help) {
    OptionParser::Option option = parser.Text(name, into, help);
    if (need_data) option.Needs("--data");
  };
  add("--s3-root", options.root, "Folder with one folder per bucket (default DATA/s3); a server has its own");
  add("--s3-endpoint", options.endpoint,
      "S3-compatible service to use for buckets instead, such as http://127.0.0.1:9000");
  add("--s3-region", options.region, "Region of that service (default us-east-1)");
  add("--s3-credentials", options.credentials,
      "File with one access key for it, like ~/.aws/credentials (default: AWS_ACCESS_KEY_ID and related variables)");
}

Result<DatabaseTarget> DatabaseTarget::Open(const TargetOptions& options, const client::Environment& environment) {
  DatabaseTarget target;
  if (options.data.empty()) {
    ASSIGN_OR_RETURN(target.caller_, client::ServiceClient::Open(options.client, environment));
    return target;
  }
  const std::string format = options.data + "/FORMAT";
  if (!std::filesystem::exists(format)) return kNoFolder(format);
  ASSIGN_OR_RETURN(std::unique_ptr<embedded::EmbeddedDatabase> database,
                   embedded::EmbeddedDatabase::Open({.folder = options.data, .buckets = options.buckets}));
  target.buckets_ = &database->buckets();
  target.caller_ = std::move(database);
  return target;
}

int RunAtTarget(const TargetOptions& options, terminal::Console& console,
                FunctionRef<Status(DatabaseTarget& target)> work) {
  Result<DatabaseTarget> target = DatabaseTarget::Open(options, console.environment());
  const Status status = target.ok() ? work(*target) : Status(std::move(target).TakeError());
  if (status.ok()) return kExitOk;
  return Fail(status.message(), console);
}

}  // namespace keyfold::cli

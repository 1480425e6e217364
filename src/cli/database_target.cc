#include "cli/database_target.h"

#include "cli/options.h"
#include "ops/operation.h"

namespace keyfold {

void AddTargetOptions(CLI::App& app, TargetOptions& options) {
  AddEndpointOptions(app, options.client);
  CLI::Option* data = app.add_option("--data", options.data, "Data folder of a server that is not running, instead");
  for (const char* other : {"--endpoint", "--profile", "--region"}) data->excludes(other);
}

Result<DatabaseTarget> DatabaseTarget::Open(const TargetOptions& options, const Environment& environment) {
  DatabaseTarget target;
  if (options.data.empty()) {
    ASSIGN_OR_RETURN(target.client_, ServiceClient::Open(options.client, environment));
  } else {
    ASSIGN_OR_RETURN(target.database_, FolderDatabase::Open(options.data));
  }
  return target;
}

Result<std::string> DatabaseTarget::Call(std::string_view operation, const std::string& body) {
  if (database_) return database_->Call(operation, body);
  const Operation* known = FindOperation(operation);
  const bool own = known && known->api == Api::kKeyfold;
  return own ? client_->CallOwn(operation, body) : client_->Call(operation, body);
}

}  // namespace keyfold

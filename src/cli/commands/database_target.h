// Where a command's calls go: a server, or a data folder that no server has open.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "base/function_ref.h"
#include "cli/shell/command.h"
#include "client/service_client.h"
#include "client/settings.h"
#include "embedded/folder_database.h"

namespace keyfold {

// What the options say.
struct TargetOptions {
  ClientSettings client;
  std::string data;  // a folder; then nothing is called over the network
  BucketOptions buckets;
};
// --data beside the options of an endpoint.
void AddTargetOptions(CLI::App& app, TargetOptions& options);
// Behind them, of commands that read or write buckets: --s3-root and its like, for --data.
void AddBucketOptions(CLI::App& app, BucketOptions& options);

// One thread at a time.
class DatabaseTarget {
 public:
  static Result<DatabaseTarget> Open(const TargetOptions& options, const Environment& environment);
  // The answer's JSON. `operation` is AWS's or Keyfold's own, which no other server knows: kUnknownOperation.
  Result<std::string> Call(std::string_view operation, const std::string& body);
  // Null at a server.
  const FolderDatabase* folder() const { return database_.get(); }

 private:
  DatabaseTarget() = default;
  std::unique_ptr<ServiceClient> client_;  // one of the two
  std::unique_ptr<FolderDatabase> database_;
};

// A command's work at its target. What it fails with is complained of; the exit code.
int RunAtTarget(const TargetOptions& options, Console& console, FunctionRef<Status(DatabaseTarget& target)> work);

}  // namespace keyfold

// The target of a command's calls: a server, or a data folder that no server has open.
#pragma once

#include <memory>
#include <string>

#include "base/function_ref.h"
#include "cli/shell/options.h"
#include "client/api_caller.h"
#include "client/environment.h"
#include "client/settings.h"
#include "embedded/buckets.h"

namespace keyfold::cli {

// Values of the options.
struct TargetOptions {
  client::ClientSettings client;
  std::string data;  // a folder; if set, no network calls are made
  embedded::BucketOptions buckets;
};
// Adds --data and the options of an endpoint.
void AddTargetOptions(OptionParser& parser, TargetOptions& options);
// Adds --s3-root and related options, after the others, for commands that read or write buckets. `need_data`: they
// require --data.
void AddBucketOptions(OptionParser& parser, embedded::BucketOptions& options, bool need_data = true);

// Used by one thread at a time.
class DatabaseTarget {
 public:
  static Result<DatabaseTarget> Open(const TargetOptions& options, const client::Environment& environment);
  client::ApiCaller& caller() { return *caller_; }
  // The buckets of a folder, which commands may read and write themselves. Null if the target is a server.
  const transfer::BucketSettings* buckets() const { return buckets_; }

 private:
  DatabaseTarget() = default;
  std::unique_ptr<client::ApiCaller> caller_;
  const transfer::BucketSettings* buckets_ = nullptr;  // in `caller_`
};

// Does a command's work at its target and prints its error, if any. Returns the exit code.
int RunAtTarget(const TargetOptions& options, terminal::Console& console,
                FunctionRef<Status(DatabaseTarget& target)> work);

}  // namespace keyfold::cli

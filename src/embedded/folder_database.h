// The database of a data folder that no server has open, inside the process and without HTTP: operations from JSON to
// JSON, with a server's background work. For commands with --data.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "transfer/bucket/bucket.h"

namespace keyfold::embedded {

// Where the buckets of a folder's exports and imports are: same as the options of these names of `keyfold serve`.
struct BucketOptions {
  std::string root;  // empty: s3 in the folder
  std::string endpoint, region = "us-east-1", credentials;
};

// Used by one thread at a time.
class FolderDatabase {
 public:
  // The folder must exist and must not be open in another process.
  static Result<std::unique_ptr<FolderDatabase>> Open(const std::string& folder, const BucketOptions& buckets = {});
  ~FolderDatabase();  // stops cleanly

  // Returns the response's JSON after it is durable. `operation` is one of the server's.
  Result<std::string> Call(std::string_view operation, const std::string& body);

  // Commands read these buckets directly.
  const transfer::BucketSettings& buckets() const;

 private:
  struct Parts;
  explicit FolderDatabase(std::unique_ptr<Parts> parts);
  const std::unique_ptr<Parts> parts_;
};

}  // namespace keyfold::embedded

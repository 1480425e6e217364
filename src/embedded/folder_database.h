// The database of a data folder that no server has open, inside the process and without HTTP: operations from JSON to
// JSON, with the background work of a server. For commands with --data.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "transfer/bucket/bucket.h"

namespace keyfold {

// Where the buckets of a folder's exports and imports are: what serve's options of these names say.
struct BucketOptions {
  std::string root;  // empty: s3 in the folder
  std::string endpoint, region = "us-east-1", credentials;
};

// One thread at a time.
class FolderDatabase {
 public:
  // The folder must be there, and nobody else's.
  static Result<std::unique_ptr<FolderDatabase>> Open(const std::string& folder, const BucketOptions& buckets = {});
  ~FolderDatabase();  // as a clean stop

  // The answer's JSON, once it is durable. `operation` is one that the server has.
  Result<std::string> Call(std::string_view operation, const std::string& body);

  // What its commands look into directly.
  const BucketSettings& buckets() const;

 private:
  struct Parts;
  explicit FolderDatabase(std::unique_ptr<Parts> parts);
  const std::unique_ptr<Parts> parts_;
};

}  // namespace keyfold

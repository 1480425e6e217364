// Bucket: the destination of exports and the source of imports. It is a folder under --s3-root, or a bucket of any
// S3-compatible service (SigV4, multipart uploads). Keys are S3's: any text, divided by '/'.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "auth/credentials.h"
#include "base/error.h"
#include "base/stopping.h"
#include "files/room.h"
#include "files/stream.h"

namespace keyfold::transfer {

// Thread-safe. The sources and sinks it returns are independent of it and may outlive it.
class Bucket {
 public:
  struct Object {
    std::string key;
    uint64_t bytes = 0;
  };
  virtual ~Bucket() = default;

  // Returns all objects, in ascending order of key.
  virtual Result<std::vector<Object>> List(std::string_view prefix) = 0;
  virtual Result<std::unique_ptr<files::ByteSource>> Read(std::string_view key) = 0;
  // The object appears, complete, when Finish() returns ok, and replaces an existing one; until then none of it is
  // visible. `etag`, if not null, must live until then and receives the service's ETag without quotation marks. For a
  // folder this is the MD5 in hex; a service returns MD5-N for an object written in N parts.
  virtual Result<std::unique_ptr<files::ByteSink>> Write(std::string_view key, std::string* etag) = 0;
  // Removing a missing object is not an error.
  virtual Status Remove(std::string_view key) = 0;
  // Removes unfinished objects below `folder` ("a/b/"; "" for the whole bucket) that a crashed process left. They are
  // invisible but take space. No write may be in progress there.
  virtual Status RemoveUnfinished(std::string_view folder) = 0;
  // For messages: "s3://NAME".
  virtual std::string Name() const = 0;
};

// Limits on how long a service may take and how much it may send.
struct S3Limits {
  int attempts_max = 6;
  std::chrono::milliseconds idle_timeout{30'000};  // without receiving a byte
  // For one request and its response, plus the time their bodies take at bytes_per_second_min.
  std::chrono::milliseconds request_timeout{60'000};
  uint64_t bytes_per_second_min = 128 * 1024;
  // Limits on a listing. A page is idle if none of its keys is greater than all keys before it.
  size_t pages_max = 10'000;
  size_t idle_pages_max = 100;
  uint64_t key_bytes_max = 128 << 20;
  size_t parts_max = 10'000;  // S3 takes so many of an object
};

// Location of the buckets.
struct BucketSettings {
  std::string root;      // --s3-root: a bucket is a folder in it
  std::string endpoint;  // --s3-endpoint: http(s)://host:port; if set, `root` is not used
  std::string region = "us-east-1";
  auth::Credentials credentials = {};  // for the endpoint; requests are unsigned if there is no access key id
  bool path_style = true;              // endpoint/bucket/key rather than bucket.endpoint/key
  std::string ca_file = {};            // PEM, for https; if empty, the system's trusted authorities
  // A request that got no response or a retryable one is retried after up to this long, then twice that, and so on.
  std::chrono::milliseconds retry_base{100};
  S3Limits limits = {};
  std::shared_ptr<const files::Room> room = nullptr;  // free-space check for a bucket that is a folder
  // After it returns true, no more requests are sent, and pending ones end within a fraction of a second with kStopping
  // (base/background_task.h). Called on any thread.
  std::function<bool()> stop = {};
};

BucketSettings Stoppable(BucketSettings settings, std::function<bool()> stop);

// Opens a bucket that must exist: "NoSuchBucket" if it does not, or if neither root nor endpoint is set.
Result<std::unique_ptr<Bucket>> OpenBucket(const BucketSettings& settings, std::string_view name);

// Makes the bucket's folder if it is missing, and returns whether it did. Buckets of a service are never made: that is
// up to their owner.
Result<bool> MakeBucket(const BucketSettings& settings, std::string_view name);

// Returns the S3 code of an error from any bucket: "NoSuchBucket", "NoSuchKey", "AccessDenied". Empty for errors
// without one: of the disk or the network.
std::string_view BucketFaultCode(const Error& error);

}  // namespace keyfold::transfer

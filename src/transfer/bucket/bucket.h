// Bucket: where exports go and imports come from. A folder under --s3-root, or a bucket of any S3-compatible service
// (SigV4, multipart uploads). Keys are S3's: any text, parted by '/'.
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

namespace keyfold {

// Thread-safe. What it hands out stands by itself, and may outlive it.
class Bucket {
 public:
  struct Object {
    std::string key;
    uint64_t bytes = 0;
  };
  virtual ~Bucket() = default;

  // Ascending by key, all of them.
  virtual Result<std::vector<Object>> List(std::string_view prefix) = 0;
  virtual Result<std::unique_ptr<ByteSource>> Read(std::string_view key) = 0;
  // The object is there, whole, once Finish() is ok, and replaces one that was; before, nothing of it can be seen.
  // `etag`, where not null, gets what the service calls the content, without quotation marks: for a folder the MD5 in
  // hex, and MD5-N for one written in N parts. It must live until then.
  virtual Result<std::unique_ptr<ByteSink>> Write(std::string_view key, std::string* etag) = 0;
  // What is not there is no error.
  virtual Status Remove(std::string_view key) = 0;
  // Takes away what the writes of a process that died left of objects below `folder`, which takes space and is not seen
  // ("a/b/"; "": of all). No write may be under way there.
  virtual Status RemoveUnfinished(std::string_view folder) = 0;
  // For messages: "s3://NAME".
  virtual std::string Name() const = 0;
};

// How long a service may take and how much it may send before it is given up.
struct S3Limits {
  int attempts_max = 6;
  std::chrono::milliseconds idle_timeout{30'000};  // without a byte
  // For one request and its answer, and in addition as long as their bodies take at this rate.
  std::chrono::milliseconds request_timeout{60'000};
  uint64_t bytes_per_second_min = 128 * 1024;
  // Of a listing. A page is idle where none of its keys is behind all keys before it.
  size_t pages_max = 10'000;
  size_t idle_pages_max = 100;
  uint64_t key_bytes_max = 128 << 20;
  size_t parts_max = 10'000;  // S3 takes so many of an object
};

// Where buckets are.
struct BucketSettings {
  std::string root;      // --s3-root: a bucket is a folder in it
  std::string endpoint;  // --s3-endpoint: http(s)://host:port; then `root` is not used
  std::string region = "us-east-1";
  Credentials credentials = {};  // of the endpoint; without an access key id requests are not signed
  bool path_style = true;        // endpoint/bucket/key rather than bucket.endpoint/key
  std::string ca_file = {};      // PEM, for https; empty: the authorities the system trusts
  // A request that got no answer, or was told to come back, is sent again after up to this long, then twice that, …
  std::chrono::milliseconds retry_base{100};
  S3Limits limits = {};
  std::shared_ptr<const Room> room = nullptr;  // asked where a bucket is a folder on its disk
  // Once it says true a service is asked nothing more, and what waits for one ends within a fraction of a second with
  // kStopping (base/background_task.h). Called on any thread.
  std::function<bool()> stop = {};
};

BucketSettings Stoppable(BucketSettings settings, std::function<bool()> stop);

// The bucket, which must exist: "NoSuchBucket" where it does not. With neither root nor endpoint there is none.
Result<std::unique_ptr<Bucket>> OpenBucket(const BucketSettings& settings, std::string_view name);

// A folder for the bucket where there is none; whether it was made. Of a service nothing is: its owner does that.
Result<bool> MakeBucket(const BucketSettings& settings, std::string_view name);

// S3's code of an error that a bucket gave, whichever it is: "NoSuchBucket", "NoSuchKey", "AccessDenied". Empty where
// it has none: the disk, the network.
std::string_view BucketFaultCode(const Error& error);

}  // namespace keyfold

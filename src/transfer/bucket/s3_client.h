// S3Client: requests to one bucket of an S3-compatible service: signed, sent again where that may help, and answered by
// a 2xx or by an error in the service's words. Every request ends: by its answer, by a time that grows with what is
// sent and received, or by being told to stop.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "auth/sha256.h"
#include "base/error.h"
#include "http/client.h"
#include "transfer/bucket/bucket.h"

namespace keyfold {

// Views: what they point at must outlive the call.
struct S3Call {
  std::string_view method = "GET";
  std::string_view key = {};                                              // of the object; empty: of the bucket itself
  std::vector<std::pair<std::string_view, std::string_view>> query = {};  // not encoded
  std::vector<Header> headers = {};
  std::string_view body = {};
  // Where not null, gets the body of a 2xx answer as it was sent, of at most that many bytes.
  std::string* receive = nullptr;
  size_t receive_bytes_max = 0;
};

// Thread-safe: each request has a connection of its own, and those that are not in use are kept.
class S3Client {
 public:
  // A settings' endpoint that is no address is an error.
  static Result<std::shared_ptr<S3Client>> Make(const BucketSettings& settings, std::string_view bucket);

  Result<HttpAnswer> Send(const S3Call& call);

  const std::string& bucket() const { return bucket_; }
  const S3Limits& limits() const { return settings_.limits; }
  bool stopping() const { return settings_.stop && settings_.stop(); }
  // "s3://bucket/key", for messages.
  std::string Where(std::string_view key) const;

 private:
  S3Client(const BucketSettings& settings, std::string_view bucket, Url url);

  std::string PathOf(std::string_view key) const;
  std::optional<HttpAnswer> SendOnce(const S3Call& call, std::string_view payload_hash, Failure& failure);
  std::unique_ptr<HttpClient> TakeConnection();
  void KeepConnection(std::unique_ptr<HttpClient> connection);

  const BucketSettings settings_;
  const std::string bucket_;
  const Url url_;
  const Sha256 sha_;

  std::mutex mutex_;  // guards what follows
  std::vector<std::unique_ptr<HttpClient>> idle_;
};

}  // namespace keyfold

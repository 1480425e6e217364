// S3Client sends requests to one bucket of an S3-compatible service: it signs them, retries where that may help, and
// returns a 2xx response or an error in the service's words. Every request ends: with its response, after a timeout
// that grows with the bytes sent and received, or because of a stop.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "auth/sha256.h"
#include "base/error.h"
#include "base/mutex.h"
#include "http/client.h"
#include "transfer/bucket/bucket.h"

namespace keyfold::transfer {

// Views: what they point at must outlive the call.
struct S3Call {
  std::string_view method = "GET";
  std::string_view key = {};  // object key; empty for a request about the bucket itself
  std::vector<std::pair<std::string_view, std::string_view>> query = {};  // not encoded
  std::vector<Header> headers = {};
  std::string_view body = {};
  // If not null, receives the body of a 2xx response as sent, at most receive_bytes_max bytes of it.
  std::string* receive = nullptr;
  size_t receive_bytes_max = 0;
};

// Thread-safe: each request has its own connection, and idle connections are kept for reuse.
class S3Client {
 public:
  // Returns an error if the endpoint in the settings is not a valid address.
  static Result<std::shared_ptr<S3Client>> Make(const BucketSettings& settings, std::string_view bucket);

  Result<http::HttpAnswer> Send(const S3Call& call);

  const std::string& bucket() const { return bucket_; }
  const S3Limits& limits() const { return settings_.limits; }
  bool stopping() const { return settings_.stop && settings_.stop(); }
  // "s3://bucket/key", for messages.
  std::string Where(std::string_view key) const;

 private:
  S3Client(const BucketSettings& settings, std::string_view bucket, http::Url url);

  std::string PathOf(std::string_view key) const;
  Result<http::HttpAnswer> SendOnce(const S3Call& call, std::string_view payload_hash);
  std::unique_ptr<http::HttpClient> TakeConnection();
  void KeepConnection(std::unique_ptr<http::HttpClient> connection);

  const BucketSettings settings_;
  const std::string bucket_;
  const http::Url url_;
  const auth::Sha256 sha_;

  Mutex mutex_;
  std::vector<std::unique_ptr<http::HttpClient>> idle_ GUARDED_BY(mutex_);
};

}  // namespace keyfold::transfer

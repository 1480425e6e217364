#include "transfer/bucket/s3_client.h"

#include <algorithm>

#include "auth/sigv4.h"
#include "base/background_task.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/stopping.h"
#include "base/text/printable.h"
#include "transfer/bucket/bucket_fault.h"
#include "transfer/bucket/s3_xml.h"

namespace keyfold::transfer {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kWaitMax{10'000};
constexpr size_t kIdleConnectionsMax = 4;
// Enough for a page of a listing: 1,000 keys of 1,024 bytes, each byte possibly escaped as "&#xx;".
constexpr uint64_t kAnswerBytesMax = 16 * 1024 * 1024;

constexpr Rule<"The S3 endpoint {} is not a valid address: {}"> kEndpoint{"s3-endpoint", Kind::kValidation};
constexpr Rule<"{} cannot be reached: {}"> kUnreachable{"s3-unreachable", Kind::kUnavailable};

std::string QueryOf(const S3Call& call) {
  std::string query;
  for (const auto& [name, value] : call.query) {
    if (!query.empty()) query.push_back('&');
    auth::AppendPercentEncoded(query, name, auth::Slash::kEncoded);
    query.push_back('=');
    auth::AppendPercentEncoded(query, value, auth::Slash::kEncoded);
  }
  return query;
}

// Returns whether the same request may succeed a little later.
bool IsPassing(int status, std::string_view code) {
  return status >= 500 || status == 429 || code == "SlowDown" || code == "RequestTimeout";
}

bool IsPassing(http::Failure::Kind kind) {
  switch (kind) {
    case http::Failure::Kind::kUnresolved:
    case http::Failure::Kind::kConnect:
    case http::Failure::Kind::kTimeout:
    case http::Failure::Kind::kLost:
      return true;
    case http::Failure::Kind::kUntrusted:
    case http::Failure::Kind::kProtocol:
    case http::Failure::Kind::kTooLong:
    case http::Failure::Kind::kAbandoned:
    case http::Failure::Kind::kStopped:
      return false;
  }
  return false;
}

S3Fault FaultOf(const http::HttpAnswer& answer) {
  if (std::optional<S3Fault> fault = ReadS3Fault(answer.body)) return *std::move(fault);
  return {"HTTP " + std::to_string(answer.status), "The service gave no reason"};
}

void WaitBeforeNext(const BucketSettings& settings, int failures) {
  const milliseconds most = std::min(settings.retry_base * (int64_t{1} << (failures - 1)), kWaitMax);
  if (most.count() <= 0) return;
  const uint64_t wait = Random(Random::SeedFromSystem()).Below(static_cast<uint64_t>(most.count()) + 1);
  http::SleepFor(milliseconds(wait), settings.stop);
}

milliseconds TimeFor(const S3Call& call, const S3Limits& limits) {
  const uint64_t bytes = call.body.size() + call.receive_bytes_max;
  return limits.request_timeout + milliseconds(bytes * 1000 / limits.bytes_per_second_min);
}

}  // namespace

Result<std::shared_ptr<S3Client>> S3Client::Make(const BucketSettings& settings, std::string_view bucket) {
  Result<http::Url> url = http::ParseUrl(settings.endpoint);
  if (!url.ok()) return kEndpoint(settings.endpoint, url.error().message());
  if (url->target != "/") return kEndpoint(settings.endpoint, "it must not have a path");
  if (!settings.path_style) url->host = std::string(bucket) + "." + url->host;
  return std::shared_ptr<S3Client>(new S3Client(settings, bucket, *std::move(url)));
}

S3Client::S3Client(const BucketSettings& settings, std::string_view bucket, http::Url url)
    : settings_(settings), bucket_(bucket), url_(std::move(url)) {}

std::string S3Client::Where(std::string_view key) const {
  std::string where = "s3://" + bucket_;
  if (!key.empty()) where.append("/").append(Printable(key));
  return where;
}

std::string S3Client::PathOf(std::string_view key) const {
  std::string path = "/";
  if (settings_.path_style) path.append(bucket_);
  if (key.empty()) return path;
  if (settings_.path_style) path.push_back('/');
  auth::AppendPercentEncoded(path, key, auth::Slash::kKept);
  return path;
}

std::unique_ptr<http::HttpClient> S3Client::TakeConnection() {
  {
    MutexLock lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<http::HttpClient> connection = std::move(idle_.back());
      idle_.pop_back();
      return connection;
    }
  }
  http::HttpClientOptions options;
  options.body_bytes_max = kAnswerBytesMax;
  options.ca_file = settings_.ca_file;
  options.idle_timeout = settings_.limits.idle_timeout;
  options.stop = settings_.stop;
  return std::make_unique<http::HttpClient>(url_, options);
}

void S3Client::KeepConnection(std::unique_ptr<http::HttpClient> connection) {
  if (!connection->connected()) return;
  MutexLock lock(mutex_);
  if (idle_.size() < kIdleConnectionsMax) idle_.push_back(std::move(connection));
}

Result<http::HttpAnswer> S3Client::SendOnce(const S3Call& call, std::string_view payload_hash) {
  const std::string path = PathOf(call.key), query = QueryOf(call), host = url_.HostHeader();
  std::vector<Header> headers = call.headers;
  headers.push_back({"X-Amz-Content-Sha256", payload_hash});
  std::vector<OwnedHeader> signature;
  if (!settings_.credentials.access_key_id.empty()) {
    std::vector<Header> signed_headers = headers;
    signed_headers.push_back({"Host", host});
    const auth::SignedParts parts{call.method, path, query, signed_headers, call.body, /*path_as_sent=*/true};
    signature = auth::Sign(parts, settings_.credentials, settings_.region, "s3", SystemClock().Now(), payload_hash);
  }
  for (const OwnedHeader& header : signature) headers.push_back({header.name, header.value});

  const std::string target = query.empty() ? path : path + "?" + query;
  http::HttpCall http{.method = call.method, .target = target, .headers = headers, .body = call.body};
  http.total_timeout = TimeFor(call, settings_.limits);
  if (call.receive != nullptr) {
    call.receive->clear();
    http.receive = [&](std::string_view piece) {
      if (call.receive->size() + piece.size() > call.receive_bytes_max) return false;
      call.receive->append(piece);
      return true;
    };
  }
  std::unique_ptr<http::HttpClient> connection = TakeConnection();
  Result<http::HttpAnswer> answer = connection->Send(http);
  KeepConnection(std::move(connection));
  return answer;
}

Result<http::HttpAnswer> S3Client::Send(const S3Call& call) {
  const std::string payload_hash = auth::Hex(sha_.Hash({call.body}));
  for (int attempt = 1;; ++attempt) {
    if (stopping()) return kStopping();
    Result<http::HttpAnswer> answer = SendOnce(call, payload_hash);
    const bool last = attempt >= settings_.limits.attempts_max;
    if (!answer.ok()) {
      const http::Failure::Kind kind = http::FailureKindOf(answer.error());
      if (kind == http::Failure::Kind::kStopped) return kStopping();
      if (last || !IsPassing(kind)) return kUnreachable(Where(call.key), answer.error().message());
    } else if (answer->status / 100 == 2) {
      return *std::move(answer);
    } else {
      const S3Fault fault = FaultOf(*answer);
      const bool passing = IsPassing(answer->status, fault.code);
      if (last || !passing) {
        return BucketFault(fault.code, fault.message, Where(call.key), passing ? FaultIs::kRetried : FaultIs::kFinal);
      }
    }
    WaitBeforeNext(settings_, attempt);
  }
}

}  // namespace keyfold::transfer

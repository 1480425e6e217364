#include "transfer/bucket/s3_bucket.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/log.h"
#include "transfer/bucket/bucket_fault.h"
#include "transfer/bucket/s3_client.h"
#include "transfer/bucket/s3_xml.h"

namespace keyfold::transfer {
namespace {

constexpr Rule<"The response about {} is invalid: {}"> kAnswer{"s3-answer", Kind::kUnavailable};
constexpr Rule<"The listing of {} was abandoned: {}"> kListing{"s3-listing-endless", Kind::kUnavailable};
constexpr Rule<"{} needs more than the {} parts that an object may have"> kTooLong{"s3-too-long", Kind::kValidation};

constexpr Rule<"An object's key is empty"> kKeyEmpty{"s3-key-empty", Kind::kValidation};
constexpr Rule<"The key {} has '.' or '..' as a part"> kKeyDots{"s3-key-dots", Kind::kValidation};

// A request without a key would address the bucket itself, and a proxy before the service may resolve dots to a path
// outside the bucket.
Status KeyIsSafe(std::string_view key) {
  if (key.empty()) return kKeyEmpty();
  for (std::string_view rest = key; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find('/'));
    if (part == "." || part == "..") return kKeyDots(key);
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
  }
  return Ok();
}

std::string_view WithoutQuotes(std::string_view etag) {
  if (etag.size() >= 2 && etag.front() == '"' && etag.back() == '"') return etag.substr(1, etag.size() - 2);
  return etag;
}

// The total in "bytes 0-8388607/12345"; nullopt if there is none.
std::optional<uint64_t> TotalOf(std::string_view content_range) {
  const size_t slash = content_range.rfind('/');
  if (slash == content_range.npos) return std::nullopt;
  const std::string_view digits = content_range.substr(slash + 1);
  uint64_t total = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), total);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty()) return std::nullopt;
  return total;
}

// Reads an object in ranges. If-Match ensures that all ranges come from the same version of the object.
class S3Source final : public files::ByteSource {
 public:
  S3Source(std::shared_ptr<S3Client> client, std::string_view key) : client_(std::move(client)), key_(key) {
    range_.reserve(kS3RangeBytes);  // pages use memory only after they are written
  }

  // Fetches the first range. Must be called first.
  Status Open() { return Fetch(); }

  Result<size_t> Read(char* to, size_t bytes_max) override {
    if (at_ == range_.size() && offset_ < total_) RETURN_IF_ERROR(Fetch());
    const size_t bytes = std::min(bytes_max, range_.size() - at_);
    std::memcpy(to, range_.data() + at_, bytes);
    at_ += bytes;
    return bytes;
  }

 private:
  Status Fetch() {
    const std::string range = "bytes=" + std::to_string(offset_) + "-" + std::to_string(offset_ + kS3RangeBytes - 1);
    S3Call call{.key = key_, .headers = {{"Range", range}}, .receive = &range_, .receive_bytes_max = kS3RangeBytes};
    if (!etag_.empty()) call.headers.push_back({"If-Match", etag_});
    at_ = 0;
    Result<http::HttpAnswer> answer = client_->Send(call);
    // An empty object has no range.
    if (offset_ == 0 && !answer.ok() && BucketFaultCode(answer.error()) == "InvalidRange") {
      range_.clear();
      return Ok();
    }
    RETURN_IF_ERROR(answer);
    return Take(*answer);
  }

  Status Take(const http::HttpAnswer& answer) {
    // A service that does not support ranges sends the whole object.
    const bool whole = offset_ == 0 && answer.status == 200;
    const std::optional<uint64_t> total = whole ? range_.size() : TotalOf(answer.Find("Content-Range"));
    if (!total.has_value()) return kAnswer(client_->Where(key_), "it does not give the object's length");
    if (offset_ > 0 && *total != total_) return kAnswer(client_->Where(key_), "the object's length has changed");
    total_ = *total;
    if (range_.size() != std::min<uint64_t>(kS3RangeBytes, total_ - offset_)) {
      return kAnswer(client_->Where(key_), "it is not the requested range");
    }
    offset_ += range_.size();
    etag_ = answer.Find("ETag");
    return Ok();
  }

  const std::shared_ptr<S3Client> client_;
  const std::string key_;
  std::string range_;    // the range fetched last
  size_t at_ = 0;        // position in range_
  uint64_t offset_ = 0;  // start of the next range
  uint64_t total_ = 0;
  std::string etag_;
};

// Uploads small objects in one request, larger ones in parts. An upload that was not completed is aborted.
class S3Sink final : public files::ByteSink {
 public:
  S3Sink(std::shared_ptr<S3Client> client, std::string_view key, std::string* etag)
      : client_(std::move(client)), key_(key), etag_(etag) {
    part_.reserve(kS3PartBytes);  // pages use memory only after they are written
  }

  ~S3Sink() override {
    if (upload_id_.empty() || client_->stopping()) return;  // the next attempt removes what is left
    const Result<http::HttpAnswer> aborted =
        client_->Send({.method = "DELETE", .key = key_, .query = {{"uploadId", upload_id_}}});
    if (!aborted.ok()) LogWarning("an upload could not be aborted: {}", aborted.error().message());
  }

  Status Write(std::string_view bytes) override {
    while (!bytes.empty()) {
      if (part_.size() == kS3PartBytes) RETURN_IF_ERROR(UploadPart());
      const size_t taken = std::min(bytes.size(), kS3PartBytes - part_.size());
      part_.append(bytes.substr(0, taken));
      bytes.remove_prefix(taken);
    }
    return Ok();
  }

  Status Finish() override {
    if (upload_id_.empty()) return PutWhole();
    if (!part_.empty()) RETURN_IF_ERROR(UploadPart());
    return Complete();
  }

 private:
  Status PutWhole() {
    ASSIGN_OR_RETURN(const http::HttpAnswer answer, client_->Send({.method = "PUT", .key = key_, .body = part_}));
    if (etag_ != nullptr) *etag_ = WithoutQuotes(answer.Find("ETag"));
    return Ok();
  }

  Status Begin() {
    ASSIGN_OR_RETURN(const http::HttpAnswer answer,
                     client_->Send({.method = "POST", .key = key_, .query = {{"uploads", ""}}}));
    std::optional<std::string> id = ReadS3UploadId(answer.body);
    if (!id.has_value()) return kAnswer(client_->Where(key_), "it has no upload id");
    upload_id_ = *std::move(id);
    return Ok();
  }

  Status UploadPart() {
    if (upload_id_.empty()) RETURN_IF_ERROR(Begin());
    const size_t parts_max = client_->limits().parts_max;
    if (part_etags_.size() == parts_max) return kTooLong(client_->Where(key_), parts_max);
    const std::string number = std::to_string(part_etags_.size() + 1);
    ASSIGN_OR_RETURN(const http::HttpAnswer answer,
                     client_->Send({.method = "PUT",
                                    .key = key_,
                                    .query = {{"partNumber", number}, {"uploadId", upload_id_}},
                                    .body = part_}));
    const std::string_view etag = answer.Find("ETag");
    if (etag.empty()) return kAnswer(client_->Where(key_), "it has no ETag for a part");
    part_etags_.emplace_back(etag);
    part_.clear();
    return Ok();
  }

  Status Complete() {
    const std::string body = S3CompletionXml(part_etags_);
    ASSIGN_OR_RETURN(const http::HttpAnswer answer,
                     client_->Send({.method = "POST", .key = key_, .query = {{"uploadId", upload_id_}}, .body = body}));
    // The service may fail after it has begun a response with status 200.
    if (const std::optional<S3Fault> fault = ReadS3Fault(answer.body)) {
      return BucketFault(fault->code, fault->message, client_->Where(key_), FaultIs::kFinal);
    }
    const std::optional<std::string> etag = ReadS3CompletedETag(answer.body);
    if (!etag.has_value()) return kAnswer(client_->Where(key_), "it has no ETag for the object");
    upload_id_.clear();
    if (etag_ != nullptr) *etag_ = WithoutQuotes(*etag);
    return Ok();
  }

  const std::shared_ptr<S3Client> client_;
  const std::string key_;
  std::string* const etag_;
  std::string part_;
  std::vector<std::string> part_etags_;
  std::string upload_id_;  // empty if no multipart upload is in progress
};

// Ensures that a listing ends, whatever the service sends. Used by one thread at a time.
class ListingBound {
 public:
  ListingBound(const S3Limits& limits, std::string where) : limits_(limits), where_(std::move(where)) {}

  // Called for each page in turn, with its greatest key ("" if it has none) and the bytes of all its keys.
  Status AddPage(std::string_view greatest, uint64_t key_bytes) {
    key_bytes_ += key_bytes;
    const bool advances = greatest > greatest_;
    if (advances) greatest_ = greatest;
    idle_pages_ = advances ? 0 : idle_pages_ + 1;
    if (++pages_ > limits_.pages_max) return kListing(where_, "it has too many pages");
    if (idle_pages_ > limits_.idle_pages_max) return kListing(where_, "its pages make no progress");
    if (key_bytes_ > limits_.key_bytes_max) return kListing(where_, "it has too many keys");
    return Ok();
  }

 private:
  const S3Limits& limits_;
  const std::string where_;
  std::string greatest_;
  uint64_t key_bytes_ = 0;
  size_t pages_ = 0, idle_pages_ = 0;
};

template <typename Keyed>
Status AddPage(ListingBound& bound, const std::vector<Keyed>& page) {
  std::string_view greatest;
  uint64_t bytes = 0;
  for (const Keyed& one : page) {
    greatest = std::max<std::string_view>(greatest, one.key);
    bytes += one.key.size();
  }
  return bound.AddPage(greatest, bytes);
}

// Thread-safe.
class S3Bucket final : public Bucket {
 public:
  explicit S3Bucket(std::shared_ptr<S3Client> client) : client_(std::move(client)) {}

  // Checks that the bucket exists and accepts the credentials. These may be allowed to write but not to list.
  Status Check() {
    Result<S3Listing> page = ListPage("", "", "1");
    if (page.ok() || BucketFaultCode(page.error()) == "AccessDenied") return Ok();
    return std::move(page).TakeError();
  }

  Result<std::vector<Object>> List(std::string_view prefix) override {
    std::vector<Object> objects;
    std::string token;
    ListingBound bound(client_->limits(), Name());
    do {
      ASSIGN_OR_RETURN(S3Listing page, ListPage(prefix, token, "1000"));
      if (!page.next.empty()) RETURN_IF_ERROR(AddPage(bound, page.objects));
      for (S3Listing::Object& object : page.objects) objects.push_back({std::move(object.key), object.bytes});
      if (!page.next.empty() && page.next == token) return kAnswer(Name(), "the listing does not end");
      token = std::move(page.next);
    } while (!token.empty());
    std::sort(objects.begin(), objects.end(), [](const Object& a, const Object& b) { return a.key < b.key; });
    return objects;
  }

  Result<std::unique_ptr<files::ByteSource>> Read(std::string_view key) override {
    RETURN_IF_ERROR(KeyIsSafe(key));
    auto source = std::make_unique<S3Source>(client_, key);
    RETURN_IF_ERROR(source->Open());
    return std::unique_ptr<files::ByteSource>(std::move(source));
  }

  Result<std::unique_ptr<files::ByteSink>> Write(std::string_view key, std::string* etag) override {
    RETURN_IF_ERROR(KeyIsSafe(key));
    return std::unique_ptr<files::ByteSink>(std::make_unique<S3Sink>(client_, key, etag));
  }

  Status Remove(std::string_view key) override {
    RETURN_IF_ERROR(KeyIsSafe(key));
    RETURN_IF_ERROR(client_->Send({.method = "DELETE", .key = key}));
    return Ok();
  }

  Status RemoveUnfinished(std::string_view folder) override {
    CHECK(folder.empty() || folder.ends_with('/'));
    S3Uploads page;
    ListingBound bound(client_->limits(), Name());
    do {
      S3Call call{.query = {{"uploads", ""}, {"encoding-type", "url"}, {"prefix", folder}}};
      if (!page.next_key.empty()) {
        call.query.insert(call.query.end(), {{"key-marker", page.next_key}, {"upload-id-marker", page.next_id}});
      }
      ASSIGN_OR_RETURN(const http::HttpAnswer answer, client_->Send(call));
      std::optional<S3Uploads> next = ReadS3Uploads(answer.body);
      if (!next.has_value()) return kAnswer(Name(), "it is not a list of uploads");
      if (!next->next_key.empty()) RETURN_IF_ERROR(AddPage(bound, next->uploads));
      for (const auto& [key, id] : next->uploads) RETURN_IF_ERROR(Abort(key, id));
      page = *std::move(next);
    } while (!page.next_key.empty());
    return Ok();
  }

  std::string Name() const override { return client_->Where(""); }

 private:
  Result<S3Listing> ListPage(std::string_view prefix, std::string_view token, std::string_view keys_max) {
    S3Call call{.query = {{"list-type", "2"}, {"encoding-type", "url"}, {"max-keys", keys_max}, {"prefix", prefix}}};
    if (!token.empty()) call.query.push_back({"continuation-token", token});
    ASSIGN_OR_RETURN(const http::HttpAnswer answer, client_->Send(call));
    std::optional<S3Listing> listing = ReadS3Listing(answer.body);
    if (!listing.has_value()) return kAnswer(Name(), "it is not a listing");
    return *std::move(listing);
  }

  Status Abort(std::string_view key, std::string_view upload_id) {
    Result<http::HttpAnswer> answer =
        client_->Send({.method = "DELETE", .key = key, .query = {{"uploadId", upload_id}}});
    if (answer.ok() || BucketFaultCode(answer.error()) == "NoSuchUpload") return Ok();
    return std::move(answer).TakeError();
  }

  const std::shared_ptr<S3Client> client_;
};

}  // namespace

Result<std::unique_ptr<Bucket>> OpenS3Bucket(const BucketSettings& settings, std::string_view name) {
  ASSIGN_OR_RETURN(std::shared_ptr<S3Client> client, S3Client::Make(settings, name));
  auto bucket = std::make_unique<S3Bucket>(std::move(client));
  RETURN_IF_ERROR(bucket->Check());
  return std::unique_ptr<Bucket>(std::move(bucket));
}

}  // namespace keyfold::transfer

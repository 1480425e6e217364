#include "transfer/bucket/bucket.h"

#include "files/folder.h"
#include "transfer/bucket/bucket_fault.h"
#include "transfer/bucket/folder_bucket.h"
#include "transfer/bucket/s3_bucket.h"

namespace keyfold::transfer {
namespace {

constexpr Rule<"{}: {} ({})"> kRefused{"bucket-refused", Kind::kValidation};
constexpr Rule<"{}: {} ({})"> kUnavailable{"bucket-unavailable", Kind::kUnavailable};
constexpr Rule<"{} is not a valid bucket name"> kBucketName{"bucket-name", Kind::kValidation};

struct CodeDetail final : ErrorDetail {
  explicit CodeDetail(std::string_view text) : code(text) {}
  const std::string code;
};

bool IsOfBucketName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
}

// The name becomes part of a path or of a host name.
Status NameIsSafe(std::string_view name) {
  bool safe = !name.empty() && name.size() <= 255 && name.front() != '.';
  for (const char c : name) safe = safe && IsOfBucketName(c);
  if (!safe) return kBucketName(name);
  return Ok();
}

}  // namespace

Error BucketFault(std::string_view code, std::string_view message, std::string_view where, FaultIs is) {
  Error error = is == FaultIs::kFinal ? kRefused(code, message, where) : kUnavailable(code, message, where);
  return std::move(error).WithDetail(std::make_unique<CodeDetail>(code));
}

Error NoSuchBucket(std::string_view bucket) {
  const std::string what = "The specified bucket does not exist: create the folder " + std::string(bucket) +
                           " in --s3-root, which is s3 in the data folder by default";
  return BucketFault("NoSuchBucket", what, "s3://" + std::string(bucket), FaultIs::kFinal);
}

Error NoSuchKey(std::string_view bucket, std::string_view key) {
  return BucketFault("NoSuchKey", "The specified key does not exist.",
                     "s3://" + std::string(bucket) + "/" + std::string(key), FaultIs::kFinal);
}

std::string_view BucketFaultCode(const Error& error) {
  const auto* detail = dynamic_cast<const CodeDetail*>(error.detail());
  return detail == nullptr ? std::string_view() : detail->code;
}

BucketSettings Stoppable(BucketSettings settings, std::function<bool()> stop) {
  settings.stop = std::move(stop);
  return settings;
}

Result<bool> MakeBucket(const BucketSettings& settings, std::string_view name) {
  RETURN_IF_ERROR(NameIsSafe(name));
  if (!settings.endpoint.empty() || settings.root.empty()) return false;
  ASSIGN_OR_RETURN(const files::Folder root, files::Folder::Open(settings.root, files::Folder::For::kShared));
  if (root.HasFolder(name)) return false;
  RETURN_IF_ERROR(root.Below(name));
  return true;
}

Result<std::unique_ptr<Bucket>> OpenBucket(const BucketSettings& settings, std::string_view name) {
  RETURN_IF_ERROR(NameIsSafe(name));
  if (!settings.endpoint.empty()) return OpenS3Bucket(settings, name);
  if (!settings.root.empty()) return OpenFolderBucket(settings.root, name, settings.room);
  return BucketFault("NoSuchBucket", "The specified bucket does not exist: neither --s3-root nor --s3-endpoint is set",
                     "s3://" + std::string(name), FaultIs::kFinal);
}

}  // namespace keyfold::transfer

#include "cli/commands/s3_place.h"

namespace keyfold::cli {
namespace {

constexpr std::string_view kScheme = "s3://";

constexpr Rule<"{} is not of the form s3://BUCKET/PREFIX"> kNotAPlace{"cli-s3-place", Kind::kValidation};

}  // namespace

Result<S3Place> S3Place::Parse(const std::string_view written) {
  if (!written.starts_with(kScheme)) return kNotAPlace(written);
  const std::string_view text = written.substr(kScheme.size());
  const size_t slash = text.find('/');
  S3Place place;
  place.bucket = text.substr(0, slash);
  if (slash != std::string_view::npos) place.prefix = text.substr(slash + 1);
  if (place.bucket.empty() || place.prefix.starts_with('/')) return kNotAPlace(written);
  return place;
}

std::string S3Place::Text() const { return std::string(kScheme).append(bucket).append("/").append(prefix); }

}  // namespace keyfold::cli

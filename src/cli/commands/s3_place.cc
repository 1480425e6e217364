#include "cli/commands/s3_place.h"

namespace keyfold::cli {
namespace {

constexpr std::string_view kScheme = "s3://";

}  // namespace

std::optional<S3Place> S3Place::Parse(std::string_view text) {
  if (!text.starts_with(kScheme)) return std::nullopt;
  text.remove_prefix(kScheme.size());
  const size_t slash = text.find('/');
  S3Place place;
  place.bucket = text.substr(0, slash);
  if (slash != std::string_view::npos) place.prefix = text.substr(slash + 1);
  if (place.bucket.empty() || place.prefix.starts_with('/')) return std::nullopt;
  return place;
}

std::string S3Place::Text() const { return std::string(kScheme).append(bucket).append("/").append(prefix); }

}  // namespace keyfold::cli

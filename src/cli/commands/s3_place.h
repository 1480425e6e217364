// S3Place: s3://BUCKET/PREFIX as users write it.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace keyfold::cli {

struct S3Place {
  std::string bucket;
  std::string prefix;  // as written; may be empty

  static Result<S3Place> Parse(std::string_view written);
  std::string Text() const;
  bool operator==(const S3Place&) const = default;
};

}  // namespace keyfold::cli

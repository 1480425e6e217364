// S3Place: s3://BUCKET/PREFIX as users write it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace keyfold::cli {

struct S3Place {
  std::string bucket;
  std::string prefix;  // as written; may be empty

  // Returns nullopt if the text does not have this form.
  static std::optional<S3Place> Parse(std::string_view text);
  std::string Text() const;
  bool operator==(const S3Place&) const = default;
};

}  // namespace keyfold::cli

// S3Place: s3://BUCKET/PREFIX as people write it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace keyfold {

struct S3Place {
  std::string bucket;
  std::string prefix;  // may be empty; as it was written

  // Nothing where the text is none.
  static std::optional<S3Place> Parse(std::string_view text);
  std::string Text() const;
  bool operator==(const S3Place&) const = default;
};

}  // namespace keyfold

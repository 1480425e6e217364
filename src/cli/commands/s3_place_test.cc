#include "cli/commands/s3_place.h"

#include <gtest/gtest.h>

namespace keyfold::cli {
namespace {

struct PlaceCase {
  const char* text;
  std::optional<S3Place> place;
};

const PlaceCase kPlaces[] = {
    {"s3://b", S3Place{"b", ""}},
    {"s3://b/", S3Place{"b", ""}},
    {"s3://b/a", S3Place{"b", "a"}},
    {"s3://b/a/b c/", S3Place{"b", "a/b c/"}},
    {"", std::nullopt},
    {"b/a", std::nullopt},
    {"s3:/b", std::nullopt},
    {"s3://", std::nullopt},
    {"s3:///a", std::nullopt},
    {"s3://b//a", std::nullopt},
    {"S3://b", std::nullopt},
    {"https://b/a", std::nullopt},
};

TEST(S3Place, AsPeopleWriteIt) {
  for (const PlaceCase& c : kPlaces) {
    const Result<S3Place> place = S3Place::Parse(c.text);
    EXPECT_EQ(place.ok(), c.place.has_value()) << c.text;
    if (place.ok()) {
      EXPECT_EQ(*place, c.place) << c.text;
    } else {
      EXPECT_EQ(place.error().message(), std::string(c.text) + " is not of the form s3://BUCKET/PREFIX");
    }
  }
  EXPECT_EQ((S3Place{"b", "a/"}).Text(), "s3://b/a/");
}

}  // namespace
}  // namespace keyfold::cli

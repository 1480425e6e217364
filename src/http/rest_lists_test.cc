#include "http/rest_lists.h"

#include <gtest/gtest.h>

namespace keyfold::http {
namespace {

TEST(RestLists, LongestAtRestFirst) {
  RestLists lists;
  RestPlace a, b, c;
  for (RestPlace* place : {&a, &b, &c}) lists.Move(*place, Rest::kStranger);
  EXPECT_EQ(lists.Oldest(Rest::kStranger), &a);
  EXPECT_EQ(lists.Count(Rest::kStranger), 3u);
  lists.Move(a, Rest::kStranger);  // was busy in between
  EXPECT_EQ(lists.Oldest(Rest::kStranger), &b);
  lists.Move(c, Rest::kNone);
  lists.Move(b, Rest::kKnown);
  EXPECT_EQ(lists.Oldest(Rest::kStranger), &a);
  EXPECT_EQ(lists.Oldest(Rest::kKnown), &b);
  EXPECT_EQ(lists.Oldest(Rest::kLingering), nullptr);
  lists.Move(c, Rest::kNone);
  lists.Move(a, Rest::kNone);
  lists.Move(b, Rest::kNone);
  for (const Rest rest : {Rest::kLingering, Rest::kStranger, Rest::kKnown}) {
    EXPECT_EQ(lists.Oldest(rest), nullptr);
    EXPECT_EQ(lists.Count(rest), 0u);
  }
}

}  // namespace
}  // namespace keyfold::http

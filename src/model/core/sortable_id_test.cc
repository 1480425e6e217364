#include "model/core/sortable_id.h"

#include <gtest/gtest.h>

namespace keyfold::model {
namespace {

constexpr AttributeType kIdTypes[] = {AttributeType::kUlid, AttributeType::kKsuid, AttributeType::kUuid7};

TEST(SortableId, RecognizesIds) {
  EXPECT_TRUE(IsWholeId(AttributeType::kUlid, "01ARZ3NDEKTSV4RRFFQ69G5FAV"));
  EXPECT_FALSE(IsWholeId(AttributeType::kUlid, "81ARZ3NDEKTSV4RRFFQ69G5FAV"));  // more than 128 bits
  EXPECT_FALSE(IsWholeId(AttributeType::kUlid, "01arz3ndektsv4rrffq69g5fav"));
  EXPECT_TRUE(IsWholeId(AttributeType::kKsuid, "0ujtsYcgvSTl8PAuAdqWYSMnLOv"));
  EXPECT_FALSE(IsWholeId(AttributeType::kKsuid, "0ujtsYcgvSTl8PAuAdqWYSMnLO"));
  EXPECT_TRUE(IsWholeId(AttributeType::kUuid7, "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"));
  EXPECT_FALSE(IsWholeId(AttributeType::kUuid7, "017f22e2-79b0-4cc3-98c4-dc0c0c07398f"));  // version 4
  EXPECT_FALSE(IsWholeId(AttributeType::kUuid7, "017f22e2-79b0-7cc3-18c4-dc0c0c07398f"));  // another variant
  EXPECT_FALSE(IsWholeId(AttributeType::kString, ""));
}

TEST(SortableId, SortsByTimeThenByNumber) {
  for (const AttributeType type : kIdTypes) {
    std::string last;
    for (const int64_t second : {1'700'000'000, 1'700'000'001, 1'800'000'000}) {
      for (const uint64_t n : {0u, 1u, 999u}) {
        const std::string id = MakeId(type, second * 1000, n);
        EXPECT_TRUE(IsWholeId(type, id)) << id;
        EXPECT_LT(last, id);
        last = id;
      }
    }
  }
}

}  // namespace
}  // namespace keyfold::model

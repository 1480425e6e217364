#include "copy/batch_write.h"

#include <gtest/gtest.h>

#include <vector>

#include "json/raw_json.h"

namespace keyfold::copy {
namespace {

// Responds from a script, then with "{}"; records the requests.
class ScriptedCaller final : public client::ApiCaller {
 public:
  explicit ScriptedCaller(std::vector<std::string> answers) : answers_(std::move(answers)) {}
  Result<std::string> Call(std::string_view operation, std::string_view body) override {
    EXPECT_EQ(operation, "BatchWriteItem");
    bodies.emplace_back(body);
    return bodies.size() <= answers_.size() ? answers_[bodies.size() - 1] : std::string("{}");
  }
  std::vector<size_t> Sizes() const {
    std::vector<size_t> sizes;
    for (const std::string& body : bodies) {
      const auto puts = RawElementsOf(FindRaw(body, "RequestItems", "t").value_or(""));
      sizes.push_back(puts ? puts->size() : 0);
    }
    return sizes;
  }

  std::vector<std::string> bodies;

 private:
  const std::vector<std::string> answers_;
};

struct Put {
  ScriptedCaller caller;
  ManualClock clock{0};
  CopyPace pace{{}, clock};
  StopRequest stop;
  Acknowledged acknowledged;
  Status status;

  Put(const std::vector<std::string>& items, std::vector<std::string> answers) : caller(std::move(answers)) {
    const std::vector<std::string_view> views(items.begin(), items.end());
    status = BatchWrite(caller, "t", pace, stop, acknowledged, 1).Put(views);
  }
};

std::vector<std::string> Items(size_t count, size_t bytes = 0) {
  return std::vector<std::string>(count, R"({"a":{"S":")" + std::string(bytes, 'x') + R"("}})");
}

TEST(BatchWrite, ARequestHoldsTheItemsAsTheyAre) {
  const Put put({R"({"a":{"N":"1.50"}})", R"({ "a" : {"S":"\u00e4"} })"}, {});
  EXPECT_TRUE(put.status.ok());
  ASSERT_EQ(put.caller.bodies.size(), 1u);
  EXPECT_EQ(put.caller.bodies[0], R"({"RequestItems":{"t":[{"PutRequest":{"Item":{"a":{"N":"1.50"}}}},)"
                                  R"({"PutRequest":{"Item":{ "a" : {"S":"\u00e4"} }}}]}})");
  EXPECT_EQ(put.acknowledged.items, 2u);
  EXPECT_EQ(put.acknowledged.bytes, 42u);
}

TEST(BatchWrite, BatchesOf25AndOf16Megabytes) {
  EXPECT_EQ(Put(Items(60), {}).caller.Sizes(), (std::vector<size_t>{25, 25, 10}));
  EXPECT_EQ(Put(Items(0), {}).caller.Sizes(), (std::vector<size_t>{}));
  const Put large(Items(10, 3'000'000), {});
  EXPECT_EQ(large.caller.Sizes(), (std::vector<size_t>{5, 5}));
  for (const std::string& body : large.caller.bodies) EXPECT_LT(body.size(), 16u * 1024 * 1024);
  EXPECT_EQ(Put(Items(2, 17'000'000), {}).caller.Sizes(), (std::vector<size_t>{1, 1})) << "refused by the target";
}

TEST(BatchWrite, UnprocessedItemsAreSentAgain) {
  const std::string one = R"({"PutRequest":{"Item":{"a":{"S":"1"}}}})";
  const std::string two = R"({"PutRequest":{"Item":{"a":{"S":"2"}}}})";
  const Put put(Items(3), {R"({"UnprocessedItems":{"t":[)" + one + "," + two + "]}}",
                           R"({"UnprocessedItems":{"t":[)" + two + "]}}", R"({"UnprocessedItems":{}})"});
  EXPECT_TRUE(put.status.ok());
  ASSERT_EQ(put.caller.bodies.size(), 3u);
  EXPECT_EQ(put.caller.bodies[1], R"({"RequestItems":{"t":[)" + one + "," + two + "]}}");
  EXPECT_EQ(put.caller.bodies[2], R"({"RequestItems":{"t":[)" + two + "]}}");
  EXPECT_EQ(put.acknowledged.items, 3u);
}

TEST(BatchWrite, AnInvalidResponseAcknowledgesNothing) {
  for (const char* odd : {"", "[]", "<html>", R"({"UnprocessedItems":{"other":[{}]}})", R"({"UnprocessedItems":[]})",
                          R"({"UnprocessedItems":{"t":{}}})", R"({"UnprocessedItems":{"t":[1,2,3,4]}})"}) {
    const Put put(Items(3), {odd});
    ASSERT_FALSE(put.status.ok()) << odd;
    EXPECT_EQ(put.status.message(), "the response of BatchWriteItem is not a valid DynamoDB response");
    EXPECT_EQ(put.acknowledged.items, 0u) << odd;
  }
}

TEST(BatchWrite, StopsOnRequest) {
  ScriptedCaller caller({});
  const ManualClock clock(0);
  CopyPace pace({.items = 1}, clock);
  StopRequest stop;
  Acknowledged acknowledged;
  stop.Raise();
  const std::string_view item = "{}";
  const Status status = BatchWrite(caller, "t", pace, stop, acknowledged, 1).Put({&item, 1});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.message(), "stopped before it was finished");
  EXPECT_EQ(caller.bodies.size(), 0u);
}

}  // namespace
}  // namespace keyfold::copy

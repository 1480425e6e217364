#include "client/retry.h"

#include <gtest/gtest.h>

namespace keyfold::client {
namespace {

TEST(Retry, WhatIsRetried) {
  struct Row {
    int status;
    const char* type;
    bool again;
  };
  const Row rows[] = {
      {400, "ThrottlingException", true},
      {400, "ProvisionedThroughputExceededException", true},
      {400, "RequestLimitExceeded", true},
      {400, "TransactionInProgressException", true},
      {400, "LimitExceededException", true},
      {400, "ValidationException", false},
      {400, "ConditionalCheckFailedException", false},
      {400, "TransactionCanceledException", false},
      {400, "ResourceInUseException", false},
      {400, "", false},
      {403, "AccessDeniedException", false},
      {404, "", false},
      {413, "", false},
      {429, "", true},
      {500, "InternalServerError", true},
      {501, "", false},
      {502, "", true},
      {503, "", true},
      {504, "", true},
  };
  for (const Row& row : rows) EXPECT_EQ(IsRetryable(row.status, row.type), row.again) << row.status << row.type;
  using Kind = http::Failure::Kind;
  for (const Kind kind : {Kind::kConnect, Kind::kTimeout, Kind::kLost}) EXPECT_TRUE(IsRetryable(kind));
  for (const Kind kind : {Kind::kUnresolved, Kind::kUntrusted, Kind::kProtocol, Kind::kTooLong, Kind::kAbandoned}) {
    EXPECT_FALSE(IsRetryable(kind));
  }
}

TEST(Retry, WaitsDoubleUpToABound) {
  const RetryPolicy policy{10, 3, 50'000, 2'000'000};
  for (const auto& [failures, ceiling] : std::initializer_list<std::pair<int, Micros>>{
           {1, 50'000}, {2, 100'000}, {3, 200'000}, {6, 1'600'000}, {7, 2'000'000}, {60, 2'000'000}}) {
    Random random(1);
    Micros least = ceiling, most = 0;
    for (int i = 0; i < 1000; ++i) {
      const Micros wait = WaitBeforeNext(policy, failures, 0, random);
      least = std::min(least, wait), most = std::max(most, wait);
    }
    EXPECT_GE(least, 1);
    EXPECT_LE(most, ceiling);
    EXPECT_LT(least, ceiling / 20) << "jitter is over the whole range";
    EXPECT_GT(most, ceiling / 20 * 19);
  }
}

TEST(Retry, HeadersAskForAWait) {
  struct Row {
    const char* name;
    const char* value;
    Micros asked;
  };
  const Row rows[] = {
      {"x-amz-retry-after", "1500", 1'500'000},
      {"Retry-After", "2", 2'000'000},
      {"Retry-After", "-1", 0},
      {"Retry-After", "Wed, 21 Oct 2026", 0},
      {"Retry-After", "", 0},
      {"x-other", "1", 0},
      {"x-amz-retry-after", "99999999999", 0},
      {"X-Amz-Retry-After", "7", 7'000},
  };
  for (const Row& row : rows) {
    http::HttpAnswer answer;
    answer.headers.push_back({row.name, row.value});
    EXPECT_EQ(AskedWait(answer), row.asked) << row.name << row.value;
  }
  Random random(1);
  const RetryPolicy policy{10, 3, 50'000, 2'000'000};
  EXPECT_EQ(WaitBeforeNext(policy, 1, 1'500'000, random), 1'500'000);
  EXPECT_EQ(WaitBeforeNext(policy, 1, 9'000'000, random), 2'000'000) << "bounded all the same";
}

}  // namespace
}  // namespace keyfold::client

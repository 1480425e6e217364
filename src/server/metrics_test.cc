// Metrics: what is counted where, and Prometheus' text format.
#include "server/metrics.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace keyfold::server {
namespace {

using Outcome = RequestRecord::Outcome;

std::string MetricsText(const Metrics& metrics) {
  std::string text;
  metrics.AppendTo(text);
  return text;
}

bool HasLine(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

RequestRecord Get(double units) {
  RequestRecord record;
  record.table = "tab";
  record.operation = "GetItem";
  record.read_units = units;
  return record;
}

TEST(Metrics, EachOutcomeHasItsCounter) {
  const std::pair<Outcome, const char*> rows[] = {
      {Outcome::kSuccess, "SuccessfulRequests"},
      {Outcome::kUserError, "UserErrors"},
      {Outcome::kConditionFailed, "ConditionalCheckFailedRequests"},
      {Outcome::kThrottled, "ThrottledRequests"},
      {Outcome::kSystemError, "SystemErrors"},
  };
  for (const auto& [outcome, name] : rows) {
    Metrics metrics;
    RequestRecord record = Get(0);
    record.outcome = outcome;
    metrics.Record(record);
    metrics.Record(record);
    const std::string text = MetricsText(metrics);
    for (const auto& [other, other_name] : rows) {
      const std::string line = fmt::format("{}{{TableName=\"tab\",Operation=\"GetItem\"}} 2", other_name);
      EXPECT_EQ(HasLine(text, line), outcome == other) << name << " and " << other_name << "\n" << text;
      EXPECT_TRUE(HasLine(text, fmt::format("# TYPE {} counter", other_name)));
    }
  }
}

TEST(Metrics, UnitsAndItemsAddUp) {
  Metrics metrics;
  for (const double units : {0.5, 0.5, 0.5, 2.0}) metrics.Record(Get(units));
  RequestRecord put;
  put.table = "tab";
  put.operation = "PutItem";
  put.write_units = 3;
  put.items_returned = 4;
  metrics.Record(put);
  put.outcome = Outcome::kUserError;  // costs nothing
  metrics.Record(put);
  const std::string text = MetricsText(metrics);
  EXPECT_TRUE(HasLine(text, "ConsumedReadCapacityUnits{TableName=\"tab\",Operation=\"GetItem\"} 3.5")) << text;
  EXPECT_TRUE(HasLine(text, "ConsumedWriteCapacityUnits{TableName=\"tab\",Operation=\"PutItem\"} 3")) << text;
  EXPECT_TRUE(HasLine(text, "ReturnedItemCount{TableName=\"tab\",Operation=\"PutItem\"} 4")) << text;
  EXPECT_EQ(text.find("ConsumedWriteCapacityUnits{TableName=\"tab\",Operation=\"GetItem\"}"), std::string::npos);
}

TEST(Metrics, WithoutATableThereIsNoLabel) {
  Metrics metrics;
  RequestRecord record;
  record.operation = "ListTables";
  metrics.Record(record);
  EXPECT_TRUE(HasLine(MetricsText(metrics), "SuccessfulRequests{Operation=\"ListTables\"} 1"));
}

TEST(Metrics, LatencyIsAHistogramInSeconds) {
  Metrics metrics;
  for (const int64_t micros : {1, 100, 101, 300, 6'000'000}) {
    RequestRecord record = Get(0);
    record.micros = micros;
    metrics.Record(record);
  }
  const std::string text = MetricsText(metrics);
  const std::pair<const char*, int> rows[] = {{"0.0001", 2}, {"0.00025", 3}, {"0.0005", 4}, {"5", 4}, {"+Inf", 5}};
  for (const auto& [bound, count] : rows) {
    const std::string line = fmt::format(
        "SuccessfulRequestLatency_bucket{{TableName=\"tab\",Operation=\"GetItem\",le=\"{}\"}} {}", bound, count);
    EXPECT_TRUE(HasLine(text, line)) << line << "\n" << text;
  }
  EXPECT_TRUE(HasLine(text, "SuccessfulRequestLatency_count{TableName=\"tab\",Operation=\"GetItem\"} 5")) << text;
  EXPECT_TRUE(HasLine(text, "SuccessfulRequestLatency_sum{TableName=\"tab\",Operation=\"GetItem\"} 6.000502")) << text;
}

TEST(Metrics, NamesBeyondTheLimitAreCountedTogether) {
  Metrics metrics;
  for (size_t i = 0; i < Metrics::kSeriesMax + 5; ++i) {
    const std::string table = fmt::format("table-{}", i);
    RequestRecord record = Get(0);
    record.table = table;
    metrics.Record(record);
  }
  const std::string text = MetricsText(metrics);
  EXPECT_TRUE(HasLine(text, fmt::format("SuccessfulRequests{{TableName=\"table-{}\",Operation=\"GetItem\"}} 1",
                                        Metrics::kSeriesMax - 1)));
  EXPECT_EQ(text.find(fmt::format("\"table-{}\"", Metrics::kSeriesMax)), std::string::npos);
  EXPECT_TRUE(HasLine(text, "SuccessfulRequests{TableName=\"other\",Operation=\"GetItem\"} 5"));
}

TEST(Metrics, WhatOpeningTheStoreFound) {
  std::string text;
  AppendStoreMetrics({.name = "memory", .durability = "none"}, 5, text);
  EXPECT_EQ(text, "");
  store::StoreInfo info{.name = "rocksdb", .durability = "always", .path = "data", .last_time = 4'500'000};
  info.recovery = {.dropped_bytes = 16413, .mark_lowered_by = 3, .given_up_writes = 7};
  AppendStoreMetrics(info, 1'000'000, text);
  for (const char* line : {"keyfold_recovery_dropped_bytes 16413", "keyfold_recovery_mark_lowered_by 3",
                           "keyfold_recovery_given_up_writes 7", "keyfold_clock_ahead_seconds 3.5"}) {
    EXPECT_TRUE(HasLine(text, line)) << line << " in " << text;
  }
  text.clear();
  AppendStoreMetrics(info, 9'000'000, text);
  EXPECT_TRUE(HasLine(text, "keyfold_clock_ahead_seconds 0")) << text;
}

TEST(Metrics, JobsInProgress) {
  std::string text;
  AppendJobMetrics({}, text);
  EXPECT_EQ(text, "");
  engine::Jobs jobs;
  engine::Job job(jobs, engine::JobKind::kImport, "tab", "7", 0);
  job.Begin("reading", engine::JobUnit::kBytes, 90);
  job.Advance(30);
  const engine::Job other(jobs, engine::JobKind::kRestore, "copy", "", 0);
  AppendJobMetrics(jobs.List(), text);
  const std::string reading = "{Kind=\"IMPORT\",TableName=\"tab\",Id=\"7\",Step=\"reading\",Unit=\"BYTES\"}";
  EXPECT_TRUE(HasLine(text, "# TYPE JobDone gauge")) << text;
  EXPECT_TRUE(HasLine(text, "JobDone" + reading + " 30")) << text;
  EXPECT_TRUE(HasLine(text, "JobTotal" + reading + " 90")) << text;
  EXPECT_TRUE(
      HasLine(text, "JobTotal{Kind=\"RESTORE\",TableName=\"copy\",Id=\"\",Step=\"beginning\",Unit=\"ITEMS\"} 0"))
      << text;
}

TEST(Metrics, ThreadsLoseNothing) {
  constexpr int kThreads = 4, kEach = 5'000;
  Metrics metrics;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&metrics] {
      for (int i = 0; i < kEach; ++i) metrics.Record(Get(0.5));
    });
  }
  for (int i = 0; i < 20; ++i) MetricsText(metrics);
  for (std::thread& t : threads) t.join();
  const std::string text = MetricsText(metrics);
  EXPECT_TRUE(HasLine(text, "SuccessfulRequests{TableName=\"tab\",Operation=\"GetItem\"} 20000")) << text;
  EXPECT_TRUE(HasLine(text, "ConsumedReadCapacityUnits{TableName=\"tab\",Operation=\"GetItem\"} 10000")) << text;
}

}  // namespace
}  // namespace keyfold::server

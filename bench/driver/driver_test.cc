// What the driver's figures rest on: percentiles, and where an answer ends.
#include <gtest/gtest.h>

#include "base/random.h"
#include "bench/driver/answer_reader.h"
#include "bench/driver/histogram.h"

namespace keyfold::bench {
namespace {

TEST(Histogram, PercentilesAreRightToOneIn128) {
  struct Row {
    uint64_t count, step;  // step, 2 * step, … count * step
    double part;
    uint64_t exact;
  };
  const Row rows[] = {
      {100, 1, 0.5, 50},
      {100, 1, 0.99, 99},
      {100, 1, 1, 100},
      {1'000, 1'000, 0.5, 500'000},
      {1'000, 1'000, 0.999, 999'000},
      {10'000, 123'457, 0.99, 9'900 * uint64_t{123'457}},
      {1, 7, 0.5, 7},
  };
  for (const Row& row : rows) {
    Histogram histogram;
    for (uint64_t i = 1; i <= row.count; ++i) histogram.Add(i * row.step);
    const uint64_t reported = histogram.Percentile(row.part);
    EXPECT_GE(reported, row.exact) << row.count << " " << row.step << " " << row.part;
    EXPECT_LE(reported, row.exact + row.exact / 128 + 1) << row.count << " " << row.step << " " << row.part;
    EXPECT_EQ(histogram.max(), row.count * row.step);
  }
}

TEST(Histogram, TakesAnyValueAndAddsUp) {
  Histogram a, b;
  EXPECT_EQ(a.Percentile(0.5), 0u);
  a.Add(UINT64_MAX / 2);
  b.Add(1);
  b.Add(2);
  a.Add(b);
  EXPECT_EQ(a.count(), 3u);
  EXPECT_EQ(a.Percentile(0.5), 2u);
  EXPECT_EQ(a.max(), UINT64_MAX / 2);
}

struct Answer {
  std::string_view bytes;
  int status;
  bool close;
};
constexpr Answer kAnswers[] = {
    {"HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 7\r\n\r\n{\"a\":1}", 200, false},
    {"HTTP/1.1 400 Bad Request\r\ncontent-length:2\r\nConnection: close\r\n\r\n{}", 400, true},
    {"HTTP/1.1 200 OK\r\nX-Content-Length: 99\r\nContent-Length: 0\r\n\r\n", 200, false},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 200, false},
};

// Whole with its last byte and not before, however it arrives.
TEST(AnswerReader, EndsWithTheLastByte) {
  Random random(1);
  for (const Answer& answer : kAnswers) {
    for (int run = 0; run < 50; ++run) {
      AnswerReader reader;
      std::string_view rest = answer.bytes;
      while (!rest.empty()) {
        const size_t piece = 1 + random.Below(rest.size());
        const bool whole = reader.Feed(rest.substr(0, piece));
        rest.remove_prefix(piece);
        ASSERT_EQ(whole, rest.empty()) << answer.bytes << " with " << rest.size() << " bytes left";
      }
      EXPECT_EQ(reader.status(), answer.status);
      EXPECT_EQ(reader.close(), answer.close);
      EXPECT_EQ(reader.start(), answer.bytes);
      EXPECT_EQ(reader.end(), answer.bytes);
    }
  }
}

TEST(AnswerReader, KeepsBothEndsOfALongAnswer) {
  const std::string body = "{\"Items\":[" + std::string(100'000, 'x') + "],\"Count\":10}";
  AnswerReader reader;
  EXPECT_FALSE(reader.Feed("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n"));
  EXPECT_FALSE(reader.Feed(body.substr(0, 60'000)));
  EXPECT_TRUE(reader.Feed(body.substr(60'000)));
  EXPECT_NE(reader.start().find("\"Items\""), std::string_view::npos);
  EXPECT_TRUE(reader.end().ends_with("\"Count\":10}"));
  EXPECT_LE(reader.start().size() + reader.end().size(), AnswerReader::kStartBytes + AnswerReader::kEndBytes);
}

}  // namespace
}  // namespace keyfold::bench

#include "server/signs.h"

#include <gtest/gtest.h>

#include "testing/base/logged.h"

namespace keyfold::server {
namespace {

TEST(Signs, WarnOnceUntilFarAgain) {
  Usage usage{0, 1000};
  Signs signs;
  signs.Watch("things", "things are in use", "use fewer", [&] { return usage; });
  const std::pair<uint64_t, size_t> steps[] = {{0, 0},   {799, 0}, {800, 1}, {1000, 1}, {750, 1},
                                               {900, 1}, {700, 1}, {800, 1}, {699, 1},  {2000, 2}};
  const Logged logged;
  for (const auto& [used, warnings] : steps) {
    usage.used = used;
    signs.Check();
    EXPECT_EQ(logged.Warnings(), warnings) << used;
  }
}

TEST(Signs, HealthAndMetrics) {
  Usage usage{79, 100};
  Signs signs;
  signs.Watch("things", "", "", [&] { return usage; });
  signs.Watch("unlimited", "", "", [] { return Usage{5, 0}; });
  const auto health = [&] {
    std::string body;
    json::Writer out(body);
    out.BeginObject();
    signs.AppendHealth(out);
    out.EndObject();
    return body;
  };
  EXPECT_EQ(health(), "{}");
  usage.used = 80;
  EXPECT_EQ(health(), R"({"warnings":[{"resource":"things","used":80,"limit":100}]})");
  std::string metrics;
  signs.AppendMetrics(metrics);
  for (const char* line : {"# TYPE keyfold_things gauge\n", "\nkeyfold_things 80\n", "\nkeyfold_things_limit 100\n"}) {
    EXPECT_NE(metrics.find(line), std::string::npos) << metrics;
  }
}

TEST(Signs, WarnsOfWhatIsLeft) {
  constexpr uint64_t kReserve = uint64_t{32} << 20, kNear = 2 * kReserve + Signs::kLeftMargin;
  Left left{kNear, kReserve};
  Signs signs;
  signs.WatchLeft("disk", "bytes are free", "free some disk space", [&] { return left; });
  signs.WatchLeft("unknown", "", "", [] { return Left{}; });
  const std::pair<uint64_t, size_t> steps[] = {{kNear, 0},     {kNear - 1, 1}, {0, 1},
                                               {kNear + 1, 1}, {kNear - 1, 1}, {kNear + Signs::kLeftMargin, 1},
                                               {kNear - 1, 2}};
  const Logged logged;
  for (const auto& [free, warnings] : steps) {
    left.free = free;
    signs.Check();
    EXPECT_EQ(logged.Warnings(), warnings) << free;
  }
  left.free = 5;
  std::string health, metrics;
  json::Writer out(health);
  out.BeginObject();
  signs.AppendHealth(out);
  out.EndObject();
  EXPECT_EQ(health, R"({"warnings":[{"resource":"disk","free":5,"reserve":33554432}]})");
  signs.AppendMetrics(metrics);
  for (const char* line : {"\nkeyfold_disk_free_bytes 5\n", "\nkeyfold_disk_reserve_bytes 33554432\n"}) {
    EXPECT_NE(metrics.find(line), std::string::npos) << metrics;
  }
  EXPECT_EQ(metrics.find("unknown"), std::string::npos);
}

}  // namespace
}  // namespace keyfold::server

#include "server/admin.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "base/time_text.h"
#include "engine/background/stream_retention.h"
#include "json/writer.h"

namespace keyfold::server {
namespace {

constexpr Micros kSecond = 1'000'000;
constexpr std::string_view kClockPath = "/_keyfold/clock", kSplitPath = "/_keyfold/streams/split";

bool IsNumber(json::Value value) {
  return value.type() == json::Type::kInteger || value.type() == json::Type::kDecimal;
}

// Converts a JSON number of seconds; nullopt unless it is from 0 to kLatestSecond.
std::optional<Micros> SecondsOf(json::Value value) {
  const double seconds = value.AsDouble();
  if (!(seconds >= 0 && seconds <= static_cast<double>(kLatestSecond))) return std::nullopt;
  return static_cast<Micros>(std::llround(seconds * static_cast<double>(kSecond)));
}

std::optional<Micros> DurationOf(json::Value value) {
  if (IsNumber(value)) return SecondsOf(value);
  return value.is_string() ? ParseDuration(value.AsString()) : std::nullopt;
}

std::optional<Micros> TimeOf(json::Value value) {
  if (IsNumber(value)) return SecondsOf(value);
  return value.is_string() ? ParseIsoTime(value.AsString()) : std::nullopt;
}

}  // namespace

AdminAnswer RefuseAdmin(int status, std::string_view why) { return {status, fmt::format("{}\n", why)}; }

Admin::Admin(const engine::Database& db, const engine::Identity& identity, DatabaseClock& clock,
             std::function<void()> finish_due_work)
    : db_(db), identity_(identity), clock_(clock), finish_due_work_(std::move(finish_due_work)) {}

bool Admin::Serves(std::string_view method, std::string_view path) const {
  if (path == kClockPath) return method == "GET" || method == "POST";
  return path == kSplitPath && method == "POST";
}

AdminAnswer Admin::Answer(std::string_view method, std::string_view path, const std::string& body) {
  if (method == "GET") return DescribeClock();
  json::Parser parser;
  const std::optional<json::Value> request = parser.Parse(body);
  if (!request || !request->is_object()) return RefuseAdmin(400, "The body must be a JSON object");
  return path == kClockPath ? MoveClock(*request) : Split(*request);
}

AdminAnswer Admin::DescribeClock() const {
  const Micros now = clock_.Now();
  AdminAnswer answer;
  json::Writer out(answer.body);
  out.BeginObject();
  out.Key("now");
  out.Raw(fmt::format("{}.{:06}", now / kSecond, now % kSecond));
  out.Member("iso", FormatIsoTime(now));
  out.Member("mode", clock_.mode() == DatabaseClock::Mode::kManual ? "manual" : "system");
  out.EndObject();
  return answer;
}

AdminAnswer Admin::MoveClock(json::Value request) {
  if (clock_.mode() != DatabaseClock::Mode::kManual) {
    return RefuseAdmin(409, "The database runs on system time: start it with --clock=manual to move its clock");
  }
  const std::optional<json::Value> advance = json::Find(request, "advance"), to = json::Find(request, "to");
  if (request.CountElements() != 1 || (!advance && !to)) {
    return RefuseAdmin(400, "Give either \"advance\" or \"to\", and nothing else");
  }
  const std::optional<Micros> given = advance ? DurationOf(*advance) : TimeOf(*to);
  if (!given && advance) {
    return RefuseAdmin(400, "\"advance\" takes seconds, or text such as \"25h30m\"; time only moves forward");
  }
  if (!given) return RefuseAdmin(400, "\"to\" takes seconds since 1970, or text such as \"2030-01-31T12:00:00Z\"");
  if (advance && (clock_.Now() + *given) / kSecond > kLatestSecond) {
    return RefuseAdmin(400, "The clock ends with the year 9999");
  }
  if (advance) {
    clock_.Advance(*given);
  } else if (!clock_.MoveTo(*given)) {
    return RefuseAdmin(409, fmt::format("Time only moves forward, and it is already {}", FormatIsoTime(clock_.Now())));
  }
  finish_due_work_();
  return DescribeClock();
}

AdminAnswer Admin::Split(json::Value request) const {
  const std::optional<json::Value> stream = json::Find(request, "StreamArn"), shard = json::Find(request, "ShardId");
  if (!stream || !stream->is_string() || (shard && !shard->is_string())) {
    return RefuseAdmin(400, "Give \"StreamArn\", and \"ShardId\" to split only one shard");
  }
  std::optional<std::string_view> shard_id;
  if (shard) shard_id = shard->AsString();
  Status split = engine::SplitShards(db_, identity_, stream->AsString(), shard_id);
  if (split.ok()) return {200, "{}"};
  const Error error = std::move(split).TakeError();
  AdminAnswer refused = RefuseAdmin(error.kind() == Kind::kInternal ? 500 : 400, error.message());
  refused.rule = error.rule();
  return refused;
}

}  // namespace keyfold::server

#include "server/signs.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "base/log.h"

namespace keyfold::server {
namespace {

bool IsBeyond(const Usage& usage, uint64_t percent) {
  return usage.limit > 0 && static_cast<double>(usage.used) * 100 >= static_cast<double>(usage.limit * percent);
}

bool IsBelow(const Left& left, uint64_t bytes) { return left.reserve > 0 && left.free < bytes; }
bool IsNear(const Left& left) { return IsBelow(left, 2 * left.reserve + Signs::kLeftMargin); }
// The warning is not repeated until it is above this.
bool IsNotFar(const Left& left) { return IsBelow(left, 2 * left.reserve + 2 * Signs::kLeftMargin); }

void BeginWarning(bool& any, json::Writer& out) {
  if (!std::exchange(any, true)) {
    out.Key("warnings");
    out.BeginArray();
  }
  out.BeginObject();
}

}  // namespace

void Signs::WatchLeft(std::string name, std::string what, std::string advice, std::function<Left()> look) {
  remainders_.push_back({std::move(name), std::move(what), std::move(advice), std::move(look)});
}

void Signs::CheckLeft() {
  for (Remainder& remainder : remainders_) {
    const Left left = remainder.look();
    if (!IsNotFar(left)) remainder.warned = false;
    if (remainder.warned || !IsNear(left)) continue;
    remainder.warned = true;
    LogWarning("{} {}, of which {} are reserved; {}", left.free, remainder.what, left.reserve, remainder.advice);
  }
}

void Signs::AppendLeft(bool& any, json::Writer& out) const {
  for (const Remainder& remainder : remainders_) {
    const Left left = remainder.look();
    if (!IsNear(left)) continue;
    BeginWarning(any, out);
    out.Member("resource", remainder.name);
    out.Member("free", static_cast<int64_t>(left.free));
    out.Member("reserve", static_cast<int64_t>(left.reserve));
    out.EndObject();
  }
}

void Signs::Watch(std::string name, std::string what, std::string advice, std::function<Usage()> look) {
  resources_.push_back({std::move(name), std::move(what), std::move(advice), std::move(look)});
}

void Signs::Check() {
  MutexLock lock(mutex_);
  CheckLeft();
  for (Resource& resource : resources_) {
    const Usage usage = resource.look();
    if (!IsBeyond(usage, kFarPercent)) resource.warned = false;
    if (resource.warned || !IsBeyond(usage, kNearPercent)) continue;
    resource.warned = true;
    LogWarning("{} of {} {}; {}", usage.used, usage.limit, resource.what, resource.advice);
  }
}

void Signs::AppendHealth(json::Writer& out) const {
  bool any = false;
  for (const Resource& resource : resources_) {
    const Usage usage = resource.look();
    if (!IsBeyond(usage, kNearPercent)) continue;
    BeginWarning(any, out);
    out.Member("resource", resource.name);
    out.Member("used", static_cast<int64_t>(usage.used));
    out.Member("limit", static_cast<int64_t>(usage.limit));
    out.EndObject();
  }
  AppendLeft(any, out);
  if (any) out.EndArray();
}

void Signs::AppendMetrics(std::string& out) const {
  const auto to = std::back_inserter(out);
  const auto gauge = [&](const std::string& name, std::string_view help, uint64_t value) {
    fmt::format_to(to, "# HELP {0} {1}\n# TYPE {0} gauge\n{0} {2}\n", name, help, value);
  };
  for (const Resource& resource : resources_) {
    const Usage usage = resource.look();
    gauge("keyfold_" + resource.name, "In use now", usage.used);
    gauge("keyfold_" + resource.name + "_limit", "The most that can be in use", usage.limit);
  }
  for (const Remainder& remainder : remainders_) {
    const Left left = remainder.look();
    if (left.reserve == 0) continue;
    gauge("keyfold_" + remainder.name + "_free_bytes", "Free now", left.free);
    gauge("keyfold_" + remainder.name + "_reserve_bytes", "Reserve: below it only deletes are accepted", left.reserve);
  }
}

}  // namespace keyfold::server

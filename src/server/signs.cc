#include "server/signs.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "base/log.h"

namespace keyfold {
namespace {

bool IsBeyond(const Usage& usage, uint64_t percent) {
  return usage.limit > 0 && static_cast<double>(usage.used) * 100 >= static_cast<double>(usage.limit * percent);
}

}  // namespace

void Signs::Watch(std::string name, std::string what, std::string advice, std::function<Usage()> look) {
  resources_.push_back({std::move(name), std::move(what), std::move(advice), std::move(look)});
}

void Signs::Check() {
  const std::lock_guard lock(mutex_);
  for (Resource& resource : resources_) {
    const Usage usage = resource.look();
    if (!IsBeyond(usage, kFarPercent)) resource.warned = false;
    if (resource.warned || !IsBeyond(usage, kNearPercent)) continue;
    resource.warned = true;
    spdlog::warn("{} of {} {}; {}", usage.used, usage.limit, resource.what, resource.advice);
  }
}

void Signs::AppendHealth(json::Writer& out) const {
  bool any = false;
  for (const Resource& resource : resources_) {
    const Usage usage = resource.look();
    if (!IsBeyond(usage, kNearPercent)) continue;
    if (!std::exchange(any, true)) {
      out.Key("warnings");
      out.BeginArray();
    }
    out.BeginObject();
    out.Member("resource", resource.name);
    out.Member("used", static_cast<int64_t>(usage.used));
    out.Member("limit", static_cast<int64_t>(usage.limit));
    out.EndObject();
  }
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
}

}  // namespace keyfold

// Pages of ListExports and ListImports: the jobs of the last 90 days in descending order of their ARNs. A token names
// the last ARN of the page before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"

namespace keyfold::ops {

inline constexpr Micros kJobsShownFor = 90 * kDay;
inline constexpr int32_t kJobsPerPage = 25;

template <typename Job>
struct ListedJob {
  std::string arn;
  Job job;
};

template <typename Job>
void SortForList(std::vector<ListedJob<Job>>& listed) {
  std::sort(listed.begin(), listed.end(), [](const auto& a, const auto& b) { return a.arn > b.arn; });
}

// Borrows from the list.
template <typename Job>
struct ListPage {
  std::span<const ListedJob<Job>> jobs;
  bool is_last = true;
};

// Returns the page after the ARN `after`, or the first one.
template <typename Job>
ListPage<Job> PageAfter(const std::vector<ListedJob<Job>>& listed, const std::optional<std::string>& after,
                        std::optional<int32_t> limit) {
  auto first = listed.begin();
  if (after) first = std::find_if(first, listed.end(), [&](const auto& entry) { return entry.arn < *after; });
  const auto end = first + std::min<std::ptrdiff_t>(listed.end() - first, limit.value_or(kJobsPerPage));
  return {{first, end}, end == listed.end()};
}

}  // namespace keyfold::ops

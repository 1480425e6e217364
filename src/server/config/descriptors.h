// How many files and connections the process may have open, and how they are shared. A store that cannot open its next
// log ends the process, so connections get only what is left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace keyfold::server {

inline constexpr uint64_t kDescriptorsMin = 256;

struct DescriptorPlan {
  uint64_t limit = 0;
  int store_files_max = 0;  // tables that the store keeps open
  size_t connections_max = 0;
};

// For a limit of at least kDescriptorsMin. The remainder is for logs, jobs (which read and write files of their own and
// call S3), the loops, and connections that wait for another to give way.
DescriptorPlan PlanDescriptors(uint64_t limit, size_t loops);

// Raises the soft limit to the hard one. Returns the new limit; nullopt if it cannot be read.
std::optional<uint64_t> RaiseDescriptorLimit();

// Number of open descriptors; 0 if it cannot be determined.
uint64_t CountDescriptors();

}  // namespace keyfold::server

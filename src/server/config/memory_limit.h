// How much memory the process may use: the limit of its control groups, or the machine's memory.
#pragma once

#include <cstdint>
#include <string>

namespace keyfold::server {

// Returns the minimum of the machine's memory and the limits of the process's control groups (versions 1 and 2) and all
// their ancestors. Files are read below `root`, which tests replace.
uint64_t FindMemoryLimit(uint64_t machine_bytes, const std::string& root = "");

// Returns the machine's memory in bytes.
uint64_t MachineMemory();

// In MB: a quarter of the memory, at most 512 and at least 64.
int64_t DefaultInFlightMb(uint64_t memory_bytes);

}  // namespace keyfold::server

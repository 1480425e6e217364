// How much memory the process may use: what its control groups allow, or what the machine has.
#pragma once

#include <cstdint>
#include <string>

namespace keyfold {

// The least of the machine's memory and the limits of the process's control groups (versions 1 and 2) and all groups
// above them. Files are looked for below `root`, which tests replace.
uint64_t FindMemoryLimit(uint64_t machine_bytes, const std::string& root = "");

// What the machine has.
uint64_t MachineMemory();

// In MB: a quarter of the memory, at most 512 and at least 64.
int64_t DefaultInFlightMb(uint64_t memory_bytes);

}  // namespace keyfold

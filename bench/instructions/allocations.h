// Counts what this program asks of the heap: malloc, calloc, realloc and their aligned forms, and so operator new.
#pragma once

#include <cstdint>

namespace keyfold::bench {

uint64_t Allocations();  // since the program began, of all threads

}  // namespace keyfold::bench

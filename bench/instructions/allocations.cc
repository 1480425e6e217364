#include "bench/instructions/allocations.h"

#include <errno.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>

namespace {

std::atomic<uint64_t> allocations{0};

void CountOne() { allocations.store(allocations.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }

}  // namespace

// The C library's own, under the names it keeps for programs that put theirs in front.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* block, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
// NOLINTEND(bugprone-reserved-identifier)

void* malloc(size_t bytes) {
  CountOne();
  return __libc_malloc(bytes);
}
void* calloc(size_t count, size_t bytes) {
  CountOne();
  return __libc_calloc(count, bytes);
}
void* realloc(void* block, size_t bytes) {
  CountOne();
  return __libc_realloc(block, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) {
  CountOne();
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** block, size_t alignment, size_t bytes) {
  CountOne();
  *block = __libc_memalign(alignment, bytes);
  return *block != nullptr ? 0 : ENOMEM;
}
}

namespace keyfold::bench {

uint64_t Allocations() { return allocations.load(std::memory_order_relaxed); }

}  // namespace keyfold::bench

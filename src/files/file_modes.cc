#include "files/file_modes.h"

#include <sys/stat.h>

#include <atomic>

namespace keyfold::files {
namespace {

constexpr mode_t kPrivate = 077;
constexpr int kNotNarrowed = -1;

std::atomic<int> original_umask = kNotNarrowed;

}  // namespace

void KeepFilesPrivate() {
  const mode_t before = umask(kPrivate);
  int expected = kNotNarrowed;
  original_umask.compare_exchange_strong(expected, static_cast<int>(before));
}

mode_t SharedMode(mode_t mode) {
  const int original = original_umask.load();
  return original == kNotNarrowed ? 0 : mode & ~static_cast<mode_t>(original);
}

}  // namespace keyfold::files

#include "bench/instructions/versions.h"

#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <rocksdb/version.h>
#include <simdjson.h>
#include <zlib.h>

namespace keyfold::bench {
namespace {

#if defined(__x86_64__)
constexpr std::string_view kMachine = "x86-64";
#elif defined(__aarch64__)
constexpr std::string_view kMachine = "arm64";
#else
constexpr std::string_view kMachine = "other";
#endif
#if defined(__clang__)
constexpr std::string_view kCompiler = "clang";
#else
constexpr std::string_view kCompiler = "gcc";
#endif

}  // namespace

std::string Versions() {
  return fmt::format(
      "machine: {}\ncompiler: {} {}\nlibstdc++: {}\nglibc: {}\nrocksdb: {}.{}.{}\nsimdjson: {}.{}.{}\nzlib: {}\nfmt: "
      "{}\n",
      kMachine, kCompiler, __VERSION__, __GLIBCXX__, gnu_get_libc_version(), ROCKSDB_MAJOR, ROCKSDB_MINOR,
      ROCKSDB_PATCH, int{simdjson::SIMDJSON_VERSION_MAJOR}, int{simdjson::SIMDJSON_VERSION_MINOR},
      int{simdjson::SIMDJSON_VERSION_REVISION}, zlibVersion(), FMT_VERSION);
}

}  // namespace keyfold::bench

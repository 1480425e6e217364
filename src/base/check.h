// CHECK: a condition that only a bug of ours can break. It stops the process, in release too: better no answer than a
// wrong one.
#pragma once

namespace keyfold {

[[noreturn]] void CheckFailed(const char* file, int line, const char* what);

}  // namespace keyfold

#define CHECK(condition) \
  (__builtin_expect(!!(condition), 1) ? (void)0 : ::keyfold::CheckFailed(__FILE__, __LINE__, #condition))

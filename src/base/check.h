// CHECK: a condition that only a bug in Keyfold can violate. It ends the process, in release builds too: no response is
// better than a wrong one.
#pragma once

namespace keyfold {

[[noreturn]] void CheckFailed(const char* file, int line, const char* what);

}  // namespace keyfold

#define CHECK(condition) \
  (__builtin_expect(!!(condition), 1) ? (void)0 : ::keyfold::CheckFailed(__FILE__, __LINE__, #condition))

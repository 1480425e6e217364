// The process log: one line an event, to standard error. Callers format with fmt; secrets and item values are never
// logged. Messages may hold text from outside: every line is made Printable (base/text/printable.h), and cut where it
// is very long, so that nobody can write a second line or to the terminal of whoever reads it.
#pragma once

#include <spdlog/spdlog.h>

namespace keyfold {

// Of a message; what is behind is counted and left out.
inline constexpr size_t kLogMessageBytesMax = 8192;

// "trace" … "error", "off". False for another word.
[[nodiscard]] bool SetLogLevel(std::string_view level);

// What the log of SetLogLevel writes of a message: trailing line ends are dropped.
std::string LogText(std::string_view message);

}  // namespace keyfold

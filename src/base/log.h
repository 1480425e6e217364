// The process log: one line per event, to standard error. Callers format with fmt. Secrets and item values are never
// logged. Messages may contain text from outside, so every line is made Printable (base/text/printable.h) and truncated
// if very long: nobody can forge a second line or control the terminal of the person who reads it.
#pragma once

#include <spdlog/spdlog.h>

namespace keyfold {

// Maximum size of a message. The rest is counted and left out.
inline constexpr size_t kLogMessageBytesMax = 8192;

// Takes "trace" … "error" or "off". Returns false for any other word.
[[nodiscard]] bool SetLogLevel(std::string_view level);

// A message as the log set up by SetLogLevel writes it, without trailing line breaks.
std::string LogText(std::string_view message);

}  // namespace keyfold

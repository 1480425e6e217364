// The process log: one line per event, to standard error. Secrets and item values are never logged. Messages may
// contain text from outside, so every line is made Printable (base/text/printable.h) and truncated if very long: nobody
// can forge a second line or control the terminal of the person who reads it.
//   LogError("cannot remove {}: {}", path, reason);
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace keyfold {

enum class LogLevel : uint8_t { kTrace, kDebug, kInfo, kWarning, kError, kCritical, kOff };

// Maximum size of a message. The rest is counted and left out.
inline constexpr size_t kLogMessageBytesMax = 8192;

// Takes "trace", "debug", "info", "warning" (or "warn"), "error" or "off". Returns false for any other word. Until it
// is called, the level is info.
[[nodiscard]] bool SetLogLevel(std::string_view level);
bool IsLogged(LogLevel level);

// Writes a line with the time, the level and the message. Thread-safe. Callers use the functions below.
void WriteLog(LogLevel level, std::string_view message);

// A message as WriteLog writes it, without trailing line breaks.
std::string LogText(std::string_view message);

// Receives the lines instead of standard error, without the time; null for standard error again. For tests.
using LogSink = void (*)(void* context, std::string_view line);
void SetLogSink(LogSink sink, void* context);

template <typename... Args>
void LogInfo(fmt::format_string<Args...> format, Args&&... args) {
  if (IsLogged(LogLevel::kInfo)) WriteLog(LogLevel::kInfo, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void LogWarning(fmt::format_string<Args...> format, Args&&... args) {
  if (IsLogged(LogLevel::kWarning)) WriteLog(LogLevel::kWarning, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void LogError(fmt::format_string<Args...> format, Args&&... args) {
  if (IsLogged(LogLevel::kError)) WriteLog(LogLevel::kError, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void LogCritical(fmt::format_string<Args...> format, Args&&... args) {
  if (IsLogged(LogLevel::kCritical)) WriteLog(LogLevel::kCritical, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace keyfold

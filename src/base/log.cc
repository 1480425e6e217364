#include "base/log.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/text/printable.h"
#include "base/time_text.h"

namespace keyfold {
namespace {

struct LevelName {
  std::string_view name;
  LogLevel level;
};
constexpr std::array kLevels = {
    LevelName{"trace", LogLevel::kTrace}, LevelName{"debug", LogLevel::kDebug},
    LevelName{"info", LogLevel::kInfo},   LevelName{"warning", LogLevel::kWarning},
    LevelName{"error", LogLevel::kError}, LevelName{"critical", LogLevel::kCritical},
    LevelName{"off", LogLevel::kOff},     LevelName{"warn", LogLevel::kWarning},
};

std::string_view NameOf(LogLevel level) {
  for (const LevelName& one : kLevels) {
    if (one.level == level) return one.name;
  }
  return "";
}

std::atomic<LogLevel> log_level = LogLevel::kInfo;

// Guards the sink, and keeps lines whole if standard error accepts only part of one.
Mutex log_mutex;
LogSink log_sink GUARDED_BY(log_mutex) = nullptr;
void* log_context GUARDED_BY(log_mutex) = nullptr;

// A log that cannot be written is lost: there is no other place to report it.
void WriteAll(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(STDERR_FILENO, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace

bool SetLogLevel(std::string_view level) {
  for (const LevelName& one : kLevels) {
    if (one.name != level) continue;
    log_level.store(one.level, std::memory_order_relaxed);
    return true;
  }
  return false;
}

bool IsLogged(LogLevel level) { return level >= log_level.load(std::memory_order_relaxed); }

void WriteLog(LogLevel level, std::string_view message) {
  const std::string line = fmt::format("{} {}\n", NameOf(level), LogText(message));
  MutexLock lock(log_mutex);
  if (log_sink) return log_sink(log_context, line);
  WriteAll(FormatIsoMillis(SystemClock().Now()) + " " + line);
}

void SetLogSink(LogSink sink, void* context) {
  MutexLock lock(log_mutex);
  log_sink = sink;
  log_context = context;
}

std::string LogText(std::string_view message) {
  while (message.ends_with('\n') || message.ends_with('\r')) message.remove_suffix(1);
  if (message.size() <= kLogMessageBytesMax) return Printable(message);
  // Does not cut within a character.
  size_t kept = kLogMessageBytesMax;
  while (kept > kLogMessageBytesMax - 4 && (static_cast<unsigned char>(message[kept]) & 0xC0) == 0x80) --kept;
  return fmt::format("{} … {} more bytes", Printable(message.substr(0, kept)), message.size() - kept);
}

}  // namespace keyfold

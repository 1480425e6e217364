#include "base/log.h"

#include <fmt/format.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include "base/text/printable.h"

namespace keyfold {
namespace {

// "%*" in a pattern: the message, converted by LogText. Used by one thread at a time, because its sink is.
class MessageFlag final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& out) override {
    const std::string text = LogText({message.payload.data(), message.payload.size()});
    out.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<MessageFlag>(); }
};

std::unique_ptr<spdlog::formatter> LineFormatter() {
  auto formatter = std::make_unique<spdlog::pattern_formatter>(spdlog::pattern_time_type::utc);
  formatter->add_flag<MessageFlag>('*').set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %*");
  return formatter;
}

}  // namespace

std::string LogText(std::string_view message) {
  while (message.ends_with('\n') || message.ends_with('\r')) message.remove_suffix(1);
  if (message.size() <= kLogMessageBytesMax) return Printable(message);
  // Does not cut within a character.
  size_t kept = kLogMessageBytesMax;
  while (kept > kLogMessageBytesMax - 4 && (static_cast<unsigned char>(message[kept]) & 0xC0) == 0x80) --kept;
  return fmt::format("{} … {} more bytes", Printable(message.substr(0, kept)), message.size() - kept);
}

bool SetLogLevel(std::string_view level) {
  const auto parsed = spdlog::level::from_str(std::string(level));
  if (parsed == spdlog::level::off && level != "off") return false;
  auto logger = std::make_shared<spdlog::logger>("keyfold", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_formatter(LineFormatter());
  logger->set_level(parsed);
  spdlog::set_default_logger(std::move(logger));
  return true;
}

}  // namespace keyfold

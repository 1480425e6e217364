// Captures the log while a test runs.
#pragma once

#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <sstream>
#include <string>

namespace keyfold {

// What is logged while it lives, a line each: the level and the message. One thread at a time, but any may log.
class Logged {
 public:
  Logged() : before_(spdlog::default_logger()) {
    auto logger = std::make_shared<spdlog::logger>("", std::make_shared<spdlog::sinks::ostream_sink_mt>(text_));
    logger->set_pattern("%l %v");
    spdlog::set_default_logger(logger);
  }
  ~Logged() { spdlog::set_default_logger(before_); }
  Logged(const Logged&) = delete;
  Logged& operator=(const Logged&) = delete;

  std::string text() const { return text_.str(); }
  size_t Warnings() const {
    size_t count = 0;
    const std::string logged = text();
    for (size_t at = 0; (at = logged.find("warning ", at)) != std::string::npos; ++at) ++count;
    return count;
  }

 private:
  std::ostringstream text_;
  std::shared_ptr<spdlog::logger> before_;
};

}  // namespace keyfold

// The process log: one line an event, to standard error. Callers format with fmt; secrets and item values are never logged.
#pragma once

#include <spdlog/spdlog.h>

namespace keyfold {

// "trace" … "error", "off". False for another word.
[[nodiscard]] bool SetLogLevel(std::string_view level);

}  // namespace keyfold

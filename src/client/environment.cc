#include "client/environment.h"

#include <unistd.h>

#include "base/header.h"

namespace keyfold::client {

Environment Environment::OfProcess() {
  Variables variables;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    const std::string_view entry(*at);
    const size_t equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    variables.emplace(entry.substr(0, equals), entry.substr(equals + 1));
  }
  return Environment(std::move(variables));
}

const std::string& Environment::operator[](std::string_view name) const {
  static const std::string kNone;
  const auto found = variables_.find(name);
  return found == variables_.end() ? kNone : found->second;
}

bool Environment::IsTrue(std::string_view name) const { return EqualsIgnoringCase((*this)[name], "true"); }

}  // namespace keyfold::client

// Caller: one end of a copy, as one thread talks to it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "client/environment.h"
#include "client/service_client.h"
#include "client/settings.h"
#include "copy/stop_request.h"

namespace keyfold {

// One thread at a time.
class Caller {
 public:
  virtual ~Caller() = default;
  // The answer's JSON.
  virtual Result<std::string> Call(std::string_view operation, const std::string& body) = 0;
};

// Makes one for a thread of its own. Thread-safe.
using OpenCaller = std::function<Result<std::unique_ptr<Caller>>()>;

// The two ends of a copy.
struct CopyEnds {
  OpenCaller from;
  OpenCaller to;
};

// A copy runs for hours, and whoever is throttled or restarted meanwhile comes back; who is asked first may be nobody.
enum class Patience : uint8_t { kShort, kLong };

// At an endpoint. Its waits end where the sign is raised. `environment` and `stop` are borrowed.
OpenCaller CallerAt(ClientSettings settings, const Environment& environment, StopRequest& stop, Patience patience);

// Which endpoint and region that will be, as settings that mean the same whatever the variables say later.
Result<ClientSettings> ResolvedSettings(const ClientSettings& settings, const Environment& environment);

}  // namespace keyfold

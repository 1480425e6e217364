// Caller: one thread's connection to one end of a copy.
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

namespace keyfold::copy {

// Used by one thread at a time.
class Caller {
 public:
  virtual ~Caller() = default;
  // Returns the response's JSON.
  virtual Result<std::string> Call(std::string_view operation, const std::string& body) = 0;
};

// Creates a caller for the calling thread. Thread-safe.
using OpenCaller = std::function<Result<std::unique_ptr<Caller>>()>;

// The two ends of a copy.
struct CopyEnds {
  OpenCaller from;
  OpenCaller to;
};

// A copy runs for hours, so kLong retries for minutes if an end is throttled or restarts. Planning uses kShort, because
// nothing may be listening at the address.
enum class Patience : uint8_t { kShort, kLong };

// Creates callers for an endpoint. Their waits end when a stop is requested. `environment` and `stop` are borrowed.
OpenCaller CallerAt(client::ClientSettings settings, const client::Environment& environment, StopRequest& stop,
                    Patience patience);

// Resolves endpoint and region, so that the settings mean the same whatever the variables are later.
Result<client::ClientSettings> ResolvedSettings(const client::ClientSettings& settings,
                                                const client::Environment& environment);

}  // namespace keyfold::copy

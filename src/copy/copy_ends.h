// The two ends of a copy, to which each of its threads has its own connections.
#pragma once

#include <functional>
#include <memory>

#include "base/error.h"
#include "client/api_caller.h"
#include "client/environment.h"
#include "client/settings.h"
#include "copy/stop_request.h"

namespace keyfold::copy {

// Creates a caller for the calling thread. Thread-safe.
using OpenCaller = std::function<Result<std::unique_ptr<client::ApiCaller>>()>;

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

// Dialing out: connects to a URL's host and returns a Transport, with TLS established and the certificate checked,
// within a time limit. A waiting caller can be stopped within a fraction of a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/error.h"
#include "http/tls.h"
#include "http/transport.h"
#include "http/url.h"

namespace keyfold::http {

using Deadline = std::chrono::steady_clock::time_point;

// Returns whether to stop. Called several times a second while waiting, on the waiting thread. Empty: never stop.
using StopCheck = std::function<bool()>;

// Why a request got no response: the detail of every Error of Dial and HttpClient, whose message is one line without a
// period. With the first three kinds, the server has not seen the request.
struct Failure final : ErrorDetail {
  enum class Kind : uint8_t {
    kUnresolved,  // no such host
    kConnect,     // refused, unreachable or timed out
    kUntrusted,   // no TLS, or an invalid certificate
    kTimeout,     // connected, but too slow
    kLost,        // the connection was closed
    kProtocol,    // not HTTP as this client speaks it
    kTooLong,     // the response exceeds the limit
    kAbandoned,   // the caller's own callback returned false
    kStopped,     // its StopCheck returned true
  };
  explicit Failure(Kind why) : kind(why) {}
  const Kind kind;
};

// Adds the detail.
Error WithFailure(Failure::Kind kind, Error error);
// Requires an Error of Dial or HttpClient.
Failure::Kind FailureKindOf(const Error& error);
// The Error of a caller whose StopCheck returned true.
Error StoppedByCaller();

// How a wait ended.
enum class Waited : uint8_t { kReady, kDeadline, kStopped };

// Waits until the transport's socket can be read from or, if `writable`, written to.
[[nodiscard]] Waited WaitFor(const Transport& transport, bool writable, Deadline deadline, const StopCheck& stop);

// Sleeps, unless it is stopped.
void SleepFor(std::chrono::milliseconds time, const StopCheck& stop);

// Tries each of the host's addresses in turn, each for at most `per_address`. `tls` is null for http. The system looks
// up the name, and without a deadline and a StopCheck that takes as long as it takes.
Result<std::unique_ptr<Transport>> Dial(const Url& url, const TlsContext& tls, std::chrono::milliseconds per_address,
                                        Deadline deadline, const StopCheck& stop);

}  // namespace keyfold::http

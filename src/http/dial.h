// Dialing out: connects to a URL's host and returns a Transport, with TLS established and the certificate checked,
// within a time limit. A waiting caller can be stopped within a fraction of a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "http/tls.h"
#include "http/transport.h"
#include "http/url.h"

namespace keyfold::http {

using Deadline = std::chrono::steady_clock::time_point;

// Returns whether to stop. Called several times a second while waiting, on the waiting thread. Empty: never stop.
using StopCheck = std::function<bool()>;

// Why a request got no response. With the first three kinds, the server has not seen the request.
struct Failure {
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
  Kind kind = Kind::kConnect;
  std::string text;  // one line without a period
};

// How a wait ended.
enum class Waited : uint8_t { kReady, kDeadline, kStopped };

// Waits until the transport's socket can be read from or, if `writable`, written to.
[[nodiscard]] Waited WaitFor(const Transport& transport, bool writable, Deadline deadline, const StopCheck& stop);

// Sleeps, unless it is stopped.
void SleepFor(std::chrono::milliseconds time, const StopCheck& stop);

// Tries each of the host's addresses in turn, each for at most `per_address`. `tls` is null for http. Returns null and
// sets `failure` if none is reached. The system looks up the name, and without a deadline and a StopCheck that takes as
// long as it takes.
std::unique_ptr<Transport> Dial(const Url& url, const TlsContext& tls, std::chrono::milliseconds per_address,
                                Deadline deadline, const StopCheck& stop, Failure& failure);

}  // namespace keyfold::http

// Dialling out: a URL's host into a connected Transport, TLS and certificate checked, within a time. Whoever waits can
// be told to stop, and does within a fraction of a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "http/tls.h"
#include "http/transport.h"
#include "http/url.h"

namespace keyfold {

using Deadline = std::chrono::steady_clock::time_point;

// Whether to give up. Asked several times a second while something is waited for, on the waiting thread. Empty: never.
using StopCheck = std::function<bool()>;

// Why a request got no answer. What the server did with a request is known for the first three: nothing.
struct Failure {
  enum class Kind : uint8_t {
    kUnresolved,  // no such host
    kConnect,     // refused, unreachable, no answer in time
    kUntrusted,   // no TLS, or a certificate that does not hold
    kTimeout,     // connected, but too slow
    kLost,        // the connection ended
    kProtocol,    // not HTTP as this client speaks it
    kTooLong,     // an answer over the limit
    kAbandoned,   // the caller's own callback said so
    kStopped,     // its StopCheck did
  };
  Kind kind = Kind::kConnect;
  std::string text;  // one line without a full stop
};

// How a wait ended.
enum class Waited : uint8_t { kReady, kDeadline, kStopped };

// Waits until the transport's socket can be read from or, if `writable`, written to.
[[nodiscard]] Waited WaitFor(const Transport& transport, bool writable, Deadline deadline, const StopCheck& stop);

// Sleeps, unless it is told to stop.
void SleepFor(std::chrono::milliseconds time, const StopCheck& stop);

// Tries each of the host's addresses in turn, each for `per_address` at most. `tls` is null for http. Null and
// `failure` where none is reached. Looking the name up is the system's, and takes as long as that takes where there is
// neither a deadline nor a StopCheck.
std::unique_ptr<Transport> Dial(const Url& url, const TlsContext& tls, std::chrono::milliseconds per_address,
                                Deadline deadline, const StopCheck& stop, Failure& failure);

}  // namespace keyfold

#include "http/dial.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <optional>
#include <system_error>
#include <thread>

#include "base/mutex.h"

namespace keyfold::http {
namespace {

using std::chrono::steady_clock;

constexpr Rule<"could not find the host {}: {}"> kHostNotFound{"http-host", Kind::kUnavailable};
constexpr Rule<"could not connect to {}: {}"> kNotConnected{"http-connect", Kind::kUnavailable};
constexpr Rule<"the certificate of {} is not trusted: {}"> kNotTrusted{"http-untrusted", Kind::kUnavailable};
constexpr Rule<"TLS with {} failed: {}"> kTlsFailed{"http-tls", Kind::kUnavailable};
constexpr Rule<"stopping"> kStoppedByCaller{"http-stopped", Kind::kUnavailable};

struct FreeAddresses {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

// For example "connection refused".
std::string WordsOf(int error) {
  std::string words = std::error_code(error, std::generic_category()).message();
  if (words.size() > 1 && words[1] >= 'a' && words[1] <= 'z') words[0] = static_cast<char>(words[0] | 0x20);
  return words;
}

constexpr std::chrono::milliseconds kStopLook{100};

// Returns how long to wait until the next check of `stop`, at most until `deadline`; 0 if the deadline has passed.
std::chrono::milliseconds NextLook(Deadline deadline, const StopCheck& stop) {
  constexpr std::chrono::milliseconds kLongest{INT_MAX};
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now());
  return std::clamp(left, std::chrono::milliseconds(0), stop ? kStopLook : kLongest);
}

// Also returns kReady if the socket has failed: the next call on it reports the error better.
Waited PollSocket(int socket, short events, Deadline deadline, const StopCheck& stop) {
  for (;;) {
    if (stop && stop()) return Waited::kStopped;
    const std::chrono::milliseconds look = NextLook(deadline, stop);
    if (look.count() == 0) return Waited::kDeadline;
    pollfd waiting{socket, events, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(look.count()));
    if (ready > 0) return Waited::kReady;
    if (ready < 0 && errno != EINTR) return Waited::kReady;
  }
}

// A name lookup on its own thread, which may outlive its caller.
struct Lookup {
  Mutex mutex;
  CondVar over;
  std::optional<int> error GUARDED_BY(mutex);  // nullopt: not finished
  Addresses found GUARDED_BY(mutex);
};

int LookUp(const std::string& host, uint16_t port, int flags, Addresses& found) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | flags;
  addrinfo* list = nullptr;
  const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  if (error == 0) found.reset(list);
  return error;
}

// Uses a thread because name servers may not respond and getaddrinfo cannot be interrupted.
Waited LookUpAside(const Url& url, Deadline deadline, const StopCheck& stop, int& error, Addresses& found) {
  const auto lookup = std::make_shared<Lookup>();
  std::thread([lookup, host = url.host, port = url.port] {
    Addresses addresses;
    const int failed = LookUp(host, port, 0, addresses);
    const MutexLock lock(lookup->mutex);
    lookup->error = failed;
    lookup->found = std::move(addresses);
    lookup->over.NotifyAll();
  }).detach();
  const MutexLock lock(lookup->mutex);
  while (!lookup->error) {
    if (stop && stop()) return Waited::kStopped;
    const std::chrono::milliseconds look = NextLook(deadline, stop);
    if (look.count() == 0) return Waited::kDeadline;
    lookup->over.WaitFor(lookup->mutex, look);
  }
  error = *lookup->error;
  found = std::move(lookup->found);
  return Waited::kReady;
}

Result<Addresses> Resolve(const Url& url, Deadline deadline, const StopCheck& stop) {
  Addresses found;
  int error = LookUp(url.host, url.port, AI_NUMERICHOST, found);
  Waited waited = Waited::kReady;
  if (error != 0) {
    const bool patient = deadline == Deadline::max() && !stop;
    if (patient) {
      error = LookUp(url.host, url.port, 0, found);
    } else {
      waited = LookUpAside(url, deadline, stop, error, found);
    }
  }
  if (waited == Waited::kReady && error == 0) return found;
  if (waited == Waited::kStopped) return StoppedByCaller();
  const std::string_view why = waited == Waited::kReady ? gai_strerror(error) : "no response in time";
  return WithFailure(Failure::Kind::kUnresolved, kHostNotFound(url.host, why));
}

// Returns a connected socket, or -1 and the error: ETIMEDOUT if the deadline has passed, ECANCELED if it was stopped.
int ConnectTo(const addrinfo& address, Deadline deadline, const StopCheck& stop, int& error) {
  const int socket = ::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) {
    error = errno;
    return -1;
  }
  const int at_once = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
  error = ::connect(socket, address.ai_addr, address.ai_addrlen) == 0 ? 0 : errno;
  if (error == EINPROGRESS) {
    socklen_t bytes = sizeof error;
    const Waited waited = PollSocket(socket, POLLOUT, deadline, stop);
    if (waited != Waited::kReady) {
      error = waited == Waited::kStopped ? ECANCELED : ETIMEDOUT;
    } else if (::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &bytes) != 0) {
      error = errno;
    }
  }
  if (error == 0) return socket;
  ::close(socket);
  return -1;
}

Error NotConnected(const Url& url, std::string_view why) {
  return WithFailure(Failure::Kind::kConnect, kNotConnected(url.HostAndPort(), why));
}

Error TlsFailed(const std::string& where) {
  return WithFailure(Failure::Kind::kUntrusted, kTlsFailed(where, LastTlsError()));
}

Error HandshakeFailed(SSL* session, const Url& url, int result) {
  const int why = SSL_get_error(session, result);
  const long verdict = SSL_get_verify_result(session);
  if (verdict != X509_V_OK) {
    ERR_clear_error();
    const std::string_view fault = X509_verify_cert_error_string(verdict);
    return WithFailure(Failure::Kind::kUntrusted, kNotTrusted(url.HostAndPort(), fault));
  }
  if (why == SSL_ERROR_SSL) return TlsFailed(url.HostAndPort());
  return NotConnected(url, "closed during the TLS handshake");
}

Status Handshake(SSL* session, int socket, const Url& url, Deadline deadline, const StopCheck& stop) {
  if (SSL_set_fd(session, socket) != 1) return TlsFailed(url.HostAndPort());
  for (;;) {
    ERR_clear_error();
    const int result = SSL_connect(session);
    if (result == 1) return Ok();
    const int why = SSL_get_error(session, result);
    if (why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE) return HandshakeFailed(session, url, result);
    const Waited waited = PollSocket(socket, why == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT, deadline, stop);
    if (waited == Waited::kStopped) return StoppedByCaller();
    if (waited == Waited::kDeadline) return NotConnected(url, "the TLS handshake timed out");
  }
}

}  // namespace

Error WithFailure(Failure::Kind kind, Error error) {
  return std::move(error).WithDetail(std::make_unique<Failure>(kind));
}

Failure::Kind FailureKindOf(const Error& error) {
  const auto* failure = dynamic_cast<const Failure*>(error.detail());
  CHECK(failure != nullptr);
  return failure->kind;
}

Error StoppedByCaller() { return WithFailure(Failure::Kind::kStopped, kStoppedByCaller()); }

Waited WaitFor(const Transport& transport, bool writable, Deadline deadline, const StopCheck& stop) {
  return PollSocket(transport.socket(), writable ? POLLIN | POLLOUT : POLLIN, deadline, stop);
}

void SleepFor(std::chrono::milliseconds time, const StopCheck& stop) {
  const Deadline end = steady_clock::now() + time;
  while (!(stop && stop())) {
    const std::chrono::milliseconds look = NextLook(end, stop);
    if (look.count() == 0) return;
    std::this_thread::sleep_for(look);
  }
}

Result<std::unique_ptr<Transport>> Dial(const Url& url, const TlsContext& tls, std::chrono::milliseconds per_address,
                                        Deadline deadline, const StopCheck& stop) {
  ASSIGN_OR_RETURN(const Addresses addresses, Resolve(url, deadline, stop));
  int socket = -1, error = 0;
  for (const addrinfo* at = addresses.get(); at != nullptr && socket < 0 && error != ECANCELED; at = at->ai_next) {
    socket = ConnectTo(*at, std::min(deadline, steady_clock::now() + per_address), stop, error);
  }
  if (socket < 0) return error == ECANCELED ? StoppedByCaller() : NotConnected(url, WordsOf(error));
  if (tls == nullptr) return std::make_unique<Transport>(socket, TlsSession());
  TlsSession session = NewClientSession(tls, url.host);
  const Deadline shaken_by = std::min(deadline, steady_clock::now() + per_address);
  Status shaken = session == nullptr ? TlsFailed(url.host) : Handshake(session.get(), socket, url, shaken_by, stop);
  if (!shaken.ok()) {
    ::close(socket);
    return std::move(shaken).TakeError();
  }
  return Transport::AfterHandshake(socket, std::move(session));
}

}  // namespace keyfold::http

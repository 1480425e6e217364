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
#include <system_error>

namespace keyfold {
namespace {

using std::chrono::steady_clock;

struct FreeAddresses {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

// "connection refused"
std::string WordsOf(int error) {
  std::string words = std::error_code(error, std::generic_category()).message();
  if (words.size() > 1 && words[1] >= 'a' && words[1] <= 'z') words[0] = static_cast<char>(words[0] | 0x20);
  return words;
}

// False once the deadline is over; true also where the socket has failed, which the next call on it says better.
bool PollSocket(int socket, short events, Deadline deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now()).count();
    if (left <= 0) return false;
    pollfd waiting{socket, events, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::min<int64_t>(left, INT_MAX)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return true;
  }
}

Addresses Resolve(const Url& url, Failure& failure) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(url.host.c_str(), std::to_string(url.port).c_str(), &hints, &found);
  if (error == 0) return Addresses(found);
  failure = {Failure::Kind::kUnresolved, "could not find the host " + url.host + ": " + gai_strerror(error)};
  return nullptr;
}

// A connected socket, or -1 and the error. ETIMEDOUT where the deadline is over.
int ConnectTo(const addrinfo& address, Deadline deadline, int& error) {
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
    if (!PollSocket(socket, POLLOUT, deadline)) {
      error = ETIMEDOUT;
    } else if (::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &bytes) != 0) {
      error = errno;
    }
  }
  if (error == 0) return socket;
  ::close(socket);
  return -1;
}

Failure HandshakeFailure(SSL* session, const Url& url, int result) {
  const int why = SSL_get_error(session, result);
  const std::string where = url.HostAndPort();
  const long verdict = SSL_get_verify_result(session);
  if (verdict != X509_V_OK) {
    ERR_clear_error();
    return {Failure::Kind::kUntrusted,
            "the certificate of " + where + " is not trusted: " + X509_verify_cert_error_string(verdict)};
  }
  if (why == SSL_ERROR_SSL) return {Failure::Kind::kUntrusted, "no TLS with " + where + ": " + LastTlsError()};
  return {Failure::Kind::kConnect, "could not connect to " + where + ": closed during the TLS handshake"};
}

bool Handshake(SSL* session, int socket, const Url& url, Deadline deadline, Failure& failure) {
  if (SSL_set_fd(session, socket) != 1) {
    failure = {Failure::Kind::kUntrusted, "no TLS with " + url.HostAndPort() + ": " + LastTlsError()};
    return false;
  }
  for (;;) {
    ERR_clear_error();
    const int result = SSL_connect(session);
    if (result == 1) return true;
    const int why = SSL_get_error(session, result);
    if (why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE) {
      failure = HandshakeFailure(session, url, result);
      return false;
    }
    if (!PollSocket(socket, why == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT, deadline)) {
      failure = {Failure::Kind::kConnect, "could not connect to " + url.HostAndPort() + ": no TLS handshake in time"};
      return false;
    }
  }
}

}  // namespace

bool WaitFor(const Transport& transport, bool writable, Deadline deadline) {
  return PollSocket(transport.socket(), writable ? POLLIN | POLLOUT : POLLIN, deadline);
}

std::unique_ptr<Transport> Dial(const Url& url, const TlsContext& tls, std::chrono::milliseconds per_address,
                                Deadline deadline, Failure& failure) {
  const Addresses addresses = Resolve(url, failure);
  if (addresses == nullptr) return nullptr;
  int socket = -1, error = 0;
  for (const addrinfo* at = addresses.get(); at != nullptr && socket < 0; at = at->ai_next) {
    socket = ConnectTo(*at, std::min(deadline, steady_clock::now() + per_address), error);
  }
  if (socket < 0) {
    failure = {Failure::Kind::kConnect, "could not connect to " + url.HostAndPort() + ": " + WordsOf(error)};
    return nullptr;
  }
  if (tls == nullptr) return std::make_unique<Transport>(socket, TlsSession());
  TlsSession session = NewClientSession(tls, url.host);
  const Deadline shaken_by = std::min(deadline, steady_clock::now() + per_address);
  if (session == nullptr || !Handshake(session.get(), socket, url, shaken_by, failure)) {
    if (session == nullptr) failure = {Failure::Kind::kUntrusted, "no TLS with " + url.host + ": " + LastTlsError()};
    ::close(socket);
    return nullptr;
  }
  return Transport::AfterHandshake(socket, std::move(session));
}

}  // namespace keyfold

#include "http/listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/ip/v6_only.hpp>
#include <utility>

#include "base/log.h"
#include "http/connection.h"

namespace keyfold {
namespace {

constexpr int kBacklog = 4096;
constexpr int kAcceptsMax = 64;    // before other events get their turn
constexpr int kPortTriesMax = 32;  // for a port that is free on every host
constexpr std::chrono::milliseconds kOutOfSocketsPause{100};

// Owns a socket on its way from one loop to another.
class SocketHandle {
 public:
  explicit SocketHandle(int socket) : socket_(socket) {}
  SocketHandle(SocketHandle&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}
  SocketHandle(const SocketHandle& other) = delete;
  ~SocketHandle() {
    if (socket_ >= 0) ::close(socket_);
  }
  int Release() { return std::exchange(socket_, -1); }

 private:
  int socket_;
};

std::string PeerName(const sockaddr_storage& address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (address.ss_family == AF_INET) {
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in&>(address).sin_addr, text, sizeof text);
  } else {
    inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr, text, sizeof text);
  }
  return text;
}

std::string Described(const boost::asio::ip::tcp::endpoint& endpoint) {
  const std::string host = endpoint.address().to_string();
  return (endpoint.address().is_v6() ? "[" + host + "]" : host) + ":" + std::to_string(endpoint.port());
}

}  // namespace

Listener::Listener(std::vector<std::shared_ptr<Loop>> loops) : loops_(std::move(loops)) {}

bool Listener::Bind(const ServerOptions& options, std::string& error) {
  boost::asio::ip::tcp::resolver resolver(loops_[0]->io());
  std::vector<Endpoint> endpoints;
  for (const std::string& host : options.hosts) {
    boost::system::error_code failure;
    const auto found = resolver.resolve(host, std::to_string(options.port), resolver.passive, failure);
    if (failure) {
      error = "cannot find the address of host " + host + ": " + failure.message();
      return false;
    }
    for (const auto& entry : found) endpoints.push_back(entry.endpoint());
  }
  bool retry = options.port == 0;
  for (int tries = 0; tries < kPortTriesMax; ++tries) {
    if (BindAll(endpoints, options.port == 0, retry, error)) return true;
    if (!retry) return false;
  }
  return false;
}

bool Listener::BindAll(const std::vector<Endpoint>& endpoints, bool any_port, bool& retry, std::string& error) {
  acceptors_.clear();
  addresses_.clear();
  port_ = 0;
  retry = false;
  std::string passed_over;
  for (const Endpoint& endpoint : endpoints) {
    std::string why;
    switch (BindOne(endpoint, any_port, why)) {
      case Outcome::kBound:
        break;
      case Outcome::kPassedOver:
        passed_over = why;
        break;
      case Outcome::kRetry:
        retry = true;
        [[fallthrough]];
      case Outcome::kFailed:
        error = why;
        return false;
    }
  }
  if (!acceptors_.empty()) return true;
  error = passed_over.empty() ? "no host to listen on" : passed_over;
  return false;
}

Listener::Outcome Listener::BindOne(Endpoint endpoint, bool any_port, std::string& error) {
  if (port_ != 0) endpoint.port(port_);
  auto acceptor = std::make_unique<Acceptor>(loops_[0]->io());
  boost::system::error_code failure;
  acceptor->open(endpoint.protocol(), failure);
  if (!failure) acceptor->set_option(boost::asio::socket_base::reuse_address(true), failure);
  if (!failure && endpoint.address().is_v6()) acceptor->set_option(boost::asio::ip::v6_only(true), failure);
  if (!failure) acceptor->bind(endpoint, failure);
  if (!failure) acceptor->listen(kBacklog, failure);
  if (!failure) acceptor->native_non_blocking(true, failure);
  const Endpoint bound = failure ? endpoint : acceptor->local_endpoint(failure);
  if (!failure) {
    port_ = bound.port();
    addresses_.push_back(Described(bound));
    acceptors_.push_back(std::move(acceptor));
    return Outcome::kBound;
  }
  const std::string host = endpoint.address().to_string();
  const std::string port = std::to_string(endpoint.port());
  if (failure == boost::asio::error::address_in_use) {
    error = "port " + port + " on " + host + " is already in use";
    return any_port ? Outcome::kRetry : Outcome::kFailed;
  }
  error = "cannot listen on " + host + " port " + port + ": " + failure.message();
  return endpoint.address() == boost::asio::ip::address_v6::loopback() ? Outcome::kPassedOver : Outcome::kFailed;
}

void Listener::Start() {
  for (const auto& acceptor : acceptors_) Await(*acceptor);
}

void Listener::Close() {
  boost::system::error_code ignored;
  for (const auto& acceptor : acceptors_) acceptor->close(ignored);
}

void Listener::Await(Acceptor& acceptor) {
  acceptor.async_wait(Acceptor::wait_read, [this, &acceptor](const boost::system::error_code& error) {
    if (!error) AcceptAll(acceptor);
  });
}

void Listener::AcceptAll(Acceptor& acceptor) {
  for (int accepted = 0; accepted < kAcceptsMax; ++accepted) {
    sockaddr_storage address{};
    socklen_t bytes = sizeof address;
    const int socket = ::accept4(acceptor.native_handle(), reinterpret_cast<sockaddr*>(&address), &bytes,
                                 SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket >= 0) {
      HandOver(socket, address.ss_family == AF_INET6, PeerName(address));
      continue;
    }
    if (errno == EINTR || errno == ECONNABORTED) continue;
    if (errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM) break;
    // Out of sockets: the waiting clients keep the listener readable, so pause rather than spin.
    spdlog::warn("cannot accept a connection: {}", std::error_code(errno, std::system_category()).message());
    auto timer = std::make_shared<boost::asio::steady_timer>(loops_[0]->io(), kOutOfSocketsPause);
    return timer->async_wait([this, &acceptor, timer](const boost::system::error_code&) {
      if (acceptor.is_open()) Await(acceptor);
    });
  }
  Await(acceptor);
}

void Listener::HandOver(int socket, bool v6, std::string peer) {
  SocketHandle handle(socket);
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  Loop& loop = *loops_[next_loop_];
  bool refused;
  TlsContext tls;
  {
    ServerState& state = loop.state();
    const std::lock_guard lock(state.mutex);
    refused = ++state.connections > state.options.connections_max;
    tls = state.tls;
  }
  std::weak_ptr<Loop> weak = loops_[next_loop_];
  next_loop_ = (next_loop_ + 1) % loops_.size();
  auto start = [weak, v6, refused, tls, peer = std::move(peer),
                handle = std::make_shared<SocketHandle>(std::move(handle))]() mutable {
    const std::shared_ptr<Loop> loop = weak.lock();
    if (loop == nullptr) return;
    Socket socket(loop->io());
    boost::system::error_code failure;
    socket.assign(v6 ? boost::asio::ip::tcp::v6() : boost::asio::ip::tcp::v4(), handle->Release(), failure);
    TlsSession session(tls == nullptr ? nullptr : SSL_new(tls.get()));
    auto connection = std::make_shared<Connection>(loop, std::move(socket), std::move(session), std::move(peer));
    loop->Add(connection);
    if (failure) return connection->Close();
    refused ? connection->StartRefused() : connection->Start();
  };
  loop.Post(std::move(start));
}

}  // namespace keyfold

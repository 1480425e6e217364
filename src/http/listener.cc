#include "http/listener.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include "base/check.h"
#include "base/log.h"
#include "http/connection.h"

namespace keyfold::http {
namespace {

constexpr Rule<"cannot find the address of host {}: {}"> kNoAddress{"listen-host", Kind::kValidation};
constexpr Rule<"no host to listen on"> kNoHost{"listen-nowhere", Kind::kValidation};
constexpr Rule<"port {} on {} is already in use"> kPortTaken{"listen-port-taken", Kind::kResourceInUse};
constexpr Rule<"cannot listen on {} port {}: {}"> kCannotListen{"listen-failed", Kind::kInternal};

constexpr int kBacklog = 4096;
constexpr int kAcceptsMax = 64;    // before other events get their turn
constexpr int kPortTriesMax = 32;  // attempts to find a port that is free on every host
constexpr int kRoomTriesMax = 128;
constexpr std::chrono::milliseconds kResumeTime{1'000};  // time from a pause in accepting to the next attempt
constexpr std::chrono::milliseconds kRetryTime{20};      // time between two attempts to find a place

// Owns a socket while it moves from one loop to another.
class SocketHandle {
 public:
  explicit SocketHandle(int socket) : socket_(socket) {}
  ~SocketHandle() {
    if (socket_ >= 0) ::close(socket_);
  }
  SocketHandle(SocketHandle&& other) noexcept : socket_(other.Release()) {}
  SocketHandle(const SocketHandle& other) = delete;
  SocketHandle& operator=(const SocketHandle& other) = delete;
  int get() const { return socket_; }
  int Release() { return std::exchange(socket_, -1); }

 private:
  int socket_;
};

std::string ErrorText(int code) { return std::error_code(code, std::system_category()).message(); }

std::string HostName(const sockaddr_storage& address) {
  char text[NI_MAXHOST] = "";
  getnameinfo(reinterpret_cast<const sockaddr*>(&address), sizeof address, text, sizeof text, nullptr, 0,
              NI_NUMERICHOST);
  return text;
}

bool SetFlag(int socket, int level, int option) {
  const int on = 1;
  return ::setsockopt(socket, level, option, &on, sizeof on) == 0;
}

}  // namespace

struct Listener::Address {
  sockaddr_storage bytes{};
  socklen_t length = 0;

  bool v6() const { return bytes.ss_family == AF_INET6; }
  in_port_t& port() {
    return v6() ? reinterpret_cast<sockaddr_in6&>(bytes).sin6_port : reinterpret_cast<sockaddr_in&>(bytes).sin_port;
  }
  bool IsLoopbackV6() const {
    return v6() && IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6&>(bytes).sin6_addr);
  }
};

// A connection that was accepted but has not reached its loop yet.
struct Listener::Newcomer {
  SocketHandle socket;
  std::string peer;
  size_t loop;
  int64_t refused_at_ms;   // when it is refused if it has no place
  size_t loops_asked = 0;  // loops whose queued work FindRoom has waited for
  TlsContext tls = nullptr;
};

Listener::Listener(std::vector<std::shared_ptr<Loop>> loops) : loops_(std::move(loops)) {
  loops_[0]->state().resume_accepting = [this] { loops_[0]->Post([this] { Resume(); }); };
}

Status Listener::Bind(const ServerOptions& options) {
  std::vector<Address> addresses;
  for (const std::string& host : options.hosts) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = AI_PASSIVE;
    addrinfo* found = nullptr;
    const int failure = getaddrinfo(host.c_str(), std::to_string(options.port).c_str(), &wanted, &found);
    if (failure != 0) return kNoAddress(host, std::string_view(gai_strerror(failure)));
    for (const addrinfo* entry = found; entry != nullptr; entry = entry->ai_next) {
      Address& address = addresses.emplace_back();
      std::memcpy(&address.bytes, entry->ai_addr, entry->ai_addrlen);
      address.length = entry->ai_addrlen;
    }
    freeaddrinfo(found);
  }
  // With any port allowed, one that is free on the first host may be taken on the next.
  const int tries_max = options.port == 0 ? kPortTriesMax : 1;
  Status bound = BindAll(addresses);
  for (int tries = 1; tries < tries_max && !bound.ok() && bound.kind() == Kind::kResourceInUse; ++tries) {
    bound = BindAll(addresses);
  }
  return bound;
}

Status Listener::BindAll(const std::vector<Address>& addresses) {
  ports_.clear();
  addresses_.clear();
  port_ = 0;
  Status passed_over = kNoHost();
  for (const Address& address : addresses) {
    Status bound = BindOne(address);
    if (bound.ok()) continue;
    if (!address.IsLoopbackV6() || bound.kind() == Kind::kResourceInUse) return bound;
    passed_over = std::move(bound);
  }
  return ports_.empty() ? std::move(passed_over) : Ok();
}

Status Listener::BindOne(Address address) {
  if (port_ != 0) address.port() = htons(port_);
  SocketHandle socket(::socket(address.bytes.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  auto* const bytes = reinterpret_cast<sockaddr*>(&address.bytes);
  const bool bound = socket.get() >= 0 && SetFlag(socket.get(), SOL_SOCKET, SO_REUSEADDR) &&
                     (!address.v6() || SetFlag(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY)) &&
                     ::bind(socket.get(), bytes, address.length) == 0 && ::listen(socket.get(), kBacklog) == 0 &&
                     ::getsockname(socket.get(), bytes, &address.length) == 0;
  const int failure = errno;
  const std::string host = HostName(address.bytes);
  const uint16_t port = ntohs(address.port());
  if (!bound) return failure == EADDRINUSE ? kPortTaken(port, host) : kCannotListen(host, port, ErrorText(failure));
  port_ = port;
  addresses_.push_back((address.v6() ? "[" + host + "]:" : host + ":") + std::to_string(port));
  ports_.push_back(std::make_unique<Port>(*this, socket.Release()));
  return Ok();
}

void Listener::Start() {
  for (const auto& port : ports_) CHECK(loops_[0]->Watch(port->socket(), EPOLLIN, *port));
}

Listener::Port::~Port() { ::close(socket_); }

void Listener::Port::OnEvents(uint32_t) {
  for (int accepted = 0; accepted < kAcceptsMax; ++accepted) {
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    const int socket = ::accept4(socket_, reinterpret_cast<sockaddr*>(&address), &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket >= 0) {
      if (!listener_.PassOn(socket, HostName(address))) return;
      continue;
    }
    if (errno == EINTR || errno == ECONNABORTED) continue;
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) listener_.Pause(*this);
    return;
  }
}

// Out of sockets: waiting clients keep the port readable, so it stops watching for a while rather than spin.
void Listener::Pause(Port& port) {
  LogWarning("cannot accept a connection: {}", ErrorText(errno));
  loops_[0]->ChangeWatch(port.socket(), 0, port);
  ResumeLater();
}

void Listener::ResumeLater() {
  if (std::exchange(resumes_later_, true)) return;
  loops_[0]->RunLater(kResumeTime, [this] {
    resumes_later_ = false;
    Resume();
  });
}

void Listener::Resume() {
  for (const auto& open : ports_) loops_[0]->ChangeWatch(open->socket(), EPOLLIN, *open);
}

// How many connections beyond the maximum are accepted, to wait until others give way.
size_t Listener::NewcomersMax() const {
  return std::clamp<size_t>(loops_[0]->state().options.connections_max / 16, 1, 64);
}

// Takes a place for one of the newcomers, if one is free.
bool Listener::TakePlace() {
  ServerState& state = loops_[0]->state();
  const MutexLock lock(state.mutex);
  if (state.connections - state.newcomers >= state.options.connections_max) return false;
  --state.newcomers;
  return true;
}

bool Listener::PassOn(int socket, std::string peer) {
  ServerState& state = loops_[0]->state();
  const int64_t refused_at_ms = Loop::NowMs() + state.options.newcomer_patience.count();
  auto newcomer =
      std::make_shared<Newcomer>(Newcomer{SocketHandle(socket), std::move(peer), next_loop_, refused_at_ms});
  SetFlag(socket, IPPROTO_TCP, TCP_NODELAY);
  next_loop_ = (next_loop_ + 1) % loops_.size();
  bool full;
  bool pause;
  {
    const MutexLock lock(state.mutex);
    full = ++state.connections - state.newcomers > state.options.connections_max;
    if (full) ++state.newcomers;
    // Further ones wait in the socket's queue until there is room.
    pause = state.connections >= state.options.connections_max + NewcomersMax();
    if (pause) state.accepting_paused = true;
    newcomer->tls = state.tls;
  }
  if (pause) {
    for (const auto& open : ports_) loops_[0]->ChangeWatch(open->socket(), 0, *open);
    ResumeLater();
  }
  full ? FindRoom(std::move(newcomer), 0) : Admit(std::move(newcomer), false);
  return !pause;
}

void Listener::FindRoom(std::shared_ptr<Newcomer> newcomer, int tries) {
  for (; tries < kRoomTriesMax; ++tries) {
    if (TakePlace()) return Admit(std::move(newcomer), false);
    Rest rest = Rest::kNone;
    Loop* const giver = FindGiver(newcomer->loop, rest);
    if (giver != nullptr && giver->running_here()) {
      giver->CloseLongestAtRest(rest);
      continue;
    }
    if (giver != nullptr) {
      return giver->Post([this, giver, rest, newcomer = std::move(newcomer), tries]() mutable {
        giver->CloseLongestAtRest(rest);
        FindRoom(std::move(newcomer), tries + 1);
      });
    }
    // Continues after the message to the slow connection, which has given way by then; or after connections that are on
    // their way to their loop and about to be at rest.
    std::optional<size_t> next = loops_[0]->state().in_flight.AskSlowest(Loop::NowMs());
    if (!next && newcomer->loops_asked < loops_.size()) next = newcomer->loops_asked++;
    if (!next) break;
    return loops_[*next]->Post(
        [this, newcomer = std::move(newcomer), tries]() mutable { FindRoom(std::move(newcomer), tries + 1); });
  }
  loops_[0]->Post([this, newcomer = std::move(newcomer)]() mutable { AwaitRoom(std::move(newcomer)); });
}

// No connection can give way now, but one may be about to finish its request. Only half of the newcomers may wait, so
// that accepting continues.
void Listener::AwaitRoom(std::shared_ptr<Newcomer> newcomer) {
  const bool waits = Loop::NowMs() < newcomer->refused_at_ms && !loops_[0]->draining() &&
                     waiting_.size() < std::max<size_t>(1, NewcomersMax() / 2);
  if (!waits) return Refuse(std::move(newcomer));
  waiting_.push_back(std::move(newcomer));
  if (waiting_.size() == 1) loops_[0]->RunLater(kRetryTime, [this] { Retry(); });
}

void Listener::Retry() {
  for (std::shared_ptr<Newcomer>& newcomer : std::exchange(waiting_, {})) {
    newcomer->loops_asked = 0;
    FindRoom(std::move(newcomer), 0);
  }
}

void Listener::Refuse(std::shared_ptr<Newcomer> newcomer) {
  if (TakePlace()) return Admit(std::move(newcomer), false);
  ServerState& state = loops_[0]->state();
  {
    const MutexLock lock(state.mutex);
    --state.newcomers;
  }
  Admit(std::move(newcomer), true);
}

// Returns a loop with a connection at rest. Searches all loops for each kind in the order in which they give way,
// starting with the newcomer's own loop.
Loop* Listener::FindGiver(size_t first, Rest& rest) const {
  for (const Rest kind : {Rest::kLingering, Rest::kStranger, Rest::kKnown}) {
    for (size_t i = 0; i < loops_.size(); ++i) {
      Loop& loop = *loops_[(first + i) % loops_.size()];
      if (loop.CountAtRest(kind) == 0) continue;
      rest = kind;
      return &loop;
    }
  }
  return nullptr;
}

void Listener::Admit(std::shared_ptr<Newcomer> newcomer, bool refused) {
  const std::shared_ptr<Loop>& loop = loops_[newcomer->loop];
  if (refused) loop->state().connections_refused.fetch_add(1, std::memory_order_relaxed);
  loop->Post([weak = std::weak_ptr<Loop>(loop), refused, newcomer = std::move(newcomer)] {
    const std::shared_ptr<Loop> own = weak.lock();
    if (own == nullptr) return;
    const TlsContext& tls = newcomer->tls;
    TlsSession session(tls == nullptr ? nullptr : SSL_new(tls.get()));
    const bool lacks_session = tls != nullptr && session == nullptr;  // must not be served as a plain connection
    auto connection =
        std::make_shared<Connection>(own, newcomer->socket.Release(), std::move(session), std::move(newcomer->peer));
    own->Add(connection);
    if (lacks_session) return connection->Close();
    refused ? connection->StartRefused() : connection->Start();
  });
}

}  // namespace keyfold::http

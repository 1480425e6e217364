#include "http/server.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <thread>

#include "base/check.h"
#include "http/connection.h"
#include "http/listener.h"
#include "http/loop.h"

namespace keyfold::http {
namespace {

constexpr Rule<"TLS needs both a certificate and a key"> kHalfTls{"tls-half", Kind::kValidation};

constexpr std::chrono::milliseconds kFarewell{500};  // time for clients to read why they were not served

// Signals are handled on the main thread, and a client that closed early must not end the process (OpenSSL writes
// without MSG_NOSIGNAL).
void BlockSignals() {
  sigset_t all;
  sigfillset(&all);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP}) sigdelset(&all, fault);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

// Loads certificate and key for connections that are accepted from now on. Keeps the old ones on failure.
Status LoadTls(ServerState& state) {
  ASSIGN_OR_RETURN(TlsContext fresh, LoadTlsContext(state.options.tls_cert_file, state.options.tls_key_file));
  const MutexLock lock(state.mutex);
  state.tls = std::move(fresh);
  return Ok();
}

}  // namespace

struct Server::Impl {
  std::shared_ptr<ServerState> state;
  std::vector<std::shared_ptr<Loop>> loops;
  std::unique_ptr<Listener> listener;  // its sockets belong to the first loop
  std::vector<std::thread> threads;

  bool AwaitClosed(std::chrono::milliseconds time);
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Server::~Server() { Stop(std::chrono::milliseconds(0)); }

Result<std::unique_ptr<Server>> Server::Listen(ServerOptions options, Handler handler) {
  auto impl = std::make_unique<Impl>();
  size_t loops = static_cast<size_t>(std::max(0, options.loops));
  if (loops == 0) loops = std::max(1u, std::thread::hardware_concurrency());
  impl->state = std::make_shared<ServerState>(std::move(options), std::move(handler));
  const ServerOptions& o = impl->state->options;
  if (o.tls_cert_file.empty() != o.tls_key_file.empty()) return kHalfTls();
  if (!o.tls_cert_file.empty()) RETURN_IF_ERROR(LoadTls(*impl->state));
  for (size_t i = 0; i < loops; ++i) impl->loops.push_back(std::make_shared<Loop>(impl->state, i));
  impl->listener = std::make_unique<Listener>(impl->loops);
  RETURN_IF_ERROR(impl->listener->Bind(o));
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

uint16_t Server::port() const { return impl_->listener->port(); }

std::vector<std::string> Server::addresses() const { return impl_->listener->addresses(); }

size_t Server::loops() const { return impl_->loops.size(); }

void Server::Start() {
  CHECK(impl_->threads.empty());
  impl_->loops[0]->Post([listener = impl_->listener.get()] { listener->Start(); });
  for (const auto& loop : impl_->loops) {
    impl_->threads.emplace_back([loop] {
      BlockSignals();
      loop->Run();
    });
  }
}

// Returns false if some are still open when the time is over.
bool Server::Impl::AwaitClosed(std::chrono::milliseconds time) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  const MutexLock lock(state->mutex);
  while (state->connections != 0) {
    if (!state->connection_closed.WaitUntil(state->mutex, deadline)) break;
  }
  return state->connections == 0;
}

void Server::Stop(std::chrono::milliseconds drain) {
  if (impl_->threads.empty()) return;
  impl_->loops[0]->Post([impl = impl_.get()] {
    // Nothing is accepted after this, so each loop sees BeginDrain after its last connection.
    impl->listener->Close();
    for (const auto& loop : impl->loops) loop->Post([&loop] { loop->BeginDrain(); });
  });
  if (!impl_->AwaitClosed(drain)) {
    for (const auto& loop : impl_->loops) loop->Post([&loop] { loop->AnswerAll(); });
    impl_->AwaitClosed(std::min(drain, kFarewell));
  }
  for (const auto& loop : impl_->loops) {
    loop->Post([&loop] {
      loop->CloseAll();
      loop->End();
    });
  }
  for (std::thread& thread : impl_->threads) thread.join();
  impl_->threads.clear();
}

Status Server::ReloadTls() {
  if (impl_->state->options.tls_cert_file.empty()) return Ok();
  return LoadTls(*impl_->state);
}

void Server::Post(size_t loop, std::function<void()> work) { impl_->loops[loop]->Post(std::move(work)); }

ServerStats Server::stats() const {
  ServerStats stats;
  for (const auto& loop : impl_->loops) stats.requests += loop->requests();
  ServerState& state = *impl_->state;
  stats.bytes_in_flight = static_cast<uint64_t>(std::max<int64_t>(0, state.in_flight.bytes()));
  stats.bytes_in_flight_max = state.options.bytes_in_flight_max;
  stats.connections_max = state.options.connections_max;
  stats.connections_given_way = state.connections_given_way.load(std::memory_order_relaxed);
  stats.connections_refused = state.connections_refused.load(std::memory_order_relaxed);
  stats.requests_given_way = state.requests_given_way.load(std::memory_order_relaxed);
  const MutexLock lock(state.mutex);
  stats.connections = state.connections;
  stats.connections_waiting = state.newcomers;
  return stats;
}

}  // namespace keyfold::http

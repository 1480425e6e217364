#include "bench/instructions/one_connection.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <utility>

#include "base/check.h"

namespace keyfold::bench {
namespace {

constexpr std::string_view kAccount = "123456789012";
constexpr uint64_t kSeed = 1;
constexpr int kSocketBytes = 4 << 20;  // an answer must fit, since nobody reads while it is written

std::unique_ptr<engine::Catalog> OpenCatalog(store::Store& store) {
  Result<std::unique_ptr<engine::Catalog>> catalog = engine::Catalog::Open(store);
  CHECK(catalog.ok());
  return *std::move(catalog);
}

// As serve.cc has them.
http::ServerOptions HttpOptions() {
  http::ServerOptions options;
  options.crc32_header = "x-amz-crc32";
  options.server_header = "Server";
  options.on_error = server::Dispatcher::WordProtocolError;
  return options;
}

}  // namespace

OneConnection::OneConnection()
    : gate_(auth::Gate::OpenLocal(std::string(kAccount))),
      store_(store::MakeMemoryStore(clock_)),
      catalog_(OpenCatalog(*store_)),
      db_{*store_, *catalog_, clock_},
      lifecycle_(db_, /*delay=*/0, kSeed),
      identity_{"us-east-1", std::string(kAccount)},
      service_{db_, lifecycle_, identity_},
      workers_({.quick_threads = 0, .heavy_threads = 0}),
      models_(clock_),
      dispatcher_(service_, *gate_, server::OriginRules({}, {}), workers_, {.version = "0", .models = &models_}),
      state_(std::make_shared<http::ServerState>(HttpOptions(),
                                                 [this](http::Request& request, http::Responder responder) {
                                                   dispatcher_.Handle(request, std::move(responder));
                                                 })),
      loop_(std::make_shared<http::Loop>(state_, 0)) {
  int ends[2];
  CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0);
  for (const int end : ends) CHECK(setsockopt(end, SOL_SOCKET, SO_SNDBUF, &kSocketBytes, sizeof kSocketBytes) == 0);
  client_ = ends[0];
  state_->connections = 1;
  connection_ = std::make_shared<http::Connection>(loop_, ends[1], http::TlsSession(), "127.0.0.1");
}

OneConnection::~OneConnection() { ::close(client_); }

void OneConnection::Run(const std::function<void()>& work) {
  loop_->Post([this, &work] {
    loop_->Add(connection_);
    connection_->Start();
    work();
    connection_->Close();
    loop_->End();
  });
  loop_->Run();
}

void OneConnection::Send(std::string_view request) {
  CHECK(::send(client_, request.data(), request.size(), 0) == static_cast<ssize_t>(request.size()));
}

void OneConnection::Serve() { connection_->OnEvents(EPOLLIN); }

std::string OneConnection::Receive() {
  std::string answer;
  char some[64 * 1024];
  for (ssize_t n = 0; (n = ::recv(client_, some, sizeof some, 0)) > 0;) answer.append(some, static_cast<size_t>(n));
  return answer;
}

}  // namespace keyfold::bench

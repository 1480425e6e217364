// The whole server but its threads: one connection on one loop, the dispatcher, the operations, the store in memory.
// Bytes of a request go in, bytes of the answer come out, all on the caller's thread. The two ends are a pair of
// sockets, since a connection reads and writes one; what the kernel does there is in no count of instructions.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "auth/gate.h"
#include "base/clock.h"
#include "engine/background/table_lifecycle.h"
#include "engine/catalog/catalog.h"
#include "http/connection.h"
#include "http/loop.h"
#include "server/dispatch.h"
#include "server/model/attached_models.h"
#include "store/store.h"

namespace keyfold::bench {

// One thread at a time: the one that is running `loop`.
class OneConnection {
 public:
  OneConnection();
  ~OneConnection();

  // Runs `work` on the loop, from which the rest may be called.
  void Run(const std::function<void()>& work);

  void Send(std::string_view request);  // into the socket; the server has not seen it
  void Serve();                         // the server reads the request, runs it, and writes the answer
  std::string Receive();                // the answer, whole

 private:
  const SystemClock clock_;
  const std::unique_ptr<auth::Gate> gate_;
  const std::unique_ptr<store::Store> store_;
  const std::unique_ptr<engine::Catalog> catalog_;
  const engine::Database db_;
  engine::TableLifecycle lifecycle_;
  const engine::Identity identity_;
  const ops::Service service_;
  server::Workers workers_;
  server::AttachedModels models_;
  server::Dispatcher dispatcher_;
  const std::shared_ptr<http::ServerState> state_;
  const std::shared_ptr<http::Loop> loop_;
  int client_ = -1;
  std::shared_ptr<http::Connection> connection_;
};

}  // namespace keyfold::bench

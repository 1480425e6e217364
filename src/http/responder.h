// Responder: the right, and the duty, to respond to one request.
#pragma once

#include <functional>
#include <memory>

#include "http/request.h"

namespace keyfold::http {

class Connection;
class Loop;

// Move-only. Used by any thread, one at a time. If it is destroyed without Send, it responds with 500 and the
// connection closes.
class Responder {
 public:
  Responder(std::shared_ptr<Loop> loop, std::shared_ptr<Connection> connection)
      : loop_(std::move(loop)), connection_(std::move(connection)) {}
  Responder(Responder&&) noexcept = default;
  Responder& operator=(Responder&& other) noexcept;
  ~Responder();

  // Returns an empty response that reuses the memory of the loop's earlier ones. Call it on the connection's own loop.
  Response NewResponse();

  // Call it once. On the connection's own loop, the response is written after the handler returns, together with those
  // of requests that arrived with it; from another thread it is passed to the loop. A response to a client that has
  // disconnected is dropped.
  void Send(Response response);

 private:
  void Abandon();

  // The order matters: a connection's socket belongs to its loop, so the connection must be destroyed first.
  std::shared_ptr<Loop> loop_;
  std::shared_ptr<Connection> connection_;
};

// Runs on a loop thread and must not block. The Request lives until Send is called or the Responder is destroyed, and
// at least until the handler returns.
using Handler = std::function<void(Request&, Responder)>;

}  // namespace keyfold::http

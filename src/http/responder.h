// Responder: the right, and the duty, to answer one request.
#pragma once

#include <functional>
#include <memory>

#include "http/request.h"

namespace keyfold {

class Connection;
class Loop;

// Move-only; any thread, one at a time. Destroyed without Send, it answers 500 and the connection closes.
class Responder {
 public:
  Responder(std::shared_ptr<Loop> loop, std::shared_ptr<Connection> connection)
      : loop_(std::move(loop)), connection_(std::move(connection)) {}
  Responder(Responder&&) noexcept = default;
  Responder& operator=(Responder&& other) noexcept;
  ~Responder();

  // An empty answer, in memory that earlier ones of the loop have left. On the connection's own loop.
  Response NewResponse();

  // Once. On the connection's own loop the answer is written behind the handler, with those of requests that came in
  // together; from another thread it is handed over. An answer to a client that has gone is dropped.
  void Send(Response response);

 private:
  void Abandon();

  // In this order: a connection's socket lives on its loop, so the connection goes first.
  std::shared_ptr<Loop> loop_;
  std::shared_ptr<Connection> connection_;
};

// Runs on a loop thread and must not block. The Request lives until Send was called or the Responder destroyed, and at
// least until the handler returns.
using Handler = std::function<void(Request&, Responder)>;

}  // namespace keyfold

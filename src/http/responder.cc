#include "http/responder.h"

#include <utility>

#include "base/check.h"
#include "http/connection.h"
#include "http/loop.h"

namespace keyfold::http {

Responder& Responder::operator=(Responder&& other) noexcept {
  if (this == &other) return *this;
  Abandon();
  connection_ = std::move(other.connection_);
  loop_ = std::move(other.loop_);
  return *this;
}

Responder::~Responder() { Abandon(); }

Response Responder::NewResponse() {
  Response response;
  response.body = loop_->TakeBuffer();
  response.headers = loop_->TakeBuffer();
  return response;
}

void Responder::Send(Response response) {
  CHECK(connection_ != nullptr);
  const std::shared_ptr<Connection> connection = std::exchange(connection_, nullptr);
  if (loop_->running_here()) return connection->Answer(std::move(response));
  loop_->Post([connection, response = std::move(response)]() mutable { connection->Answer(std::move(response)); });
}

void Responder::Abandon() {
  if (connection_ == nullptr) return;
  const std::shared_ptr<Connection> connection = std::exchange(connection_, nullptr);
  if (loop_->running_here()) return connection->Abandon();
  loop_->Post([connection] { connection->Abandon(); });
}

}  // namespace keyfold::http

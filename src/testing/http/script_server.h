// ScriptServer: a server for client tests that responds to each request with the next bytes of its script and records
// the requests.
#pragma once

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "http/parser.h"

namespace keyfold::http {

// What to do after a request was read completely or, with `early`, after its head was.
struct ScriptTurn {
  enum class Then : uint8_t { kKeep, kClose, kHold };  // kHold: send nothing more, and do not close
  std::string bytes;
  Then then = Then::kKeep;
  bool early = false;
};

struct ScriptRequest {
  std::string method, target, body;
  std::vector<std::pair<std::string, std::string>> headers;
  int connection = 0;  // counted from 1

  std::string Find(std::string_view name) const {
    for (const auto& [key, value] : headers) {
      if (EqualsIgnoringCase(key, name)) return value;
    }
    return "";
  }
};

inline std::string AnswerOf(int status, const std::string& body, const std::string& headers = "") {
  return "HTTP/1.1 " + std::to_string(status) + " x\r\n" + headers + "Content-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

// Thread-safe. Serves on 127.0.0.1 until it is destroyed; a request beyond the script closes its connection.
class ScriptServer {
 public:
  explicit ScriptServer(std::vector<ScriptTurn> script)
      : script_(std::move(script)), listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t bytes = sizeof address;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), bytes), 0);
    EXPECT_EQ(::listen(listener_, 8), 0);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &bytes);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { Serve(); });
  }
  ~ScriptServer() {
    ::shutdown(listener_, SHUT_RDWR);
    {
      const MutexLock lock(mutex_);
      stopping_ = true;
      if (connection_ >= 0) ::shutdown(connection_, SHUT_RDWR);
    }
    thread_.join();
    for (const int socket : held_) ::close(socket);
    ::close(listener_);
  }
  ScriptServer(const ScriptServer&) = delete;
  ScriptServer& operator=(const ScriptServer&) = delete;

  uint16_t port() const { return port_; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::vector<ScriptRequest> requests() const {
    const MutexLock lock(mutex_);
    return requests_;
  }

 private:
  void Serve() {
    for (int number = 1;; ++number) {
      const int socket = ::accept(listener_, nullptr, nullptr);
      if (socket < 0) return;
      {
        const MutexLock lock(mutex_);
        connection_ = socket;
        if (stopping_) ::shutdown(socket, SHUT_RDWR);
      }
      const bool hold = ServeOne(socket, number);
      const MutexLock lock(mutex_);
      connection_ = -1;
      if (hold) {
        held_.push_back(socket);
      } else {
        ::close(socket);
      }
    }
  }

  // Returns true if the connection must be held.
  bool ServeOne(int socket, int number) {
    RequestParser parser({});
    for (;;) {
      parser.Reset();
      Request request;
      char buffer[4096];
      const bool early = next_ < script_.size() && script_[next_].early;
      while (!parser.complete() && !(early && parser.head_done())) {
        const ssize_t n = ::recv(socket, buffer, sizeof buffer, 0);
        if (n <= 0) return false;
        parser.Feed({buffer, static_cast<size_t>(n)}, request);
        if (parser.failed()) return false;
      }
      Remember(request, number);
      if (next_ == script_.size()) return false;
      const ScriptTurn& turn = script_[next_++];
      ::send(socket, turn.bytes.data(), turn.bytes.size(), MSG_NOSIGNAL);
      if (turn.then != ScriptTurn::Then::kKeep) return turn.then == ScriptTurn::Then::kHold;
    }
  }

  void Remember(const Request& request, int number) {
    ScriptRequest copy;
    copy.method = request.method, copy.target = request.target, copy.body = request.body, copy.connection = number;
    for (const Header& header : request.headers) copy.headers.emplace_back(header.name, header.value);
    const MutexLock lock(mutex_);
    requests_.push_back(std::move(copy));
  }

  const std::vector<ScriptTurn> script_;
  const int listener_;
  uint16_t port_ = 0;
  size_t next_ = 0;        // index into the script; used by the thread only
  std::vector<int> held_;  // likewise, until it is joined
  mutable Mutex mutex_;
  std::vector<ScriptRequest> requests_ GUARDED_BY(mutex_);
  int connection_ GUARDED_BY(mutex_) = -1;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace keyfold::http

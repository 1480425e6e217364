// RawClient: a blocking socket for HTTP tests that sends bytes unchanged and reads responses one by one.
#pragma once

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/header.h"

namespace keyfold::http {

struct RawAnswer {
  int status = 0;  // 0: the connection ended instead
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;

  std::string Find(std::string_view name) const {
    for (const auto& [key, value] : headers) {
      if (EqualsIgnoringCase(key, name)) return value;
    }
    return "";
  }
};

// Used by one thread at a time.
class RawClient {
 public:
  explicit RawClient(uint16_t port, bool tls = false) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    // Limits the wait for a server that does not respond; no test depends on its length.
    const timeval limit{20, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    if (!tls || !connected_) return;
    context_.reset(SSL_CTX_new(TLS_client_method()));
    session_.reset(SSL_new(context_.get()));
    SSL_set_fd(session_.get(), socket_);
    connected_ = SSL_connect(session_.get()) == 1;
  }
  ~RawClient() {
    session_.reset();
    ::close(socket_);
  }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool connected() const { return connected_; }
  SSL* session() { return session_.get(); }
  int socket() const { return socket_; }

  // Returns false when the server accepts no more.
  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = session_ != nullptr ? SSL_write(session_.get(), bytes.data(), static_cast<int>(bytes.size()))
                                            : ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(n));
    }
    return true;
  }
  void FinishSending() { ::shutdown(socket_, SHUT_WR); }

  // Reads up to and including `end`; returns what there is if the connection ends before.
  std::string ReadTo(std::string_view end) {
    size_t at;
    while ((at = unread_.find(end)) == std::string::npos && ReadMore()) {
    }
    return Take(at == std::string::npos ? unread_.size() : at + end.size());
  }
  std::string ReadBytes(size_t bytes) {
    while (unread_.size() < bytes && ReadMore()) {
    }
    return Take(std::min(bytes, unread_.size()));
  }
  bool AtEnd() { return unread_.empty() && !ReadMore(); }

  RawAnswer Read(bool without_body = false) {
    RawAnswer answer;
    const std::string head = ReadTo("\r\n\r\n");
    if (head.size() < 12 || head.compare(0, 9, "HTTP/1.1 ") != 0) return answer;
    answer.status = std::atoi(head.c_str() + 9);
    size_t at = head.find("\r\n") + 2;
    while (at + 2 < head.size()) {
      const size_t end = head.find("\r\n", at);
      const size_t colon = head.find(": ", at);
      answer.headers.emplace_back(head.substr(at, colon - at), head.substr(colon + 2, end - colon - 2));
      at = end + 2;
    }
    const std::string length = answer.Find("content-length");
    if (!without_body && !length.empty()) answer.body = ReadBytes(static_cast<size_t>(std::atoll(length.c_str())));
    return answer;
  }

 private:
  bool ReadMore() {
    char buffer[65536];
    const ssize_t n = session_ != nullptr ? SSL_read(session_.get(), buffer, sizeof buffer)
                                          : ::recv(socket_, buffer, sizeof buffer, 0);
    if (n <= 0) return false;
    unread_.append(buffer, static_cast<size_t>(n));
    return true;
  }
  std::string Take(size_t bytes) {
    std::string taken = unread_.substr(0, bytes);
    unread_.erase(0, bytes);
    return taken;
  }

  struct Free {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
    void operator()(SSL* session) const { SSL_free(session); }
  };

  int socket_;
  bool connected_ = false;
  std::unique_ptr<SSL_CTX, Free> context_;
  std::unique_ptr<SSL, Free> session_;
  std::string unread_;
};

}  // namespace keyfold::http

// Listener: the listening sockets of a server. It accepts on the first loop and hands connections to all loops in turn.
#pragma once

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <memory>
#include <string>
#include <vector>

#include "http/loop.h"

namespace keyfold {

// Bind belongs to the thread that makes it; from Start on it belongs to the first loop.
class Listener {
 public:
  explicit Listener(std::vector<std::shared_ptr<Loop>> loops);

  // False, and one line in `error`, where an address cannot be had. An absent IPv6 loopback is passed over if another
  // one works.
  [[nodiscard]] bool Bind(const ServerOptions& options, std::string& error);
  void Start();
  void Close();

  uint16_t port() const { return port_; }
  const std::vector<std::string>& addresses() const { return addresses_; }

 private:
  using Acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, LoopExecutor>;
  using Endpoint = boost::asio::ip::tcp::endpoint;
  // On one address: kRetry where a port that was free on the first address is taken on this one.
  enum class Outcome : uint8_t { kBound, kPassedOver, kRetry, kFailed };

  bool BindAll(const std::vector<Endpoint>& endpoints, bool any_port, bool& retry, std::string& error);
  Outcome BindOne(Endpoint endpoint, bool any_port, std::string& error);
  void Await(Acceptor& acceptor);
  void AcceptAll(Acceptor& acceptor);
  void HandOver(int socket, bool v6, std::string peer);

  std::vector<std::shared_ptr<Loop>> loops_;
  std::vector<std::unique_ptr<Acceptor>> acceptors_;
  std::vector<std::string> addresses_;
  uint16_t port_ = 0;
  size_t next_loop_ = 0;
};

}  // namespace keyfold

// Listener: the listening sockets of a server. It accepts on the first loop and distributes connections to all loops in
// turn.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "http/loop.h"

namespace keyfold::http {

// Bind is called by the thread that creates it; after Start it belongs to the first loop, unless stated otherwise. At
// the connection limit, connections at rest give way to new ones, then those whose clients are slow. If all others are
// busy, a new one waits for a place and is refused if none becomes free in time. Must outlive the loops' threads.
class Listener {
 public:
  explicit Listener(std::vector<std::shared_ptr<Loop>> loops);

  // Returns an error if an address cannot be bound. A missing IPv6 loopback is skipped if another address works.
  Status Bind(const ServerOptions& options);
  void Start();
  void Close() { ports_.clear(); }

  uint16_t port() const { return port_; }
  const std::vector<std::string>& addresses() const { return addresses_; }

 private:
  struct Address;
  struct Newcomer;

  // One listening socket; owns it.
  class Port final : public EventSink {
   public:
    Port(Listener& listener, int socket) : listener_(listener), socket_(socket) {}
    ~Port();
    Port(const Port&) = delete;
    Port& operator=(const Port&) = delete;
    void OnEvents(uint32_t events) override;
    int socket() const { return socket_; }

   private:
    Listener& listener_;
    int socket_;
  };

  // Both return kResourceInUse if a port is taken.
  Status BindAll(const std::vector<Address>& addresses);
  Status BindOne(Address address);
  void Pause(Port& port);
  void Resume();
  void ResumeLater();
  // Returns false if no more connections can be accepted for now.
  bool PassOn(int socket, std::string peer);
  // The next four run on any loop's thread.
  void FindRoom(std::shared_ptr<Newcomer> newcomer, int tries);
  void Admit(std::shared_ptr<Newcomer> newcomer, bool refused);
  bool TakePlace();
  void Refuse(std::shared_ptr<Newcomer> newcomer);
  void AwaitRoom(std::shared_ptr<Newcomer> newcomer);
  void Retry();
  size_t NewcomersMax() const;
  Loop* FindGiver(size_t first, Rest& rest) const;

  std::vector<std::shared_ptr<Loop>> loops_;
  std::vector<std::unique_ptr<Port>> ports_;
  std::vector<std::string> addresses_;
  uint16_t port_ = 0;
  size_t next_loop_ = 0;
  bool resumes_later_ = false;
  std::vector<std::shared_ptr<Newcomer>> waiting_;  // in order of arrival
};

}  // namespace keyfold::http

// Listener: the listening sockets of a server. It accepts on the first loop and hands connections to all loops in turn.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "http/loop.h"

namespace keyfold {

// Bind belongs to the thread that makes it; from Start on it belongs to the first loop, except where said. When there
// are as many connections as may be, those at rest give way to new ones, then those whose clients are slow. Where all
// others are at work a new one waits for a place, and is refused if none becomes free in time. Outlives the loops'
// threads.
class Listener {
 public:
  explicit Listener(std::vector<std::shared_ptr<Loop>> loops);

  // False, and one line in `error`, where an address cannot be had. An absent IPv6 loopback is passed over if another
  // one works.
  [[nodiscard]] bool Bind(const ServerOptions& options, std::string& error);
  void Start();
  void Close() { ports_.clear(); }

  uint16_t port() const { return port_; }
  const std::vector<std::string>& addresses() const { return addresses_; }

 private:
  struct Address;
  struct Newcomer;
  enum class Outcome : uint8_t { kBound, kPassedOver, kTaken, kFailed };

  // One listening socket, which it owns.
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

  bool BindAll(const std::vector<Address>& addresses, bool any_port, bool& retry, std::string& error);
  Outcome BindOne(Address address, std::string& error);
  void Pause(Port& port);
  void Resume();
  void ResumeLater();
  // False: no more can be accepted for now.
  bool HandOver(int socket, std::string peer);
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
  std::vector<std::shared_ptr<Newcomer>> waiting_;  // those who came first stand first
};

}  // namespace keyfold

// Sender: one thread's connections to the server, each with at most one request under way. Either each sends its next
// request as soon as the last was answered, or, at a fixed rate, requests are due at fixed times whatever the server
// does: then a latency begins when the request was due, not when a connection was free for it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/driver/answer_reader.h"
#include "bench/driver/feed.h"

namespace keyfold::bench {

struct Target {
  std::string host = "127.0.0.1";  // a numeric address
  uint16_t port = 8000;

  std::string authority() const { return host + ":" + std::to_string(port); }
};

// One thread at a time.
class Sender {
 public:
  // Connects; ends the program, with a line that says why, where it cannot. `rate` is requests a second, 0: no limit.
  Sender(const Target& target, size_t connections, double rate, Feed& feed);
  ~Sender();
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  // Until `end_ns`, or until the feed has nothing for any connection.
  void Run(int64_t end_ns);
  uint64_t connections_lost() const { return connections_lost_; }

  static int64_t NowNs();

 private:
  struct Connection {
    int socket = -1;
    bool busy = false;
    int64_t began_ns = 0;
    std::string unsent;  // the part of the current request that is not sent yet
    AnswerReader reader;
  };

  void Connect(size_t index);
  void Lose(size_t index);
  void SendNext(size_t index, int64_t began_ns);
  void Write(Connection& connection);
  void Read(size_t index);
  void Finish(size_t index, int64_t now_ns);
  void SendWhatIsDue();
  void Wait(int64_t end_ns) const;

  const Target target_;
  Feed& feed_;
  const int64_t interval_ns_;  // 0: no rate
  int64_t due_ns_ = 0;
  int epoll_;
  std::vector<Connection> connections_;
  std::vector<size_t> free_;  // at a rate: those without a request
  size_t resting_ = 0;        // connections that the feed has nothing for
  uint64_t connections_lost_ = 0;
  std::vector<char> buffer_;
};

}  // namespace keyfold::bench

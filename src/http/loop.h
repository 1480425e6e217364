// Loop: one thread, its event queue, the connections it owns, and what they share: a read buffer, the compressor, the
// Date line. It uses epoll directly, in edge-triggered mode: a socket is registered once, and a request then costs one
// read and one write.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "http/compression.h"
#include "http/in_flight.h"
#include "http/rest_lists.h"
#include "http/server.h"
#include "http/tls.h"

namespace keyfold::http {

// State shared by the loops and the listener of a server. Thread-safe.
struct ServerState {
  ServerState(ServerOptions o, Handler h)
      : options(std::move(o)), handler(std::move(h)), in_flight(options.bytes_in_flight_max) {}

  const ServerOptions options;
  const Handler handler;
  InFlight in_flight;
  std::atomic<uint64_t> connections_given_way{0}, connections_refused{0}, requests_given_way{0};
  std::function<void()> resume_accepting;  // set before the loops run

  Mutex mutex;
  CondVar connection_closed;
  size_t connections GUARDED_BY(mutex) = 0;         // from accept to close
  size_t newcomers GUARDED_BY(mutex) = 0;           // connections without a place: see Listener
  bool accepting_paused GUARDED_BY(mutex) = false;  // more were accepted than there are places: see Listener
  TlsContext tls GUARDED_BY(mutex);
};

// Receives the events of a socket that a loop watches.
class EventSink {
 public:
  // `events` are epoll events.
  virtual void OnEvents(uint32_t events) = 0;

 protected:
  ~EventSink() = default;
};

// Everything except Post, requests() and running_here() belongs to the loop's own thread after Run is called.
class Loop {
 public:
  Loop(std::shared_ptr<ServerState> state, size_t index);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Runs until End. Work posted after that is dropped with the loop.
  void Run();
  void End() { ended_ = true; }
  void Post(std::function<void()> work);
  bool running_here() const { return thread_.load(std::memory_order_relaxed) == std::this_thread::get_id(); }
  uint64_t requests() const { return requests_.load(std::memory_order_relaxed); }

  // The sink must outlive its socket, unless it is a Connection that was added.
  [[nodiscard]] bool Watch(int socket, uint32_t events, EventSink& sink);
  void ChangeWatch(int socket, uint32_t events, EventSink& sink);
  // Returns true if a finished response should wait for those of the other connections that became ready with it; the
  // loop then calls SendAnswer soon. Clients on this machine are thereby woken once for all responses, not once for
  // each.
  bool HoldAnswer(Connection& connection);
  // Runs `work` once, after `time`. Meant for a few items at a time.
  void RunLater(std::chrono::milliseconds time, std::function<void()> work) {
    later_.push_back({NowMs() + time.count(), std::move(work)});
  }

  void Add(std::shared_ptr<Connection> connection);
  void Remove(Connection& connection);
  RestLists& rest_lists() { return rest_lists_; }
  // Called from any thread.
  size_t CountAtRest(Rest rest) const { return rest_lists_.Count(rest); }
  // Closes the connection that has been at rest the longest. Returns false if there was none.
  bool CloseLongestAtRest(Rest rest);

  // From now on, connections close as soon as they have nothing to finish.
  void BeginDrain();
  // Responds with 503 to unfinished requests; responses that handlers send afterwards are dropped.
  void AnswerAll();
  void CloseAll();

  bool draining() const { return draining_; }
  bool all_answered() const { return all_answered_; }
  size_t index() const { return index_; }
  ServerState& state() { return *state_; }
  const ServerOptions& options() const { return state_->options; }
  Compressor& compressor() { return compressor_; }
  std::array<char, 64 * 1024>& read_buffer() { return *read_buffer_; }
  // Reuses the memory of sent responses. A buffer taken is empty.
  std::string TakeBuffer();
  void KeepBuffer(std::string buffer);
  const std::string& date_line();
  const std::string& server_line() const { return server_line_; }
  void CountRequest() { requests_.store(requests() + 1, std::memory_order_relaxed); }

  static int64_t NowMs();

 private:
  int WaitForEvents(epoll_event* events);
  int WaitMs() const;
  void RunPosted();
  void RunDue();
  void FinishRequests();
  void ReportRequests();
  void Sweep();
  // Calls `visit` for every connection; during the call any connection may close.
  template <typename Visit>
  void ForEachConnection(Visit visit);

  std::shared_ptr<ServerState> state_;
  const size_t index_;
  int epoll_;
  int wakeup_;  // an eventfd, written when another thread posts
  std::atomic<std::thread::id> thread_{};
  bool ended_ = false;
  bool draining_ = false;
  bool all_answered_ = false;
  int64_t sweep_period_ms_;
  int64_t next_sweep_ms_ = 0;

  Mutex mutex_;
  std::vector<std::function<void()>> posted_ GUARDED_BY(mutex_);

  int turns_unreported_ = 0;  // turns with requests since after_requests was called
  uint64_t requests_reported_ = 0;
  bool holding_ = false;
  std::vector<Connection*> held_, sending_;  // open, or in closed_
  struct Later {
    int64_t due_ms;
    std::function<void()> work;
  };
  std::vector<Later> later_;
  std::vector<std::shared_ptr<Connection>> connections_;
  RestLists rest_lists_;
  // Connections closed by an event; kept to the end of the turn because a later event in it may refer to them.
  std::vector<std::shared_ptr<Connection>> closed_;
  std::atomic<uint64_t> requests_{0};
  Compressor compressor_;
  std::unique_ptr<std::array<char, 64 * 1024>> read_buffer_;
  std::vector<std::string> buffers_;  // last in, first out
  std::string server_line_;
  std::string date_line_;
  std::time_t date_second_ = 0;
};

}  // namespace keyfold::http

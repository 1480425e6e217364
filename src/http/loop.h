// Loop: one thread, its event queue, the connections it owns, and what they share: a read buffer, the compressor, the
// Date line.
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <memory>
#include <mutex>
#include <vector>

#include "http/compression.h"
#include "http/server.h"
#include "http/tls.h"

namespace keyfold {

using LoopExecutor = boost::asio::io_context::executor_type;
using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, LoopExecutor>;

// What the loops and listeners of one server have in common. Thread-safe.
struct ServerState {
  ServerState(ServerOptions o, Handler h) : options(std::move(o)), handler(std::move(h)) {}

  const ServerOptions options;
  const Handler handler;
  std::atomic<int64_t> bytes_in_flight{0};

  // Guards the fields below.
  std::mutex mutex;
  std::condition_variable connection_closed;
  size_t connections = 0;  // from accept to close
  TlsContext tls;
};

// All but Post, requests() and running_here() belong to the loop's own thread, from the moment Run is called.
class Loop {
 public:
  Loop(std::shared_ptr<ServerState> state, size_t index);

  void Run();
  void Post(std::function<void()> work);
  bool running_here() { return io_.get_executor().running_in_this_thread(); }
  uint64_t requests() const { return requests_.load(std::memory_order_relaxed); }

  void Add(std::shared_ptr<Connection> connection);
  void Remove(Connection& connection);
  // From here on connections close once they have nothing to finish.
  void BeginDrain();
  void CloseAll();
  void End();

  bool draining() const { return draining_; }
  size_t index() const { return index_; }
  boost::asio::io_context& io() { return io_; }
  ServerState& state() { return *state_; }
  const ServerOptions& options() const { return state_->options; }
  Compressor& compressor() { return compressor_; }
  std::array<char, 64 * 1024>& read_buffer() { return *read_buffer_; }
  const std::string& date_line();
  const std::string& server_line() const { return server_line_; }
  void CountRequest() { requests_.store(requests() + 1, std::memory_order_relaxed); }

  static int64_t NowMs();

 private:
  void ArmSweep();
  std::chrono::milliseconds SweepPeriod() const;

  std::shared_ptr<ServerState> state_;
  const size_t index_;
  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<LoopExecutor> work_;
  boost::asio::basic_waitable_timer<std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>,
                                    LoopExecutor>
      sweep_;
  std::vector<std::shared_ptr<Connection>> connections_;
  std::atomic<uint64_t> requests_{0};
  bool draining_ = false;
  Compressor compressor_;
  std::unique_ptr<std::array<char, 64 * 1024>> read_buffer_;
  std::string server_line_;
  std::string date_line_;
  std::time_t date_second_ = 0;
};

}  // namespace keyfold

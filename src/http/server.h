// The HTTP/1.1 server: listeners, event loops, limits. It passes complete requests to one handler and does not know
// what they mean.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "http/request.h"
#include "http/responder.h"

namespace keyfold::http {

struct ServerOptions {
  std::vector<std::string> hosts{"127.0.0.1", "::1"};
  uint16_t port = 8000;  // 0: any free port, the same on all hosts
  int loops = 0;         // 0: one per core

  size_t header_bytes_max = 16 * 1024;
  size_t body_bytes_max = 16 * 1024 * 1024;  // limit of the body as sent, and of the decoded body
  size_t connections_max = 10'000;  // at the limit, the one longest at rest gives way, or the new one waits for a place
  size_t bytes_in_flight_max = 512 * 1024 * 1024;  // requests, and responses not yet written: see InFlight

  std::chrono::milliseconds newcomer_patience{1'000};  // how long a new connection waits before it gets a 503
  std::chrono::milliseconds header_timeout{10'000};    // from a request's first byte
  std::chrono::milliseconds body_timeout{30'000};      // restarts for every 16 KB received
  std::chrono::milliseconds idle_timeout{75'000};      // between requests
  std::chrono::milliseconds write_timeout{30'000};     // restarts for every 16 KB written
  std::chrono::milliseconds linger_timeout{10'000};    // time for the client to read the last response and close
  size_t linger_bytes_max = 64 * 1024 * 1024;          // bytes discarded during that time

  size_t compress_min_bytes = 4096;
  // Larger encoded bodies and responses are decoded and compressed on another thread: they would block a loop for too
  // long.
  size_t decode_here_bytes_max = 2 * 1024, compress_here_bytes_max = 64 * 1024;
  std::string crc32_header;   // name of a header with the CRC-32 of the body as sent; empty: none
  std::string server_header;  // value of the Server header; empty: no header
  std::string tls_cert_file;  // both or neither
  std::string tls_key_file;

  // Fills in the response to a request that never reached the handler. Gets the status and a Response whose body gives
  // the reason in plain text. Runs on a loop thread.
  std::function<void(int status, Response&)> on_error;
  // Called after each such response. Runs on a loop thread and must not block.
  std::function<void(int status, std::string_view peer, const Response&)> on_refusal;
  // Called after a loop has dispatched all requests that had arrived, or a few dozen of them. Runs on that loop's
  // thread.
  std::function<void()> after_requests;
  // Runs work on a thread that is not a loop's; returns false if it cannot accept it. Empty: everything runs on the
  // loops.
  std::function<bool(std::function<void()>)> run_elsewhere;
};

struct ServerStats {
  uint64_t connections = 0;          // open now
  uint64_t connections_waiting = 0;  // those of them that wait for a place
  uint64_t connections_max = 0;
  uint64_t requests = 0;  // since the start, including refused ones
  uint64_t bytes_in_flight = 0;
  uint64_t bytes_in_flight_max = 0;
  // Since the start.
  uint64_t connections_given_way = 0;  // closed at rest to make room for a new one
  uint64_t connections_refused = 0;    // got a 503, because none could give way in time
  uint64_t requests_given_way = 0;     // aborted while being received or answered, for lack of room
};

// Thread-safe, but Start and Stop must be called by one thread that is not a loop's. The destructor stops at once.
class Server {
 public:
  // Binds and listens; requests are served only after Start.
  static Result<std::unique_ptr<Server>> Listen(ServerOptions options, Handler handler);
  ~Server();

  uint16_t port() const;
  std::vector<std::string> addresses() const;  // "127.0.0.1:8000", "[::1]:8000"
  size_t loops() const;

  void Start();
  // Stops accepting, closes idle connections, and gives requests that have begun at most `drain` to finish and be
  // written. Requests that are still being received or handled then get a 503, and their late responses are dropped.
  // Ends the loops at most half a second later. Work still queued on a loop is dropped.
  void Stop(std::chrono::milliseconds drain);

  // Reloads certificate and key for new connections. Keeps the old ones on failure.
  Status ReloadTls();

  // Runs `work` on that loop's thread.
  void Post(size_t loop, std::function<void()> work);

  ServerStats stats() const;

 private:
  struct Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace keyfold::http

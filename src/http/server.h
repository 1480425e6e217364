// The HTTP/1.1 server: listeners, event loops, limits. It hands whole requests to one handler and knows nothing of what
// they mean.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "http/request.h"
#include "http/responder.h"

namespace keyfold {

struct ServerOptions {
  std::vector<std::string> hosts{"127.0.0.1", "::1"};
  uint16_t port = 8000;  // 0: any free one, the same on all hosts
  int loops = 0;         // 0: one per core

  size_t header_bytes_max = 16 * 1024;
  size_t body_bytes_max = 16 * 1024 * 1024;  // as sent, and again as decoded
  size_t connections_max = 10'000;  // beyond it the one longest at rest gives way, or the new one waits for a place
  size_t bytes_in_flight_max = 512 * 1024 * 1024;  // requests, and answers not yet written: see InFlight

  std::chrono::milliseconds newcomer_patience{1'000};  // how long a new connection waits before it is answered 503
  std::chrono::milliseconds header_timeout{10'000};    // from a request's first byte
  std::chrono::milliseconds body_timeout{30'000};      // and again for every 16 KB received
  std::chrono::milliseconds idle_timeout{75'000};      // between requests
  std::chrono::milliseconds write_timeout{30'000};     // and again for every 16 KB written
  std::chrono::milliseconds linger_timeout{10'000};    // for the client to read the last answer and close
  size_t linger_bytes_max = 64 * 1024 * 1024;          // thrown away meanwhile

  size_t compress_min_bytes = 4096;
  // Coded bodies and answers above these are decoded and compressed elsewhere: a loop would be held for long.
  size_t decode_here_bytes_max = 2 * 1024, compress_here_bytes_max = 64 * 1024;
  std::string crc32_header;   // name of a header with the CRC-32 of the body as sent; empty: none
  std::string server_header;  // value of Server; empty: none
  std::string tls_cert_file;  // both or neither
  std::string tls_key_file;

  // Words the answer to a request that never reached the handler: the status, and a Response whose body says why in
  // plain text. Runs on a loop thread.
  std::function<void(int status, Response&)> on_error;
  // Told of each such answer afterwards. Runs on a loop thread and must not block.
  std::function<void(int status, std::string_view peer, const Response&)> on_refusal;
  // After a loop has handed over all requests that were there, or a few dozen of them. Runs on that loop's thread.
  std::function<void()> after_requests;
  // Runs work on another thread than a loop's; false where it cannot take it. None: all is done on the loops.
  std::function<bool(std::function<void()>)> run_elsewhere;
};

struct ServerStats {
  uint64_t connections = 0;          // open now
  uint64_t connections_waiting = 0;  // of them, those that wait for a place
  uint64_t connections_max = 0;
  uint64_t requests = 0;  // since the start, those refused included
  uint64_t bytes_in_flight = 0;
  uint64_t bytes_in_flight_max = 0;
  // Since the start.
  uint64_t connections_given_way = 0;  // closed at rest, for a new one
  uint64_t connections_refused = 0;    // answered 503, because none could give way in time
  uint64_t requests_given_way = 0;     // ended half received or half answered, for want of room
};

// Thread-safe, but Start and Stop belong to one thread, and that is not a loop's. The destructor stops at once.
class Server {
 public:
  // Binds and listens; nothing is answered before Start. Null, and one line in `error`, where it cannot.
  static std::unique_ptr<Server> Listen(ServerOptions options, Handler handler, std::string& error);
  ~Server();

  uint16_t port() const;
  std::vector<std::string> addresses() const;  // "127.0.0.1:8000", "[::1]:8000"
  size_t loops() const;

  void Start();
  // Stops accepting, closes idle connections, and lets requests that have begun finish and be written for at most
  // `drain`. Those that are still being received or handled then are answered 503; their answers, if they come, are
  // dropped. Ends the loops half a second later at the latest. What a loop was still to run is dropped.
  void Stop(std::chrono::milliseconds drain);

  // Reads certificate and key again, for connections from now on. On failure the old ones stay.
  [[nodiscard]] bool ReloadTls(std::string& error);

  // Runs `work` on that loop's thread.
  void Post(size_t loop, std::function<void()> work);

  ServerStats stats() const;

 private:
  struct Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace keyfold

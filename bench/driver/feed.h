// Feed: where a sender gets its requests from and to whom it tells how they went.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace keyfold::bench {

// How one request went.
struct Outcome {
  size_t connection = 0;
  int status = 0;          // the HTTP status; 0 if the connection was lost
  std::string_view start;  // the response's head and some of its body (AnswerReader says how much)
  std::string_view end;    // the response's end, which may overlap with `start`
  int64_t now_ns = 0, latency_ns = 0;
};

// Belongs to one sender, and is called on its thread. Connections are numbered from 0.
class Feed {
 public:
  virtual ~Feed() = default;
  // Appends the connection's next request, whole; false: that connection has nothing to send any more.
  virtual bool Next(size_t connection, std::string& request) = 0;
  virtual void Done(const Outcome& outcome) = 0;
};

}  // namespace keyfold::bench

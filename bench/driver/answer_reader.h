// AnswerReader: finds where an answer ends, its status, and keeps its first and last bytes. It does not look at the
// rest, so that a long answer costs the driver little.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace keyfold::bench {

// One thread at a time.
class AnswerReader {
 public:
  static constexpr size_t kStartBytes = 2048, kEndBytes = 256;

  void Reset();
  // The answer's next bytes; true once it is whole. Nothing may follow it, since a request is sent at a time.
  bool Feed(std::string_view bytes);
  int status() const { return status_; }
  std::string_view start() const { return start_; }
  std::string_view end() const { return end_; }
  bool close() const { return close_; }  // the server will close the connection

 private:
  bool ReadHead(std::string_view head);

  std::string start_;
  std::string end_;
  bool head_done_ = false, chunked_ = false, close_ = false;
  uint64_t remaining_ = 0;
  int status_ = 0;
};

}  // namespace keyfold::bench

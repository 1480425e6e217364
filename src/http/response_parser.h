// ResponseParser: parses the bytes a server sends, in whatever pieces they arrive, into one response after another. It
// is as strict as RequestParser: a response whose end two readers could see at different places is an error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "base/header.h"
#include "http/chunked_body.h"

namespace keyfold::http {

// Used by one thread at a time. The result does not depend on how the bytes were split.
class ResponseParser {
 public:
  struct Limits {
    size_t head_bytes_max = 64 * 1024;  // status line and headers; also trailers and chunk extensions
    uint64_t body_bytes_max = 64 * 1024 * 1024;
  };
  static constexpr size_t kHeadersMax = 256;

  // `to_head`: the request was HEAD, so the response has no body, whatever its headers say.
  ResponseParser(Limits limits, bool to_head)
      : limits_(limits), to_head_(to_head), chunked_body_(limits.head_bytes_max, limits.body_bytes_max) {}

  // Consumes bytes from the front of `input` and passes those of the body to `take`; by then status and headers are
  // known. Interim responses (100 Continue) are skipped. Returns the number of bytes consumed: fewer than all only
  // after the end of the response or at an error.
  size_t Feed(std::string_view input, FunctionRef<void(std::string_view)> take);
  // The server closed the connection. That completes a body that lasts until the end, and is an error anywhere else.
  void End();

  bool started() const { return !head_.empty() || head_done(); }
  bool head_done() const { return state_ == State::kBody || state_ == State::kChunkedBody || complete(); }
  bool complete() const { return state_ == State::kComplete; }
  bool failed() const { return state_ == State::kFailed; }
  std::string_view error() const { return error_; }
  bool too_long() const { return too_long_; }

  // Valid after the head is done. The views live as long as this parser.
  int status() const { return status_; }
  const std::vector<Header>& headers() const { return headers_; }
  // Whether another request may be sent on the connection. Valid when complete.
  bool keep_alive() const { return keep_alive_; }

 private:
  enum class State : uint8_t { kHead, kBody, kChunkedBody, kComplete, kFailed };

  size_t TakeHead(std::string_view input);
  size_t TakeBody(std::string_view input, FunctionRef<void(std::string_view)> take);
  size_t TakeChunkedBody(std::string_view input, FunctionRef<void(std::string_view)> take);
  bool ParseHead();
  bool ParseStatusLine(std::string_view line);
  bool ApplyField(const Header& field);
  void StartBody();
  // Always returns false, so that a check can end with it.
  bool Fail(std::string_view why);

  Limits limits_;
  bool to_head_;
  State state_ = State::kHead;
  std::string head_;
  int status_ = 0;
  std::vector<Header> headers_;
  bool keep_alive_ = true;
  bool has_length_ = false;
  bool chunked_ = false;
  uint64_t remaining_ = 0;  // bytes of the body not yet received; if it lasts until the end, what is still allowed
  ChunkedBody chunked_body_;
  std::string_view error_;
  bool too_long_ = false;
};

}  // namespace keyfold::http

// RequestParser: parses the bytes of a connection, in whatever pieces they arrive, into requests. It is strict: if two
// HTTP implementations could disagree on where a request ends, the request is refused and the connection must be
// closed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "http/chunked_body.h"
#include "http/compression.h"
#include "http/request.h"

namespace keyfold::http {

// Used by one thread at a time. The result does not depend on how the bytes were split.
class RequestParser {
 public:
  struct Limits {
    size_t header_bytes_max = 16 * 1024;  // request line and headers; also trailers, and chunk extensions in total
    size_t body_bytes_max = 16 * 1024 * 1024;
  };
  static constexpr size_t kHeadersMax = 256;
  static constexpr size_t kBodySpareBytes = 64;

  explicit RequestParser(Limits limits)
      : limits_(limits), chunked_body_(limits.header_bytes_max, limits.body_bytes_max) {}

  // Consumes bytes from the front of `input` into `request`, which must be the same one until Reset(). Stops after the
  // request's last byte or at the first error; otherwise consumes everything. Returns the number of bytes consumed.
  size_t Feed(std::string_view input, Request& request);
  void Reset();

  bool complete() const { return state_ == State::kComplete; }
  bool failed() const { return state_ == State::kFailed; }
  bool started() const { return started_; }
  bool head_done() const { return state_ != State::kHead && !failed(); }

  // Valid after the head is done.
  bool keep_alive() const { return keep_alive_; }
  bool expects_continue() const { return expects_continue_; }
  ContentCoding coding() const { return coding_; }

  // After a failure: the status to respond with, and a short reason.
  int error_status() const { return error_status_; }
  std::string_view error() const { return error_; }

 private:
  enum class State : uint8_t {
    kHead,
    kBody,
    kChunkedBody,
    kComplete,
    kFailed,
  };

  size_t TakeHead(std::string_view input, Request& request);
  size_t TakeBody(std::string_view input, Request& request);
  size_t TakeChunkedBody(std::string_view input, Request& request);
  void Complete(Request& request);

  bool ParseHead(Request& request);
  bool ParseRequestLine(std::string_view line, Request& request);
  bool ParseTarget(Request& request);
  bool ApplyField(const Header& field, const Request& request);
  bool ApplyContentLength(std::string_view value);
  bool ApplyTransferEncoding(std::string_view value, const Request& request);
  bool ApplyHost(std::string_view value);
  bool StartBody(Request& request);
  // Always returns false, so that a check can end with it.
  bool Fail(int status, std::string_view why);

  Limits limits_;
  State state_ = State::kHead;
  bool started_ = false;
  bool blank_line_skipped_ = false;
  size_t line_bytes_ = 0;  // length so far of the current header line

  bool keep_alive_ = true;
  bool expects_continue_ = false;
  bool has_length_ = false;
  bool chunked_ = false;
  std::string_view host_;
  ContentCoding coding_ = ContentCoding::kIdentity;
  uint64_t remaining_ = 0;  // bytes of the body not yet received, if its length is given
  ChunkedBody chunked_body_;

  int error_status_ = 0;
  std::string_view error_;
};

}  // namespace keyfold::http

// ChunkedBody: decodes the chunked transfer coding of a request or a response, strictly, in whatever pieces it arrives.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/function_ref.h"

namespace keyfold::http {

// Used by one thread at a time. The result does not depend on how the bytes were split.
class ChunkedBody {
 public:
  // `framing_bytes_max` limits the total size of chunk extensions and trailers.
  ChunkedBody(size_t framing_bytes_max, uint64_t body_bytes_max)
      : framing_bytes_max_(framing_bytes_max), body_bytes_max_(body_bytes_max) {}

  // Consumes bytes from the front of `input` and passes their content to `take`. Stops after the last byte of the body
  // or at the first error; otherwise consumes everything. Returns the number of bytes consumed.
  size_t Feed(std::string_view input, FunctionRef<void(std::string_view)> take);

  bool complete() const { return state_ == State::kComplete; }
  bool failed() const { return state_ == State::kFailed; }
  // After a failure: a short reason, and whether the only problem is the length.
  std::string_view error() const { return error_; }
  bool too_long() const { return too_long_; }

 private:
  enum class State : uint8_t {
    kSize,
    kExtension,
    kSizeLf,
    kData,
    kDataCr,
    kDataLf,
    kTrailer,
    kComplete,
    kFailed,
  };

  size_t TakeData(std::string_view input, FunctionRef<void(std::string_view)> take);
  size_t TakeTrailer(std::string_view input);
  void TakeByte(char c);
  void TakeSizeByte(char c);
  void SizeDone();
  void Fail(std::string_view why);

  size_t framing_bytes_max_;
  uint64_t body_bytes_max_;
  State state_ = State::kSize;
  int digits_ = 0;            // digits read so far of the current chunk size
  uint64_t remaining_ = 0;    // bytes of the chunk not yet received
  uint64_t body_bytes_ = 0;   // received so far
  size_t framing_bytes_ = 0;  // chunk extensions and trailers so far
  std::string trailer_line_;
  std::string_view error_;
  bool too_long_ = false;
};

}  // namespace keyfold::http

// ChunkedBody: undoes the chunked transfer coding of a request or an answer, strictly, in whatever pieces it arrives.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/function_ref.h"

namespace keyfold {

// One thread at a time. The result does not depend on how the bytes were split.
class ChunkedBody {
 public:
  // `framing_bytes_max` bounds the chunk extensions in total, and the trailers.
  ChunkedBody(size_t framing_bytes_max, uint64_t body_bytes_max)
      : framing_bytes_max_(framing_bytes_max), body_bytes_max_(body_bytes_max) {}

  // Takes bytes from the front of `input` and hands the content among them to `take`. Stops behind the last byte of the
  // body or at the first fault; takes everything otherwise. Returns how many bytes it took.
  size_t Feed(std::string_view input, FunctionRef<void(std::string_view)> take);

  bool complete() const { return state_ == State::kComplete; }
  bool failed() const { return state_ == State::kFailed; }
  // Where it failed: why in a few words, and whether only for its length.
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
  int digits_ = 0;            // of the size being read
  uint64_t remaining_ = 0;    // bytes of the chunk still to come
  uint64_t body_bytes_ = 0;   // so far
  size_t framing_bytes_ = 0;  // chunk extensions and trailers so far
  std::string trailer_line_;
  std::string_view error_;
  bool too_long_ = false;
};

}  // namespace keyfold

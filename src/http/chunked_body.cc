#include "http/chunked_body.h"

#include <algorithm>

#include "http/field.h"

namespace keyfold::http {
namespace {

constexpr int kSizeDigitsMax = 8;

}  // namespace

size_t ChunkedBody::Feed(std::string_view input, FunctionRef<void(std::string_view)> take) {
  const size_t given = input.size();
  while (!input.empty() && !complete() && !failed()) {
    size_t taken = 1;
    if (state_ == State::kData) {
      taken = TakeData(input, take);
    } else if (state_ == State::kTrailer) {
      taken = TakeTrailer(input);
    } else {
      TakeByte(input.front());
    }
    input.remove_prefix(taken);
  }
  return given - input.size();
}

void ChunkedBody::Fail(std::string_view why) {
  state_ = State::kFailed;
  error_ = why;
}

size_t ChunkedBody::TakeData(std::string_view input, FunctionRef<void(std::string_view)> take) {
  const size_t taken = static_cast<size_t>(std::min<uint64_t>(input.size(), remaining_));
  take(input.substr(0, taken));
  body_bytes_ += taken;
  remaining_ -= taken;
  if (remaining_ == 0) state_ = State::kDataCr;
  return taken;
}

void ChunkedBody::TakeByte(char c) {
  switch (state_) {
    case State::kSize:
      TakeSizeByte(c);
      break;
    case State::kExtension:
      if (c == '\r') {
        state_ = State::kSizeLf;
      } else if (!Is(c, ByteClass::kField) || ++framing_bytes_ > framing_bytes_max_) {
        Fail("a malformed chunk extension");
      }
      break;
    case State::kSizeLf:
      if (c == '\n') {
        SizeDone();
      } else {
        Fail("a malformed chunk size");
      }
      break;
    case State::kDataCr:
    case State::kDataLf:
      if (c != (state_ == State::kDataCr ? '\r' : '\n')) {
        Fail("a chunk longer than its size");
      } else {
        state_ = state_ == State::kDataCr ? State::kDataLf : State::kSize;
      }
      break;
    default:
      break;
  }
}

void ChunkedBody::TakeSizeByte(char c) {
  if (const int digit = HexDigit(c); digit >= 0) {
    remaining_ = remaining_ * 16 + static_cast<uint64_t>(digit);
    if (++digits_ > kSizeDigitsMax) Fail("a chunk size with too many digits");
  } else if (digits_ > 0 && (c == '\r' || c == ';')) {
    state_ = c == '\r' ? State::kSizeLf : State::kExtension;
  } else {
    Fail("a malformed chunk size");
  }
}

void ChunkedBody::SizeDone() {
  digits_ = 0;
  if (remaining_ == 0) {
    state_ = State::kTrailer;
  } else if (remaining_ > body_bytes_max_ - body_bytes_) {
    too_long_ = true;
    Fail("the body is too long");
  } else {
    state_ = State::kData;
  }
}

// Trailers are checked like headers and then dropped: no code may depend on a header that came after the body.
size_t ChunkedBody::TakeTrailer(std::string_view input) {
  const size_t lf = input.find('\n');
  const size_t taken = lf == std::string_view::npos ? input.size() : lf + 1;
  if (framing_bytes_ + taken > framing_bytes_max_) {
    // Counted to the byte, so that the same bytes fail no matter how they were split.
    const size_t room = framing_bytes_max_ - framing_bytes_;
    Fail("the trailers are too long");
    return room + 1;
  }
  framing_bytes_ += taken;
  trailer_line_.append(input.substr(0, taken));
  if (lf == std::string_view::npos) return taken;
  std::string_view line = trailer_line_;
  line.remove_suffix(1);
  if (line.empty() || line.back() != '\r') {
    Fail("a line feed without a carriage return");
    return taken;
  }
  line.remove_suffix(1);
  Header field;
  if (line.empty()) {
    state_ = State::kComplete;
  } else if (const std::string_view fault = ParseField(line, field); !fault.empty()) {
    Fail(fault);
  }
  trailer_line_.clear();
  return taken;
}

}  // namespace keyfold::http

// Output: JSON printed to the end of a string by pointer. Room is asked for ahead of bytes, so that the bytes
// themselves need no check.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace keyfold::json {

// One thread at a time. While it lives the string's content is its own; in the end it is cut to what was printed.
class Output {
 public:
  // What may always be printed behind NeedRoom or Quoted, unasked: the punctuation around a value.
  static constexpr size_t kMarginBytes = 32;

  // Asks for room for `bytes` at once, where the caller can guess.
  explicit Output(std::string& out, size_t bytes = 0) : out_(out), start_(out.size()) {
    GrowAt(start_, bytes + kMarginBytes);
  }
  ~Output() { out_.resize(used()); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // Room for `bytes` and the margin.
  void NeedRoom(size_t bytes) {
    if (static_cast<size_t>(end_ - at_) < bytes + kMarginBytes) Grow(bytes + kMarginBytes);
  }

  void Byte(char c) { *at_++ = c; }
  template <size_t n>
  void Literal(const char (&text)[n]) {
    std::memcpy(at_, text, n - 1);
    at_ += n - 1;
  }
  // For text printed by others: where it begins, and once it is there, its end.
  char* at() const { return at_; }
  void set_at(char* at) { at_ = at; }

  // `text`, UTF-8, between quotes. Asks for its own room.
  void Quoted(std::string_view text);

 private:
  size_t used() const { return static_cast<size_t>(at_ - out_.data()); }
  void Grow(size_t bytes);
  void GrowAt(size_t used, size_t bytes) {
    out_.resize(used + bytes);
    at_ = out_.data() + used;
    end_ = at_ + bytes;
  }
  void Escaped(const char* from, size_t bytes);

  std::string& out_;
  const size_t start_;  // of what is printed here
  char* at_;
  char* end_;
};

}  // namespace keyfold::json

// Output appends JSON to a string through a pointer. Room is reserved in advance, so single bytes need no check.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace keyfold::json {

// Used by one thread at a time. While it exists it owns the string's content; its destructor truncates the string to
// what was printed.
class Output {
 public:
  // May always be printed after NeedRoom or Quoted without another call: the punctuation around a value.
  static constexpr size_t kMarginBytes = 32;

  // Reserves room for `bytes` at once, if the caller can estimate it.
  explicit Output(std::string& out, size_t bytes = 0) : out_(out), start_(out.size()) {
    GrowAt(start_, bytes + kMarginBytes);
  }
  ~Output() { out_.resize(used()); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // Ensures room for `bytes` and the margin.
  void NeedRoom(size_t bytes) {
    if (static_cast<size_t>(end_ - at_) < bytes + kMarginBytes) Grow(bytes + kMarginBytes);
  }

  void Byte(char c) { *at_++ = c; }
  template <size_t n>
  void Literal(const char (&text)[n]) {
    std::memcpy(at_, text, n - 1);
    at_ += n - 1;
  }
  // For text printed by other code: at() is where it begins, set_at() sets its end.
  char* at() const { return at_; }
  void set_at(char* at) { at_ = at; }

  // Appends `text`, which is UTF-8, in quotes. Reserves its own room.
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
  const size_t start_;  // where the output begins in out_
  char* at_;
  char* end_;
};

}  // namespace keyfold::json

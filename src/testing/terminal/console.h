// A Console that captures what is printed, for the duration of a test.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "terminal/console.h"

namespace keyfold::terminal {

// Used by one thread at a time.
class TestConsole {
 public:
  explicit TestConsole(bool terminal = false, bool color = false, client::Environment::Variables variables = {})
      : out_(open_memstream(&out_text_, &out_bytes_)),
        err_(open_memstream(&err_text_, &err_bytes_)),
        console_({out_, terminal, color}, {err_, terminal, color}, client::Environment(std::move(variables))) {}
  ~TestConsole() {
    std::fclose(out_);
    std::fclose(err_);
    std::free(out_text_);
    std::free(err_text_);
  }
  TestConsole(const TestConsole&) = delete;
  TestConsole& operator=(const TestConsole&) = delete;

  Console& console() { return console_; }
  std::string out() const {
    std::fflush(out_);
    return {out_text_, out_bytes_};
  }
  std::string err() const {
    std::fflush(err_);
    return {err_text_, err_bytes_};
  }

 private:
  char* out_text_ = nullptr;
  char* err_text_ = nullptr;
  size_t out_bytes_ = 0;
  size_t err_bytes_ = 0;
  std::FILE* out_;
  std::FILE* err_;
  Console console_;
};

}  // namespace keyfold::terminal

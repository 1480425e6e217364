// Console: where and how a command prints: its result to standard output, everything else to standard error; colors
// only on a terminal.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "client/environment.h"

namespace keyfold::terminal {

enum class Paint : uint8_t { kBold, kFaint, kRed, kGreen, kYellow, kBlue };

// Standard output or standard error. The file is borrowed.
struct ConsoleStream {
  std::FILE* file = nullptr;
  bool terminal = false;
  bool color = false;
};

// Used by one thread at a time.
class Console {
 public:
  Console(ConsoleStream out, ConsoleStream err, client::Environment environment)
      : out_(out), err_(err), environment_(std::move(environment)) {}
  // Uses colors on a terminal that can show them, unless NO_COLOR is set.
  static Console OfProcess();

  // Prints the command's result, unchanged.
  void Print(std::string_view text) { Write(out_, text); }
  // Prints to standard error, unchanged: progress, notes.
  void Note(std::string_view text) { Write(err_, text); }
  // The same for one line that may contain untrusted text: it is made Printable and ended with a newline.
  void PrintLine(std::string_view line);
  void NoteLine(std::string_view line);
  // Prints "keyfold: " and one line to standard error. The line may contain untrusted text: it is made Printable.
  void Complain(std::string_view line);

  // Returns `text` in that color for Print or Note, or just `text`.
  std::string Painted(Paint paint, std::string_view text) const { return Painted(out_, paint, text); }
  std::string PaintedNote(Paint paint, std::string_view text) const { return Painted(err_, paint, text); }

  bool out_is_terminal() const { return out_.terminal; }
  bool err_is_terminal() const { return err_.terminal; }
  // Width of the terminal on standard error or output; 80 if neither is a terminal.
  int columns() const;
  const client::Environment& environment() const { return environment_; }

  // Flushes standard output. Returns false and reports the error if it could not be written (unless the reader went
  // away).
  bool Finish();

 private:
  static void Write(const ConsoleStream& stream, std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stream.file);
  }
  static std::string Painted(const ConsoleStream& stream, Paint paint, std::string_view text);

  ConsoleStream out_;
  ConsoleStream err_;
  client::Environment environment_;
};

}  // namespace keyfold::terminal

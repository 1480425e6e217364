// Console: where a command prints, and how: the answer to standard output, everything else to standard error; colours
// only where somebody sees them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "client/environment.h"

namespace keyfold {

enum class Paint : uint8_t { kBold, kFaint, kRed, kGreen, kYellow, kBlue };

// One of the two. The file is borrowed.
struct ConsoleStream {
  std::FILE* file = nullptr;
  bool terminal = false;
  bool color = false;
};

// One thread at a time.
class Console {
 public:
  Console(ConsoleStream out, ConsoleStream err, Environment environment)
      : out_(out), err_(err), environment_(std::move(environment)) {}
  // Colours on a terminal that can show them, unless NO_COLOR is set.
  static Console OfProcess();

  // The command's answer, as it is.
  void Print(std::string_view text) { Write(out_, text); }
  // Beside it, as it is: progress, notes.
  void Note(std::string_view text) { Write(err_, text); }
  // The same for one line that may hold text from outside: it is made Printable, and ended.
  void PrintLine(std::string_view line);
  void NoteLine(std::string_view line);
  // "keyfold: " and one line, to standard error. It may hold text from outside: it is made Printable.
  void Complain(std::string_view line);

  // `text` in that colour for Print or Note, or just `text`.
  std::string Painted(Paint paint, std::string_view text) const { return Painted(out_, paint, text); }
  std::string PaintedNote(Paint paint, std::string_view text) const { return Painted(err_, paint, text); }

  bool out_is_terminal() const { return out_.terminal; }
  bool err_is_terminal() const { return err_.terminal; }
  // Of the terminal that standard error or output is; 80 where neither is one.
  int columns() const;
  const Environment& environment() const { return environment_; }

  // Everything printed is out. False, and complained of, where it could not be written (unless the reader went away).
  bool Finish();

 private:
  static void Write(const ConsoleStream& stream, std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stream.file);
  }
  static std::string Painted(const ConsoleStream& stream, Paint paint, std::string_view text);

  ConsoleStream out_;
  ConsoleStream err_;
  Environment environment_;
};

}  // namespace keyfold

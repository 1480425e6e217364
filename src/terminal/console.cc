#include "terminal/console.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <system_error>

#include "base/text/printable.h"

namespace keyfold::terminal {
namespace {

constexpr int kColumns = 80;

std::string_view CodeOf(Paint paint) {
  switch (paint) {
    case Paint::kBold:
      return "1";
    case Paint::kFaint:
      return "2";
    case Paint::kRed:
      return "31";
    case Paint::kGreen:
      return "32";
    case Paint::kYellow:
      return "33";
    case Paint::kBlue:
      return "34";
  }
  return "0";
}

}  // namespace

Console Console::OfProcess() {
  client::Environment environment = client::Environment::OfProcess();
  const bool colors = environment["NO_COLOR"].empty() && environment["TERM"] != "dumb";
  const auto stream = [&](std::FILE* file) {
    const bool terminal = ::isatty(::fileno(file)) == 1;
    return ConsoleStream{file, terminal, terminal && colors};
  };
  return Console(stream(stdout), stream(stderr), std::move(environment));
}

void Console::PrintLine(std::string_view line) { Write(out_, Printable(line).append("\n")); }

void Console::NoteLine(std::string_view line) { Write(err_, Printable(line).append("\n")); }

void Console::Complain(std::string_view line) {
  std::string text = PaintedNote(Paint::kRed, "keyfold:");
  text.append(" ").append(Printable(line)).append("\n");
  Write(err_, text);
}

std::string Console::Painted(const ConsoleStream& stream, Paint paint, std::string_view text) {
  if (!stream.color) return std::string(text);
  std::string painted = "\x1b[";
  painted.append(CodeOf(paint)).append("m").append(text).append("\x1b[0m");
  return painted;
}

int Console::columns() const {
  for (const ConsoleStream* stream : {&err_, &out_}) {
    winsize size{};
    if (stream->terminal && ::ioctl(::fileno(stream->file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
      return size.ws_col;
    }
  }
  return kColumns;
}

bool Console::Finish() {
  errno = 0;
  const bool flushed = std::fflush(out_.file) == 0;
  const int error = errno;
  if (flushed && std::ferror(out_.file) == 0) return true;
  if (error != EPIPE && error != 0) {
    Complain("could not write to standard output: " + std::error_code(error, std::generic_category()).message());
  }
  return false;
}

}  // namespace keyfold::terminal

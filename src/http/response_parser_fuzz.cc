// Parses any bytes as a server's response: it must not crash, and the result must not depend on how they are split.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "http/response_parser.h"

namespace {

struct Seen {
  bool complete, failed;
  int status;
  std::string body;

  bool operator==(const Seen&) const = default;
};

Seen Read(std::string_view bytes, size_t step, bool to_head) {
  keyfold::http::ResponseParser parser({4096, 4096}, to_head);
  Seen seen{};
  while (!bytes.empty() && !parser.complete() && !parser.failed()) {
    bytes.remove_prefix(parser.Feed(bytes.substr(0, step), [&](std::string_view piece) { seen.body.append(piece); }));
  }
  parser.End();
  seen.complete = parser.complete(), seen.failed = parser.failed();
  seen.status = parser.complete() ? parser.status() : 0;
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const bool to_head = (data[0] & 1) != 0;
  const size_t step = 1 + data[0] / 2;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Seen whole = Read(bytes, SIZE_MAX, to_head);
  if (!(whole == Read(bytes, step, to_head)) || whole.complete == whole.failed) std::abort();
  return 0;
}

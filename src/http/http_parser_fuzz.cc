// Fuzzes RequestParser: no input may crash it, and how the bytes are split must not change the result. The first byte
// chooses the split.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "http/parser.h"

namespace {

std::string Parsed(std::string_view bytes, size_t piece_bytes) {
  keyfold::http::RequestParser parser({.header_bytes_max = 512, .body_bytes_max = 256});
  keyfold::http::Request request;
  std::string out;
  size_t at = 0;
  while (at < bytes.size() && !parser.failed()) {
    const std::string_view piece = bytes.substr(at, piece_bytes);
    const size_t taken = parser.Feed(piece, request);
    CHECK(taken <= piece.size());
    CHECK(taken == piece.size() || parser.complete() || parser.failed());
    at += taken;
    if (!parser.complete()) continue;
    CHECK(request.body.size() <= 256 && request.body.capacity() >= request.body.size() + 64);
    for (const std::string_view part : {request.method, request.path, request.query, std::string_view(request.body)}) {
      out.append(part).push_back('\0');
    }
    for (const keyfold::Header& header : request.headers) out.append(header.name).append(":").append(header.value);
    out.push_back(parser.keep_alive() ? '\1' : '\2');
    parser.Reset();
  }
  return parser.failed() ? out + std::to_string(parser.error_status()) : out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string whole = Parsed(bytes, std::max<size_t>(1, bytes.size()));
  CHECK(Parsed(bytes, 1) == whole);
  CHECK(Parsed(bytes, 1 + data[0] % 61) == whole);
  return 0;
}

#include "http/response_parser.h"

#include <gtest/gtest.h>

namespace keyfold::http {
namespace {

constexpr ResponseParser::Limits kResponseLimits{200, 20};

struct ResponseRow {
  const char* name;
  std::string bytes;
  const char* meaning;  // "status body keep|close +surplus", or the error
  bool to_head = false;
};

const ResponseRow kResponseRows[] = {
    {"length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "200 hi keep +0"},
    {"no reason", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", "200  keep +0"},
    {"two answers", "HTTP/1.1 200 \r\nContent-Length: 1\r\n\r\naHTTP/1.1 500", "200 a keep +12"},
    {"chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nhi\r\n1\r\n!\r\n0\r\nT: r\r\n\r\n",
     "200 hi! keep +0"},
    {"until the end", "HTTP/1.1 200 OK\r\n\r\nhello", "200 hello close +0"},
    {"old", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", "200 hi close +0"},
    {"old, kept", "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nhi", "200 hi keep +0"},
    {"close", "HTTP/1.1 200 OK\r\nConnection: x, close\r\nContent-Length: 2\r\n\r\nhi", "200 hi close +0"},
    {"to HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "200  keep +0", true},
    {"204", "HTTP/1.1 204 No Content\r\n\r\n", "204  keep +0"},
    {"304", "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", "304  keep +0"},
    {"interim",
     "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 x\r\nA: b\r\n\r\nHTTP/1.1 400 x\r\nContent-Length: 1\r\n\r\n!",
     "400 ! keep +0"},
    {"same length twice", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na", "200 a keep +0"},
    {"longest", "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n12345678901234567890",
     "200 12345678901234567890 keep +0"},
    {"too long", "HTTP/1.1 200 OK\r\nContent-Length: 21\r\n\r\n", "too long"},
    {"too many chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n12345678901234567890\r\n1\r\n",
     "too long"},
    {"too long until the end", "HTTP/1.1 200 OK\r\n\r\n123456789012345678901", "too long"},
    {"cut in the head", "HTTP/1.1 200 OK\r\nContent", "the connection ended in the middle of the response"},
    {"cut in the body", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhi",
     "the connection ended in the middle of the response"},
    {"cut in a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhi",
     "the connection ended in the middle of the response"},
    {"nothing", "", "the connection ended in the middle of the response"},
    {"not HTTP", "SSH-2.0-OpenSSH\r\n", "not HTTP"},
    {"HTTP/2", "HTTP/2 200 OK\r\n\r\n", "a malformed status line"},
    {"status of letters", "HTTP/1.1 2x0 OK\r\n\r\n", "a malformed status line"},
    {"long status", "HTTP/1.1 2000\r\n\r\n", "a malformed status line"},
    {"status 099", "HTTP/1.1 099 x\r\n\r\n", "an invalid status"},
    {"status 600", "HTTP/1.1 600 x\r\n\r\n", "an invalid status"},
    {"upgrade", "HTTP/1.1 101 x\r\n\r\n", "a protocol switch that was not requested"},
    {"two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
     "two different Content-Length headers"},
    {"bad length", "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\n", "a malformed Content-Length"},
    {"length and chunks", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
     "both Content-Length and Transfer-Encoding"},
    {"other coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "an unsupported Transfer-Encoding"},
    {"folded line", "HTTP/1.1 200 OK\r\nA: b\r\n c: d\r\n\r\n", "a malformed header name"},
    {"no colon", "HTTP/1.1 200 OK\r\nA\r\n\r\n", "a header without a name or a colon"},
    {"long head", "HTTP/1.1 200 OK\r\nA: " + std::string(200, 'a'), "the headers are too long"},
    {"bad chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx", "a malformed chunk size"},
};

std::string MeaningOfResponse(const ResponseRow& row, size_t step) {
  ResponseParser parser(kResponseLimits, row.to_head);
  std::string body;
  size_t at = 0;
  while (at < row.bytes.size() && !parser.complete() && !parser.failed()) {
    const std::string_view piece = std::string_view(row.bytes).substr(at, step);
    at += parser.Feed(piece, [&](std::string_view content) { body.append(content); });
  }
  parser.End();
  if (parser.failed()) return parser.too_long() ? "too long" : std::string(parser.error());
  return std::to_string(parser.status()) + " " + body + (parser.keep_alive() ? " keep +" : " close +") +
         std::to_string(row.bytes.size() - at);
}

TEST(ResponseParser, ParsesEachResponseWholeAndByteByByte) {
  for (const ResponseRow& row : kResponseRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(MeaningOfResponse(row, row.bytes.size() + 1), row.meaning);
    EXPECT_EQ(MeaningOfResponse(row, 1), row.meaning);
    EXPECT_EQ(MeaningOfResponse(row, 7), row.meaning);
  }
}

TEST(ResponseParser, Headers) {
  ResponseParser parser(kResponseLimits, false);
  parser.Feed("HTTP/1.1 200 OK\r\nX-A:  b c \r\nx-a:\r\n\r\n", [](std::string_view) {});
  ASSERT_TRUE(parser.head_done());
  ASSERT_EQ(parser.headers().size(), 2u);
  EXPECT_EQ(parser.headers()[0].name, "X-A");
  EXPECT_EQ(parser.headers()[0].value, "b c");
  EXPECT_EQ(parser.headers()[1].value, "");
}

}  // namespace
}  // namespace keyfold::http

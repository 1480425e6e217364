// Requests designed to be read differently by two readers, over a real socket. The server must respond exactly to the
// requests it serves, and must not respond to anything after a doubtful one.
#include <gtest/gtest.h>

#include <atomic>

#include "http/server.h"
#include "testing/http/raw_client.h"
#include "testing/http/test_server.h"

namespace keyfold::http {
namespace {

struct Case {
  const char* name;
  std::string bytes;
  const char* answers;  // "/path " for each request served, then the status of the refusal, if any
};

const std::string kNext = "GET /next HTTP/1.1\r\nHost: h\r\n\r\n";

std::string Post(const std::string& headers, const std::string& rest) {
  return "POST /a HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n" + rest;
}
std::string Chunked(const std::string& rest) { return Post("Transfer-Encoding: chunked\r\n", rest); }
std::string Get(const std::string& headers) { return "GET /a HTTP/1.1\r\n" + headers + "\r\n" + kNext; }

const Case kCases[] = {
    // Where the body ends.
    {"length and chunked", Post("Content-Length: 6\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\nX" + kNext), "400"},
    {"chunked and length", Post("Transfer-Encoding: chunked\r\nContent-Length: 6\r\n", "0\r\n\r\nX" + kNext), "400"},
    {"length zero and chunked", Post("Content-Length: 0\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n" + kNext),
     "400"},
    {"two lengths", Post("Content-Length: 1\r\nContent-Length: 2\r\n", "ab" + kNext), "400"},
    {"two lengths, the second of another case", Post("Content-Length: 1\r\ncontent-length: 0\r\n", "a" + kNext), "400"},
    {"equal lengths", Post("Content-Length: 1\r\nContent-Length: 1\r\n", "a" + kNext), "/a /next "},
    {"equal lengths, one with a zero more", Post("Content-Length: 1\r\nContent-Length: 01\r\n", "a" + kNext),
     "/a /next "},
    {"list of lengths", Post("Content-Length: 1, 1\r\n", "a" + kNext), "400"},
    {"list of different lengths", Post("Content-Length: 1, 2\r\n", "ab" + kNext), "400"},
    {"signed length", Post("Content-Length: +1\r\n", "a" + kNext), "400"},
    {"negative length", Post("Content-Length: -1\r\n", "a" + kNext), "400"},
    {"hexadecimal length", Post("Content-Length: 0x1\r\n", "a" + kNext), "400"},
    {"length with a fraction", Post("Content-Length: 1.0\r\n", "a" + kNext), "400"},
    {"length with a space inside", Post("Content-Length: 1 1\r\n", "01234567890" + kNext), "400"},
    {"length followed by letters", Post("Content-Length: 1a\r\n", "a" + kNext), "400"},
    {"empty length", Post("Content-Length:\r\n", kNext), "400"},
    {"length of blanks", Post("Content-Length:  \t\r\n", kNext), "400"},
    {"length past 64 bits", Post("Content-Length: 18446744073709551617\r\n", "a" + kNext), "400"},
    {"length past 32 bits", Post("Content-Length: 4294967297\r\n", "a" + kNext), "413"},
    {"full-width digit", Post("Content-Length: \xef\xbc\x91\r\n", "a" + kNext), "400"},
    {"vertical tab in the length",
     Post("Content-Length: \x0b"
          "1\r\n",
          "a" + kNext),
     "400"},
    {"body longer than its length", Post("Content-Length: 1\r\n", "ab\r\n\r\n"), "/a 400"},
    {"body shorter than its length", Post("Content-Length: 100\r\n", kNext), ""},
    {"no length", Post("", kNext), "/a /next "},
    {"GET with a body", "GET /a HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\na" + kNext, "/a /next "},
    // What the transfer coding is.
    {"identity", Post("Transfer-Encoding: identity\r\n", kNext), "400"},
    {"gzip", Post("Transfer-Encoding: gzip\r\n", kNext), "400"},
    {"gzip, chunked", Post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n" + kNext), "400"},
    {"chunked, gzip", Post("Transfer-Encoding: chunked, gzip\r\n", "0\r\n\r\n" + kNext), "400"},
    {"chunked, identity", Post("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n" + kNext), "400"},
    {"chunked twice", Post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n" + kNext), "400"},
    {"chunked, then something else", Post("Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n", "0\r\n\r\n"),
     "400"},
    {"misspelt", Post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n" + kNext), "400"},
    {"quoted", Post("Transfer-Encoding: \"chunked\"\r\n", "0\r\n\r\n" + kNext), "400"},
    {"trailing comma", Post("Transfer-Encoding: chunked,\r\n", "0\r\n\r\n" + kNext), "400"},
    {"parameter", Post("Transfer-Encoding: chunked;q=1\r\n", "0\r\n\r\n" + kNext), "400"},
    {"vertical tab",
     Post("Transfer-Encoding: \x0b"
          "chunked\r\n",
          "0\r\n\r\n" + kNext),
     "400"},
    {"null byte", Post(std::string("Transfer-Encoding: chunked\0\r\n", 29), "0\r\n\r\n" + kNext), "400"},
    {"empty", Post("Transfer-Encoding:\r\n", kNext), "400"},
    {"name with an underscore is another header", Post("Transfer_Encoding: chunked\r\n", kNext), "/a /next "},
    {"space before the colon", Post("Transfer-Encoding : chunked\r\nContent-Length: 1\r\n", "a" + kNext), "400"},
    {"tab before the colon", Post("Transfer-Encoding\t: chunked\r\n", "0\r\n\r\n" + kNext), "400"},
    {"leading space", Post(" Transfer-Encoding: chunked\r\n", "0\r\n\r\n" + kNext), "400"},
    {"folded value", Post("Transfer-Encoding:\r\n chunked\r\n", "0\r\n\r\n" + kNext), "400"},
    {"folded other header", Post("A: b\r\n\tc\r\n", kNext), "400"},
    {"of HTTP/1.0", "POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + kNext, "400"},
    {"bare carriage return hides it", Post("A: b\rTransfer-Encoding: chunked\r\n", kNext), "400"},
    {"bare line feed hides it", Post("A: b\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n" + kNext), "400"},
    // Chunks.
    {"chunks", Chunked("1\r\na\r\n0\r\n\r\n" + kNext), "/a /next "},
    {"chunk with extension", Chunked("1;x=y\r\na\r\n0\r\n\r\n" + kNext), "/a /next "},
    {"trailer", Chunked("1\r\na\r\n0\r\nContent-Length: 5\r\n\r\n" + kNext), "/a /next "},
    {"chunk size with 0x", Chunked("0x1\r\na\r\n0\r\n\r\n" + kNext), "400"},
    {"chunk size signed", Chunked("+1\r\na\r\n0\r\n\r\n" + kNext), "400"},
    {"chunk size negative", Chunked("-1\r\na\r\n0\r\n\r\n" + kNext), "400"},
    {"chunk size with leading space", Chunked(" 1\r\na\r\n0\r\n\r\n" + kNext), "400"},
    {"chunk size with trailing space", Chunked("1 \r\na\r\n0\r\n\r\n" + kNext), "400"},
    {"chunk size empty", Chunked("\r\na\r\n0\r\n\r\n" + kNext), "400"},
    {"chunk size no number", Chunked("g\r\na\r\n0\r\n\r\n" + kNext), "400"},
    {"chunk size past 64 bits", Chunked("10000000000000001\r\na\r\n0\r\n\r\n" + kNext), "400"},
    {"chunk size of 32 bits", Chunked("ffffffff\r\na\r\n0\r\n\r\n" + kNext), "413"},
    {"chunk size line ended by line feed", Chunked("1\na\r\n0\r\n\r\n" + kNext), "400"},
    {"chunk size line ended by carriage return", Chunked("1\ra\r\n0\r\n\r\n" + kNext), "400"},
    {"line feed in a chunk extension", Chunked("1;a\nb\r\na\r\n0\r\n\r\n" + kNext), "400"},
    {"carriage return in a chunk extension", Chunked("1;a\rb\r\na\r\n0\r\n\r\n" + kNext), "400"},
    {"chunk longer than its size", Chunked("1\r\nab\r\n0\r\n\r\n" + kNext), "400"},
    {"chunk ended by line feed", Chunked("1\r\na\n0\r\n\r\n" + kNext), "400"},
    {"chunk not ended", Chunked("1\r\na0\r\n\r\n" + kNext), "400"},
    {"last chunk without the empty line", Chunked("0\r\n" + kNext), "400"},
    {"last chunk ended by line feeds", Chunked("0\n\n" + kNext), "400"},
    {"trailer folded", Chunked("0\r\nA: b\r\n c\r\n\r\n" + kNext), "400"},
    {"body cut inside a chunk", Chunked("5\r\nab"), ""},
    // The head.
    {"line feeds only", "GET /a HTTP/1.1\nHost: h\n\n" + kNext, "400"},
    {"line feed after the request line", "GET /a HTTP/1.1\nHost: h\r\n\r\n" + kNext, "400"},
    {"line feed ends the head", "GET /a HTTP/1.1\r\nHost: h\r\n\n" + kNext, "400"},
    {"carriage return twice", "GET /a HTTP/1.1\r\r\nHost: h\r\n\r\n" + kNext, "400"},
    {"null byte in a value", Get(std::string("Host: h\r\nA: b\0c\r\n", 17)), "400"},
    {"null byte in a name", Get(std::string("Host: h\r\nA\0: b\r\n", 16)), "400"},
    {"escape in a value", Get("Host: h\r\nA: \x1b\r\n"), "400"},
    {"delete in a value", Get("Host: h\r\nA: \x7f\r\n"), "400"},
    {"no colon", Get("Host: h\r\nA\r\n"), "400"},
    {"no name", Get("Host: h\r\n: b\r\n"), "400"},
    {"parenthesis in a name", Get("Host: h\r\nA(b): c\r\n"), "400"},
    {"bytes past ASCII in a name", Get("Host: h\r\n\xc3\xa4: c\r\n"), "400"},
    {"no host", Get(""), "400"},
    {"two hosts", Get("Host: h\r\nHost: h\r\n"), "400"},
    {"empty host", Get("Host:\r\n"), "400"},
    {"host with a path", Get("Host: h/x\r\n"), "400"},
    {"host with a user", Get("Host: u@h\r\n"), "400"},
    {"list of hosts", Get("Host: h, g\r\n"), "400"},
    {"host with a space", Get("Host: h g\r\n"), "400"},
    {"space in the target", "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n" + kNext, "400"},
    {"carriage return in the target", "GET /a\rb HTTP/1.1\r\nHost: h\r\n\r\n" + kNext, "400"},
    {"request line of two words", "GET /a\r\nHost: h\r\n\r\n" + kNext, "400"},
    {"method with a colon", "GET: /a HTTP/1.1\r\nHost: h\r\n\r\n" + kNext, "400"},
    {"HTTP/0.9", "GET /a\r\n", ""},
    {"version cut", "GET /a HTTP/1\r\nHost: h\r\n\r\n" + kNext, "400"},
    {"HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505"},
    {"TLS hello", "\x16\x03\x01\x02" + kNext, "400"},
    {"absolute target of another host", "GET http://g/a HTTP/1.1\r\nHost: h\r\n\r\n" + kNext, "400"},
    {"absolute target with a user", "GET http://h@g/a HTTP/1.1\r\nHost: h\r\n\r\n" + kNext, "400"},
    // Keeping and closing.
    {"close", Get("Host: h\r\nConnection: close\r\n"), "/a "},
    {"1.0 closes", "GET /a HTTP/1.0\r\n\r\n" + kNext, "/a "},
    {"1.0 kept", "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" + kNext, "/a /next "},
    {"upgrade is not taken", Get("Host: h\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n"), "/a /next "},
    {"expectation with body in hand", Post("Expect: 100-continue\r\nContent-Length: 1\r\n", "a" + kNext), "/a /next "},
    {"unknown expectation", Post("Expect: 200-ok\r\nContent-Length: 1\r\n", "a" + kNext), "417"},
};

TEST(Smuggling, Corpus) {
  ASSERT_GE(std::size(kCases), 60u);
  ServerOptions options;
  options.port = 0;
  options.loops = 1;
  std::atomic<int> served{0};
  const auto server = StartServer(options, [&](Request& request, Responder responder) {
    ++served;
    responder.Send({.body = std::string(request.path)});
  });
  ASSERT_NE(server, nullptr);
  for (const Case& row : kCases) {
    SCOPED_TRACE(row.name);
    served = 0;
    RawClient client(server->port());
    client.Send(row.bytes);
    client.FinishSending();
    std::string answers;
    int answered = 0;
    for (RawAnswer answer = client.Read(); answer.status != 0; answer = client.Read()) {
      if (answer.status == 100) continue;
      answered += answer.status == 200;
      answers += answer.status == 200 ? answer.body + " " : std::to_string(answer.status);
    }
    EXPECT_EQ(answers, row.answers);
    EXPECT_EQ(served, answered);
  }
}

}  // namespace
}  // namespace keyfold::http

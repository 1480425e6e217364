#include "http/parser.h"

#include <gtest/gtest.h>

#include <sstream>

namespace keyfold::http {
namespace {

constexpr RequestParser::Limits kParserLimits{.header_bytes_max = 200, .body_bytes_max = 30};

// Returns all requests in `bytes` on one line, fed in pieces that end at the given offsets.
std::string Parsed(std::string_view bytes, std::vector<size_t> ends) {
  ends.push_back(bytes.size());
  std::ostringstream out;
  RequestParser parser(kParserLimits);
  Request request;
  size_t at = 0;
  for (const size_t end : ends) {
    while (at < end && !parser.failed()) {
      at += parser.Feed(bytes.substr(at, end - at), request);
      if (!parser.complete()) continue;
      EXPECT_GE(request.body.capacity(), request.body.size() + 64);
      out << request.method << ' ' << request.path;
      if (!request.query.empty()) out << '?' << request.query;
      out << " 1." << request.minor_version << (parser.keep_alive() ? "" : " close");
      if (parser.expects_continue()) out << " continue";
      for (const Header& header : request.headers) {
        if (!EqualsIgnoringCase(header.name, "host")) out << ' ' << header.name << '=' << header.value;
      }
      if (!request.body.empty()) out << " [" << request.body << ']';
      out << '|';
      parser.Reset();
    }
  }
  if (parser.failed()) out << parser.error_status();
  if (!parser.failed() && parser.started()) out << "more";
  return out.str();
}

struct ParserRow {
  const char* name;
  std::string bytes;
  std::string parsed;
};

const ParserRow kParserRows[] = {
    {"nothing", "", ""},
    {"plain", "GET / HTTP/1.1\r\nHost: h\r\n\r\n", "GET / 1.1|"},
    {"lower-case names and blanks", "GET / HTTP/1.1\r\nhOST:h\r\na:  b c \t \r\nE:\r\n\r\n", "GET / 1.1 a=b c E=|"},
    {"query", "GET /a/b?c=d?e HTTP/1.1\r\nHost: h\r\n\r\n", "GET /a/b?c=d?e 1.1|"},
    {"absolute target", "GET http://H/a?b HTTP/1.1\r\nHost: h\r\n\r\n", "GET /a?b 1.1|"},
    {"absolute target without path", "GET http://h?b HTTP/1.1\r\nHost: h\r\n\r\n", "GET /?b 1.1|"},
    {"absolute target of another host", "GET http://g/a HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
    {"star", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", "OPTIONS * 1.1|"},
    {"star for another method", "GET * HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
    {"authority target", "CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
    {"1.0", "GET / HTTP/1.0\r\n\r\n", "GET / 1.0 close|"},
    {"1.0 kept", "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "GET / 1.0 Connection=Keep-Alive|"},
    {"1.1 closed", "GET / HTTP/1.1\r\nHost: h\r\nConnection: foo , CLOSE\r\n\r\n",
     "GET / 1.1 close Connection=foo , CLOSE|"},
    {"body", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc", "POST / 1.1 Content-Length=3 [abc]|"},
    {"empty body", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n", "POST / 1.1 Content-Length=0|"},
    {"body cut", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nab", "more"},
    {"head cut", "POST / HTTP/1.1\r\nHost: h\r\n", "more"},
    {"two", "GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n", "GET /1 1.1|GET /2 1.1|"},
    {"two with bodies",
     "POST /1 HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nabPOST /2 HTTP/1.1\r\nHost: h\r\nContent-Length: "
     "1\r\n\r\nc",
     "POST /1 1.1 Content-Length=2 [ab]|POST /2 1.1 Content-Length=1 [c]|"},
    {"empty line before", "\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", "GET / 1.1|"},
    {"empty line between", "GET /1 HTTP/1.1\r\nHost: h\r\n\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n",
     "GET /1 1.1|GET /2 1.1|"},
    {"two empty lines before", "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
    {"equal lengths twice", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
     "POST / 1.1 Content-Length=1 Content-Length=1 [a]|"},
    {"expectation", "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\na",
     "POST / 1.1 continue Expect=100-Continue Content-Length=1 [a]|"},
    {"expectation of 1.0", "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na",
     "POST / 1.0 close Expect=100-continue Content-Length=1 [a]|"},
    {"another expectation", "POST / HTTP/1.1\r\nHost: h\r\nExpect: coffee\r\n\r\n", "417"},
    {"chunks",
     "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n",
     "POST / 1.1 Transfer-Encoding=Chunked [abc0123456789]|"},
    {"chunk extension",
     "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1;a=b;c=\"d\"\r\nx\r\n0;z\r\n\r\n",
     "POST / 1.1 Transfer-Encoding=chunked [x]|"},
    {"trailer",
     "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nA: b\r\nC: d\r\n\r\nGET",
     "POST / 1.1 Transfer-Encoding=chunked [x]|more"},
    {"bad trailer", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA b\r\n\r\n", "400"},
    {"trailer with a bare line feed", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: b\n\r\n",
     "400"},
    {"trailers too long",
     "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: " + std::string(200, 'x') + "\r\n\r\n",
     "400"},
    {"extensions too long",
     "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1;" + std::string(201, 'x') +
         "\r\na\r\n0\r\n\r\n",
     "400"},
    {"longest body", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 30\r\n\r\n012345678901234567890123456789",
     "POST / 1.1 Content-Length=30 [012345678901234567890123456789]|"},
    {"body too long", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 31\r\n\r\n", "413"},
    {"longest chunks",
     "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: "
     "chunked\r\n\r\n14\r\n01234567890123456789\r\na\r\n0123456789\r\n0\r\n\r\n",
     "POST / 1.1 Transfer-Encoding=chunked [012345678901234567890123456789]|"},
    {"chunks too long",
     "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n01234567890123456789\r\nb\r\n", "413"},
    {"chunk much too long", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n", "413"},
    {"longest head", "GET /" + std::string(kParserLimits.header_bytes_max - 27, 'x') + " HTTP/1.1\r\nHost: h\r\n\r\n",
     "GET /" + std::string(kParserLimits.header_bytes_max - 27, 'x') + " 1.1|"},
    {"head too long", "GET /" + std::string(kParserLimits.header_bytes_max - 26, 'x') + " HTTP/1.1\r\nHost: h\r\n\r\n",
     "400"},
    {"target too long", "GET /" + std::string(400, 'x'), "400"},
    {"not HTTP", "\x16\x03\x01", "400"},
    {"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505"},
    {"HTTP/1.2", "GET / HTTP/1.2\r\nHost: h\r\n\r\n", "505"},
    {"no version", "GET /\r\nHost: h\r\n\r\n", "400"},
    {"lower-case version", "GET / http/1.1\r\nHost: h\r\n\r\n", "400"},
    {"letters for version", "GET / HTTP/a.b\r\nHost: h\r\n\r\n", "400"},
    {"two spaces", "GET  / HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
    {"tab", "GET\t/ HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
    {"space after the version", "GET / HTTP/1.1 \r\nHost: h\r\n\r\n", "400"},
    {"bytes past ASCII in the target", "GET /\xc3\xa4 HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
    {"fragment", "GET /#a HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
    {"bytes past ASCII in a value", "GET / HTTP/1.1\r\nHost: h\r\nA: \xc3\xa4\r\n\r\n", "GET / 1.1 A=\xc3\xa4|"},
};

TEST(RequestParser, TableAtEverySplit) {
  for (const ParserRow& row : kParserRows) {
    SCOPED_TRACE(row.name);
    ASSERT_EQ(Parsed(row.bytes, {}), row.parsed);
    std::vector<size_t> every;
    for (size_t i = 1; i < row.bytes.size(); ++i) {
      every.push_back(i);
      ASSERT_EQ(Parsed(row.bytes, {i}), row.parsed) << "split at " << i;
    }
    ASSERT_EQ(Parsed(row.bytes, every), row.parsed) << "byte by byte";
  }
}

TEST(RequestParser, TooManyHeaders) {
  const auto with_headers = [](size_t n) {
    std::string bytes = "GET / HTTP/1.1\r\nHost: h\r\n";
    for (size_t i = 1; i < n; ++i) bytes += "a:\r\n";
    RequestParser parser({});
    Request request;
    parser.Feed(bytes + "\r\n", request);
    return parser.complete();
  };
  EXPECT_TRUE(with_headers(RequestParser::kHeadersMax));
  EXPECT_FALSE(with_headers(RequestParser::kHeadersMax + 1));
}

TEST(Request, Find) {
  RequestParser parser({});
  Request request;
  parser.Feed("GET / HTTP/1.1\r\nHost: h\r\nX-A: 1\r\nx-a: 2\r\nEmpty:\r\n\r\n", request);
  ASSERT_TRUE(parser.complete());
  EXPECT_EQ(request.Find("x-A"), "1");
  EXPECT_EQ(request.Find("empty"), "");
  EXPECT_NE(request.Find("empty").data(), nullptr);
  EXPECT_EQ(request.Find("x-b").data(), nullptr);
}

TEST(Header, EqualsIgnoringCase) {
  EXPECT_TRUE(EqualsIgnoringCase("aZ-1", "Az-1"));
  EXPECT_FALSE(EqualsIgnoringCase("a", "ab"));
  EXPECT_FALSE(EqualsIgnoringCase("@", "`"));  // differ by that one bit, but are not letters
  EXPECT_FALSE(EqualsIgnoringCase("[", "{"));
}

}  // namespace
}  // namespace keyfold::http

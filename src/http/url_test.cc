#include "http/url.h"

#include <gtest/gtest.h>

namespace keyfold::http {
namespace {

struct UrlRow {
  const char* text;
  const char* meaning;  // "scheme host port target host-header", or the error
};

constexpr UrlRow kUrlRows[] = {
    {"http://127.0.0.1:8000", "http 127.0.0.1 8000 / 127.0.0.1:8000"},
    {"http://localhost", "http localhost 80 / localhost"},
    {"http://localhost:80/", "http localhost 80 / localhost"},
    {"HTTPS://dynamodb.us-east-1.amazonaws.com",
     "https dynamodb.us-east-1.amazonaws.com 443 / dynamodb.us-east-1.amazonaws.com"},
    {"https://h:80/a/b?c=d", "https h 80 /a/b?c=d h:80"},
    {"https://h?c=d", "https h 443 /?c=d h"},
    {"http://[::1]:8000/x", "http ::1 8000 /x [::1]:8000"},
    {"http://[::1]", "http ::1 80 / [::1]"},
    {"", "it does not begin with http:// or https://"},
    {"localhost:8000", "it does not begin with http:// or https://"},
    {"ftp://h", "it does not begin with http:// or https://"},
    {"http://", "its host or port is malformed"},
    {"http://:8000", "its host or port is malformed"},
    {"http://h:", "its host or port is malformed"},
    {"http://h:0", "its host or port is malformed"},
    {"http://h:65536", "its host or port is malformed"},
    {"http://h:80x", "its host or port is malformed"},
    {"http://h:+80", "its host or port is malformed"},
    {"http://a b/", "its host or port is malformed"},
    {"http://::1/", "its host or port is malformed"},
    {"http://[::1", "its host or port is malformed"},
    {"http://[h]", "its host or port is malformed"},
    {"http://[::1]x", "its host or port is malformed"},
    {"http://me:secret@h/", "it has a user name, which is not supported"},
    {"http://h/a b", "its path has a byte that must be percent-encoded"},
    {"http://h/a\r\nX: y", "its path has a byte that must be percent-encoded"},
    {"http://h/#top", "its path has a byte that must be percent-encoded"},
};

TEST(Url, Parse) {
  for (const UrlRow& row : kUrlRows) {
    const Result<Url> url = ParseUrl(row.text);
    const std::string meaning = url.ok() ? std::string(url->tls ? "https " : "http ") + url->host + " " +
                                               std::to_string(url->port) + " " + url->target + " " + url->HostHeader()
                                         : url.error().message();
    EXPECT_EQ(meaning, row.meaning) << row.text;
  }
}

TEST(Url, Loopback) {
  for (const char* host : {"127.0.0.1", "127.8.9.10", "::1", "0:0:0:0:0:0:0:1", "localhost"}) {
    EXPECT_TRUE(IsLoopbackHost(host)) << host;
  }
  for (const char* host : {"", "0.0.0.0", "::", "128.0.0.1", "127.0.0.1.example.com", "localhost.example.com"}) {
    EXPECT_FALSE(IsLoopbackHost(host)) << host;
  }
}

}  // namespace
}  // namespace keyfold::http

#include "http/client.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <functional>

#include "http/compression.h"
#include "http/server.h"
#include "testing/http/certificate.h"
#include "testing/http/script_server.h"
#include "testing/http/test_server.h"

namespace keyfold::http {
namespace {

using std::chrono::milliseconds;
using Then = ScriptTurn::Then;

Url UrlOf(const std::string& text) {
  Result<Url> url = ParseUrl(text);
  EXPECT_TRUE(url.ok()) << text << ": " << url.error().message();
  return url.ok() ? *std::move(url) : Url();
}

// "200 body", or "lost: why".
std::string Outcome(HttpClient& client, const HttpCall& call) {
  constexpr const char* kKinds[] = {"unresolved", "connect",  "untrusted", "timeout", "lost",
                                    "protocol",   "too long", "abandoned", "stopped"};
  const Result<HttpAnswer> answer = client.Send(call);
  if (answer.ok()) return std::to_string(answer->status) + " " + answer->body;
  return std::string(kKinds[static_cast<size_t>(FailureKindOf(answer.error()))]) + ": " + answer.error().message();
}

std::string WithoutPort(std::string text, uint16_t port) {
  const std::string number = ":" + std::to_string(port);
  const size_t at = text.find(number);
  if (at != std::string::npos) text.replace(at, number.size(), ":PORT");
  return text;
}

struct TurnRow {
  const char* name;
  ScriptTurn turn;
  const char* outcome;
  bool kept;  // whether the connection is kept afterwards
};

std::string Gzip(const std::string& text) { return Compressor().Compress(ContentCoding::kGzip, text); }

const TurnRow kTurnRows[] = {
    {"answered", {AnswerOf(200, "yes")}, "200 yes", true},
    {"refused", {AnswerOf(400, "no")}, "400 no", true},
    {"closed after it", {AnswerOf(200, "yes", "Connection: close\r\n"), Then::kClose}, "200 yes", false},
    {"until the end", {"HTTP/1.1 200 x\r\n\r\nall", Then::kClose}, "200 all", false},
    {"in chunks", {"HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nyes\r\n0\r\n\r\n"}, "200 yes", true},
    {"with more after it", {AnswerOf(200, "yes") + "HTTP"}, "200 yes", false},
    {"gzip", {AnswerOf(200, Gzip("text"), "Content-Encoding: gzip\r\n")}, "200 text", true},
    {"gzip that is none",
     {AnswerOf(200, "text", "Content-Encoding: gzip\r\n")},
     "protocol: the response of 127.0.0.1:PORT cannot be decompressed",
     true},
    {"unknown coding",
     {AnswerOf(200, "text", "Content-Encoding: br\r\n")},
     "protocol: the response of 127.0.0.1:PORT cannot be decompressed",
     true},
    {"too long",
     {AnswerOf(200, std::string(101, 'x'))},
     "too long: the response of 127.0.0.1:PORT is longer than 100 bytes",
     false},
    {"too long once decompressed",
     {AnswerOf(200, Gzip(std::string(101, 'x')), "Content-Encoding: gzip\r\n")},
     "too long: the response of 127.0.0.1:PORT is longer than 100 bytes",
     true},
    {"no response", {"", Then::kClose}, "lost: 127.0.0.1:PORT closed the connection without a response", false},
    // http-cut-off
    {"half an answer",
     {"HTTP/1.1 200 x\r\nContent-Length: 5\r\n\r\nha", Then::kClose},
     "lost: 127.0.0.1:PORT: the connection ended in the middle of the response",
     false},
    {"not HTTP", {"SSH-2.0\r\n"}, "protocol: 127.0.0.1:PORT sent an invalid HTTP response: not HTTP", false},
    {"silent", {"", Then::kHold}, "timeout: 127.0.0.1:PORT did not respond within 300 ms", false},
    {"silent in the middle",
     {"HTTP/1.1 200 x\r\nContent-Length: 5\r\n\r\nha", Then::kHold},
     "timeout: 127.0.0.1:PORT did not respond within 300 ms",
     false},
};

TEST(HttpClient, Outcomes) {
  for (const TurnRow& row : kTurnRows) {
    SCOPED_TRACE(row.name);
    const ScriptServer server({row.turn, {AnswerOf(200, "again")}});
    HttpClientOptions options;
    if (row.turn.then == Then::kHold) options.idle_timeout = milliseconds(300);
    options.body_bytes_max = 100;
    HttpClient client(UrlOf(server.url()), options);
    EXPECT_EQ(WithoutPort(Outcome(client, {}), server.port()), row.outcome);
    EXPECT_EQ(client.connected(), row.kept);
    EXPECT_EQ(Outcome(client, {}), "200 again");
    ASSERT_EQ(server.requests().size(), 2u);
    EXPECT_EQ(server.requests()[1].connection, row.kept ? 1 : 2);
  }
}

TEST(HttpClient, SendsWhatItIsGiven) {
  const ScriptServer server({{AnswerOf(200, "")}, {AnswerOf(200, "")}, {AnswerOf(200, "")}});
  HttpClient client(UrlOf(server.url() + "/ignored"));
  const Header headers[] = {{"X-One", "1"}, {"X-Two", "2"}};
  EXPECT_EQ(Outcome(client, {.method = "POST", .target = "/p?q=r", .headers = headers, .body = "text"}), "200 ");
  EXPECT_EQ(Outcome(client, {.method = "PUT"}), "200 ");
  EXPECT_EQ(Outcome(client, {}), "200 ");
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_EQ(requests[0].method + requests[0].target + requests[0].body, "POST/p?q=rtext");
  EXPECT_EQ(requests[0].Find("host"), "127.0.0.1:" + std::to_string(server.port()));
  EXPECT_EQ(requests[0].Find("x-one") + requests[0].Find("x-two"), "12");
  EXPECT_EQ(requests[0].Find("content-length"), "4");
  EXPECT_EQ(requests[0].Find("accept-encoding"), "gzip");
  EXPECT_EQ(requests[1].Find("content-length"), "0");
  EXPECT_EQ(requests[2].Find("content-length"), "");
  EXPECT_EQ(requests[2].connection, 1);
}

TEST(HttpClient, StreamsBothWays) {
  const std::string long_answer(300'000, 'a');
  const ScriptServer server({{AnswerOf(200, long_answer)}, {AnswerOf(200, "sized")}, {AnswerOf(404, "why")}});
  HttpClientOptions options;
  options.body_bytes_max = 100;  // does not apply to a body received in pieces
  HttpClient client(UrlOf(server.url()), options);
  int left = 3;
  std::string received;
  HttpCall call{.method = "PUT"};
  call.send = [&](std::string& piece) {
    if (left-- > 0) piece.append(20'000, static_cast<char>('0' + left));
    return true;
  };
  call.receive = [&](std::string_view piece) {
    received.append(piece);
    return true;
  };
  EXPECT_EQ(Outcome(client, call), "200 ");
  EXPECT_EQ(received, long_answer);

  left = 3, received.clear();
  call.send_bytes = 60'000;
  EXPECT_EQ(Outcome(client, call), "200 ");
  EXPECT_EQ(received, "sized");

  left = 3, received.clear();
  EXPECT_EQ(Outcome(client, call), "404 why") << "errors are collected";
  EXPECT_EQ(received, "");

  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_EQ(requests[0].Find("transfer-encoding"), "chunked");
  EXPECT_EQ(requests[0].Find("accept-encoding"), "identity");
  EXPECT_EQ(requests[0].body, std::string(20'000, '2') + std::string(20'000, '1') + std::string(20'000, '0'));
  EXPECT_EQ(requests[1].Find("content-length"), "60000");
  EXPECT_EQ(requests[1].body, requests[0].body);
  EXPECT_EQ(requests[2].connection, 1);
}

TEST(HttpClient, AbandonsWhenACallbackSaysSo) {
  const ScriptServer server({{AnswerOf(200, "long answer"), Then::kKeep}, {AnswerOf(200, "again")}});
  HttpClient client(UrlOf(server.url()));
  HttpCall call{.method = "PUT"};
  call.receive = [](std::string_view) { return false; };
  EXPECT_EQ(Outcome(client, call), "abandoned: the response was abandoned");
  call.receive = nullptr;
  call.send = [](std::string&) { return false; };
  EXPECT_EQ(Outcome(client, call), "abandoned: the request was abandoned");
  EXPECT_FALSE(client.connected()) << "half a request is on it";
  call.send = [](std::string&) { return true; };
  call.send_bytes = 1;
  EXPECT_EQ(Outcome(client, call), "abandoned: the body does not have the announced length");
}

TEST(HttpClient, ReadsAResponseBeforeItHasSentAll) {
  const ScriptServer server({{AnswerOf(413, "too much", "Connection: close\r\n"), Then::kHold, true}});
  HttpClient client(UrlOf(server.url()));
  const std::string body(16'000'000, 'x');  // NOLINT: it is meant to be large
  EXPECT_EQ(Outcome(client, {.method = "PUT", .body = body}), "413 too much");
  EXPECT_FALSE(client.connected());
}

TEST(HttpClient, ReconnectsIfTheServerClosed) {
  // The server did not announce that it closes, so only the socket shows it.
  const ScriptServer server({{AnswerOf(200, "one"), Then::kClose}, {AnswerOf(200, "two")}});
  HttpClient client(UrlOf(server.url()));
  EXPECT_EQ(Outcome(client, {}), "200 one");
  EXPECT_TRUE(client.connected());
  std::string second;
  for (int i = 0; i < 100; ++i) {  // until the end of stream has arrived here
    second = Outcome(client, {});
    if (second.starts_with("200")) break;
  }
  EXPECT_EQ(second, "200 two");
}

TEST(HttpClient, BoundsTheWholeRequest) {
  const ScriptServer server({{"HTTP/1.1 200 x\r\n", Then::kHold}});
  HttpClientOptions options;
  options.total_timeout = milliseconds(60);
  HttpClient client(UrlOf(server.url()), options);
  EXPECT_EQ(WithoutPort(Outcome(client, {}), server.port()), "timeout: 127.0.0.1:PORT did not respond within 60 ms");
}

// A server that accepts connections and calls `serve` for each, one after another.
class PlainServer {
 public:
  explicit PlainServer(const std::function<void(int socket)>& serve) : listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t bytes = sizeof address;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), bytes), 0);
    EXPECT_EQ(::listen(listener_, 8), 0);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &bytes);
    host_ = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    if (!serve) return;
    thread_ = std::thread([this, serve] {
      for (int socket; (socket = ::accept(listener_, nullptr, nullptr)) >= 0; ::close(socket)) serve(socket);
    });
  }
  ~PlainServer() {
    ::shutdown(listener_, SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
    ::close(listener_);
  }
  const std::string& host() const { return host_; }

 private:
  const int listener_;
  std::string host_;
  std::thread thread_;
};

// Whatever it waits for: the handshake, room to send, a response, the rest of a response. The idle timeout is half a
// minute.
TEST(HttpClient, IsStoppedWhileItWaits) {
  const std::string large(64 << 20, 'x');
  const struct {
    const char *name, *scheme;
    bool answers;
    std::string_view body;
  } rows[] = {
      {"in the handshake", "https://", false, ""},
      {"sending", "http://", false, large},
      {"without a response", "http://", false, ""},
      {"in the middle of one", "http://", true, ""},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const auto half = [](int socket) {
      const std::string_view text = "HTTP/1.1 200 x\r\nContent-Length: 5\r\n\r\nha";
      ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
      char byte;
      while (::recv(socket, &byte, 1, 0) > 0) continue;
    };
    const PlainServer server(row.answers ? std::function<void(int)>(half) : nullptr);
    std::atomic<int> looks = 0;
    HttpClientOptions options;
    options.stop = [&] { return ++looks > 3; };
    const auto begun = std::chrono::steady_clock::now();
    {
      HttpClient client(UrlOf(row.scheme + server.host()), options);
      EXPECT_EQ(Outcome(client, {.method = "PUT", .body = row.body}), "stopped: stopping");
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
  }
}

TEST(HttpClient, DoesNotStartWhenStopped) {
  const PlainServer server(nullptr);
  HttpClientOptions options;
  options.stop = [] { return true; };
  HttpClient client(UrlOf("http://" + server.host()), options);
  EXPECT_EQ(Outcome(client, {}), "stopped: stopping");
  HttpClient by_name(UrlOf("http://no-such-host.invalid"), options);
  EXPECT_EQ(Outcome(by_name, {}), "stopped: stopping");
}

// However steadily the response arrives: a byte at a time, or as fast as it can be read.
TEST(HttpClient, BoundsAResponseThatDoesNotEnd) {
  for (const size_t piece : {size_t{1}, size_t{65536}}) {
    const std::string bytes(piece, 'x');
    const PlainServer server([&](int socket) {
      const std::string_view head = "HTTP/1.1 200 x\r\n\r\n";
      ssize_t sent = ::send(socket, head.data(), head.size(), MSG_NOSIGNAL);
      while (sent > 0) {
        sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (bytes.size() == 1) std::this_thread::sleep_for(milliseconds(5));
      }
    });
    HttpClient client(UrlOf("http://" + server.host()));
    HttpCall call;
    uint64_t received = 0;
    call.receive = [&](std::string_view part) { return (received += part.size()) > 0; };
    call.total_timeout = milliseconds(200);
    const std::string outcome = Outcome(client, call);
    EXPECT_EQ(outcome.find("timeout: "), 0u) << outcome;
    EXPECT_TRUE(outcome.ends_with(" did not respond within 200 ms")) << outcome;
  }
}

TEST(HttpClient, ASleepIsCutShort) {
  int looks = 0;
  const auto begun = std::chrono::steady_clock::now();
  SleepFor(std::chrono::minutes(10), [&] { return ++looks > 2; });
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::minutes(1));
}

TEST(HttpClient, ReportsUnreachableServers) {
  uint16_t port;
  {
    const ScriptServer server({});
    port = server.port();
  }
  HttpClient refused(UrlOf("http://127.0.0.1:" + std::to_string(port)));
  EXPECT_EQ(WithoutPort(Outcome(refused, {}), port),
            "connect: could not connect to 127.0.0.1:PORT: connection refused");
  HttpClient nowhere(UrlOf("http://no-such-host.invalid"));
  const std::string outcome = Outcome(nowhere, {});
  EXPECT_EQ(outcome.find("unresolved: could not find the host no-such-host.invalid: "), 0u) << outcome;
}

class HttpsClient : public testing::Test {
 protected:
  void SetUp() override {
    const std::string stem = testing::TempDir() + "keyfold_https_" + std::to_string(getpid());
    options_.port = 0;
    options_.loops = 1;
    options_.hosts = {"127.0.0.1"};
    options_.tls_cert_file = stem + ".crt";
    options_.tls_key_file = stem + ".key";
  }
  void TearDown() override {
    server_.reset();
    unlink(options_.tls_cert_file.c_str());
    unlink(options_.tls_key_file.c_str());
  }
  void Start(const std::string& names) {
    WriteSelfSigned(options_.tls_cert_file, options_.tls_key_file, "test", names);
    server_ =
        StartServer(options_, [](Request& request, Responder responder) { responder.Send({.body = request.body}); });
    ASSERT_NE(server_, nullptr);
  }
  std::string Ask(const std::string& host, const std::string& ca_file, std::string_view body = "text") {
    HttpClientOptions options;
    options.ca_file = ca_file;
    HttpClient client(UrlOf("https://" + host + ":" + std::to_string(server_->port())), options);
    const std::string first = Outcome(client, {.method = "POST", .body = body});
    if (!first.starts_with("200 ")) return WithoutPort(first, server_->port());
    EXPECT_TRUE(client.connected());
    EXPECT_EQ(Outcome(client, {.method = "POST", .body = body}), first);
    return first;
  }

  ServerOptions options_;
  std::unique_ptr<Server> server_;
};

TEST_F(HttpsClient, ChecksCertificateAndName) {
  Start("DNS:localhost");
  EXPECT_EQ(Ask("localhost", options_.tls_cert_file), "200 text");
  EXPECT_EQ(Ask("127.0.0.1", options_.tls_cert_file),
            "untrusted: the certificate of 127.0.0.1:PORT is not trusted: IP address mismatch");
  EXPECT_EQ(Ask("localhost", ""),
            "untrusted: the certificate of localhost:PORT is not trusted: self-signed certificate");
  EXPECT_EQ(Ask("localhost", "none.pem"),
            "untrusted: cannot use the certificate authorities none.pem: No such file or directory");
}

TEST_F(HttpsClient, TrustsTheFileNamedByTheVariable) {
  Start("IP:127.0.0.1");
  setenv("SSL_CERT_FILE", options_.tls_cert_file.c_str(), 1);
  EXPECT_EQ(Ask("127.0.0.1", ""), "200 text");
  EXPECT_EQ(Ask("localhost", ""), "untrusted: the certificate of localhost:PORT is not trusted: hostname mismatch");
  unsetenv("SSL_CERT_FILE");
}

TEST_F(HttpsClient, CarriesLongBodies) {
  Start("IP:127.0.0.1");
  const std::string body(5'000'000, 'b');
  EXPECT_TRUE(Ask("127.0.0.1", options_.tls_cert_file, body) == "200 " + body);
}

TEST_F(HttpsClient, DoesNotSpeakTlsToAPlainServer) {
  const ScriptServer plain({});
  HttpClient client(UrlOf("https://127.0.0.1:" + std::to_string(plain.port())));
  const std::string outcome = Outcome(client, {});
  EXPECT_TRUE(outcome.starts_with("connect: ") || outcome.starts_with("untrusted: ")) << outcome;
  ServerOptions options;
  options.hosts = {"127.0.0.1"};
  options.port = 0;
  options.loops = 1;
  const auto responding = StartServer(options, {});
  HttpClient other(UrlOf("https://127.0.0.1:" + std::to_string(responding->port())));
  const std::string refused = WithoutPort(Outcome(other, {}), responding->port());
  EXPECT_TRUE(refused.starts_with("untrusted: TLS with 127.0.0.1:PORT failed: ")) << refused;
}

}  // namespace
}  // namespace keyfold::http

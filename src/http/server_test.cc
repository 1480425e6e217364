#include "http/server.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/checksum.h"
#include "http/compression.h"
#include "testing/http/held_requests.h"
#include "testing/http/raw_client.h"
#include "testing/http/test_server.h"

namespace keyfold::http {
namespace {

using std::chrono::milliseconds;

ServerOptions TestOptions() {
  ServerOptions options;
  options.port = 0;
  options.loops = 2;
  return options;
}

// Responds with the request it received.
void Echo(Request& request, Responder responder) {
  Response response;
  response.content_type = "text/plain";
  response.body = std::string(request.method) + " " + std::string(request.target) + " " + request.body;
  responder.Send(std::move(response));
}

TEST(Server, RespondsAndKeepsAlive) {
  ServerOptions options = TestOptions();
  options.crc32_header = "x-amz-crc32";
  options.server_header = "Test";
  const auto server = StartServer(options, Echo);
  RawClient client(server->port());
  for (int i = 0; i < 3; ++i) {
    client.Send(PostOf("abc"));
    const RawAnswer answer = client.Read();
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "POST /p abc");
    EXPECT_EQ(answer.Find("Content-Type"), "text/plain");
    EXPECT_EQ(answer.Find("Server"), "Test");
    EXPECT_EQ(answer.Find("x-amz-crc32"), std::to_string(Crc32("POST /p abc")));
    EXPECT_EQ(answer.Find("Date").size(), 29u);
    EXPECT_EQ(answer.Find("Connection"), "");
  }
  client.Send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(client.Read().Find("Connection"), "close");
  EXPECT_TRUE(client.AtEnd());
  EXPECT_EQ(server->stats().requests, 4u);
}

TEST(Server, HeadHasNoBody) {
  const auto server = StartServer(TestOptions(), Echo);
  RawClient client(server->port());
  client.Send("HEAD /x HTTP/1.1\r\nHost: h\r\n\r\nGET /y HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(client.Read(true).Find("Content-Length"), "8");
  EXPECT_EQ(client.Read().body, "GET /y ");
}

TEST(Server, OldClients) {
  const auto server = StartServer(TestOptions(), Echo);
  RawClient client(server->port());
  client.Send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(client.Read().Find("Connection"), "keep-alive");
  client.Send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.Read().Find("Connection"), "close");
  EXPECT_TRUE(client.AtEnd());
}

TEST(Server, PipelinedInOrder) {
  const auto server = StartServer(TestOptions(), Echo);
  RawClient client(server->port());
  std::string all;
  for (int i = 0; i < 500; ++i) {
    all += i % 2 == 0 ? "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: h\r\n\r\n" : PostOf(std::to_string(i));
  }
  std::thread sender([&] { client.Send(all); });
  for (int i = 0; i < 500; ++i) {
    const std::string n = std::to_string(i);
    EXPECT_EQ(client.Read().body, i % 2 == 0 ? "GET /" + n + " " : "POST /p " + n);
  }
  sender.join();
}

// Responses wait for after_requests, as responses to writes wait for the disk. None may be missed: it would wait for
// the loop's next turn, a second away.
TEST(Server, CallsAfterRequestsForEveryRequest) {
  constexpr int kRounds = 20;
  std::mutex mutex;
  std::condition_variable changed;
  bool sent = false;
  std::vector<Responder> waiting;  // used by the loop's thread only
  ServerOptions options = TestOptions();
  options.loops = 1;
  options.after_requests = [&] {
    for (Responder& responder : std::exchange(waiting, {})) responder.Send({});
  };
  const auto server = StartServer(options, [&](Request& request, Responder responder) {
    if (request.target == "/hold") {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return std::exchange(sent, false); });
    }
    if (request.target == "/later") return waiting.push_back(std::move(responder));
    responder.Send({});
  });
  RawClient holder(server->port()), one(server->port()), other(server->port());
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < kRounds; ++i) {
    holder.Send("GET /hold HTTP/1.1\r\nHost: h\r\n\r\n");
    for (RawClient* client : {&one, &other}) {
      client->Send("GET /now HTTP/1.1\r\nHost: h\r\n\r\nGET /later HTTP/1.1\r\nHost: h\r\n\r\n");
    }
    {
      const std::lock_guard lock(mutex);
      sent = true;
      changed.notify_all();
    }
    EXPECT_EQ(holder.Read().status, 200);
    for (RawClient* client : {&one, &other, &one, &other}) EXPECT_EQ(client->Read().status, 200);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(kRounds / 2));
}

TEST(Server, ChunkedBody) {
  const auto server = StartServer(TestOptions(), Echo);
  RawClient client(server->port());
  client.Send("POST /p HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
  client.Send("5\r\n01234\r\n0\r\nTrailer: x\r\n\r\n");
  EXPECT_EQ(client.Read().body, "POST /p abc01234");
  client.Send(PostOf("next"));
  EXPECT_EQ(client.Read().body, "POST /p next");
}

TEST(Server, Expectation) {
  const auto server = StartServer(TestOptions(), Echo);
  RawClient client(server->port());
  client.Send("POST /p HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  EXPECT_EQ(client.ReadTo("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.Send("abc");
  EXPECT_EQ(client.Read().body, "POST /p abc");
  client.Send("POST /p HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n");
  EXPECT_EQ(client.Read().status, 413);
}

TEST(Server, BodyLimits) {
  const auto server = StartServer(TestOptions(), [](Request& request, Responder responder) {
    responder.Send({.body = std::to_string(request.body.size())});
  });
  constexpr size_t kMax = 16 * 1024 * 1024;
  struct Row {
    size_t bytes;
    bool chunked;
    int status;
  };
  const Row rows[] = {{kMax, false, 200},
                      {kMax, true, 200},
                      {kMax + 1, false, 413},
                      {kMax + 1, true, 413},
                      {50 * 1024 * 1024, false, 413}};
  for (const Row& row : rows) {
    RawClient client(server->port());
    std::string bytes = "POST /p HTTP/1.1\r\nHost: h\r\n";
    if (row.chunked) {
      char size[16];
      snprintf(size, sizeof size, "%zx", row.bytes);
      bytes += std::string("Transfer-Encoding: chunked\r\n\r\n") + size + "\r\n" + std::string(row.bytes, 'x') +
               "\r\n0\r\n\r\n";
    } else {
      bytes += "Content-Length: " + std::to_string(row.bytes) + "\r\n\r\n" + std::string(row.bytes, 'x');
    }
    // The client of a refused body writes to the end and must still be able to read the response.
    EXPECT_TRUE(client.Send(bytes));
    const RawAnswer answer = client.Read();
    EXPECT_EQ(answer.status, row.status);
    EXPECT_EQ(answer.Find("Connection"), row.status == 200 ? "" : "close");
    if (row.status == 200) {
      EXPECT_EQ(answer.body, std::to_string(row.bytes));
    }
  }
}

TEST(Server, HeaderLimit) {
  const auto server = StartServer(TestOptions(), Echo);
  struct Row {
    std::string target;
    std::string header;
    int status;
  };
  const Row rows[] = {{"/", std::string(8000, 'x'), 200},
                      {"/", std::string(16384, 'x'), 400},
                      {"/" + std::string(17000, 'x'), "", 400}};
  for (const Row& row : rows) {
    RawClient client(server->port());
    client.Send("GET " + row.target + " HTTP/1.1\r\nHost: h\r\nA: " + row.header + "\r\n\r\n");
    EXPECT_EQ(client.Read().status, row.status);
  }
}

TEST(Server, WordsErrors) {
  ServerOptions options = TestOptions();
  options.on_error = [](int status, Response& response) {
    response.content_type = "application/json";
    response.body = "{\"status\":" + std::to_string(status) + "}";
    response.headers = "X-Request: 1\r\n";
  };
  const auto server = StartServer(options, Echo);
  RawClient client(server->port());
  client.Send("GET / HTTP/1.1\r\n\r\n");
  const RawAnswer answer = client.Read();
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(answer.body, "{\"status\":400}");
  EXPECT_EQ(answer.Find("Content-Type"), "application/json");
  EXPECT_EQ(answer.Find("X-Request"), "1");
  EXPECT_TRUE(client.AtEnd());
}

// Decoding and compressing on separate threads, or on the loop.
class Compression : public testing::TestWithParam<bool> {
 protected:
  ServerOptions Options() const {
    ServerOptions options = TestOptions();
    options.decode_here_bytes_max = options.compress_here_bytes_max = 0;
    if (!GetParam()) return options;
    options.run_elsewhere = [](std::function<void()> work) {
      std::thread(std::move(work)).detach();
      return true;
    };
    return options;
  }
};
INSTANTIATE_TEST_SUITE_P(Places, Compression, testing::Bool(),
                         [](const auto& info) { return info.param ? "elsewhere" : "here"; });

TEST_P(Compression, OfRequests) {
  ServerOptions options = Options();
  options.body_bytes_max = 100'000;
  const auto server = StartServer(options, [](Request& request, Responder responder) {
    responder.Send({.body = request.body + "|" + std::to_string(request.SentBody().size())});
  });
  Compressor compressor;
  const std::string text = "{\"TableName\":\"t\"}";
  const std::string gzip = compressor.Compress(ContentCoding::kGzip, text);
  const std::string zlib = compressor.Compress(ContentCoding::kDeflate, text);
  const std::string bomb = compressor.Compress(ContentCoding::kGzip, std::string(100'001, ' '));
  struct Row {
    const char* coding;
    std::string body;
    int status;
    std::string answer;
  };
  const Row rows[] = {
      {"gzip", gzip, 200, text + "|" + std::to_string(gzip.size())},
      {"gzip", gzip + gzip, 200, text + text + "|" + std::to_string(2 * gzip.size())},
      {"deflate", zlib, 200, text + "|" + std::to_string(zlib.size())},
      {"identity", text, 200, text + "|" + std::to_string(text.size())},
      {"gzip", text, 500, ""},
      {"gzip", gzip + "junk", 500, ""},
      {"gzip", "", 500, ""},
      {"garbage", text, 500, ""},
      {"gzip\r\nContent-Encoding: gzip", gzip, 500, ""},
      {"gzip", bomb, 413, ""},
  };
  RawClient client(server->port());  // the same connection: none of these breaks it
  for (const Row& row : rows) {
    SCOPED_TRACE(row.coding);
    client.Send(PostOf(row.body, std::string("Content-Encoding: ") + row.coding + "\r\n"));
    const RawAnswer answer = client.Read();
    EXPECT_EQ(answer.status, row.status);
    if (row.status == 200) {
      EXPECT_EQ(answer.body, row.answer);
    }
  }
}

TEST_P(Compression, OfResponses) {
  ServerOptions options = Options();
  options.crc32_header = "x-amz-crc32";
  const auto server = StartServer(options, [](Request& request, Responder responder) {
    responder.Send({.body = std::string(std::stoul(request.body), 'x'), .compress = request.path != "/plain"});
  });
  struct Row {
    const char* path;
    size_t bytes;
    const char* accept;
    const char* coding;
  };
  const Row rows[] = {
      {"/p", 4096, "Accept-Encoding: gzip\r\n", "gzip"},
      {"/p", 4096, "accept-encoding: deflate\r\n", "deflate"},
      {"/p", 4095, "Accept-Encoding: gzip\r\n", ""},
      {"/p", 5000, "", ""},
      {"/p", 5000, "Accept-Encoding: gzip;q=0\r\n", ""},
      {"/p", 5000, "Accept-Encoding: identity\r\nAccept-Encoding: gzip\r\n", ""},
      {"/plain", 5000, "Accept-Encoding: gzip\r\n", ""},
  };
  RawClient client(server->port());
  for (const Row& row : rows) {
    const std::string n = std::to_string(row.bytes);
    client.Send(std::string("POST ") + row.path + " HTTP/1.1\r\nHost: h\r\n" + row.accept +
                "Content-Length: " + std::to_string(n.size()) + "\r\n\r\n" + n);
    const RawAnswer answer = client.Read();
    const std::string coding = answer.Find("Content-Encoding");
    EXPECT_EQ(coding, row.coding);
    EXPECT_EQ(answer.Find("x-amz-crc32"), std::to_string(Crc32(answer.body)));
    std::string plain = coding.empty() ? answer.body : "";
    if (!coding.empty()) {
      EXPECT_LT(answer.body.size(), 200u);
      EXPECT_EQ(Decode(ContentCodingOf(coding), answer.body, row.bytes, plain), DecodeOutcome::kDone);
    }
    EXPECT_EQ(plain, std::string(row.bytes, 'x'));
  }
}

TEST(Server, SendFromAnotherThread) {
  Held held;
  const auto server = StartServer(TestOptions(), held.handler());
  std::thread worker([&] {
    for (int i = 0; i < 100; ++i) held.Take().Send({.body = std::to_string(i)});
  });
  RawClient client(server->port());
  std::string all;
  for (int i = 0; i < 100; ++i) all += PostOf("x");
  client.Send(all);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(client.Read().body, std::to_string(i));
  worker.join();
}

TEST(Server, PostAndSendOnTheLoop) {
  Server* raw = nullptr;
  const auto server = StartServer(TestOptions(), [&](Request& request, Responder responder) {
    auto shared = std::make_shared<Responder>(std::move(responder));
    raw->Post(request.loop, [shared, &request] { shared->Send({.body = "later " + request.body}); });
  });
  raw = server.get();
  for (int i = 0; i < 4; ++i) {
    RawClient client(server->port());
    client.Send(PostOf("1") + PostOf("2"));
    EXPECT_EQ(client.Read().body, "later 1");
    EXPECT_EQ(client.Read().body, "later 2");
  }
}

TEST(Server, UnansweredIs500) {
  Held held;
  const auto inline_server = StartServer(TestOptions(), [](Request&, Responder) {});
  RawClient first(inline_server->port());
  first.Send(PostOf("x") + PostOf("y"));
  EXPECT_EQ(first.Read().status, 500);
  EXPECT_TRUE(first.AtEnd());

  const auto server = StartServer(TestOptions(), held.handler());
  RawClient second(server->port());
  second.Send(PostOf("x"));
  { const Responder dropped = held.Take(); }
  EXPECT_EQ(second.Read().status, 500);
  EXPECT_TRUE(second.AtEnd());
}

TEST(Server, ClientGoneBeforeTheResponse) {
  Held held;
  const auto server = StartServer(TestOptions(), held.handler());
  {
    RawClient client(server->port());
    client.Send(PostOf("x"));
    Responder responder = held.Take();
    const linger reset{1, 0};
    setsockopt(client.socket(), SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    std::thread([responder = std::move(responder)]() mutable {
      responder.Send({.body = std::string(1 << 20, 'x')});
    }).join();
  }
  EXPECT_TRUE(Eventually([&] { return server->stats().connections == 0 && server->stats().bytes_in_flight == 0; }));
}

TEST(Server, Timeouts) {
  ServerOptions options = TestOptions();
  options.header_timeout = options.body_timeout = options.idle_timeout = milliseconds(60);
  const auto server = StartServer(options, Echo);
  struct Row {
    const char* bytes;
    int status;  // 0: closed without a response
  };
  const Row rows[] = {
      {"", 0},
      {"GET / HT", 408},
      {"GET / HTTP/1.1\r\nHost: h\r\n", 408},
      {"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nabc", 408},
      {"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5", 408},
  };
  for (const Row& row : rows) {
    RawClient client(server->port());
    client.Send(row.bytes);
    EXPECT_EQ(client.Read().status, row.status) << row.bytes;
    EXPECT_TRUE(client.AtEnd());
  }
  RawClient kept(server->port());
  kept.Send(PostOf("x"));
  EXPECT_EQ(kept.Read().status, 200);
  EXPECT_TRUE(kept.AtEnd());  // closed as idle in the end
}

TEST(Server, SlowHandlerIsNotTimedOut) {
  ServerOptions options = TestOptions();
  options.header_timeout = options.body_timeout = options.idle_timeout = options.write_timeout = milliseconds(20);
  Held held;
  const auto server = StartServer(options, held.handler());
  RawClient client(server->port());
  client.Send(PostOf("x"));
  Responder responder = held.Take();
  RawClient idle(server->port());
  EXPECT_TRUE(idle.AtEnd());  // a later connection has timed out by now
  responder.Send({.body = "done"});
  EXPECT_EQ(client.Read().body, "done");
}

TEST(Server, SlowReaderGetsAll) {
  const std::string big(8 << 20, 'y');
  const auto server = StartServer(TestOptions(), [&](Request&, Responder responder) { responder.Send({.body = big}); });
  RawClient slow(server->port());
  slow.Send(PostOf("x") + PostOf("x"));
  RawClient other(server->port());  // is not held up
  other.Send(PostOf("x"));
  EXPECT_EQ(other.Read().body.size(), big.size());
  for (int i = 0; i < 2; ++i) EXPECT_EQ(slow.Read().body, big);
}

TEST(Server, AReaderThatStopsIsCutOff) {
  ServerOptions options = TestOptions();
  options.write_timeout = milliseconds(50);
  const std::string big(64 << 10, 'y');
  const auto server = StartServer(options, [&](Request&, Responder responder) { responder.Send({.body = big}); });
  RawClient client(server->port());
  const int small = 4096;
  setsockopt(client.socket(), SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
  std::string all;
  for (int i = 0; i < 400; ++i) all += PostOf("x");
  client.Send(all);
  ASSERT_TRUE(Eventually([&] { return server->stats().bytes_in_flight > 0; }));
  EXPECT_TRUE(Eventually([&] { return server->stats().connections == 0; }));
  EXPECT_LT(server->stats().requests, 400u);
  EXPECT_EQ(server->stats().bytes_in_flight, 0u);
}

// If every connection has a request in progress.
TEST(Server, ConnectionLimit) {
  ServerOptions options = TestOptions();
  options.connections_max = 2;
  options.newcomer_patience = milliseconds(0);
  Held held;
  const auto server = StartServer(options, held.handler());
  RawClient first(server->port()), second(server->port());
  for (RawClient* client : {&first, &second}) client->Send(PostOf("x"));
  Responder of_first = held.Take(), of_second = held.Take();
  {
    RawClient third(server->port());
    const RawAnswer answer = third.Read();
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(answer.Find("Retry-After"), "1");
    EXPECT_TRUE(third.AtEnd());
    EXPECT_EQ(server->stats().connections_refused, 1u);
  }
  of_first.Send({});
  of_second.Send({});
  for (RawClient* client : {&first, &second}) EXPECT_EQ(client->Read().status, 200);
  RawClient fourth(server->port());  // one of them is or will soon be at rest
  fourth.Send(PostOf("x"));
  held.Take().Send({});
  EXPECT_EQ(fourth.Read().status, 200);
}

TEST(Server, BytesInFlightLimit) {
  ServerOptions options = TestOptions();
  options.bytes_in_flight_max = 1000;
  Held held;
  const auto server = StartServer(options, held.handler());
  RawClient first(server->port());
  first.Send(PostOf(std::string(900, 'x')));
  Responder responder = held.Take();
  EXPECT_GE(server->stats().bytes_in_flight, 900u);
  RawClient second(server->port());
  second.Send(PostOf(std::string(200, 'x')));
  const RawAnswer refused = second.Read();
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.Find("Retry-After"), "1");
  responder.Send({});
  EXPECT_EQ(first.Read().status, 200);
  EXPECT_TRUE(Eventually([&] { return server->stats().bytes_in_flight == 0; }));
  RawClient third(server->port());
  third.Send(PostOf(std::string(200, 'x')));
  held.Take().Send({});
  EXPECT_EQ(third.Read().status, 200);
}

TEST(Server, StopsGracefully) {
  Held held;
  const auto server = StartServer(TestOptions(), held.handler());
  const uint16_t port = server->port();
  RawClient busy(port);
  RawClient idle(port);
  RawClient half(port);
  busy.Send(PostOf("x"));
  Responder busy_responder = held.Take();
  idle.Send(PostOf("x"));
  held.Take().Send({});
  EXPECT_EQ(idle.Read().status, 200);
  half.Send("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(half.Read().status, 100);

  std::thread stopper([&] { server->Stop(milliseconds(20'000)); });
  EXPECT_TRUE(idle.AtEnd());  // closed, because it has nothing to finish
  EXPECT_FALSE(RawClient(port).connected());
  half.Send("y");
  const std::string big(4 << 20, 'z');
  busy_responder.Send({.body = big});
  held.Take().Send({.body = "half"});
  const RawAnswer answer = busy.Read();
  EXPECT_EQ(answer.body, big);
  EXPECT_EQ(answer.Find("Connection"), "close");
  EXPECT_TRUE(busy.AtEnd());
  EXPECT_EQ(half.Read().body, "half");
  ::shutdown(busy.socket(), SHUT_RDWR);
  ::shutdown(half.socket(), SHUT_RDWR);
  stopper.join();
  EXPECT_EQ(server->stats().connections, 0u);
}

TEST(Server, StopsWithoutUnfinishedRequests) {
  Held held;
  auto server = StartServer(TestOptions(), held.handler());
  RawClient client(server->port());
  client.Send(PostOf("x"));
  Responder responder = held.Take();
  RawClient half(server->port());
  half.Send("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(half.Read().status, 100);
  server->Stop(milliseconds(20));
  for (RawClient* unfinished : {&client, &half}) {
    const RawAnswer answer = unfinished->Read();
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(answer.Find("Retry-After"), "1");
    EXPECT_EQ(answer.Find("Connection"), "close");
    EXPECT_TRUE(unfinished->AtEnd());
  }
  server.reset();
  responder.Send({.body = "too late"});  // has no effect
}

// As a worker pool does that stops with work in its queue.
TEST(Server, UnansweredIs503AtAStop) {
  Held held;
  const auto server = StartServer(TestOptions(), held.handler());
  RawClient client(server->port()), idle(server->port());
  client.Send(PostOf("x"));
  auto dropped = std::make_unique<Responder>(held.Take());
  std::thread stopper([&] { server->Stop(milliseconds(20'000)); });
  EXPECT_TRUE(idle.AtEnd());  // each loop drains, or will before it responds
  EXPECT_TRUE(Eventually([&] { return server->stats().connections == 1; }));
  server->Post(0, [&] { dropped.reset(); });
  const RawAnswer answer = client.Read();
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.Find("Retry-After"), "1");
  EXPECT_TRUE(client.AtEnd());
  ::shutdown(client.socket(), SHUT_RDWR);
  stopper.join();
}

// A client that never closes its side delays a stop by a quarter of a second, not by the whole drain.
TEST(Server, StopsPromptlyWithClientsThatStay) {
  const auto server = StartServer(TestOptions(), Echo);
  RawClient staying(server->port());
  staying.Send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(staying.Read().status, 200);
  const auto began = std::chrono::steady_clock::now();
  server->Stop(milliseconds(60'000));
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(9));  // it lingers for 10 s otherwise
}

TEST(Server, NeverStarted) {
  const Result<std::unique_ptr<Server>> server = Server::Listen(TestOptions(), Echo);
  ASSERT_TRUE(server.ok()) << server.error().message();
  (*server)->Stop(milliseconds(0));
}

TEST(Server, Addresses) {
  ServerOptions options = TestOptions();
  const auto server = StartServer(options, Echo);
  ASSERT_NE(server, nullptr);
  EXPECT_NE(server->port(), 0);
  const std::string port = std::to_string(server->port());
  ASSERT_GE(server->addresses().size(), 1u);
  EXPECT_EQ(server->addresses()[0], "127.0.0.1:" + port);
  if (server->addresses().size() > 1) {
    EXPECT_EQ(server->addresses()[1], "[::1]:" + port);
  }
  options.port = server->port();
  EXPECT_EQ(WhyNotListening(options), "port " + port + " on 127.0.0.1 is already in use");
  options.hosts = {"192.0.2.1"};
  EXPECT_EQ(WhyNotListening(options), "cannot listen on 192.0.2.1 port " + port + ": Cannot assign requested address");
  options.hosts = {"no-such-host.invalid"};
  const std::string unknown = WhyNotListening(options);
  EXPECT_TRUE(unknown.starts_with("cannot find the address of host no-such-host.invalid: ")) << unknown;
  options.hosts = {};
  EXPECT_EQ(WhyNotListening(options), "no host to listen on");
}

TEST(Server, ManyConnectionsOnBothLoops) {
  std::atomic<int> on_loop[2] = {};
  const auto server = StartServer(TestOptions(), [&](Request& request, Responder responder) {
    ++on_loop[request.loop];
    EXPECT_EQ(request.peer, "127.0.0.1");
    EXPECT_FALSE(request.tls);
    responder.Send({});
  });
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 50; ++i) clients.push_back(std::make_unique<RawClient>(server->port()));
  for (auto& client : clients) client->Send(PostOf("x"));
  for (auto& client : clients) EXPECT_EQ(client->Read().status, 200);
  EXPECT_EQ(on_loop[0], 25);
  EXPECT_EQ(on_loop[1], 25);
}

}  // namespace
}  // namespace keyfold::http

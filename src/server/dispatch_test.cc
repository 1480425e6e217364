// A dispatcher behind a server: what it answers where its workers take nothing more.
#include "server/dispatch.h"

#include <gtest/gtest.h>

#include "http/client.h"

namespace keyfold::server {
namespace {

class DispatchTest : public testing::Test {
 protected:
  void Serve(const WorkersOptions& options) {
    std::string error;
    gate_ = auth::Gate::OpenLocal(identity_.account);
    workers_ = std::make_unique<Workers>(options);
    dispatcher_ = std::make_unique<Dispatcher>(service_, *gate_, OriginRules({}, {}), *workers_, DispatchOptions{});
    http::ServerOptions http;
    http.hosts = {"127.0.0.1"};
    http.port = 0;
    http.loops = 1;
    const auto handler = [this](http::Request& request, http::Responder responder) {
      dispatcher_->Handle(request, std::move(responder));
    };
    server_ = http::Server::Listen(http, handler, error);
    ASSERT_TRUE(server_) << error;
    server_->Start();
  }
  void TearDown() override {
    server_->Stop(std::chrono::milliseconds(1000));
    server_.reset();
    workers_.reset();
  }

  // Sends a body of so many bytes, which decide where it is parsed, and returns the response.
  std::string Post(size_t body_bytes) {
    http::HttpClient client({.host = "127.0.0.1", .port = server_->port()});
    const Header headers[] = {{"Content-Type", "application/x-amz-json-1.0"}};
    const std::string body(body_bytes, ' ');
    http::Failure failure;
    const auto answer = client.Send({.method = "POST", .headers = headers, .body = body}, failure);
    EXPECT_TRUE(answer.has_value()) << failure.text;
    return answer ? std::to_string(answer->status) + " " + answer->body : "";
  }

  SystemClock clock_;
  const std::unique_ptr<store::Store> store_ = store::MakeMemoryStore(clock_);
  const std::unique_ptr<engine::Catalog> catalog_ = *engine::Catalog::Open(*store_);
  const engine::Database db_{*store_, *catalog_, clock_};
  engine::TableLifecycle lifecycle_{db_, /*delay=*/0, /*seed=*/1};
  const engine::Identity identity_ = {};
  const ops::Service service_{db_, lifecycle_, identity_};
  std::unique_ptr<auth::Gate> gate_;
  std::unique_ptr<Workers> workers_;
  std::unique_ptr<Dispatcher> dispatcher_;
  std::unique_ptr<http::Server> server_;
};

TEST_F(DispatchTest, AFullQueue) {
  Serve({.quick_threads = 1, .heavy_threads = 1, .queue_max = 0});
  EXPECT_EQ(Post(100 << 10), R"(400 {"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException",)"
                             R"("message":"Too many requests are waiting; try again"})");
}

TEST_F(DispatchTest, HeavyWorkWhileItStops) {
  Serve({.quick_threads = 1, .heavy_threads = 1});
  workers_->BeginStop();
  EXPECT_EQ(Post(2 << 20), R"(503 {"__type":"com.amazonaws.dynamodb.v20120810#ServiceUnavailableException",)"
                           R"("message":"Stopping. Try again."})");
}

}  // namespace
}  // namespace keyfold::server

// Servers for HTTP tests, requests to them, and waiting for what they do.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "http/server.h"

namespace keyfold::http {

// Returns null, and fails the test, if it cannot listen.
inline std::unique_ptr<Server> StartServer(ServerOptions options, Handler handler) {
  Result<std::unique_ptr<Server>> server = Server::Listen(std::move(options), std::move(handler));
  EXPECT_TRUE(server.ok()) << server.error().message();
  if (!server.ok()) return nullptr;
  (*server)->Start();
  return *std::move(server);
}

// Returns why it cannot listen; "" if it can.
inline std::string WhyNotListening(const ServerOptions& options) {
  const Result<std::unique_ptr<Server>> server = Server::Listen(options, {});
  return server.ok() ? "" : server.error().message();
}

// A request with a body.
inline std::string PostOf(const std::string& body, const std::string& headers = "") {
  return "POST /p HTTP/1.1\r\nHost: h\r\n" + headers + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         body;
}

// Waits for what another thread is about to do; returns false if it takes 20 seconds or more.
inline bool Eventually(const std::function<bool()>& holds) {
  for (int i = 0; i < 20'000; ++i) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

}  // namespace keyfold::http

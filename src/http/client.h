// HttpClient: one request after another to one server, over http or https, on a connection that is kept while both
// sides want it. It blocks, for command-line use; bodies may be streamed both ways. The process must ignore SIGPIPE.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/header.h"
#include "http/dial.h"
#include "http/response_parser.h"
#include "http/url.h"

namespace keyfold {

struct HttpClientOptions {
  std::chrono::milliseconds connect_timeout{5'000};  // for each address of the host, and again for the TLS handshake
  std::chrono::milliseconds idle_timeout{30'000};    // without a byte sent or received
  // For one request, connecting and the last byte of its answer included, however steadily they come; 0: none.
  std::chrono::milliseconds total_timeout{0};
  StopCheck stop = {};  // ends a request with kStopped, whatever it is waiting for
  size_t head_bytes_max = 64 * 1024;
  uint64_t body_bytes_max = 64 * 1024 * 1024;  // of an answer, and again once decompressed; not of one to `receive`
  std::string ca_file = {};                    // PEM; empty: the authorities the system trusts
};

// Views: what they point at must outlive the call.
struct HttpCall {
  std::string_view method = "GET";
  std::string_view target = "/";
  // Besides those of the client itself: Host, Content-Length, Transfer-Encoding, Accept-Encoding.
  std::span<const Header> headers = {};
  std::string_view body = {};

  // Gives the body instead, piece by piece: appends to `piece`, which is empty; leaves it empty at the end; false
  // abandons the request. With `send_bytes` exactly that many must come, without it the body is sent in chunks.
  std::function<bool(std::string& piece)> send = {};
  std::optional<uint64_t> send_bytes = {};
  // Takes the body of a 2xx answer as it comes, without limit and as sent; false abandons the rest. Other answers are
  // still collected: their bodies say what went wrong.
  std::function<bool(std::string_view piece)> receive = {};
  std::chrono::milliseconds total_timeout{0};  // 0: that of the client
};

struct HttpAnswer {
  int status = 0;
  std::vector<OwnedHeader> headers = {};
  std::string body = {};  // empty where `receive` took it
  // Where a content coding was undone, the body as it was sent; empty otherwise.
  std::string encoded_body = {};

  // The value of the first header of that name; a view with data() == nullptr where there is none.
  std::string_view Find(std::string_view name) const;
  std::string_view SentBody() const { return encoded_body.empty() ? body : encoded_body; }
};

// One thread at a time.
class HttpClient {
 public:
  // Only host, port and scheme of `url` count. Connects when the first request is sent.
  explicit HttpClient(Url url, HttpClientOptions options = {});

  // Any status is an answer. Nothing and `failure` where none came; nothing is sent twice.
  std::optional<HttpAnswer> Send(const HttpCall& call, Failure& failure);

  const Url& url() const { return url_; }
  bool connected() const { return transport_ != nullptr; }

 private:
  class Exchange;

  bool Connect(Deadline deadline, Failure& failure);
  bool IsStale();

  const Url url_;
  const HttpClientOptions options_;
  TlsContext tls_;
  std::unique_ptr<Transport> transport_;
};

}  // namespace keyfold

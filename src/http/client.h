// HttpClient: sends one request after another to one server, over http or https, on a connection that is kept open as
// long as both sides allow. It blocks, for command-line use; bodies can be streamed both ways. The process must ignore
// SIGPIPE.
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

#include "base/error.h"
#include "base/header.h"
#include "http/dial.h"
#include "http/response_parser.h"
#include "http/url.h"

namespace keyfold::http {

struct HttpClientOptions {
  std::chrono::milliseconds connect_timeout{5'000};  // for each address of the host, and again for the TLS handshake
  std::chrono::milliseconds idle_timeout{30'000};    // time without a byte sent or received
  // Limit for one request, from connecting to the last byte of its response, however steadily data flows. 0: no limit.
  std::chrono::milliseconds total_timeout{0};
  StopCheck stop = {};  // ends a request with kStopped, whatever it is waiting for
  size_t head_bytes_max = 64 * 1024;
  // limit of a response body, and of the decompressed body; does not apply to `receive`
  uint64_t body_bytes_max = 64 * 1024 * 1024;
  std::string ca_file = {};  // PEM; empty: the authorities the system trusts
};

// Views: their targets must outlive the call.
struct HttpCall {
  std::string_view method = "GET";
  std::string_view target = "/";
  // In addition to the headers the client sends itself: Host, Content-Length, Transfer-Encoding, Accept-Encoding.
  std::span<const Header> headers = {};
  std::string_view body = {};

  // Supplies the body in pieces, in place of `body`: appends to `piece`, which is passed in empty, and leaves it empty
  // at the end. Returning false abandons the request. With `send_bytes`, exactly that many bytes must be supplied;
  // without it, the body is sent in chunks.
  std::function<bool(std::string& piece)> send = {};
  std::optional<uint64_t> send_bytes = {};
  // Receives the body of a 2xx response as it arrives, without limit and without decoding; returning false abandons the
  // rest. Other responses are still collected, because their bodies say what went wrong.
  std::function<bool(std::string_view piece)> receive = {};
  std::chrono::milliseconds total_timeout{0};  // 0: the client's total_timeout
};

struct HttpAnswer {
  int status = 0;
  std::vector<OwnedHeader> headers = {};
  std::string body = {};  // empty if `receive` got it
  // The body as it was sent, if a content coding was decoded; empty otherwise.
  std::string encoded_body = {};

  // Returns the value of the first header with that name; a view with data() == nullptr if there is none.
  std::string_view Find(std::string_view name) const;
  std::string_view SentBody() const { return encoded_body.empty() ? body : encoded_body; }
};

// Used by one thread at a time.
class HttpClient {
 public:
  // Uses only host, port and scheme of `url`. Connects when the first request is sent.
  explicit HttpClient(Url url, HttpClientOptions options = {});

  // Any status counts as a response; the error, which has a Failure, says why none came. Nothing is sent twice.
  Result<HttpAnswer> Send(const HttpCall& call);

  const Url& url() const { return url_; }
  bool connected() const { return transport_ != nullptr; }

 private:
  class Exchange;

  Status Connect(Deadline deadline);
  bool IsStale();

  const Url url_;
  const HttpClientOptions options_;
  TlsContext tls_;
  std::unique_ptr<Transport> transport_;
};

}  // namespace keyfold::http

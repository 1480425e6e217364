#include "http/client.h"

#include <algorithm>
#include <charconv>

#include "http/compression.h"

namespace keyfold::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr Rule<"{} did not respond within {}"> kTooSlow{"http-timeout", Kind::kUnavailable};
constexpr Rule<"the request was abandoned"> kRequestAbandoned{"http-request-abandoned", Kind::kUnavailable};
constexpr Rule<"the body does not have the announced length"> kWrongLength{"http-body-length", Kind::kUnavailable};
constexpr Rule<"the response was abandoned"> kAnswerAbandoned{"http-response-abandoned", Kind::kUnavailable};
constexpr Rule<"{} closed the connection without a response"> kNoResponse{"http-no-response", Kind::kUnavailable};
constexpr Rule<"the response of {} is longer than {} bytes"> kTooLong{"http-too-long", Kind::kUnavailable};
constexpr Rule<"{}: {}"> kCutOff{"http-cut-off", Kind::kUnavailable};
constexpr Rule<"{} sent an invalid HTTP response: {}"> kNotHttp{"http-invalid", Kind::kUnavailable};
constexpr Rule<"the response of {} cannot be decompressed"> kNotCompressed{"http-decompression", Kind::kUnavailable};

constexpr size_t kReadBytes = 64 * 1024;

std::string SecondsOf(milliseconds time) {
  const int64_t ms = time.count();
  return ms % 1000 == 0 ? std::to_string(ms / 1000) + " s" : std::to_string(ms) + " ms";
}

void AppendHexNumber(std::string& out, size_t value) {
  char digits[2 * sizeof value];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value, 16).ptr);
}

}  // namespace

std::string_view HttpAnswer::Find(std::string_view name) const {
  for (const OwnedHeader& header : headers) {
    if (EqualsIgnoringCase(header.name, name)) return header.value;
  }
  return {};
}

// One request and its response on a connected transport. Used by one thread at a time.
class HttpClient::Exchange {
 public:
  Exchange(const HttpClient& client, const HttpCall& call, milliseconds total, Deadline deadline)
      : client_(client),
        call_(call),
        total_(total),
        deadline_(deadline),
        where_(client.url_.HostAndPort()),
        parser_({client.options_.head_bytes_max, call.receive ? UINT64_MAX : client.options_.body_bytes_max},
                call.method == "HEAD") {}

  Status Run() {
    RETURN_IF_ERROR(SendAll());
    RETURN_IF_ERROR(ReadAnswer());
    return Decompress();
  }
  bool keep_alive() const { return parser_.complete() && parser_.keep_alive() && !cut_short_ && !surplus_; }
  HttpAnswer TakeAnswer() { return std::move(answer_); }

 private:
  Error TooSlow(milliseconds limit) const {
    return WithFailure(Failure::Kind::kTimeout, kTooSlow(where_, SecondsOf(limit)));
  }
  Error TooLong() const {
    return WithFailure(Failure::Kind::kTooLong, kTooLong(where_, client_.options_.body_bytes_max));
  }
  static Error Abandoned(Error error) { return WithFailure(Failure::Kind::kAbandoned, std::move(error)); }

  Status Wait(bool writable) {
    const milliseconds idle = client_.options_.idle_timeout;
    const Deadline until = std::min(deadline_, steady_clock::now() + idle);
    const Waited waited = WaitFor(*client_.transport_, writable, until, client_.options_.stop);
    if (waited == Waited::kReady) return Ok();
    if (waited == Waited::kStopped) return StoppedByCaller();
    const bool whole = steady_clock::now() >= deadline_;
    return TooSlow(whole ? total_ : idle);
  }

  // Checks stop and deadline. Wait() does this too, but a server that is always ready is never waited for.
  Status MayGoOn() {
    if (client_.options_.stop && client_.options_.stop()) return StoppedByCaller();
    if (deadline_ == Deadline::max() || steady_clock::now() < deadline_) return Ok();
    return TooSlow(total_);
  }

  std::string Head() const {
    std::string head;
    head.reserve(512);
    head.append(call_.method).append(" ").append(call_.target).append(" HTTP/1.1\r\nHost: ");
    head.append(client_.url_.HostHeader()).append("\r\n");
    for (const Header& header : call_.headers) {
      head.append(header.name).append(": ").append(header.value).append("\r\n");
    }
    head.append(call_.receive ? "Accept-Encoding: identity\r\n" : "Accept-Encoding: gzip\r\n");
    const bool has_body = call_.send || !call_.body.empty() || (call_.method != "GET" && call_.method != "HEAD");
    if (call_.send && !call_.send_bytes) {
      head.append("Transfer-Encoding: chunked\r\n");
    } else if (has_body) {
      const uint64_t bytes = call_.send ? *call_.send_bytes : call_.body.size();
      head.append("Content-Length: ").append(std::to_string(bytes)).append("\r\n");
    }
    head.append("\r\n");
    return head;
  }

  // Returns an error only if no response can be expected.
  Status SendAll() {
    RETURN_IF_ERROR(Write(Head(), call_.send ? std::string_view() : call_.body));
    return call_.send ? SendPieces() : Ok();
  }

  Status SendPieces() {
    uint64_t left = call_.send_bytes.value_or(0);
    std::string piece, framing;
    while (!cut_short_) {
      piece.clear();
      if (!call_.send(piece)) return Abandoned(kRequestAbandoned());
      if (call_.send_bytes) {
        if (piece.size() > left || (piece.empty() && left > 0)) return Abandoned(kWrongLength());
        left -= piece.size();
        if (piece.empty()) return Ok();
        RETURN_IF_ERROR(Write(piece, ""));
        continue;
      }
      framing.clear();
      AppendHexNumber(framing, piece.size());
      framing.append("\r\n");
      const bool last = piece.empty();
      piece.append("\r\n");
      RETURN_IF_ERROR(Write(framing, piece));
      if (last) return Ok();
    }
    return Ok();
  }

  // A server may respond before it has read everything and then close. Its response still counts, so a failed write
  // only ends the sending.
  Status Write(std::string_view first, std::string_view second) {
    while (!cut_short_ && !(first.empty() && second.empty())) {
      RETURN_IF_ERROR(MayGoOn());
      const Transport::Outcome outcome = client_.transport_->Write(first, second);
      if (outcome.want == Transport::Want::kClosed) {
        cut_short_ = true;
        return Ok();
      }
      if (outcome.want != Transport::Want::kNothing) {
        ReadEarly();
        if (!cut_short_) RETURN_IF_ERROR(Wait(/*writable=*/true));
        continue;
      }
      const size_t of_first = std::min(outcome.bytes, first.size());
      first.remove_prefix(of_first);
      second.remove_prefix(outcome.bytes - of_first);
    }
    return Ok();
  }

  // The server accepts no more data for now: checks whether it has responded or closed.
  void ReadEarly() { cut_short_ = (ReadOnce() && parser_.started()) || ended_; }

  Status ReadAnswer() {
    while (!parser_.complete()) {
      if (parser_.failed()) return ParserError();
      if (abandoned_) return Abandoned(kAnswerAbandoned());
      RETURN_IF_ERROR(MayGoOn());
      if (!ended_ && ReadOnce()) continue;
      if (ended_) {
        if (!parser_.started()) return WithFailure(Failure::Kind::kLost, kNoResponse(where_));
        parser_.End();
        continue;
      }
      RETURN_IF_ERROR(Wait(/*writable=*/false));
    }
    if (abandoned_) return Abandoned(kAnswerAbandoned());
    TakeHead();
    return Ok();
  }

  Error ParserError() const {
    if (parser_.too_long()) return TooLong();
    if (ended_) return WithFailure(Failure::Kind::kLost, kCutOff(where_, parser_.error()));
    return WithFailure(Failure::Kind::kProtocol, kNotHttp(where_, parser_.error()));
  }

  // Returns false if there is nothing to read now.
  bool ReadOnce() {
    char buffer[kReadBytes];
    const Transport::Outcome outcome = client_.transport_->Read(buffer, sizeof buffer);
    ended_ = outcome.want == Transport::Want::kClosed;
    if (outcome.want != Transport::Want::kNothing) return false;
    const std::string_view bytes(buffer, outcome.bytes);
    surplus_ = parser_.Feed(bytes, [this](std::string_view piece) { TakeBody(piece); }) < bytes.size();
    return true;
  }

  void TakeBody(std::string_view piece) {
    if (abandoned_) return;
    const bool streamed = call_.receive && parser_.status() / 100 == 2;
    if (streamed) {
      abandoned_ = !call_.receive(piece);
      return;
    }
    // The parser has no limit if the response is streamed, so the body of an error response is limited here.
    const uint64_t room = client_.options_.body_bytes_max - answer_.body.size();
    answer_.body.append(piece.substr(0, static_cast<size_t>(std::min<uint64_t>(room, piece.size()))));
  }

  void TakeHead() {
    answer_.status = parser_.status();
    for (const Header& header : parser_.headers()) {
      answer_.headers.push_back({std::string(header.name), std::string(header.value)});
    }
  }

  Status Decompress() {
    const ContentCoding coding = ContentCodingOf(answer_.Find("content-encoding"));
    if (coding == ContentCoding::kIdentity || answer_.body.empty()) return Ok();
    answer_.encoded_body = std::move(answer_.body);
    answer_.body.clear();
    const uint64_t bytes_max = client_.options_.body_bytes_max;
    switch (Decode(coding, answer_.encoded_body, static_cast<size_t>(bytes_max), answer_.body)) {
      case DecodeOutcome::kDone:
        return Ok();
      case DecodeOutcome::kTooLong:
        return TooLong();
      case DecodeOutcome::kCorrupt:
        break;
    }
    return WithFailure(Failure::Kind::kProtocol, kNotCompressed(where_));
  }

  const HttpClient& client_;
  const HttpCall& call_;
  const milliseconds total_;
  const Deadline deadline_;
  const std::string where_;
  ResponseParser parser_;
  HttpAnswer answer_;
  bool ended_ = false;      // the server closed the connection
  bool cut_short_ = false;  // the server responded or closed before the whole request was sent
  bool surplus_ = false;    // more bytes arrived than one response
  bool abandoned_ = false;
};

HttpClient::HttpClient(Url url, HttpClientOptions options) : url_(std::move(url)), options_(std::move(options)) {}

Status HttpClient::Connect(Deadline deadline) {
  if (transport_ != nullptr && IsStale()) transport_.reset();
  if (transport_ != nullptr) return Ok();
  if (url_.tls && tls_ == nullptr) {
    Result<TlsContext> loaded = LoadClientTlsContext(options_.ca_file);
    if (!loaded.ok()) return WithFailure(Failure::Kind::kUntrusted, std::move(loaded).TakeError());
    tls_ = *std::move(loaded);
  }
  ASSIGN_OR_RETURN(transport_, Dial(url_, tls_, options_.connect_timeout, deadline, options_.stop));
  return Ok();
}

// Nothing is expected between two responses: anything readable, including end of stream, makes the connection unusable.
bool HttpClient::IsStale() {
  char byte;
  return transport_->Read(&byte, 1).want != Transport::Want::kReadable;
}

Result<HttpAnswer> HttpClient::Send(const HttpCall& call) {
  const milliseconds total = call.total_timeout.count() == 0 ? options_.total_timeout : call.total_timeout;
  const Deadline deadline = total.count() == 0 ? Deadline::max() : steady_clock::now() + total;
  RETURN_IF_ERROR(Connect(deadline));
  Exchange exchange(*this, call, total, deadline);
  Status answered = exchange.Run();
  if (!exchange.keep_alive()) transport_.reset();
  RETURN_IF_ERROR(answered);
  return exchange.TakeAnswer();
}

}  // namespace keyfold::http

#include "http/client.h"

#include <algorithm>

#include "http/compression.h"

namespace keyfold::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr size_t kReadBytes = 64 * 1024;

std::string SecondsOf(milliseconds time) {
  const int64_t ms = time.count();
  return ms % 1000 == 0 ? std::to_string(ms / 1000) + " s" : std::to_string(ms) + " ms";
}

void AppendHex(std::string& out, size_t value) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  char digits[2 * sizeof value];
  char* at = digits + sizeof digits;
  do {
    *--at = kDigits[value & 15];
    value >>= 4;
  } while (value != 0);
  out.append(at, digits + sizeof digits);
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
  Exchange(const HttpClient& client, const HttpCall& call, milliseconds total, Deadline deadline, Failure& failure)
      : client_(client),
        call_(call),
        total_(total),
        deadline_(deadline),
        failure_(failure),
        where_(client.url_.HostAndPort()),
        parser_({client.options_.head_bytes_max, call.receive ? UINT64_MAX : client.options_.body_bytes_max},
                call.method == "HEAD") {}

  bool Run() {
    if (!SendAll()) return false;
    return ReadAnswer() && Decompress();
  }
  bool keep_alive() const { return parser_.complete() && parser_.keep_alive() && !cut_short_ && !surplus_; }
  HttpAnswer TakeAnswer() { return std::move(answer_); }

 private:
  bool Fail(Failure::Kind kind, std::string text) {
    failure_ = {kind, std::move(text)};
    return false;
  }

  bool Wait(bool writable) {
    const milliseconds idle = client_.options_.idle_timeout;
    const Deadline until = std::min(deadline_, steady_clock::now() + idle);
    const Waited waited = WaitFor(*client_.transport_, writable, until, client_.options_.stop);
    if (waited == Waited::kReady) return true;
    if (waited == Waited::kStopped) return Fail(Failure::Kind::kStopped, "stopping");
    const bool whole = steady_clock::now() >= deadline_;
    return Fail(Failure::Kind::kTimeout, where_ + " did not respond within " + SecondsOf(whole ? total_ : idle));
  }

  // Checks stop and deadline. Wait() does this too, but a server that is always ready is never waited for.
  bool MayGoOn() {
    if (client_.options_.stop && client_.options_.stop()) return Fail(Failure::Kind::kStopped, "stopping");
    if (deadline_ == Deadline::max() || steady_clock::now() < deadline_) return true;
    return Fail(Failure::Kind::kTimeout, where_ + " did not respond within " + SecondsOf(total_));
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

  // Returns false only if no response can be expected.
  bool SendAll() {
    if (!Write(Head(), call_.send ? std::string_view() : call_.body)) return false;
    return !call_.send || SendPieces();
  }

  bool SendPieces() {
    uint64_t left = call_.send_bytes.value_or(0);
    std::string piece, framing;
    while (!cut_short_) {
      piece.clear();
      if (!call_.send(piece)) return Fail(Failure::Kind::kAbandoned, "the request was abandoned");
      if (call_.send_bytes) {
        if (piece.size() > left || (piece.empty() && left > 0)) {
          return Fail(Failure::Kind::kAbandoned, "the body does not have the announced length");
        }
        left -= piece.size();
        if (piece.empty()) return true;
        if (!Write(piece, "")) return false;
        continue;
      }
      framing.clear();
      AppendHex(framing, piece.size());
      framing.append("\r\n");
      const bool last = piece.empty();
      piece.append("\r\n");
      if (!Write(framing, piece)) return false;
      if (last) return true;
    }
    return true;
  }

  // A server may respond before it has read everything and then close. Its response still counts, so a failed write
  // only ends the sending.
  bool Write(std::string_view first, std::string_view second) {
    while (!cut_short_ && !(first.empty() && second.empty())) {
      if (!MayGoOn()) return false;
      const Transport::Outcome outcome = client_.transport_->Write(first, second);
      if (outcome.want == Transport::Want::kClosed) {
        cut_short_ = true;
        return true;
      }
      if (outcome.want != Transport::Want::kNothing) {
        ReadEarly();
        if (!cut_short_ && !Wait(/*writable=*/true)) return false;
        continue;
      }
      const size_t of_first = std::min(outcome.bytes, first.size());
      first.remove_prefix(of_first);
      second.remove_prefix(outcome.bytes - of_first);
    }
    return true;
  }

  // The server accepts no more data for now: checks whether it has responded or closed.
  void ReadEarly() { cut_short_ = (ReadOnce() && parser_.started()) || ended_; }

  bool ReadAnswer() {
    while (!parser_.complete()) {
      if (parser_.failed()) return FailAsParser();
      if (abandoned_) return Fail(Failure::Kind::kAbandoned, "the response was abandoned");
      if (!MayGoOn()) return false;
      if (!ended_ && ReadOnce()) continue;
      if (ended_) {
        if (!parser_.started()) return Fail(Failure::Kind::kLost, where_ + " closed the connection without a response");
        parser_.End();
        continue;
      }
      if (!Wait(/*writable=*/false)) return false;
    }
    if (abandoned_) return Fail(Failure::Kind::kAbandoned, "the response was abandoned");
    TakeHead();
    return true;
  }

  bool FailAsParser() {
    if (parser_.too_long()) {
      return Fail(Failure::Kind::kTooLong, "the response of " + where_ + " is longer than " +
                                               std::to_string(client_.options_.body_bytes_max) + " bytes");
    }
    const std::string why(parser_.error());
    if (ended_) return Fail(Failure::Kind::kLost, where_ + ": " + why);
    return Fail(Failure::Kind::kProtocol, where_ + " sent an invalid HTTP response: " + why);
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

  bool Decompress() {
    const ContentCoding coding = ContentCodingOf(answer_.Find("content-encoding"));
    if (coding == ContentCoding::kIdentity || answer_.body.empty()) return true;
    answer_.encoded_body = std::move(answer_.body);
    answer_.body.clear();
    const uint64_t bytes_max = client_.options_.body_bytes_max;
    switch (Decode(coding, answer_.encoded_body, static_cast<size_t>(bytes_max), answer_.body)) {
      case DecodeOutcome::kDone:
        return true;
      case DecodeOutcome::kTooLong:
        return Fail(Failure::Kind::kTooLong,
                    "the response of " + where_ + " is longer than " + std::to_string(bytes_max) + " bytes");
      case DecodeOutcome::kCorrupt:
        break;
    }
    return Fail(Failure::Kind::kProtocol, "the response of " + where_ + " cannot be decompressed");
  }

  const HttpClient& client_;
  const HttpCall& call_;
  const milliseconds total_;
  const Deadline deadline_;
  Failure& failure_;
  const std::string where_;
  ResponseParser parser_;
  HttpAnswer answer_;
  bool ended_ = false;      // the server closed the connection
  bool cut_short_ = false;  // the server responded or closed before the whole request was sent
  bool surplus_ = false;    // more bytes arrived than one response
  bool abandoned_ = false;
};

HttpClient::HttpClient(Url url, HttpClientOptions options) : url_(std::move(url)), options_(std::move(options)) {}

bool HttpClient::Connect(Deadline deadline, Failure& failure) {
  if (transport_ != nullptr && IsStale()) transport_.reset();
  if (transport_ != nullptr) return true;
  if (url_.tls && tls_ == nullptr) {
    failure.kind = Failure::Kind::kUntrusted;
    tls_ = LoadClientTlsContext(options_.ca_file, failure.text);
    if (tls_ == nullptr) return false;
  }
  transport_ = Dial(url_, tls_, options_.connect_timeout, deadline, options_.stop, failure);
  return transport_ != nullptr;
}

// Nothing is expected between two responses: anything readable, including end of stream, makes the connection unusable.
bool HttpClient::IsStale() {
  char byte;
  return transport_->Read(&byte, 1).want != Transport::Want::kReadable;
}

std::optional<HttpAnswer> HttpClient::Send(const HttpCall& call, Failure& failure) {
  const milliseconds total = call.total_timeout.count() == 0 ? options_.total_timeout : call.total_timeout;
  const Deadline deadline = total.count() == 0 ? Deadline::max() : steady_clock::now() + total;
  if (!Connect(deadline, failure)) return std::nullopt;
  Exchange exchange(*this, call, total, deadline, failure);
  const bool answered = exchange.Run();
  if (!exchange.keep_alive()) transport_.reset();
  if (!answered) return std::nullopt;
  return exchange.TakeAnswer();
}

}  // namespace keyfold::http

#include "http/connection.h"

#include <sys/epoll.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/check.h"
#include "base/checksum.h"

namespace keyfold::http {
namespace {

constexpr uint32_t kAllEvents = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
constexpr int kTurnsMax = 64;              // turns of one connection before others get theirs
constexpr size_t kBufferKeptBytes = 4096;  // an idle connection releases larger buffers
constexpr size_t kHeadersKept = 64;
constexpr size_t kTlsJoinBytesMax = 16 * 1024;  // responses up to this size are sent as one TLS record

constexpr size_t kProgressBytes = 16 * 1024;  // minimum bytes per timeout period
constexpr std::chrono::milliseconds kDrainLinger{250};

constexpr std::string_view kNoRoom = "The server has reached its memory limit. Try again.";
constexpr std::string_view kStopping = "The server is stopping. Try again.";

struct Reason {
  int status;
  std::string_view line;
};
constexpr Reason kReasons[] = {
    {200, "HTTP/1.1 200 OK\r\n"},
    {204, "HTTP/1.1 204 No Content\r\n"},
    {400, "HTTP/1.1 400 Bad Request\r\n"},
    {403, "HTTP/1.1 403 Forbidden\r\n"},
    {404, "HTTP/1.1 404 Not Found\r\n"},
    {405, "HTTP/1.1 405 Method Not Allowed\r\n"},
    {408, "HTTP/1.1 408 Request Timeout\r\n"},
    {411, "HTTP/1.1 411 Length Required\r\n"},
    {413, "HTTP/1.1 413 Content Too Large\r\n"},
    {415, "HTTP/1.1 415 Unsupported Media Type\r\n"},
    {417, "HTTP/1.1 417 Expectation Failed\r\n"},
    {429, "HTTP/1.1 429 Too Many Requests\r\n"},
    {431, "HTTP/1.1 431 Request Header Fields Too Large\r\n"},
    {500, "HTTP/1.1 500 Internal Server Error\r\n"},
    {503, "HTTP/1.1 503 Service Unavailable\r\n"},
    {505, "HTTP/1.1 505 HTTP Version Not Supported\r\n"},
};

void AppendDecimal(std::string& out, uint64_t n) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, n).ptr);
}

void AppendStatusLine(std::string& out, int status) {
  for (const Reason& reason : kReasons) {
    if (reason.status == status) return void(out.append(reason.line));
  }
  out.append("HTTP/1.1 ");
  AppendDecimal(out, static_cast<uint64_t>(status));
  out.append(" \r\n");
}

std::chrono::milliseconds LingerTime(const Loop& loop) {
  const std::chrono::milliseconds usual = loop.options().linger_timeout;
  return loop.draining() ? std::min(usual, kDrainLinger) : usual;
}

void KeepSmall(std::string& buffer) {
  if (buffer.capacity() > kBufferKeptBytes) {
    std::string().swap(buffer);
  } else {
    buffer.clear();
  }
}

}  // namespace

Connection::Connection(const std::shared_ptr<Loop>& loop, int socket, TlsSession session, std::string peer)
    : Waiter(loop->index()),
      loop_handle_(loop),
      loop_(*loop),
      transport_(socket, std::move(session)),
      parser_({loop_.options().header_bytes_max, loop_.options().body_bytes_max}) {
  request_.peer = std::move(peer);
  request_.tls = transport_.tls();
  request_.loop = loop_.index();
}

void Connection::Start() {
  if (loop_.draining() || !loop_.Watch(transport_.socket(), kAllEvents, *this)) return Close();
  SetDeadline(transport_.tls() ? loop_.options().header_timeout : loop_.options().idle_timeout);
  loop_.rest_lists().Move(*this, Rest::kStranger);
  Advance();
}

void Connection::StartRefused() {
  if (transport_.tls() || !loop_.Watch(transport_.socket(), kAllEvents, *this)) return Close();
  Refuse(503, "Too many connections are open. Try again.", true);
  Advance();
}

// Runs until the connection has to wait for the client, the handler or the socket.
void Connection::Advance() {
  int turns = 0;
  for (;;) {
    bool go_on = false;
    switch (phase_) {
      case Phase::kReading:
        go_on = ReadSome();
        break;
      case Phase::kWriting:
        go_on = WriteSome();
        break;
      case Phase::kLingering:
        go_on = LingerSome();
        break;
      case Phase::kHandling:
      case Phase::kClosed:
        break;
    }
    if (!go_on) return;
    if (++turns < kTurnsMax) continue;
    if (std::exchange(resume_posted_, true)) return;
    return loop_.Post([self = shared_from_this()] {
      self->resume_posted_ = false;
      self->Advance();
    });
  }
}

void Connection::OnEvents(uint32_t events) {
  if ((events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0) may_read_ = true;
  if ((events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0) may_write_ = true;
  if ((events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0) peer_finished_ = true;
  Advance();
}

// The event named by `want` will call Advance again.
void Connection::AwaitEvent(Transport::Want want) {
  if (want == Transport::Want::kClosed) return Close();
  (want == Transport::Want::kReadable ? may_read_ : may_write_) = false;
}

bool Connection::ReadSome() {
  std::string_view bytes(unread_);
  bytes.remove_prefix(unread_at_);
  const bool from_socket = bytes.empty();
  if (from_socket) {
    if (!may_read_) return false;
    auto& buffer = loop_.read_buffer();
    const auto [count, want] = transport_.Read(buffer.data(), buffer.size());
    if (want != Transport::Want::kNothing) {
      AwaitEvent(want);
      return false;
    }
    bytes = std::string_view(buffer.data(), count);
    // A plain socket that returned less than it could is empty, unless end of stream is still to be read.
    if (count < buffer.size() && !transport_.tls() && !peer_finished_) may_read_ = false;
  }
  const bool head_was_done = parser_.head_done();
  const bool was_started = parser_.started();
  const size_t taken = parser_.Feed(bytes, request_);
  if (from_socket) {
    unread_.assign(bytes.substr(taken));
    unread_at_ = 0;
  } else {
    unread_at_ += taken;
    if (unread_at_ == unread_.size()) unread_.clear(), unread_at_ = 0;
  }
  if (!was_started && parser_.started()) {
    SetDeadline(loop_.options().header_timeout);
    loop_.rest_lists().Move(*this, Rest::kNone);
  }
  AfterFeed(head_was_done);
  if (phase_ == Phase::kWriting && loop_.HoldAnswer(*this)) return false;
  return phase_ != Phase::kClosed;
}

void Connection::AfterFeed(bool head_was_done) {
  if (parser_.failed()) return Refuse(parser_.error_status(), parser_.error(), true);
  if (!parser_.started()) return;
  Charge(request_.head.size() + request_.body.size() + unread_.size());
  if (!parser_.complete()) AwaitClient(request_.head.size() + request_.body.size());
  if (loop_.state().in_flight.IsOver(charged_bytes_) && !MakeRoom(/*answering=*/false)) {
    return RefuseForRoom(/*close=*/true);
  }
  if (parser_.complete()) return Dispatch();
  if (!parser_.head_done()) return;
  if (!head_was_done) {
    SetDeadline(loop_.options().body_timeout);
    if (parser_.expects_continue()) SendContinue();
  }
  NoteProgress(request_.body.size(), loop_.options().body_timeout);
}

// Skipped if the socket accepts no data: a client may not wait for it forever.
void Connection::SendContinue() {
  constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  const auto [count, want] = transport_.Write(kContinue, {});
  if (want == Transport::Want::kNothing && count != kContinue.size()) Close();
}

void Connection::Dispatch() {
  loop_.CountRequest();
  StopWaiting();
  deadline_ms_ = 0;
  if (parser_.coding() != ContentCoding::kIdentity && !UndoContentCoding()) return;
  Handle();
}

void Connection::Handle() {
  phase_ = Phase::kHandling;
  in_handler_ = true;
  loop_.state().handler(request_, Responder(loop_handle_.lock(), shared_from_this()));
  in_handler_ = false;
}

bool Connection::UndoContentCoding() {
  request_.encoded_body.swap(request_.body);
  request_.body.clear();
  if (request_.encoded_body.size() > loop_.options().decode_here_bytes_max && DecodeElsewhere()) return false;
  std::string body;
  const DecodeOutcome outcome = Decode(parser_.coding(), request_.encoded_body, loop_.options().body_bytes_max, body);
  return TakeDecoded(outcome, std::move(body));
}

// The request stays unchanged during that time, as it does for a handler.
bool Connection::DecodeElsewhere() {
  const auto& elsewhere = loop_.options().run_elsewhere;
  if (!elsewhere) return false;
  phase_ = Phase::kHandling;
  const bool taken = elsewhere([self = shared_from_this(), loop = loop_handle_.lock(), coding = parser_.coding(),
                                bytes_max = loop_.options().body_bytes_max] {
    std::string body;
    const DecodeOutcome outcome = Decode(coding, self->request_.encoded_body, bytes_max, body);
    loop->Post([self, outcome, body = std::move(body)]() mutable {
      if (self->phase_ != Phase::kHandling) return;
      if (self->TakeDecoded(outcome, std::move(body))) self->Handle();
      self->Advance();
    });
  });
  if (!taken) phase_ = Phase::kReading;
  return taken;
}

bool Connection::TakeDecoded(DecodeOutcome outcome, std::string body) {
  request_.body = std::move(body);
  request_.body.reserve(request_.body.size() + RequestParser::kBodySpareBytes);
  Charge(charged_bytes_ + request_.body.size());
  // The request was read to its end, so the connection is still in sync.
  if (loop_.state().in_flight.IsOver(charged_bytes_) && !MakeRoom(/*answering=*/false)) {
    return RefuseForRoom(/*close=*/false), false;
  }
  if (outcome == DecodeOutcome::kDone) return true;
  const bool too_long = outcome == DecodeOutcome::kTooLong;
  Refuse(too_long ? 413 : 500, too_long ? "the decoded body is too long" : "the body cannot be decoded", false);
  return false;
}

// Responds in place of the handler.
void Connection::Refuse(int status, std::string_view why, bool close) {
  if (phase_ == Phase::kReading && !parser_.complete()) loop_.CountRequest();
  Response response;
  response.status = status;
  response.content_type = "text/plain";
  response.body.assign(why);
  response.body.push_back('\n');
  if (loop_.options().on_error) loop_.options().on_error(status, response);
  if (loop_.options().on_refusal) loop_.options().on_refusal(status, request_.peer, response);
  response.close = response.close || close;
  Encode(response);
}

void Connection::Answer(Response response) {
  if (phase_ == Phase::kClosed || loop_.all_answered()) return;
  CHECK(phase_ == Phase::kHandling);
  const ContentCoding coding = CodingFor(response);
  if (coding == ContentCoding::kIdentity) return SendEncoded(response, coding);
  if (response.body.size() > loop_.options().compress_here_bytes_max && CompressElsewhere(response, coding)) return;
  response.body = loop_.compressor().Compress(coding, response.body);
  SendEncoded(response, coding);
}

bool Connection::CompressElsewhere(Response& response, ContentCoding coding) {
  const auto& elsewhere = loop_.options().run_elsewhere;
  if (!elsewhere) return false;
  Charge(response.body.size());
  const auto shared = std::make_shared<Response>(std::move(response));
  const bool taken = elsewhere([self = shared_from_this(), loop = loop_handle_.lock(), shared, coding] {
    Compressor compressor;
    shared->body = compressor.Compress(coding, shared->body);
    loop->Post([self, shared, coding] {
      if (self->phase_ == Phase::kHandling) self->SendEncoded(*shared, coding);
    });
  });
  if (!taken) response = std::move(*shared);
  return taken;
}

void Connection::SendEncoded(Response& response, ContentCoding coding) {
  Encode(response, coding);
  if (loop_.state().in_flight.IsOver(charged_bytes_)) MakeRoom(/*answering=*/true);
  if (!in_handler_) Advance();
}

void Connection::Abandon() {
  if (phase_ != Phase::kHandling) return;
  loop_.draining() ? Refuse(503, kStopping, true) : Refuse(500, "the request was not answered", true);
  if (!in_handler_) Advance();
}

void Connection::AnswerUnfinished() {
  if (phase_ == Phase::kReading && IsIdle()) return Close();
  if (phase_ != Phase::kReading && phase_ != Phase::kHandling) return;
  Refuse(503, kStopping, true);
  Advance();
}

ContentCoding Connection::CodingFor(const Response& response) const {
  if (!response.compress || response.body.size() < loop_.options().compress_min_bytes) return ContentCoding::kIdentity;
  return ChooseCoding(request_.Find("accept-encoding"));
}

void Connection::Encode(Response& response, ContentCoding coding) {
  StopWaiting();
  if (rest != Rest::kNone) loop_.rest_lists().Move(*this, Rest::kNone);
  vouched_ = vouched_ || response.vouched;
  close_after_ = response.close || loop_.draining() || !parser_.complete() || !parser_.keep_alive();
  constexpr std::string_view kCodingNames[] = {"", "gzip", "deflate", ""};  // indexed by ContentCoding
  const bool has_body = AppendHead(response, kCodingNames[static_cast<size_t>(coding)]);
  loop_.KeepBuffer(std::move(response.headers));
  out_body_ = std::move(response.body);
  if (!has_body) out_body_.clear();
  if (transport_.tls() && out_body_.size() <= kTlsJoinBytesMax) {
    out_head_.append(out_body_);
    out_body_.clear();
  }
  out_at_ = 0;
  Charge(out_head_.size() + out_body_.size());
  phase_ = Phase::kWriting;
  SetDeadline(loop_.options().write_timeout);
}

// Returns whether the body is sent after the head.
bool Connection::AppendHead(const Response& response, std::string_view coding) {
  std::string& out = out_head_;
  out.clear();
  AppendStatusLine(out, response.status);
  out.append(loop_.server_line()).append(loop_.date_line());
  if (response.status == 503) out.append("Retry-After: 1\r\n");
  if (!response.content_type.empty()) out.append("Content-Type: ").append(response.content_type).append("\r\n");
  if (!coding.empty()) out.append("Content-Encoding: ").append(coding).append("\r\n");
  const bool bodiless = response.status == 204 || response.status == 304;
  const bool has_body = !bodiless && !(parser_.head_done() && request_.method == "HEAD");
  if (!bodiless) {
    out.append("Content-Length: ");
    AppendDecimal(out, response.body.size());
    out.append("\r\n");
  }
  if (!loop_.options().crc32_header.empty()) {
    out.append(loop_.options().crc32_header).append(": ");
    AppendDecimal(out, Crc32(has_body ? std::string_view(response.body) : std::string_view()));
    out.append("\r\n");
  }
  if (close_after_) {
    out.append("Connection: close\r\n");
  } else if (request_.minor_version == 0) {
    out.append("Connection: keep-alive\r\n");
  }
  out.append(response.headers).append("\r\n");
  return has_body;
}

bool Connection::WriteSome() {
  if (!may_write_) return false;
  const size_t total = out_head_.size() + out_body_.size();
  while (out_at_ < total) {
    std::string_view head(out_head_);
    std::string_view body(out_body_);
    head.remove_prefix(std::min(out_at_, head.size()));
    body.remove_prefix(out_at_ - std::min(out_at_, out_head_.size()));
    const auto [count, want] = transport_.Write(head, body);
    if (want != Transport::Want::kNothing) {
      NoteProgress(out_at_, loop_.options().write_timeout);
      AwaitEvent(want);
      if (phase_ == Phase::kClosed) return false;
      // A handler may still be reading its request if the loop has responded for it.
      if (!loop_.all_answered()) ReleaseRequest();
      AwaitClient(out_at_);
      if (loop_.state().in_flight.IsOver(charged_bytes_) && !MakeRoom(/*answering=*/true)) GiveWay();
      return false;
    }
    out_at_ += count;
  }
  FinishAnswer();
  return phase_ != Phase::kClosed;
}

void Connection::FinishAnswer() {
  Charge(0);
  StopWaiting();
  if (!close_after_) return NextRequest();
  transport_.FinishWriting();
  phase_ = Phase::kLingering;
  std::string().swap(out_body_);
  if (!loop_.all_answered()) ReleaseRequest();
  loop_.rest_lists().Move(*this, Rest::kLingering);
  SetDeadline(LingerTime(loop_));
}

// Closing a socket with unread bytes resets it, and the client may never see the response. So it keeps reading for a
// while and discards the data.
bool Connection::LingerSome() {
  if (!may_read_) return false;
  auto& buffer = loop_.read_buffer();
  const auto [count, want] = transport_.Read(buffer.data(), buffer.size());
  lingered_bytes_ += count;
  if (want == Transport::Want::kReadable) {
    AwaitEvent(want);
    return false;
  }
  if (want != Transport::Want::kNothing || lingered_bytes_ > loop_.options().linger_bytes_max) {
    Close();
    return false;
  }
  return true;
}

void Connection::NextRequest() {
  if (loop_.draining()) return Close();
  parser_.Reset();
  KeepSmall(request_.head);
  KeepSmall(request_.body);
  KeepSmall(request_.encoded_body);
  KeepSmall(out_head_);
  loop_.KeepBuffer(std::exchange(out_body_, {}));
  request_.headers.clear();
  if (request_.headers.capacity() > kHeadersKept) std::vector<Header>().swap(request_.headers);
  if (unread_at_ == unread_.size()) KeepSmall(unread_), unread_at_ = 0;
  phase_ = Phase::kReading;
  loop_.rest_lists().Move(*this, vouched_ ? Rest::kKnown : Rest::kStranger);
  SetDeadline(loop_.options().idle_timeout);
}

void Connection::Charge(size_t bytes) {
  if (bytes == charged_bytes_) return;
  loop_.state().in_flight.Change(charged_bytes_, bytes);
  charged_bytes_ = bytes;
}

void Connection::AwaitClient(size_t moved) {
  loop_.state().in_flight.List(*this, charged_bytes_, moved, Loop::NowMs());
}

void Connection::StopWaiting() {
  if (waits()) loop_.state().in_flight.Unlist(*this);
}

bool Connection::MakeRoom(bool answering) {
  const InFlight::Room room = loop_.state().in_flight.MakeRoom(*this, charged_bytes_, answering, Loop::NowMs());
  for (Waiter* waiter : room.here) static_cast<Connection*>(waiter)->GiveWay();
  return !room.asker_gives_way;
}

void Connection::RefuseForRoom(bool close) {
  loop_.state().requests_given_way.fetch_add(1, std::memory_order_relaxed);
  ReleaseRequest();
  Refuse(503, kNoRoom, close);
}

void Connection::GiveWaySoon() {
  loop_.Post([self = shared_from_this()] {
    if (!self->waits() || !self->loop_.state().in_flight.IsLeaving(*self)) return;  // it has continued since
    self->GiveWay();
  });
}

// Gives way to connections that need its bytes or its descriptor more.
void Connection::GiveWay() {
  if (phase_ == Phase::kReading) {
    RefuseForRoom(/*close=*/true);
    return Advance();
  }
  loop_.state().requests_given_way.fetch_add(1, std::memory_order_relaxed);
  transport_.Reset();
  Close();
}

// Keeps the headers: the response needs them.
void Connection::ReleaseRequest() {
  KeepSmall(request_.body);
  KeepSmall(request_.encoded_body);
}

void Connection::SetDeadline(std::chrono::milliseconds timeout) {
  deadline_ms_ = Loop::NowMs() + timeout.count();
  progress_bytes_ = 0;
}

// Restarts the timeout if enough bytes have moved, so that neither a stalled nor a trickling client holds memory for
// long.
void Connection::NoteProgress(size_t bytes, std::chrono::milliseconds timeout) {
  if (bytes - progress_bytes_ < kProgressBytes) return;
  SetDeadline(timeout);
  progress_bytes_ = bytes;
}

void Connection::CheckDeadline(int64_t now_ms) {
  if (deadline_ms_ == 0 || now_ms < deadline_ms_) return;
  if (phase_ != Phase::kReading || !parser_.started()) return Close();
  Refuse(408, "the request took too long to arrive", true);
  Advance();
}

bool Connection::IsIdle() const {
  return phase_ == Phase::kReading && !parser_.started() && unread_at_ == unread_.size() && !transport_.HasArrivals();
}

void Connection::BeginDrain() {
  if (IsIdle()) return Close();
  if (phase_ == Phase::kLingering) SetDeadline(LingerTime(loop_));
}

void Connection::Close() {
  if (phase_ == Phase::kClosed) return;
  phase_ = Phase::kClosed;
  Charge(0);
  StopWaiting();
  loop_.rest_lists().Move(*this, Rest::kNone);
  transport_.Close();
  loop_.Remove(*this);
}

}  // namespace keyfold::http

#include "http/parser.h"

#include <algorithm>

#include "http/field.h"

namespace keyfold::http {
namespace {

constexpr uint64_t kReserveMax = 1 << 20;  // reserved for a body based on the client's Content-Length alone

}  // namespace

size_t RequestParser::Feed(std::string_view input, Request& request) {
  const size_t given = input.size();
  while (!input.empty() && state_ != State::kComplete && state_ != State::kFailed) {
    size_t taken = 0;
    switch (state_) {
      case State::kHead:
        taken = TakeHead(input, request);
        break;
      case State::kBody:
        taken = TakeBody(input, request);
        break;
      case State::kChunkedBody:
        taken = TakeChunkedBody(input, request);
        break;
      default:
        break;
    }
    input.remove_prefix(taken);
  }
  return given - input.size();
}

void RequestParser::Reset() { *this = RequestParser(limits_); }

bool RequestParser::Fail(int status, std::string_view why) {
  state_ = State::kFailed;
  error_status_ = status;
  error_ = why;
  return false;
}

// Searches for the empty line that ends the head, line by line, so that a line feed without its carriage return is
// detected at once.
size_t RequestParser::TakeHead(std::string_view input, Request& request) {
  if (!started_) {
    request.head.clear();
    if (!Is(input.front(), ByteClass::kToken) && input.front() != '\r') return Fail(400, "not an HTTP request"), 1;
    started_ = true;
  }
  const size_t room = limits_.header_bytes_max - request.head.size();
  const std::string_view window = input.substr(0, room);
  size_t at = 0;
  while (at < window.size()) {
    const size_t lf = window.find('\n', at);
    if (lf == std::string_view::npos) {
      line_bytes_ += window.size() - at;
      break;
    }
    line_bytes_ += lf - at;
    at = lf + 1;
    const char before = lf > 0 ? window[lf - 1] : (request.head.empty() ? '\0' : request.head.back());
    if (line_bytes_ == 0 || before != '\r') return Fail(400, "a line feed without a carriage return"), at;
    const bool empty_line = line_bytes_ == 1;
    line_bytes_ = 0;
    if (!empty_line) continue;
    if (request.head.size() + at == 2) {  // before the request line: old clients end a body with one
      if (blank_line_skipped_) return Fail(400, "empty lines before the request"), at;
      request.head.clear();
      blank_line_skipped_ = true;
      started_ = false;
      return at;
    }
    request.head.append(window.substr(0, at));
    if (ParseHead(request)) StartBody(request);
    return at;
  }
  request.head.append(window);
  if (request.head.size() >= limits_.header_bytes_max) Fail(400, "the headers are too long");
  return window.size();
}

bool RequestParser::ParseHead(Request& request) {
  request.headers.clear();
  request.body.clear();
  request.encoded_body.clear();
  std::string_view rest = request.head;
  const size_t end = rest.find('\n');  // TakeHead checked that each has its carriage return
  if (!ParseRequestLine(rest.substr(0, end - 1), request)) return false;
  rest.remove_prefix(end + 1);
  while (rest.size() > 2) {
    Header field;
    if (const std::string_view fault = TakeField(rest, field); !fault.empty()) return Fail(400, fault);
    if (request.headers.size() == kHeadersMax) return Fail(400, "too many headers");
    request.headers.push_back(field);
    if (!ApplyField(field, request)) return false;
  }
  return ParseTarget(request);
}

bool RequestParser::ParseRequestLine(std::string_view line, Request& request) {
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return Fail(400, "a malformed request line");
  request.method = line.substr(0, first);
  request.target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (request.method.empty() || !AllAre(request.method, ByteClass::kToken)) return Fail(400, "a malformed method");
  if (request.target.empty() || !AllAre(request.target, ByteClass::kTarget))
    return Fail(400, "a malformed request target");
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (version.size() != 8 || version.substr(0, 5) != "HTTP/" || !is_digit(version[5]) || version[6] != '.' ||
      !is_digit(version[7])) {
    return Fail(400, "a malformed HTTP version");
  }
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return Fail(505, "only HTTP/1.0 and HTTP/1.1 are supported");
  request.minor_version = version[7] - '0';
  keep_alive_ = request.minor_version == 1;
  return true;
}

// Runs after the headers are parsed, because an absolute target must name the same host as they do.
bool RequestParser::ParseTarget(Request& request) {
  if (request.minor_version == 1 && host_.data() == nullptr) return Fail(400, "no Host header");
  std::string_view path = request.target;
  if (path.front() != '/' && path.size() > 7 && EqualsIgnoringCase(path.substr(0, 7), "http://")) {
    path.remove_prefix(7);
    const std::string_view authority = path.substr(0, path.find_first_of("/?"));
    if (host_.data() != nullptr && !EqualsIgnoringCase(authority, host_))
      return Fail(400, "the target names another host");
    path.remove_prefix(authority.size());
  } else if (path.front() != '/' && !(path == "*" && request.method == "OPTIONS")) {
    return Fail(400, "a malformed request target");
  }
  const size_t mark = path.find('?');
  request.path = path.empty() || mark == 0 ? std::string_view("/") : path.substr(0, mark);
  request.query = mark == std::string_view::npos ? std::string_view() : path.substr(mark + 1);
  return true;
}

bool RequestParser::ApplyField(const Header& field, const Request& request) {
  const auto is = [&](std::string_view name) { return EqualsIgnoringCase(field.name, name); };
  switch (field.name.size()) {
    case 4:
      if (is("host")) return ApplyHost(field.value);
      break;
    case 6:
      if (!is("expect")) break;
      if (!EqualsIgnoringCase(field.value, "100-continue")) return Fail(417, "an unsupported expectation");
      expects_continue_ = request.minor_version == 1;
      break;
    case 10:
      if (is("connection")) ApplyConnectionOptions(field.value, keep_alive_);
      break;
    case 14:
      if (is("content-length")) return ApplyContentLength(field.value);
      break;
    case 16:
      if (is("content-encoding")) {
        const ContentCoding coding = ContentCodingOf(field.value);
        coding_ = coding_ == ContentCoding::kIdentity ? coding : ContentCoding::kUnknown;
      }
      break;
    case 17:
      if (is("transfer-encoding")) return ApplyTransferEncoding(field.value, request);
      break;
    default:
      break;
  }
  return true;
}

bool RequestParser::ApplyHost(std::string_view value) {
  if (host_.data() != nullptr) return Fail(400, "more than one Host header");
  if (value.empty() || !AllAre(value, ByteClass::kHost)) return Fail(400, "a malformed Host header");
  host_ = value;
  return true;
}

bool RequestParser::ApplyContentLength(std::string_view value) {
  uint64_t length = 0;
  if (!ParseContentLength(value, length)) return Fail(400, "a malformed Content-Length");
  if (has_length_ && length != remaining_) return Fail(400, "two different Content-Length headers");
  has_length_ = true;
  remaining_ = length;
  return true;
}

bool RequestParser::ApplyTransferEncoding(std::string_view value, const Request& request) {
  if (chunked_ || request.minor_version == 0 || !EqualsIgnoringCase(value, "chunked")) {
    return Fail(400, "an unsupported Transfer-Encoding");
  }
  chunked_ = true;
  return true;
}

bool RequestParser::StartBody(Request& request) {
  if (chunked_ && has_length_) return Fail(400, "both Content-Length and Transfer-Encoding");
  if (remaining_ > limits_.body_bytes_max) return Fail(413, "the body is too long");
  if (chunked_) {
    state_ = State::kChunkedBody;
    return true;
  }
  request.body.reserve(std::min(remaining_, kReserveMax) + kBodySpareBytes);
  state_ = State::kBody;
  if (remaining_ == 0) Complete(request);
  return true;
}

size_t RequestParser::TakeBody(std::string_view input, Request& request) {
  const size_t taken = static_cast<size_t>(std::min<uint64_t>(input.size(), remaining_));
  request.body.append(input.substr(0, taken));
  remaining_ -= taken;
  if (remaining_ == 0) Complete(request);
  return taken;
}

size_t RequestParser::TakeChunkedBody(std::string_view input, Request& request) {
  const size_t taken = chunked_body_.Feed(input, [&](std::string_view content) { request.body.append(content); });
  if (chunked_body_.failed()) Fail(chunked_body_.too_long() ? 413 : 400, chunked_body_.error());
  if (chunked_body_.complete()) Complete(request);
  return taken;
}

void RequestParser::Complete(Request& request) {
  request.body.reserve(request.body.size() + kBodySpareBytes);
  state_ = State::kComplete;
}

}  // namespace keyfold::http

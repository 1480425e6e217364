#include "http/response_parser.h"

#include <algorithm>

#include "http/field.h"

namespace keyfold::http {

size_t ResponseParser::Feed(std::string_view input, FunctionRef<void(std::string_view)> take) {
  const size_t given = input.size();
  while (!input.empty() && !complete() && !failed()) {
    size_t taken = 0;
    if (state_ == State::kHead) {
      taken = TakeHead(input);
    } else if (state_ == State::kBody) {
      taken = TakeBody(input, take);
    } else {
      taken = TakeChunkedBody(input, take);
    }
    input.remove_prefix(taken);
  }
  return given - input.size();
}

void ResponseParser::End() {
  if (complete() || failed()) return;
  const bool until_end = state_ == State::kBody && !has_length_;
  if (until_end) {
    state_ = State::kComplete;
  } else {
    Fail("the connection ended in the middle of the response");
  }
}

bool ResponseParser::Fail(std::string_view why) {
  state_ = State::kFailed;
  error_ = why;
  return false;
}

size_t ResponseParser::TakeHead(std::string_view input) {
  const size_t before = head_.size();
  head_.append(input.substr(0, limits_.head_bytes_max - before));
  const size_t added = head_.size() - before;
  if (before < 5 && !std::string_view("HTTP/").starts_with(std::string_view(head_).substr(0, 5))) {
    Fail("not HTTP");
    return added;
  }
  const size_t end = head_.find("\r\n\r\n", before < 3 ? 0 : before - 3);
  if (end == std::string::npos) {
    if (head_.size() == limits_.head_bytes_max) Fail("the headers are too long");
    return added;
  }
  head_.resize(end + 2);
  const size_t taken = end + 4 - before;
  if (!ParseHead()) return taken;
  if (status_ / 100 == 1) {
    if (status_ == 101) Fail("a protocol switch that was not requested");
    head_.clear();
    return taken;
  }
  StartBody();
  return taken;
}

bool ResponseParser::ParseHead() {
  headers_.clear();
  keep_alive_ = true, has_length_ = false, chunked_ = false, remaining_ = 0;
  std::string_view rest = head_;
  bool first = true;
  while (!rest.empty()) {
    const size_t end = rest.find("\r\n");
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 2);
    if (first) {
      if (!ParseStatusLine(line)) return false;
      first = false;
      continue;
    }
    Header field;
    if (const std::string_view fault = ParseField(line, field); !fault.empty()) return Fail(fault);
    if (headers_.size() == kHeadersMax) return Fail("too many headers");
    headers_.push_back(field);
    if (!ApplyField(field)) return false;
  }
  return true;
}

// "HTTP/1.1 200 OK"; the reason may be missing, and its space too.
bool ResponseParser::ParseStatusLine(std::string_view line) {
  const bool known = line.starts_with("HTTP/1.1 ") || line.starts_with("HTTP/1.0 ");
  if (!known || line.size() < 12 || (line.size() > 12 && line[12] != ' ')) return Fail("a malformed status line");
  status_ = 0;
  for (const char c : line.substr(9, 3)) {
    if (c < '0' || c > '9') return Fail("a malformed status line");
    status_ = status_ * 10 + (c - '0');
  }
  if (status_ < 100 || status_ > 599) return Fail("an invalid status");
  keep_alive_ = line[7] == '1';
  return true;
}

bool ResponseParser::ApplyField(const Header& field) {
  if (EqualsIgnoringCase(field.name, "connection")) {
    ApplyConnectionOptions(field.value, keep_alive_);
  } else if (EqualsIgnoringCase(field.name, "content-length")) {
    uint64_t length = 0;
    if (!ParseContentLength(field.value, length)) return Fail("a malformed Content-Length");
    if (has_length_ && length != remaining_) return Fail("two different Content-Length headers");
    has_length_ = true;
    remaining_ = length;
  } else if (EqualsIgnoringCase(field.name, "transfer-encoding")) {
    if (chunked_ || !EqualsIgnoringCase(field.value, "chunked")) return Fail("an unsupported Transfer-Encoding");
    chunked_ = true;
  }
  return true;
}

void ResponseParser::StartBody() {
  if (chunked_ && has_length_) {
    Fail("both Content-Length and Transfer-Encoding");
    return;
  }
  const bool without = to_head_ || status_ == 204 || status_ == 304 || (has_length_ && remaining_ == 0);
  if (without) {
    state_ = State::kComplete;
  } else if (chunked_) {
    state_ = State::kChunkedBody;
  } else if (has_length_ && remaining_ > limits_.body_bytes_max) {
    too_long_ = true;
    Fail("the body is too long");
  } else {
    if (!has_length_) {
      remaining_ = limits_.body_bytes_max;
      keep_alive_ = false;
    }
    state_ = State::kBody;
  }
}

size_t ResponseParser::TakeBody(std::string_view input, FunctionRef<void(std::string_view)> take) {
  const size_t taken = static_cast<size_t>(std::min<uint64_t>(input.size(), remaining_));
  if (taken == 0) {  // a body that lasts until the end is over the limit
    too_long_ = true;
    Fail("the body is too long");
    return 0;
  }
  take(input.substr(0, taken));
  remaining_ -= taken;
  if (has_length_ && remaining_ == 0) state_ = State::kComplete;
  return taken;
}

size_t ResponseParser::TakeChunkedBody(std::string_view input, FunctionRef<void(std::string_view)> take) {
  const size_t taken = chunked_body_.Feed(input, take);
  if (chunked_body_.failed()) {
    too_long_ = chunked_body_.too_long();
    Fail(chunked_body_.error());
  }
  if (chunked_body_.complete()) state_ = State::kComplete;
  return taken;
}

}  // namespace keyfold::http

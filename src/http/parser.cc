#include "http/parser.h"

#include <algorithm>
#include <array>

namespace keyfold {
namespace {

// What a byte may be part of.
constexpr uint8_t kToken = 1;   // methods and header names
constexpr uint8_t kField = 2;   // header values: printable, space, tab, and bytes past ASCII
constexpr uint8_t kTarget = 4;  // request targets: printable ASCII without space and '#'
constexpr uint8_t kHost = 8;    // host and port, IPv6 literals included

constexpr std::array<uint8_t, 256> MakeClasses() {
  std::array<uint8_t, 256> classes{};
  for (int c = 0; c < 256; ++c) {
    const bool alphanumeric = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (alphanumeric) classes[c] |= kToken | kHost;
    if ((c >= 0x20 && c != 0x7f) || c == '\t') classes[c] |= kField;
    if (c > 0x20 && c < 0x7f && c != '#') classes[c] |= kTarget;
  }
  for (const char c : std::string_view("!#$%&'*+-.^_`|~")) classes[static_cast<uint8_t>(c)] |= kToken;
  for (const char c : std::string_view("-._~:[]%")) classes[static_cast<uint8_t>(c)] |= kHost;
  return classes;
}
constexpr std::array<uint8_t, 256> kClasses = MakeClasses();

bool Is(char c, uint8_t what) { return (kClasses[static_cast<uint8_t>(c)] & what) != 0; }

bool AllAre(std::string_view s, uint8_t what) {
  uint8_t all = what;
  for (const char c : s) all &= kClasses[static_cast<uint8_t>(c)];
  return all != 0;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string_view Trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

constexpr uint64_t kReserveMax = 1 << 20;  // of a body, on the client's word alone

}  // namespace

size_t RequestParser::Feed(std::string_view input, Request& request) {
  const size_t given = input.size();
  while (!input.empty() && state_ != State::kComplete && state_ != State::kFailed) {
    size_t taken = 1;
    switch (state_) {
      case State::kHead:
        taken = TakeHead(input, request);
        break;
      case State::kBody:
        taken = TakeBody(input, request, State::kComplete);
        break;
      case State::kChunkData:
        taken = TakeBody(input, request, State::kChunkDataCr);
        break;
      case State::kTrailer:
        taken = TakeTrailer(input, request);
        break;
      default:
        TakeChunkByte(input.front(), request);
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

// Looks for the empty line that ends the head, line by line, so that a line feed without its carriage return is seen at
// once.
size_t RequestParser::TakeHead(std::string_view input, Request& request) {
  if (!started_) {
    request.head.clear();
    if (!Is(input.front(), kToken) && input.front() != '\r') return Fail(400, "not an HTTP request"), 1;
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
    if (line_bytes_ == 0 || before != '\r') return Fail(400, "a line feed without carriage return"), at;
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
  bool first = true;
  while (rest.size() > 2) {
    const size_t end = rest.find('\n');  // TakeHead saw that each has its carriage return
    const std::string_view line = rest.substr(0, end - 1);
    rest.remove_prefix(end + 1);
    if (first) {
      if (!ParseRequestLine(line, request)) return false;
      first = false;
      continue;
    }
    Header field;
    if (!ParseField(line, field)) return false;
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
  if (request.method.empty() || !AllAre(request.method, kToken)) return Fail(400, "a malformed method");
  if (request.target.empty() || !AllAre(request.target, kTarget)) return Fail(400, "a malformed request target");
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (version.size() != 8 || version.substr(0, 5) != "HTTP/" || !is_digit(version[5]) || version[6] != '.' ||
      !is_digit(version[7])) {
    return Fail(400, "a malformed HTTP version");
  }
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return Fail(505, "only HTTP/1.0 and HTTP/1.1 are spoken");
  request.minor_version = version[7] - '0';
  keep_alive_ = request.minor_version == 1;
  return true;
}

// Runs behind the headers, as an absolute target must name the same host as they do.
bool RequestParser::ParseTarget(Request& request) {
  if (request.minor_version == 1 && host_.data() == nullptr) return Fail(400, "no Host header");
  std::string_view path = request.target;
  if (path.front() != '/' && path.size() > 7 && EqualsIgnoringCase(path.substr(0, 7), "http://")) {
    path.remove_prefix(7);
    const std::string_view authority = path.substr(0, path.find_first_of("/?"));
    if (host_.data() != nullptr && !EqualsIgnoringCase(authority, host_))
      return Fail(400, "the target is another host");
    path.remove_prefix(authority.size());
  } else if (path.front() != '/' && !(path == "*" && request.method == "OPTIONS")) {
    return Fail(400, "a malformed request target");
  }
  const size_t mark = path.find('?');
  request.path = path.empty() || mark == 0 ? std::string_view("/") : path.substr(0, mark);
  request.query = mark == std::string_view::npos ? std::string_view() : path.substr(mark + 1);
  return true;
}

// A folded line begins with a space, which no name has; so has a name with a space before its colon.
bool RequestParser::ParseField(std::string_view line, Header& field) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return Fail(400, "a header without name or colon");
  field.name = line.substr(0, colon);
  if (!AllAre(field.name, kToken)) return Fail(400, "a malformed header name");
  const std::string_view value = line.substr(colon + 1);
  if (!AllAre(value, kField)) return Fail(400, "a control byte in a header");
  field.value = Trimmed(value);
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
      if (!EqualsIgnoringCase(field.value, "100-continue")) return Fail(417, "an unknown expectation");
      expects_continue_ = request.minor_version == 1;
      break;
    case 10:
      if (is("connection")) ApplyConnection(field.value);
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
  if (host_.data() != nullptr) return Fail(400, "several Host headers");
  if (value.empty() || !AllAre(value, kHost)) return Fail(400, "a malformed Host header");
  host_ = value;
  return true;
}

void RequestParser::ApplyConnection(std::string_view value) {
  while (!value.empty()) {
    const size_t comma = std::min(value.find(','), value.size());
    const std::string_view option = Trimmed(value.substr(0, comma));
    value.remove_prefix(std::min(comma + 1, value.size()));
    if (EqualsIgnoringCase(option, "close")) keep_alive_ = false;
    if (EqualsIgnoringCase(option, "keep-alive")) keep_alive_ = true;
  }
}

bool RequestParser::ApplyContentLength(std::string_view value) {
  if (value.empty() || value.size() > 18) return Fail(400, "a malformed Content-Length");
  uint64_t length = 0;
  for (const char c : value) {
    if (c < '0' || c > '9') return Fail(400, "a malformed Content-Length");
    length = length * 10 + static_cast<uint64_t>(c - '0');
  }
  if (has_length_ && length != remaining_) return Fail(400, "two different Content-Length headers");
  has_length_ = true;
  remaining_ = length;
  return true;
}

bool RequestParser::ApplyTransferEncoding(std::string_view value, const Request& request) {
  if (chunked_ || request.minor_version == 0 || !EqualsIgnoringCase(value, "chunked")) {
    return Fail(400, "an unknown Transfer-Encoding");
  }
  chunked_ = true;
  return true;
}

bool RequestParser::StartBody(Request& request) {
  if (chunked_ && has_length_) return Fail(400, "both Content-Length and Transfer-Encoding");
  if (remaining_ > limits_.body_bytes_max) return Fail(413, "the body is too long");
  if (chunked_) {
    state_ = State::kChunkSize;
    return true;
  }
  request.body.reserve(std::min(remaining_, kReserveMax) + kBodySpareBytes);
  state_ = State::kBody;
  if (remaining_ == 0) Complete(request);
  return true;
}

size_t RequestParser::TakeBody(std::string_view input, Request& request, State next) {
  const size_t taken = static_cast<size_t>(std::min<uint64_t>(input.size(), remaining_));
  request.body.append(input.substr(0, taken));
  remaining_ -= taken;
  if (remaining_ > 0) return taken;
  state_ = next;
  if (next == State::kComplete) Complete(request);
  return taken;
}

void RequestParser::TakeChunkByte(char c, Request& request) {
  switch (state_) {
    case State::kChunkSize:
      if (const int digit = HexDigit(c); digit >= 0) {
        remaining_ = remaining_ * 16 + static_cast<uint64_t>(digit);
        if (++chunk_digits_ > 8) Fail(400, "a chunk size of too many digits");
      } else if (chunk_digits_ > 0 && (c == '\r' || c == ';')) {
        state_ = c == '\r' ? State::kChunkSizeLf : State::kChunkExtension;
      } else {
        Fail(400, "a malformed chunk size");
      }
      break;
    case State::kChunkExtension:
      if (c == '\r') {
        state_ = State::kChunkSizeLf;
      } else if (!Is(c, kField) || ++framing_bytes_ > limits_.header_bytes_max) {
        Fail(400, "a malformed chunk extension");
      }
      break;
    case State::kChunkSizeLf:
      if (c == '\n') {
        ChunkSizeDone(request);
      } else {
        Fail(400, "a malformed chunk size");
      }
      break;
    case State::kChunkDataCr:
    case State::kChunkDataLf:
      if (c != (state_ == State::kChunkDataCr ? '\r' : '\n')) {
        Fail(400, "a chunk longer than its size");
      } else {
        state_ = state_ == State::kChunkDataCr ? State::kChunkDataLf : State::kChunkSize;
      }
      break;
    default:
      break;
  }
}

void RequestParser::ChunkSizeDone(Request& request) {
  chunk_digits_ = 0;
  if (remaining_ == 0) {
    state_ = State::kTrailer;
  } else if (remaining_ > limits_.body_bytes_max - request.body.size()) {
    Fail(413, "the body is too long");
  } else {
    state_ = State::kChunkData;
  }
}

// Trailers are checked like headers, and dropped: nothing above may depend on a header that came behind the body.
size_t RequestParser::TakeTrailer(std::string_view input, Request& request) {
  const size_t lf = input.find('\n');
  const size_t taken = lf == std::string_view::npos ? input.size() : lf + 1;
  if (framing_bytes_ + taken > limits_.header_bytes_max) {
    // Counted to the byte, so that the same bytes fail wherever they were split.
    const size_t room = limits_.header_bytes_max - framing_bytes_;
    return Fail(400, "the trailers are too long"), room + 1;
  }
  framing_bytes_ += taken;
  trailer_line_.append(input.substr(0, taken));
  if (lf == std::string_view::npos) return taken;
  std::string_view line = trailer_line_;
  line.remove_suffix(1);
  if (line.empty() || line.back() != '\r') return Fail(400, "a line feed without carriage return"), taken;
  line.remove_suffix(1);
  Header field;
  if (line.empty()) {
    state_ = State::kComplete;
    Complete(request);
  } else {
    ParseField(line, field);
  }
  trailer_line_.clear();
  return taken;
}

void RequestParser::Complete(Request& request) {
  request.body.reserve(request.body.size() + kBodySpareBytes);
  state_ = State::kComplete;
}

}  // namespace keyfold

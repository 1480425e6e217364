#include "bench/driver/answer_reader.h"

#include <strings.h>

#include <algorithm>
#include <charconv>

namespace keyfold::bench {
namespace {

constexpr std::string_view kHeadEnd = "\r\n\r\n", kLastChunk = "0\r\n\r\n";

// The value of a header of that name; `name` begins with a line end and ends with a colon.
std::string_view Find(std::string_view head, std::string_view name) {
  for (size_t at = head.find('\r'); at != std::string_view::npos; at = head.find('\r', at + 1)) {
    if (head.size() - at < name.size() || strncasecmp(head.data() + at, name.data(), name.size()) != 0) continue;
    std::string_view value = head.substr(at + name.size());
    value = value.substr(0, value.find('\r'));
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    return value;
  }
  return {};
}

}  // namespace

void AnswerReader::Reset() {
  start_.clear();
  end_.clear();
  head_done_ = chunked_ = close_ = false;
  remaining_ = 0;
  status_ = 0;
}

// Whether it is one.
bool AnswerReader::ReadHead(std::string_view head) {
  if (!head.starts_with("HTTP/1.") || head.size() < 12) return false;
  std::from_chars(head.data() + 9, head.data() + 12, status_);
  const std::string_view length = Find(head, "\r\ncontent-length:");
  std::from_chars(length.data(), length.data() + length.size(), remaining_);
  chunked_ = length.empty() && !Find(head, "\r\ntransfer-encoding:").empty();
  const std::string_view connection = Find(head, "\r\nconnection:");
  close_ = connection.size() == 5 && strncasecmp(connection.data(), "close", 5) == 0;
  return true;
}

bool AnswerReader::Feed(std::string_view bytes) {
  end_.append(bytes.substr(bytes.size() - std::min(bytes.size(), kEndBytes)));
  if (end_.size() > kEndBytes) end_.erase(0, end_.size() - kEndBytes);
  if (!head_done_) {
    const size_t before = start_.size();
    start_.append(bytes.substr(0, kStartBytes));
    const size_t end = start_.find(kHeadEnd);
    if (end == std::string::npos) return false;
    head_done_ = true;
    if (!ReadHead(std::string_view(start_).substr(0, end + 2))) return true;
    bytes.remove_prefix(end + kHeadEnd.size() - before);
  } else if (start_.size() < kStartBytes) {
    start_.append(bytes.substr(0, kStartBytes - start_.size()));
  }
  if (chunked_) return end_.ends_with(kLastChunk);
  remaining_ -= std::min<uint64_t>(remaining_, bytes.size());
  return remaining_ == 0;
}

}  // namespace keyfold::bench

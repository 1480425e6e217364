#include "bench/driver/sender.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace keyfold::bench {
namespace {

constexpr int kEventsMax = 256;
constexpr size_t kBufferBytes = 256 * 1024;
constexpr int64_t kNsPerSecond = 1'000'000'000;
constexpr int kTurnMs = 100;  // how late the end may be seen

[[noreturn]] void End(const std::string& why) {
  fmt::print(stderr, "bench_driver: {}\n", why);
  std::exit(1);
}

int OpenSocket(const Target& target) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(target.port);
  if (inet_pton(AF_INET, target.host.c_str(), &address.sin_addr) != 1) End(target.host + " is not an IPv4 address");
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) End(std::string("no socket: ") + std::strerror(errno));
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    End(fmt::format("cannot connect to {}: {}", target.authority(), std::strerror(errno)));
  }
  return fd;
}

}  // namespace

int64_t Sender::NowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * kNsPerSecond + now.tv_nsec;
}

Sender::Sender(const Target& target, size_t connections, double rate, Feed& feed)
    : target_(target),
      feed_(feed),
      interval_ns_(rate > 0 ? std::max<int64_t>(1, static_cast<int64_t>(1e9 / rate)) : 0),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      connections_(connections),
      buffer_(kBufferBytes) {
  for (size_t i = 0; i < connections; ++i) Connect(i);
}

Sender::~Sender() {
  for (const Connection& connection : connections_) ::close(connection.socket);
  ::close(epoll_);
}

void Sender::Connect(size_t index) {
  Connection& connection = connections_[index];
  connection.socket = OpenSocket(target_);
  connection.unsent.clear();
  connection.reader.Reset();
  epoll_event event{};
  event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
  event.data.u64 = index;
  if (epoll_ctl(epoll_, EPOLL_CTL_ADD, connection.socket, &event) != 0) End("epoll_ctl failed");
}

void Sender::Run(int64_t end_ns) {
  due_ns_ = NowNs();
  for (size_t i = connections_.size(); i-- > 0;) {
    interval_ns_ == 0 ? SendNext(i, due_ns_) : free_.push_back(i);
  }
  epoll_event events[kEventsMax];
  while (resting_ < connections_.size() && NowNs() < end_ns) {
    if (interval_ns_ > 0) {
      SendWhatIsDue();
      Wait(end_ns);
    }
    const int count = epoll_wait(epoll_, events, kEventsMax, interval_ns_ > 0 ? 0 : kTurnMs);
    if (count < 0 && errno != EINTR) End("epoll_wait failed");
    for (int i = 0; i < count; ++i) {
      const size_t index = events[i].data.u64;
      if ((events[i].events & EPOLLOUT) != 0) Write(connections_[index]);
      if ((events[i].events & ~EPOLLOUT) != 0) Read(index);
    }
  }
}

// For an event, the next request that is due, or the end; to the microsecond, which epoll_wait itself cannot.
void Sender::Wait(int64_t end_ns) const {
  int64_t until = end_ns;
  if (interval_ns_ > 0 && !free_.empty()) until = std::min(until, due_ns_);
  const int64_t wait_ns = std::max<int64_t>(0, until - NowNs());
  pollfd queue{epoll_, POLLIN, 0};
  const timespec wait{wait_ns / kNsPerSecond, wait_ns % kNsPerSecond};
  ppoll(&queue, 1, &wait, nullptr);
}

void Sender::SendWhatIsDue() {
  while (!free_.empty() && resting_ < connections_.size() && NowNs() >= due_ns_) {
    const size_t index = free_.back();
    free_.pop_back();
    SendNext(index, due_ns_);
    due_ns_ += interval_ns_;
  }
}

void Sender::SendNext(size_t index, int64_t began_ns) {
  Connection& connection = connections_[index];
  connection.unsent.clear();
  if (!feed_.Next(index, connection.unsent)) {
    ++resting_;
    return;
  }
  connection.busy = true;
  connection.began_ns = began_ns;
  connection.reader.Reset();
  Write(connection);
}

void Sender::Write(Connection& connection) {
  std::string& unsent = connection.unsent;
  if (unsent.empty()) return;
  const ssize_t n = ::send(connection.socket, unsent.data(), unsent.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (n == static_cast<ssize_t>(unsent.size())) {
    unsent.clear();
  } else if (n > 0) {
    unsent.erase(0, static_cast<size_t>(n));
  }
}

void Sender::Read(size_t index) {
  Connection& connection = connections_[index];
  for (;;) {
    const ssize_t n = ::recv(connection.socket, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n <= 0) return Lose(index);
    const bool whole = connection.reader.Feed({buffer_.data(), static_cast<size_t>(n)});
    if (whole) return Finish(index, NowNs());
    if (static_cast<size_t>(n) < buffer_.size()) return;
  }
}

void Sender::Finish(size_t index, int64_t now_ns) {
  Connection& connection = connections_[index];
  if (!connection.busy) return;
  connection.busy = false;
  const AnswerReader& reader = connection.reader;
  feed_.Done({index, reader.status(), reader.start(), reader.end(), now_ns, now_ns - connection.began_ns});
  if (reader.close()) {
    ::close(connection.socket);
    Connect(index);
  }
  interval_ns_ == 0 ? SendNext(index, now_ns) : free_.push_back(index);
}

// Connects anew; what was under way counts as failed.
void Sender::Lose(size_t index) {
  Connection& connection = connections_[index];
  ::close(connection.socket);
  ++connections_lost_;
  Connect(index);
  if (!connection.busy) return;
  connection.busy = false;
  const int64_t now = NowNs();
  feed_.Done({index, 0, {}, {}, now, now - connection.began_ns});
  interval_ns_ == 0 ? SendNext(index, now) : free_.push_back(index);
}

}  // namespace keyfold::bench

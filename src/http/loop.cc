#include "http/loop.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "http/connection.h"

namespace keyfold::http {
namespace {

constexpr int kEventsMax = 256;
constexpr int kEventsAtOnce = 16;
constexpr int kTurnsUnreportedMax = 4;
constexpr int kRestTriesMax = 16;
constexpr int64_t kDrainSweepPeriodMs = 50;
constexpr size_t kBuffersKept = 128, kBufferKeptBytesMin = 64, kBufferKeptBytesMax = 16 * 1024;  // 2 MB at most

int64_t SweepPeriodMs(const ServerOptions& o) {
  const auto shortest = std::min({o.header_timeout, o.body_timeout, o.idle_timeout, o.write_timeout, o.linger_timeout});
  return std::clamp<int64_t>(shortest.count() / 4, 5, 1000);
}

}  // namespace

Loop::Loop(std::shared_ptr<ServerState> state, size_t index)
    : state_(std::move(state)),
      index_(index),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      wakeup_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
      sweep_period_ms_(SweepPeriodMs(state_->options)),
      read_buffer_(std::make_unique<std::array<char, 64 * 1024>>()) {
  CHECK(epoll_ >= 0 && wakeup_ >= 0);
  epoll_event event{};
  event.events = EPOLLIN | EPOLLET;  // no sink: it only ends the wait and is never read
  CHECK(epoll_ctl(epoll_, EPOLL_CTL_ADD, wakeup_, &event) == 0);
  if (!options().server_header.empty()) server_line_ = "Server: " + options().server_header + "\r\n";
}

Loop::~Loop() {
  ::close(wakeup_);
  ::close(epoll_);
}

void Loop::Run() {
  thread_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  epoll_event events[kEventsMax];
  while (!ended_) {
    const int count = WaitForEvents(events);
    holding_ = count > 1;
    for (int i = 0; i < count; ++i) {
      if (events[i].data.ptr != nullptr) static_cast<EventSink*>(events[i].data.ptr)->OnEvents(events[i].events);
      if ((i + 1) % kEventsAtOnce == 0) FinishRequests();
    }
    holding_ = false;
    RunPosted();
    RunDue();
    FinishRequests();
    Sweep();
    closed_.clear();
  }
  thread_.store(std::thread::id(), std::memory_order_relaxed);
}

// Takes requests that have already arrived before it calls after_requests, whose work (a sync) then serves all of them.
// The first ones wait for a few turns at most.
int Loop::WaitForEvents(epoll_event* events) {
  if (turns_unreported_ > 0) {
    if (const int count = epoll_wait(epoll_, events, kEventsMax, 0); count > 0) return count;
    ReportRequests();
  }
  const int count = epoll_wait(epoll_, events, kEventsMax, WaitMs());
  CHECK(count >= 0 || errno == EINTR);
  return count;
}

// Posted work ends the wait, so a loop without connections waits forever.
int Loop::WaitMs() const {
  if (connections_.empty() && later_.empty()) return -1;
  int64_t next_ms = next_sweep_ms_;
  for (const Later& later : later_) next_ms = std::min(next_ms, later.due_ms);
  return static_cast<int>(std::clamp<int64_t>(next_ms - NowMs(), 0, sweep_period_ms_));
}

void Loop::Post(std::function<void()> work) {
  bool first;
  {
    const MutexLock lock(mutex_);
    first = posted_.empty();
    posted_.push_back(std::move(work));
  }
  // After the first item, the loop is already awake.
  const uint64_t one = 1;
  if (first) CHECK(::write(wakeup_, &one, sizeof one) == sizeof one);
}

void Loop::RunPosted() {
  std::vector<std::function<void()>> work;
  {
    const MutexLock lock(mutex_);
    work.swap(posted_);
  }
  for (const auto& piece : work) piece();
}

void Loop::RunDue() {
  if (later_.empty()) return;
  const int64_t now = NowMs();
  const auto due = std::partition(later_.begin(), later_.end(), [&](const Later& later) { return later.due_ms > now; });
  std::vector<Later> work(std::make_move_iterator(due), std::make_move_iterator(later_.end()));
  later_.erase(due, later_.end());
  for (const Later& later : work) later.work();
}

bool Loop::HoldAnswer(Connection& connection) {
  if (holding_) held_.push_back(&connection);
  return holding_;
}

void Loop::ReportRequests() {
  turns_unreported_ = 0;
  requests_reported_ = requests();
  if (options().after_requests) options().after_requests();
}

void Loop::FinishRequests() {
  sending_.swap(held_);
  for (Connection* connection : sending_) connection->SendAnswer();  // the next request may be waiting after it
  sending_.clear();
  if (requests() != requests_reported_ && ++turns_unreported_ == kTurnsUnreportedMax) ReportRequests();
}

bool Loop::Watch(int socket, uint32_t events, EventSink& sink) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = &sink;
  return epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event) == 0;
}

void Loop::ChangeWatch(int socket, uint32_t events, EventSink& sink) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = &sink;
  CHECK(epoll_ctl(epoll_, EPOLL_CTL_MOD, socket, &event) == 0);
}

int64_t Loop::NowMs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

void Loop::Add(std::shared_ptr<Connection> connection) {
  connection->set_place(connections_.size());
  connections_.push_back(std::move(connection));
}

void Loop::Remove(Connection& connection) {
  const size_t place = connection.place();
  std::swap(connections_[place], connections_.back());
  connections_[place]->set_place(place);
  closed_.push_back(std::move(connections_.back()));
  connections_.pop_back();
  bool resume = false;
  {
    const MutexLock lock(state_->mutex);
    --state_->connections;
    resume = std::exchange(state_->accepting_paused, false);
    state_->connection_closed.NotifyAll();
  }
  if (resume) state_->resume_accepting();
}

// A request may be on its way to a connection at rest: a connection whose bytes have already arrived is skipped.
bool Loop::CloseLongestAtRest(Rest rest) {
  for (int tries = 0; tries < kRestTriesMax; ++tries) {
    RestPlace* const place = rest_lists_.Oldest(rest);
    if (place == nullptr) return false;
    auto& connection = static_cast<Connection&>(*place);
    if (rest == Rest::kLingering || connection.IsIdle()) {
      state_->connections_given_way.fetch_add(1, std::memory_order_relaxed);
      connection.Close();
      return true;
    }
    rest_lists_.Move(*place, rest);
  }
  return false;
}

// Iterates backwards, because a connection that closes swaps places with the last one, which has already been visited.
template <typename Visit>
void Loop::ForEachConnection(Visit visit) {
  for (size_t i = connections_.size(); i-- > 0;) {
    if (i < connections_.size()) visit(*connections_[i]);
  }
}

void Loop::BeginDrain() {
  draining_ = true;
  sweep_period_ms_ = std::min(sweep_period_ms_, kDrainSweepPeriodMs);
  next_sweep_ms_ = 0;
  ForEachConnection([](Connection& connection) { connection.BeginDrain(); });
}

void Loop::AnswerAll() {
  all_answered_ = true;
  ForEachConnection([](Connection& connection) { connection.AnswerUnfinished(); });
}

void Loop::CloseAll() {
  draining_ = true;
  ForEachConnection([](Connection& connection) { connection.Close(); });
}

// Checks all deadlines from time to time, so that a request needs no timer of its own.
void Loop::Sweep() {
  const int64_t now = NowMs();
  if (now < next_sweep_ms_) return;
  next_sweep_ms_ = now + sweep_period_ms_;
  ForEachConnection([now](Connection& connection) { connection.CheckDeadline(now); });
}

std::string Loop::TakeBuffer() {
  if (buffers_.empty()) return {};
  std::string buffer = std::move(buffers_.back());
  buffers_.pop_back();
  return buffer;
}

void Loop::KeepBuffer(std::string buffer) {
  if (buffers_.size() == kBuffersKept) return;
  if (buffer.capacity() < kBufferKeptBytesMin || buffer.capacity() > kBufferKeptBytesMax) return;
  buffer.clear();
  buffers_.push_back(std::move(buffer));
}

const std::string& Loop::date_line() {
  const std::time_t now = std::time(nullptr);
  if (now == date_second_) return date_line_;
  date_second_ = now;
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[48];
  const size_t bytes = strftime(text, sizeof text, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &utc);
  date_line_.assign(text, bytes);
  return date_line_;
}

}  // namespace keyfold::http

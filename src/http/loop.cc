#include "http/loop.h"

#include <time.h>

#include <algorithm>
#include <boost/asio/post.hpp>

#include "http/connection.h"

namespace keyfold {

Loop::Loop(std::shared_ptr<ServerState> state, size_t index)
    : state_(std::move(state)),
      index_(index),
      work_(io_.get_executor()),
      sweep_(io_),
      read_buffer_(std::make_unique<std::array<char, 64 * 1024>>()) {
  if (!options().server_header.empty()) server_line_ = "Server: " + options().server_header + "\r\n";
  ArmSweep();
}

void Loop::Run() { io_.run(); }

void Loop::Post(std::function<void()> work) { boost::asio::post(io_, std::move(work)); }

void Loop::End() {
  work_.reset();
  io_.stop();
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
  connections_.pop_back();
  const std::lock_guard lock(state_->mutex);
  --state_->connections;
  state_->connection_closed.notify_all();
}

// Backwards, because a connection that closes swaps places with the last one, which was seen already.
void Loop::BeginDrain() {
  draining_ = true;
  for (size_t i = connections_.size(); i-- > 0;) connections_[i]->CloseIfIdle();
}

void Loop::CloseAll() {
  draining_ = true;
  for (size_t i = connections_.size(); i-- > 0;) connections_[i]->Close();
}

// One timer for all deadlines, so that a request costs no timer of its own.
void Loop::ArmSweep() {
  sweep_.expires_after(SweepPeriod());
  sweep_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    const int64_t now = NowMs();
    for (size_t i = connections_.size(); i-- > 0;) connections_[i]->CheckDeadline(now);
    ArmSweep();
  });
}

std::chrono::milliseconds Loop::SweepPeriod() const {
  const ServerOptions& o = options();
  const auto shortest =
      std::min({o.header_timeout, o.body_timeout, o.idle_timeout, o.write_timeout, o.linger_timeout}) / 4;
  return std::clamp(shortest, std::chrono::milliseconds(5), std::chrono::milliseconds(1000));
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

}  // namespace keyfold

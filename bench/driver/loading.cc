#include "bench/driver/loading.h"

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "bench/driver/signed_requests.h"
#include "bench/driver/workload.h"

namespace keyfold::bench {
namespace {

constexpr uint64_t kBatch = 25;
constexpr int kRefusalsMax = 10'000;  // consecutive refusals of one sender
constexpr int64_t kNever = INT64_MAX;

// What the senders of one load share. Thread-safe.
struct Progress {
  explicit Progress(uint64_t from) : next(from) {}
  std::atomic<uint64_t> next;  // the first order that nobody has taken
  std::atomic<uint64_t> written{0};
  std::atomic<bool> failed{false};
};

// Batches of orders, each sent until it was taken whole.
class BatchFeed final : public Feed {
 public:
  BatchFeed(const LoadOptions& options, size_t connections, Progress& progress)
      : tables_(TablesOf(options.table, options.tables, options.comment_bytes)),
        end_(options.items),
        progress_(progress),
        first_(connections),
        requests_(options.target.authority()) {}

  bool Next(size_t connection, std::string& request) override {
    if (progress_.failed) return false;
    std::optional<uint64_t>& first = first_[connection];
    if (!first) first = progress_.next.fetch_add(kBatch);
    if (*first >= end_) return false;
    body_.clear();
    tables_[*first / kOrdersTogether % tables_.size()].PutBatch(body_, *first, std::min(kBatch, end_ - *first),
                                                                100 + *first % 99'000);
    requests_.Append(request, "BatchWriteItem", body_);
    return true;
  }

  void Done(const Outcome& outcome) override {
    if (outcome.status == 200 && outcome.start.find(R"("UnprocessedItems":{})") != std::string_view::npos) {
      refusals_ = 0;
      std::optional<uint64_t>& first = first_[outcome.connection];
      progress_.written += std::min(kBatch, end_ - *first);
      first.reset();
      return;
    }
    // Throttled, or not all of it taken: again, unless it goes on like that.
    const bool throttled = outcome.status == 200 || outcome.start.find("Throttl") != std::string_view::npos ||
                           outcome.start.find("ThroughputExceeded") != std::string_view::npos;
    if (throttled && ++refusals_ < kRefusalsMax) return;
    if (!progress_.failed.exchange(true)) {
      fmt::print(stderr, "bench_driver: the server refuses: {}\n", outcome.start);
    }
  }

 private:
  const std::vector<OrderRequests> tables_;
  const uint64_t end_;
  Progress& progress_;
  std::vector<std::optional<uint64_t>> first_;  // order of the batch that a connection is sending
  SignedRequests requests_;
  std::string body_;
  int refusals_ = 0;
};

// A list of requests, one after the other.
class ListFeed final : public Feed {
 public:
  explicit ListFeed(std::vector<std::string> requests) : requests_(std::move(requests)) {}
  bool Next(size_t, std::string& request) override {
    if (at_ == requests_.size() || failed_) return false;
    request = requests_[at_++];
    return true;
  }
  void Done(const Outcome& outcome) override {
    if (outcome.status == 200) return;
    failed_ = true;
    fmt::print(stderr, "bench_driver: the server refuses: {}\n", outcome.start);
  }
  bool failed() const { return failed_; }

 private:
  const std::vector<std::string> requests_;
  size_t at_ = 0;
  bool failed_ = false;
};

bool SendAll(const Target& target, std::vector<std::string> requests) {
  ListFeed feed(std::move(requests));
  Sender(target, 1, 0, feed).Run(kNever);
  return !feed.failed();
}

std::vector<std::string> CreateRequests(const LoadOptions& options) {
  SignedRequests requests(options.target.authority());
  std::vector<std::string> out;
  const auto add = [&](const OrderRequests& orders, uint64_t indexes) {
    std::string body;
    orders.CreateTable(body, indexes);
    requests.Append(out.emplace_back(), "CreateTable", body);
  };
  for (const OrderRequests& orders : TablesOf(options.table, options.tables, options.comment_bytes)) {
    add(orders, options.indexes);
  }
  if (options.large) add(OrderRequests(options.table + std::string(kLargeSuffix)), 0);
  return out;
}

std::vector<std::string> LargeRequests(const LoadOptions& options) {
  SignedRequests requests(options.target.authority());
  const OrderRequests orders(options.table + std::string(kLargeSuffix), kLongCommentBytes);
  std::vector<std::string> out;
  for (uint64_t n = 0; n < kLargeItems; ++n) {
    std::string body;
    orders.Put(body, n, 100);
    requests.Append(out.emplace_back(), "PutItem", body);
  }
  return out;
}

// A line a second, until `done`.
void Report(const LoadOptions& options, const Progress& progress, const std::atomic<bool>& done) {
  constexpr auto kStep = std::chrono::milliseconds(50);
  constexpr int kStepsPerLine = 20;
  uint64_t before = 0;
  for (int steps = 1; !done; ++steps) {
    std::this_thread::sleep_for(kStep);
    if (steps % kStepsPerLine != 0) continue;
    const uint64_t written = progress.written;
    fmt::print(stderr, "{} of {} items, {} a second\n", options.from + written, options.items, written - before);
    before = written;
  }
}

}  // namespace

int RunLoad(const LoadOptions& options) {
  if (options.create && !SendAll(options.target, CreateRequests(options))) return 1;
  if (options.large && options.create && !SendAll(options.target, LargeRequests(options))) return 1;
  Progress progress(options.from);
  const int64_t began = Sender::NowNs();
  std::atomic<bool> done = false;
  std::thread report([&] { Report(options, progress, done); });
  std::vector<std::thread> running;
  const size_t share = (options.connections + options.threads - 1) / options.threads;
  for (size_t i = 0; i < options.threads; ++i) {
    running.emplace_back([&] {
      BatchFeed feed(options, share, progress);
      Sender(options.target, share, 0, feed).Run(kNever);
    });
  }
  for (std::thread& thread : running) thread.join();
  const double seconds = static_cast<double>(Sender::NowNs() - began) / 1e9;
  done = true;
  report.join();
  const uint64_t written = progress.written;
  fmt::print(R"({{"items":{},"seconds":{:.2f},"items_per_second":{:.0f}}})"
             "\n",
             written, seconds, static_cast<double>(written) / seconds);
  return progress.failed ? 1 : 0;
}

}  // namespace keyfold::bench

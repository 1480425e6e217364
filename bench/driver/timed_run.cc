#include "bench/driver/timed_run.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <thread>

#include "bench/driver/histogram.h"
#include "bench/driver/process_time.h"
#include "bench/driver/signed_requests.h"

namespace keyfold::bench {
namespace {

constexpr double kNsPerSecond = 1e9;
constexpr size_t kSampleBytes = 600;

// When the clock is running.
struct Window {
  int64_t begin_ns = 0, end_ns = 0;
  bool Holds(int64_t now_ns) const { return now_ns >= begin_ns && now_ns < end_ns; }
};

// What one thread sends, and its counts.
class WorkloadFeed final : public Feed {
 public:
  WorkloadFeed(const RunOptions& options, const Workload& workload, Window window, uint64_t seed)
      : workload_(workload),
        any_answer_(options.any_answer),
        window_(window),
        tables_(workload.large ? TablesOf(options.table + std::string(kLargeSuffix), 1, kLongCommentBytes)
                               : TablesOf(options.table, options.tables, options.comment_bytes)),
        random_(seed),
        maker_{tables_, random_, workload.large ? kLargeItems : options.items},
        requests_(options.target.authority()) {}

  bool Next(size_t, std::string& request) override {
    body_.clear();
    const std::string_view operation = workload_.make(maker_, body_);
    requests_.Append(request, operation, body_);
    return true;
  }

  void Done(const Outcome& outcome) override {
    if (!window_.Holds(outcome.now_ns)) return;
    latencies_.Add(static_cast<uint64_t>(outcome.latency_ns));
    const bool right = any_answer_ || Has(outcome.end) || Has(outcome.start);
    if (outcome.status == 200 && right) return;
    ++(outcome.status == 200 ? wrong_ : failed_);
    if (sample_.empty()) sample_ = outcome.status == 0 ? "connection lost" : outcome.start.substr(0, kSampleBytes);
  }

  const Histogram& latencies() const { return latencies_; }
  uint64_t failed() const { return failed_; }
  uint64_t wrong() const { return wrong_; }
  const std::string& sample() const { return sample_; }

 private:
  bool Has(std::string_view text) const { return text.find(workload_.expected) != std::string_view::npos; }

  const Workload& workload_;
  const bool any_answer_;
  const Window window_;
  const std::vector<OrderRequests> tables_;
  Random random_;
  Maker maker_;
  SignedRequests requests_;
  std::string body_;
  Histogram latencies_;
  uint64_t failed_ = 0, wrong_ = 0;
  std::string sample_;
};

// Returns the processor time of all threads of this process.
double ProcessorSeconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

void SleepUntil(int64_t ns) {
  const int64_t left = ns - Sender::NowNs();
  if (left > 0) std::this_thread::sleep_for(std::chrono::nanoseconds(left));
}

struct Totals {
  Histogram latencies;
  uint64_t failed = 0, wrong = 0, lost = 0;
  std::string sample;
  double server_us = 0, driver_us = 0;  // processor time in the window
  uint64_t server_bytes = 0;            // resident at the end of it
};

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c < ' ' ? ' ' : c;
  }
  return out + '"';
}

void Print(const RunOptions& options, const Totals& totals) {
  const auto count = static_cast<double>(totals.latencies.count());
  const auto us = [&totals](double part) { return static_cast<double>(totals.latencies.Percentile(part)) / 1e3; };
  const double per = std::max(count, 1.0);
  fmt::print(
      R"({{"workload":"{}","connections":{},"threads":{},"seconds":{},"rate":{},"requests":{},"rps":{:.1f},"mean_us":{:.1f},)"
      R"("p50_us":{:.1f},"p99_us":{:.1f},"p999_us":{:.1f},"max_us":{:.1f},"failed":{},"wrong":{},"lost":{},)"
      R"("server_us_per_request":{:.2f},"driver_us_per_request":{:.2f},"server_rss_bytes":{}{}}})"
      "\n",
      options.workload, options.connections, options.threads, options.seconds, options.rate, totals.latencies.count(),
      count / options.seconds, totals.latencies.mean() / 1e3, us(0.5), us(0.99), us(0.999),
      static_cast<double>(totals.latencies.max()) / 1e3, totals.failed, totals.wrong, totals.lost,
      totals.server_us / per, totals.driver_us / per, totals.server_bytes,
      totals.sample.empty() ? "" : R"(,"sample":)" + Quoted(totals.sample));
}

}  // namespace

int RunTimed(const RunOptions& options) {
  const Workload& workload = *FindWorkload(options.workload);
  const int64_t begin = Sender::NowNs() + static_cast<int64_t>(options.warm_up_seconds * kNsPerSecond);
  const Window window{begin, begin + static_cast<int64_t>(options.seconds * kNsPerSecond)};
  const size_t threads = std::min(options.threads, options.connections);
  std::vector<std::unique_ptr<WorkloadFeed>> feeds;
  std::vector<std::unique_ptr<Sender>> senders;
  for (size_t i = 0; i < threads; ++i) {
    const size_t share = options.connections / threads + (i < options.connections % threads ? 1 : 0);
    feeds.push_back(std::make_unique<WorkloadFeed>(options, workload, window, options.seed * 1'000 + i));
    const double rate = options.rate / static_cast<double>(threads);
    senders.push_back(std::make_unique<Sender>(options.target, share, rate, *feeds.back()));
  }
  std::vector<std::thread> running;
  for (const auto& sender : senders) running.emplace_back([&sender, &window] { sender->Run(window.end_ns); });
  SleepUntil(window.begin_ns);
  Totals totals;
  totals.server_us = -ProcessTimeUs(options.server_pids);
  totals.driver_us = -ProcessorSeconds() * 1e6;
  SleepUntil(window.end_ns);
  totals.server_us += ProcessTimeUs(options.server_pids);
  totals.driver_us += ProcessorSeconds() * 1e6;
  totals.server_bytes = ResidentBytes(options.server_pids);
  for (std::thread& thread : running) thread.join();
  for (size_t i = 0; i < threads; ++i) {
    totals.latencies.Add(feeds[i]->latencies());
    totals.failed += feeds[i]->failed();
    totals.wrong += feeds[i]->wrong();
    totals.lost += senders[i]->connections_lost();
    if (totals.sample.empty()) totals.sample = feeds[i]->sample();
  }
  Print(options, totals);
  return 0;
}

}  // namespace keyfold::bench

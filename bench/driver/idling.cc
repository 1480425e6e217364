#include "bench/driver/idling.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "bench/driver/process_time.h"
#include "bench/driver/signed_requests.h"

namespace keyfold::bench {
namespace {

constexpr auto kGrace = std::chrono::milliseconds(500);

// One request on each connection, so that each has been used.
class OnceFeed final : public Feed {
 public:
  OnceFeed(const Target& target, size_t connections) : sent_(connections), requests_(target.authority()) {}
  bool Next(size_t connection, std::string& request) override {
    if (sent_[connection]) return false;
    sent_[connection] = true;
    requests_.Append(request, "ListTables", "{}");
    return true;
  }
  void Done(const Outcome& outcome) override { failed_ += outcome.status == 200 ? 0 : 1; }
  size_t failed() const { return failed_; }

 private:
  std::vector<bool> sent_;
  SignedRequests requests_;
  size_t failed_ = 0;
};

}  // namespace

int RunIdle(const IdleOptions& options) {
  // The first connections bring in what the server needs only once.
  OnceFeed first(options.target, 16);
  Sender(options.target, 16, 0, first).Run(INT64_MAX);
  const uint64_t before = ResidentBytes(options.server_pids);
  OnceFeed feed(options.target, options.connections);
  Sender sender(options.target, options.connections, 0, feed);
  std::this_thread::sleep_for(kGrace);  // a connection is open before the server has taken it
  const uint64_t opened = ResidentBytes(options.server_pids);
  sender.Run(INT64_MAX);
  std::this_thread::sleep_for(std::chrono::duration<double>(options.seconds));
  const uint64_t used = ResidentBytes(options.server_pids);
  const auto each = [&](uint64_t bytes) {
    return (static_cast<double>(bytes) - static_cast<double>(before)) / static_cast<double>(options.connections);
  };
  fmt::print(R"({{"connections":{},"failed":{},"lost":{},"server_rss_bytes_before":{},"bytes_per_connection":{:.0f},)"
             R"("bytes_per_connection_after_a_request":{:.0f}}})"
             "\n",
             options.connections, feed.failed(), sender.connections_lost(), before, each(opened), each(used));
  return 0;
}

}  // namespace keyfold::bench

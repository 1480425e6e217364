// instructions REQUEST [TIMES]: sends a representative request to a server without threads, 200 times to warm it up and
// then TIMES times through CountedExchange, the function that bench/instructions/run has callgrind count. Prints the
// allocations of one exchange. `instructions --list` names the requests, --versions the libraries.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

#include "base/check.h"
#include "bench/instructions/allocations.h"
#include "bench/instructions/one_connection.h"
#include "bench/instructions/versions.h"
#include "bench/orders/request_head.h"
#include "bench/orders/requests.h"

// Time stands still, so that no run crosses a second and words its Date line again. The C and C++ libraries ask here.
namespace {
constexpr time_t kNow = 1'767'225'600;  // 2026-01-01T00:00:00Z
}
extern "C" int clock_gettime(clockid_t, timespec* now) noexcept {
  *now = {kNow, 0};
  return 0;
}
extern "C" time_t time(time_t* now) noexcept {
  if (now != nullptr) *now = kNow;
  return kNow;
}

namespace keyfold::bench {

// Not inlined and not static: callgrind finds it by its name.
[[gnu::noinline]] void CountedExchange(OneConnection& connection) { connection.Serve(); }

namespace {

constexpr uint64_t kOrders = 2'000, kBatch = 25, kWarmUps = 200;
constexpr uint64_t kCents = 10'000;  // the smallest price, so that all have five digits
constexpr std::string_view kHost = "127.0.0.1:8000";

struct Exchange {
  std::string_view name, operation;
  std::function<void(std::string& body, uint64_t n, uint64_t cents)> make;  // cents are others each time
  std::string_view expected;                                                // somewhere in the answer
  // Sent before each, and not counted: puts back what a DeleteItem took.
  bool put_before = false;
};

// A steady walk over the orders that comes to every customer.
uint64_t NthOrder(uint64_t i) { return i * 617 % kOrders; }

const Exchange* Exchanges(size_t& count) {
  static const OrderRequests orders("orders");
  static const Exchange exchanges[] = {
      {"GetItem", "GetItem", [](auto& body, auto n, auto) { orders.Get(body, n); }, R"("Springfield")"},
      {"PutItem", "PutItem", [](auto& body, auto n, auto cents) { orders.Put(body, n, cents); }, "{}"},
      {"PutItem-condition", "PutItem", [](auto& body, auto n, auto cents) { orders.PutIfThere(body, n, cents); }, "{}"},
      {"UpdateItem-condition", "UpdateItem", [](auto& body, auto n, auto) { orders.Update(body, n); }, "{}"},
      {"DeleteItem", "DeleteItem", [](auto& body, auto n, auto) { orders.Delete(body, n); }, "{}", true},
      {"Query-10", "Query", [](auto& body, auto n, auto) { orders.QueryYear(body, n); }, R"("Count":10,)"},
      {"Query-index-10", "Query", [](auto& body, auto n, auto) { orders.QueryProduct(body, n); }, R"("Count":10,)"},
      {"Scan-50", "Scan", [](auto& body, auto n, auto) { orders.RunScan(body, n); }, R"("Items":[{)"},
      {"TransactWriteItems-2", "TransactWriteItems",
       [](auto& body, auto n, auto cents) { orders.Transact(body, n, (n + 1'000) % kOrders, cents); }, "{}"},
      {"BatchWriteItem-25", "BatchWriteItem",
       [](auto& body, auto n, auto cents) { orders.PutBatch(body, n / kBatch * kBatch, kBatch, cents); },
       R"("UnprocessedItems":{})"},
  };
  count = std::size(exchanges);
  return exchanges;
}

// The server's answer must be what the figure is said to be of.
void MustBe(const std::string& answer, std::string_view expected) {
  if (answer.starts_with("HTTP/1.1 200 ") && answer.find(expected) != std::string::npos) return;
  fmt::print(stderr, "not the answer that was expected ({}):\n{}\n", expected, answer.substr(0, 2'000));
  std::exit(1);
}

std::string Whole(std::string_view operation, const std::function<void(std::string&)>& make) {
  static const RequestHead head(kHost, kNow);
  std::string body, request;
  make(body);
  head.AppendRequest(request, operation, body);
  return request;
}

void Ask(OneConnection& connection, const std::string& request, std::string_view expected) {
  connection.Send(request);
  connection.Serve();
  MustBe(connection.Receive(), expected);
}

void Load(OneConnection& connection) {
  const OrderRequests orders("orders");
  Ask(connection, Whole("CreateTable", [&](auto& body) { orders.CreateTable(body, /*indexes=*/1); }), "ACTIVE");
  for (uint64_t n = 0; n < kOrders; n += kBatch) {
    Ask(connection, Whole("BatchWriteItem", [&](auto& body) { orders.PutBatch(body, n, kBatch, kCents); }),
        R"(Items":{})");
  }
}

// Allocations of the counted exchanges.
uint64_t Exchanging(OneConnection& connection, const Exchange& exchange, uint64_t times) {
  const OrderRequests orders("orders");
  uint64_t allocations = 0;
  for (uint64_t i = 0; i < kWarmUps + times; ++i) {
    const uint64_t n = NthOrder(i);
    if (exchange.put_before) {
      Ask(connection, Whole("PutItem", [&](auto& body) { orders.Put(body, n, kCents + i); }), "{}");
    }
    const std::string request = Whole(exchange.operation, [&](auto& body) { exchange.make(body, n, kCents + i); });
    connection.Send(request);
    if (i < kWarmUps) {
      connection.Serve();
    } else {
      const uint64_t before = Allocations();
      CountedExchange(connection);
      allocations += Allocations() - before;
    }
    MustBe(connection.Receive(), exchange.expected);
  }
  return allocations;
}

int Main(int count, char** words) {
  size_t exchanges_count = 0;
  const Exchange* exchanges = Exchanges(exchanges_count);
  const std::string_view name = count > 1 ? words[1] : "";
  if (name == "--versions") return fmt::print("{}", Versions()), 0;
  for (const Exchange* exchange = exchanges; exchange < exchanges + exchanges_count; ++exchange) {
    if (name == "--list") fmt::print("{}\n", exchange->name);
    if (name != exchange->name) continue;
    const uint64_t times = count > 2 ? std::strtoull(words[2], nullptr, 10) : 100;
    OneConnection connection;
    // The libraries leave out atomic instructions until there has been a second thread; in a server there always is.
    std::thread([] {}).join();
    connection.Run([&] {
      Load(connection);
      fmt::print("{:.2f}\n",
                 static_cast<double>(Exchanging(connection, *exchange, times)) / static_cast<double>(times));
    });
    return 0;
  }
  if (name == "--list") return 0;
  fmt::print(stderr, "usage: instructions REQUEST [TIMES] | --list | --versions\n");
  return 2;
}

}  // namespace
}  // namespace keyfold::bench

int main(int count, char** words) { return keyfold::bench::Main(count, words); }

#include "bench/driver/workload.h"

namespace keyfold::bench {
namespace {

std::string_view Get(Maker& maker, std::string& body) {
  const uint64_t n = maker.AnyOrder();
  maker.OrdersOf(n).Get(body, n);
  return "GetItem";
}

std::string_view Put(Maker& maker, std::string& body) {
  const uint64_t n = maker.AnyOrder();
  maker.OrdersOf(n).Put(body, n, maker.AnyCents());
  return "PutItem";
}

std::string_view Update(Maker& maker, std::string& body) {
  const uint64_t n = maker.AnyOrder();
  maker.OrdersOf(n).Update(body, n);
  return "UpdateItem";
}

std::string_view UpdateHot(Maker& maker, std::string& body) {
  maker.OrdersOf(0).Update(body, 0);
  return "UpdateItem";
}

std::string_view QueryYear(Maker& maker, std::string& body) {
  const uint64_t n = maker.AnyOrder();
  maker.OrdersOf(n).QueryYear(body, n);
  return "Query";
}

std::string_view QueryProduct(Maker& maker, std::string& body) {
  const uint64_t n = maker.AnyOrder();
  maker.OrdersOf(n).QueryProduct(body, n);
  return "Query";
}

std::string_view RunScan(Maker& maker, std::string& body) {
  const uint64_t n = maker.AnyOrder();
  maker.OrdersOf(n).RunScan(body, n);
  return "Scan";
}

std::string_view Mix(Maker& maker, std::string& body) {
  return maker.random.OneIn(10) ? Put(maker, body) : Get(maker, body);
}

std::string_view Transact(Maker& maker, std::string& body) {
  const uint64_t updated = maker.AnyOrder();
  const uint64_t put = (updated + 1 + maker.random.Below(maker.items - 1)) % maker.items;
  maker.OrdersOf(updated).Transact(body, updated, put, maker.AnyCents());
  return "TransactWriteItems";
}

std::string_view Batch(Maker& maker, std::string& body) {
  constexpr uint64_t kBatch = 25;
  const uint64_t first = maker.random.Below(maker.items - kBatch);
  maker.OrdersOf(first).PutBatch(body, first, kBatch, maker.AnyCents());
  return "BatchWriteItem";
}

constexpr Workload kWorkloads[] = {
    {"get", "GetItem", Get, R"({"Item":{)"},
    {"put", "PutItem over an order that is there", Put, "{}"},
    {"update", "UpdateItem that counts, with a condition", Update, "{}"},
    {"query", "Query of 10 orders by a sort key prefix", QueryYear, R"("Count":10,)"},
    {"mix", "GetItem, one in ten a PutItem", Mix, "{"},
    {"transact", "TransactWriteItems: an Update with a condition and a Put", Transact, "{}"},
    {"query-index", "Query of 10 orders in a global index", QueryProduct, R"("Count":10,)"},
    {"scan", "Scan of 50 orders from anywhere", RunScan, R"("Items":[)"},
    {"batch", "BatchWriteItem of 25 orders", Batch, R"("UnprocessedItems":{})"},
    {"hot", "the UpdateItem above, always of the same order", UpdateHot, "{}"},
    {"get-large", "GetItem of 100 KB", Get, R"({"Item":{)", true},
    {"put-large", "PutItem of 100 KB", Put, "{}", true},
};

}  // namespace

std::vector<OrderRequests> TablesOf(const std::string& table, uint64_t tables, size_t comment_bytes) {
  if (tables == 1) return {OrderRequests(table, comment_bytes)};
  std::vector<OrderRequests> out;
  for (uint64_t i = 0; i < tables; ++i) out.emplace_back(table + "-" + std::to_string(i), comment_bytes);
  return out;
}

std::span<const Workload> Workloads() { return kWorkloads; }

const Workload* FindWorkload(std::string_view name) {
  for (const Workload& workload : kWorkloads) {
    if (workload.name == name) return &workload;
  }
  return nullptr;
}

}  // namespace keyfold::bench

// JSON in and out: parsing alone, an item into the item form, an item printed, whole requests decoded.
#include <benchmark/benchmark.h>

#include "bench/micro/sample_order.h"
#include "bench/orders/requests.h"
#include "wire/requests/items.h"

namespace keyfold::bench {
namespace {

std::string Body(void (*make)(const OrderRequests&, std::string&)) {
  std::string body;
  make(OrderRequests("orders"), body);
  body.reserve(body.size() + json::Parser::kPaddingBytes);
  return body;
}

void ParseJson(benchmark::State& state) {
  const std::string text = SampleJson();
  json::Parser parser;
  for (auto _ : state) benchmark::DoNotOptimize(parser.Parse(text));
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}
BENCHMARK(ParseJson);

void ItemFromJson(benchmark::State& state) {
  const std::string text = SampleJson();
  json::Parser parser;
  for (auto _ : state) {
    Supplied<Item> item;
    CHECK(DecodeItem(*parser.Parse(text), Place::kMember, item).ok());
    benchmark::DoNotOptimize(item);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}
BENCHMARK(ItemFromJson);

void ItemToJson(benchmark::State& state) {
  const Item item = SampleItem();
  std::string out;
  for (auto _ : state) {
    out.clear();
    AppendJson(out, item.view());
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * out.size()));
}
BENCHMARK(ItemToJson);

template <typename R>
void DecodeRequest(benchmark::State& state, void (*make)(const OrderRequests&, std::string&)) {
  const std::string body = Body(make);
  json::Parser parser;
  for (auto _ : state) {
    const Result<R> request = Decode<R>(*parser.Parse(body));
    CHECK(request.ok());
    benchmark::DoNotOptimize(&*request);
  }
}

void DecodeGetItem(benchmark::State& state) {
  DecodeRequest<GetItemRequest>(state, [](const OrderRequests& orders, std::string& out) { orders.Get(out, 7); });
}
BENCHMARK(DecodeGetItem);

void DecodePutItem(benchmark::State& state) {
  DecodeRequest<PutItemRequest>(state, [](const OrderRequests& orders, std::string& out) { orders.Put(out, 7, 1); });
}
BENCHMARK(DecodePutItem);

void DecodeUpdateItem(benchmark::State& state) {
  DecodeRequest<UpdateItemRequest>(state, [](const OrderRequests& orders, std::string& out) { orders.Update(out, 7); });
}
BENCHMARK(DecodeUpdateItem);

void QuoteText(benchmark::State& state, std::string_view text) {
  std::string out;
  for (auto _ : state) {
    out.clear();
    json::AppendQuoted(out, text);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}
BENCHMARK_CAPTURE(QuoteText, short, "CUSTOMER#00000061");
BENCHMARK_CAPTURE(QuoteText, escapes,
                  "a \"quoted\" line\nand\tanother \\ one, with more text behind it than before it");
BENCHMARK_CAPTURE(QuoteText, long, std::string(4'096, 'x'));

}  // namespace
}  // namespace keyfold::bench

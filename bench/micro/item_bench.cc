// The item form: attributes found, sizes, whether bytes are well formed; and keys out of items.
#include <benchmark/benchmark.h>

#include "bench/micro/sample_order.h"
#include "store/key_encoding.h"
#include "store/row_key.h"

namespace keyfold::bench {
namespace {

void FindAttribute(benchmark::State& state, std::string_view name) {
  const Item item = SampleItem();
  for (auto _ : state) benchmark::DoNotOptimize(item.Find(name));
}
BENCHMARK_CAPTURE(FindAttribute, first, "comment");
BENCHMARK_CAPTURE(FindAttribute, last, "total");
BENCHMARK_CAPTURE(FindAttribute, absent, "zzz");

void SizeOfItem(benchmark::State& state) {
  const Item item = SampleItem();
  for (auto _ : state) benchmark::DoNotOptimize(ItemSize(item));
  state.counters["item bytes"] = static_cast<double>(ItemSize(item));
}
BENCHMARK(SizeOfItem);

void CheckForm(benchmark::State& state) {
  const Item item = SampleItem();
  for (auto _ : state) benchmark::DoNotOptimize(IsWellFormedItem(item.bytes()));
}
BENCHMARK(CheckForm);

void EncodeKey(benchmark::State& state) {
  const Item item = SampleItem();
  for (auto _ : state) {
    std::string partition, sort;
    AppendKeyPart(partition, *item.Find("pk"));
    AppendKeyPart(sort, *item.Find("sk"));
    benchmark::DoNotOptimize(RowKey(7, kBaseTable, partition, sort));
  }
}
BENCHMARK(EncodeKey);

void DecodeKey(benchmark::State& state) {
  const Item item = SampleItem();
  std::string encoded, out;
  AppendKeyPart(encoded, *item.Find("sk"));
  for (auto _ : state) {
    std::string_view bytes = encoded;
    out.clear();
    CHECK(TakeKeyPart(bytes, Type::kS, out));
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(DecodeKey);

}  // namespace
}  // namespace keyfold::bench

// Numbers: read, printed, stored, added, compared.
#include <benchmark/benchmark.h>

#include "base/check.h"
#include "value/number.h"

namespace keyfold::bench {
namespace {

constexpr std::string_view kLong = "12345678901234567890.123456789012345678";

Number Read(std::string_view text) {
  const Result<Number> number = Number::Parse(text);
  CHECK(number.ok());
  return *number;
}

void ParseNumber(benchmark::State& state, std::string_view text) {
  for (auto _ : state) benchmark::DoNotOptimize(Number::Parse(text));
}
BENCHMARK_CAPTURE(ParseNumber, one, "1");
BENCHMARK_CAPTURE(ParseNumber, price, "1234.56");
BENCHMARK_CAPTURE(ParseNumber, longest, kLong);

void PrintNumber(benchmark::State& state, std::string_view text) {
  const Number number = Read(text);
  std::string out;
  for (auto _ : state) {
    out.clear();
    number.PrintTo(out);
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK_CAPTURE(PrintNumber, one, "1");
BENCHMARK_CAPTURE(PrintNumber, price, "1234.56");
BENCHMARK_CAPTURE(PrintNumber, longest, kLong);

void EncodeNumber(benchmark::State& state) {
  const Number number = Read("1234.56");
  std::string out;
  for (auto _ : state) {
    out.clear();
    number.EncodeTo(out);
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(EncodeNumber);

void DecodeNumber(benchmark::State& state) {
  std::string bytes;
  Read("1234.56").EncodeTo(bytes);
  for (auto _ : state) benchmark::DoNotOptimize(Number::Decode(bytes));
}
BENCHMARK(DecodeNumber);

void AddNumbers(benchmark::State& state) {
  const Number a = Read("1234.56"), b = Read("1");
  for (auto _ : state) benchmark::DoNotOptimize(Number::Add(a, b));
}
BENCHMARK(AddNumbers);

void CompareNumbers(benchmark::State& state) {
  const Number a = Read("1234.56"), b = Read("1234.57");
  for (auto _ : state) benchmark::DoNotOptimize(Number::Compare(a, b));
}
BENCHMARK(CompareNumbers);

}  // namespace
}  // namespace keyfold::bench

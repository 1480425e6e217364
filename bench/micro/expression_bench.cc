// Expressions: parsed, tested against an order, applied to one.
#include <benchmark/benchmark.h>

#include "bench/micro/sample_order.h"
#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/projection.h"
#include "expr/update.h"
#include "value/number.h"

namespace keyfold::bench {
namespace {

constexpr std::string_view kShort = "attribute_exists(pk)";
constexpr std::string_view kLong =
    "attribute_exists(pk) AND (#s = :shipped OR #s = :paid) AND delivery.city = :city AND revision BETWEEN :low AND "
    ":high";
constexpr std::string_view kSet = "SET revision = revision + :one";
constexpr std::string_view kSets = "SET revision = revision + :one, #s = :paid, delivery.city = :city REMOVE gift";

Value Text(std::string_view text) {
  std::string bytes;
  ValueWriter(bytes).String(text);
  return Value(std::move(bytes));
}

Value Whole(int64_t number) {
  std::string encoded, bytes;
  Number(number).EncodeTo(encoded);
  ValueWriter(bytes).EncodedNumber(encoded);
  return Value(std::move(bytes));
}

// What stands for the placeholders of every expression here. Immutable.
struct Bound {
  const Value shipped = Text("SHIPPED"), paid = Text("PAID"), city = Text("Springfield"),
              customer = Text("CUSTOMER#00000061"), prefix = Text("ORDER#2025"), low = Whole(0), high = Whole(9),
              one = Whole(1);

  Placeholders Make() const {
    Placeholders placeholders;
    placeholders.AddName("#s", "status");
    placeholders.AddValue(":shipped", shipped);
    placeholders.AddValue(":paid", paid);
    placeholders.AddValue(":city", city);
    placeholders.AddValue(":low", low);
    placeholders.AddValue(":high", high);
    placeholders.AddValue(":one", one);
    placeholders.AddValue(":customer", customer);
    placeholders.AddValue(":prefix", prefix);
    return placeholders;
  }
};

void ParsingCondition(benchmark::State& state, std::string_view text) {
  const Bound bound;
  Placeholders placeholders = bound.Make();
  for (auto _ : state) {
    const Result<Condition> condition = ParseCondition("ConditionExpression", text, placeholders);
    CHECK(condition.ok());
    benchmark::DoNotOptimize(&*condition);
  }
}
BENCHMARK_CAPTURE(ParsingCondition, short, kShort);
BENCHMARK_CAPTURE(ParsingCondition, long, kLong);

void TestingCondition(benchmark::State& state, std::string_view text) {
  const Bound bound;
  Placeholders placeholders = bound.Make();
  const Result<Condition> condition = ParseCondition("ConditionExpression", text, placeholders);
  const Item item = SampleItem();
  CHECK(Test(*condition, item));
  for (auto _ : state) benchmark::DoNotOptimize(Test(*condition, item));
}
BENCHMARK_CAPTURE(TestingCondition, short, kShort);
BENCHMARK_CAPTURE(TestingCondition, long, kLong);

void ParsingUpdate(benchmark::State& state, std::string_view text) {
  const Bound bound;
  Placeholders placeholders = bound.Make();
  for (auto _ : state) {
    const Result<Update> update = ParseUpdate(text, placeholders);
    CHECK(update.ok());
    benchmark::DoNotOptimize(&*update);
  }
}
BENCHMARK_CAPTURE(ParsingUpdate, one, kSet);
BENCHMARK_CAPTURE(ParsingUpdate, several, kSets);

void ApplyingUpdate(benchmark::State& state, std::string_view text) {
  const Bound bound;
  Placeholders placeholders = bound.Make();
  const Result<Update> update = ParseUpdate(text, placeholders);
  const Item item = SampleItem();
  for (auto _ : state) {
    const Result<Item> next = ApplyUpdate(*update, item);
    CHECK(next.ok());
    benchmark::DoNotOptimize(next->bytes().data());
  }
}
BENCHMARK_CAPTURE(ApplyingUpdate, one, kSet);
BENCHMARK_CAPTURE(ApplyingUpdate, several, kSets);

void ParsingKeyCondition(benchmark::State& state) {
  const Bound bound;
  Placeholders placeholders = bound.Make();
  for (auto _ : state) {
    const Result<KeyCondition> condition =
        ParseKeyCondition("pk = :customer AND begins_with(sk, :prefix)", placeholders);
    CHECK(condition.ok());
    benchmark::DoNotOptimize(&*condition);
  }
}
BENCHMARK(ParsingKeyCondition);

void Projecting(benchmark::State& state) {
  Placeholders placeholders;
  const Result<Projection> projection = ParseProjection("pk, sk, revision, delivery.city", placeholders);
  CHECK(projection.ok());
  const Item item = SampleItem();
  for (auto _ : state) benchmark::DoNotOptimize(Project(*projection, item));
}
BENCHMARK(Projecting);

}  // namespace
}  // namespace keyfold::bench

// Inputs that read patterns are called with: all of them have values, for elements that exist and for elements that do
// not.
#include "model_test/call_choice.h"

#include <gtest/gtest.h>

#include "model_test/acceptance.h"
#include "model_test/expectation.h"
#include "testing/model/model.h"

namespace keyfold::model_test {
namespace {

constexpr const char* kEntities =
    "{Member: {keys: {PK: 'M#{id}', SK: M}, attributes: {id: string, name: string}, count: 20},"
    " Loan: {keys: {PK: 'M#{id}', SK: 'L#{at|iso_s}#{copy}'}, attributes: {id: string, at: time, copy: string},"
    "  per: {Member: {avg: 3, max: 9}}},"
    " Copy: {keys: {PK: 'C#{copy}', SK: C}, attributes: {copy: string, state: [in, out]}},"
    " Door: {keys: {PK: 'D#{door}#{shard}', SK: '{door}'}, shard: {n: 3, by: random}, attributes: {door: string}},"
    " Pass: {keys: {PK: 'P#{id}#{shard}', SK: '{n|pad4}'}, shard: {n: 3, by: hash(n)},"
    "  attributes: {id: string, n: {type: number, max: 9}}},"
    " Visit: {keys: {PK: 'V#{id}', SK: V}, attributes: {id: string, expiresAt: epoch_s}, ttl: {after: 1d}}}";

struct Calls {
  int whole = 0;  // all elements exist
  int part = 0;
  int none = 0;
  std::string lacks;  // inputs without a value
};

Calls Chosen(const model::Model& model) {
  const int64_t now_ms = model::kSamplePresentMs;
  const ManualClock clock(now_ms * 1000);
  const auto database = embedded::EmbeddedDatabase::InMemory(clock, 1);
  SampleTable samples(model, now_ms);
  model::Sampler sampler(model, {.seed = 1, .items = {}, .now_ms = now_ms});
  for (const model::SampleObject& object : sampler.MakeAll()) samples.Add(object);
  const Acceptance acceptance(model);
  const model::Compiled compiled = model::Compile(model, 0);
  const auto& access = std::get<model::Access>(compiled);
  Calls calls;
  for (const model::CallInputs& call : ChooseCalls({model, *database, samples, sampler, acceptance}, access)) {
    for (const model::Input& input : access.inputs) {
      if (call.values.count(input.name) == 0) calls.lacks += input.name + ' ';
    }
    size_t there = 0;
    for (const model::KeyRead& read : access.reads) {
      there += Expectation(samples, access, read).Matching(call.values).empty() ? 0 : 1;
    }
    ++(there == access.reads.size() ? calls.whole : there == 0 ? calls.none : calls.part);
  }
  return calls;
}

TEST(CallChoice, GetsAtOneMoment) {
  struct Row {
    const char* reads;
    bool part;  // the first element can exist while another is missing
  };
  const Row rows[] = {
      {"[Member, Loan]", true},       {"[Loan, Member]", false}, {"[Member, Loan, Copy]", true},
      {"[Copy, Loan, Member]", true}, {"[Member, Door]", true},  {"[Door, Pass]", true},
      {"[Pass, Member]", false},      {"[Copy, Visit]", true},
  };
  for (const Row& row : rows) {
    for (const char* more : {", ttl: expiresAt, type_attribute: _et", ", ttl: expiresAt"}) {
      const std::string patterns = "{p: {transact_get: " + std::string(row.reads) + "}}";
      const model::Model model = model::LoadForTest(model::ModelText(kEntities, patterns, "{}", more));
      const Calls calls = Chosen(model);
      EXPECT_EQ(calls.lacks, "") << row.reads;
      EXPECT_GT(calls.whole, 0) << row.reads;
      EXPECT_GT(calls.none, 0) << row.reads;
      EXPECT_EQ(calls.part > 0, row.part) << row.reads;
    }
  }
}

// The same through the database, where an expired element exists and is not returned.
TEST(CallChoice, GetsAtOneMomentPassTheTrial) {
  for (const char* reads : {"[Member, Loan]", "[Copy, Loan, Member]", "[Door, Pass]", "[Copy, Visit]"}) {
    for (const char* more : {", ttl: expiresAt, type_attribute: _et", ", ttl: expiresAt"}) {
      std::string text = model::ModelText(kEntities, "{p: {transact_get: " + std::string(reads) + "}}", "{}", more);
      text.replace(text.find("name: T"), 7, "name: Tab");  // DynamoDB requires three letters
      const model::Model model = model::LoadForTest(text);
      const TrialReport report = RunTrial(model, {1});
      EXPECT_TRUE(report.ok()) << reads << more << '\n' << TrialText(model, report);
      EXPECT_DOUBLE_EQ(report.patterns[0].measured_units, report.patterns[0].planned_units.value_or(-1)) << reads;
    }
  }
}

}  // namespace
}  // namespace keyfold::model_test

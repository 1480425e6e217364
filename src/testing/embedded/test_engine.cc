#include "testing/embedded/test_engine.h"

#include <utility>

#include "base/check.h"
#include "wire/error_body.h"

namespace keyfold::embedded {
namespace {

constexpr int64_t kThrottlesMax = 100;
// Waiting for the disk after every response would only slow down the run.
constexpr int64_t kAnswersPerDurable = 16;

// There are no other threads to give way to.
class NoTurns final : public Turns {
 public:
  void GiveWay() override {}
  bool stopping() const override { return false; }
};

}  // namespace

TestEngine::TestEngine(std::string folder, const Clock& clock)
    : folder_(std::move(folder)), clock_(clock), memory_(folder_.empty() ? store::MakeMemoryStore(clock) : nullptr) {}

TestEngine::~TestEngine() { Close(); }

void TestEngine::Open(const store::RocksdbOptions& options, uint64_t seed) {
  auto opened = EmbeddedDatabase::Open({.folder = folder_,
                                        .rocksdb = options,
                                        .store = memory_.get(),
                                        .clock = &clock_,
                                        .work = EmbeddedOptions::Work::kInCall,
                                        .seed = seed});
  CHECK(opened.ok());
  database_ = *std::move(opened);
}

void TestEngine::Close() {
  if (worker_.joinable()) worker_.join();
  database_.reset();
}

Status TestEngine::RunOnce(const ops::Operation& operation, const std::string& request, store::Wait wait, Pace* pace,
                           std::string& answer) {
  store::Horizon horizon;
  Status status = database_->caller().Run(operation, request, {{horizon, wait, pace}}, answer);
  if (++calls_ % kAnswersPerDurable == 0) {
    store().WaitUntilDurable(horizon.number());
    CHECK(horizon.number() <= store().Durable());
  }
  return status;
}

Status TestEngine::RunWhereItMay(const ops::Operation& operation, const std::string& request, std::string& answer) {
  NoTurns turns;
  Pace pace = Pace::InTurns(turns, /*slice=*/{}, /*steps_per_look=*/1);
  pace.LimitLocked(0);
  const bool paced = steps_ && operation.runs != ops::Runs::kOnWorker;
  return RunOnce(operation, request, store::Wait::kAllowed, paced ? &pace : nullptr, answer);
}

std::string TestEngine::Run(const ops::Operation& operation, const std::string& request) {
  std::string answer;
  Status status;
  if (operation.runs == ops::Runs::kAnywhere) {
    Pace pace = Pace::OfSteps(steps_.value_or(0));
    status = RunOnce(operation, request, store::Wait::kNever, steps_ ? &pace : nullptr, answer);
    if (!status.ok() && status.kind() == Kind::kWouldBlock) {
      ++blocked_;
      status = RunWhereItMay(operation, request, answer);
    }
  } else {
    status = RunWhereItMay(operation, request, answer);
  }
  for (int64_t again = 0; !status.ok() && status.kind() == Kind::kThrottling && again < kThrottlesMax; ++again) {
    ++throttled_;
    status = RunWhereItMay(operation, request, answer);
  }
  if (status.ok()) return answer;
  const Error error = std::move(status).TakeError();
  answer = std::to_string(wire::HttpStatusOf(error.kind())) + " ";
  wire::AppendErrorBody(answer, error);
  return answer;
}

void TestEngine::BeginWork() {
  worker_ = std::thread([this] { database_->DoWork(); });
}

void TestEngine::FinishWork() {
  if (worker_.joinable()) worker_.join();
  database_->DoWork();
}

}  // namespace keyfold::embedded

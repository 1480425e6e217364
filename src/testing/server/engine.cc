#include "testing/server/engine.h"

#include <future>
#include <utility>

#include "base/check.h"
#include "wire/error_body.h"

namespace keyfold::server {
namespace {

constexpr std::string_view kAccount = "123456789012";
constexpr int64_t kThrottlesMax = 100;
// Waiting for the disk after every response would only slow down the run.
constexpr int64_t kAnswersPerDurable = 16;
constexpr int kWorkPiecesMax = 10'000;

// There are no other threads to give way to.
class NoTurns final : public Turns {
 public:
  void GiveWay() override {}
  bool stopping() const override { return false; }
};

}  // namespace

struct TestEngine::Running {
  Running(store::Store& store, std::unique_ptr<engine::Catalog> opened, const Clock& clock,
          const engine::Identity& identity, uint64_t seed)
      : catalog(std::move(opened)),
        db{store, *catalog, clock},
        lifecycle(db, /*delay=*/0, seed),
        service{db, lifecycle, identity} {}

  const std::unique_ptr<engine::Catalog> catalog;
  const engine::Database db;
  engine::TableLifecycle lifecycle;
  const ops::Service service;
};

TestEngine::TestEngine(std::string folder, const Clock& clock)
    : folder_(std::move(folder)),
      clock_(clock),
      identity_{"us-east-1", std::string(kAccount)},
      gate_(auth::Gate::OpenLocal(std::string(kAccount))) {}

TestEngine::~TestEngine() { Close(); }

void TestEngine::Open(store::RocksdbOptions options, uint64_t seed) {
  if (!folder_.empty()) {
    options.path = folder_;
    Result<std::unique_ptr<store::Store>> opened = store::OpenRocksdbStore(options, clock_);
    CHECK(opened.ok());
    store_ = *std::move(opened);
  } else if (!store_) {
    store_ = store::MakeMemoryStore(clock_);
  }
  Result<std::unique_ptr<engine::Catalog>> catalog = engine::Catalog::Open(*store_);
  CHECK(catalog.ok());
  running_ = std::make_unique<Running>(*store_, *std::move(catalog), clock_, identity_, seed);
}

void TestEngine::Close() {
  if (worker_.joinable()) worker_.join();
  running_.reset();
  if (!folder_.empty()) store_.reset();
}

Status TestEngine::RunOnce(const ops::Operation& operation, const std::string& request, store::Wait wait, Pace* pace,
                           std::string& answer) {
  answer.clear();
  const std::optional<json::Value> body = parser_.Parse(request);
  CHECK(body.has_value());
  store::Horizon horizon;
  const auth::Authenticated caller = gate_->Self();
  ops::Call call{running_->service, caller, "localhost:8000", {{horizon, wait, pace}}, {}};
  json::Writer writer(answer);
  Status status = operation.handler(call, *body, writer);
  if (++calls_ % kAnswersPerDurable == 0) WaitUntilDurable(horizon.number());
  return status;
}

void TestEngine::WaitUntilDurable(store::CommitNumber number) {
  std::promise<void> durable;
  store_->WhenDurable(number, [&] { durable.set_value(); });
  store_->SyncSoon();
  durable.get_future().wait();
  CHECK(number <= store_->Durable());
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

engine::SnapshotPtr TestEngine::catalog() const { return running_->catalog->Current(); }

void TestEngine::Work() {
  for (int pieces = 0; running_->lifecycle.WorkOnce(); ++pieces) CHECK(pieces < kWorkPiecesMax);
}

void TestEngine::BeginWork() {
  worker_ = std::thread([this] { Work(); });
}

void TestEngine::FinishWork() {
  if (worker_.joinable()) worker_.join();
  Work();
}

}  // namespace keyfold::server

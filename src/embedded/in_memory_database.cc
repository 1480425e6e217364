#include "embedded/in_memory_database.h"

#include <utility>

#include "base/check.h"
#include "store/store.h"

namespace keyfold::embedded {
namespace {

constexpr std::string_view kAccount = "123456789012";

constexpr Rule<"the request is not valid JSON"> kNotJson{"in-memory-not-json", Kind::kSerialization};

std::unique_ptr<engine::Catalog> OpenCatalog(store::Store& store) {
  Result<std::unique_ptr<engine::Catalog>> catalog = engine::Catalog::Open(store);
  CHECK(catalog.ok());
  return *std::move(catalog);
}

}  // namespace

InMemoryDatabase::InMemoryDatabase(Micros now, uint64_t seed)
    : clock_(now),
      identity_{"us-east-1", std::string(kAccount)},
      gate_(auth::Gate::OpenLocal(std::string(kAccount))),
      store_(store::MakeMemoryStore(clock_)),
      catalog_(OpenCatalog(*store_)),
      db_{*store_, *catalog_, clock_},
      lifecycle_(db_, /*delay=*/0, seed),
      service_{db_, lifecycle_, identity_} {}

Status InMemoryDatabase::Run(const ops::Operation& operation, json::Value body, store::Wait wait, std::string& answer) {
  answer.clear();
  store::Horizon horizon;
  const auth::Authenticated caller = gate_->Self();
  keyfold::ops::Call call{service_, caller, "localhost:8000", {horizon, wait}, {}};
  json::Writer writer(answer);
  return operation.handler(call, body, writer);
}

Result<std::string> InMemoryDatabase::Call(std::string_view name, const std::string& body) {
  const ops::Operation* operation = ops::FindOperation(name);
  CHECK(operation != nullptr);
  const std::optional<json::Value> parsed = parser_.Parse(body);
  if (!parsed) return kNotJson();
  std::string answer;
  Status status = Run(*operation, *parsed, store::Wait::kAllowed, answer);
  while (lifecycle_.WorkOnce()) {
  }
  if (!status.ok()) return std::move(status).TakeError();
  return answer;
}

}  // namespace keyfold::embedded

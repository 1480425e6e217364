// The complete database inside the process, in memory and without HTTP: operations from JSON to JSON, run as
// server/dispatch.cc runs them. For commands that try something out.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "auth/gate.h"
#include "base/clock.h"
#include "engine/background/table_lifecycle.h"
#include "engine/catalog/arn.h"
#include "engine/catalog/catalog.h"
#include "json/document.h"
#include "ops/operation.h"
#include "store/store.h"

namespace keyfold::embedded {

// Its clock never advances, so nothing expires. Used by one thread at a time.
class InMemoryDatabase {
 public:
  InMemoryDatabase(Micros now, uint64_t seed);

  // Returns the response's JSON. `operation` is one of the server's. Its background work is done before the call
  // returns.
  Result<std::string> Call(std::string_view operation, const std::string& body);

 private:
  Status Run(const ops::Operation& operation, json::Value body, store::Wait wait, std::string& answer);

  const ManualClock clock_;
  const engine::Identity identity_;
  const std::unique_ptr<auth::Gate> gate_;
  const std::unique_ptr<store::Store> store_;
  const std::unique_ptr<engine::Catalog> catalog_;
  const engine::Database db_;
  engine::TableLifecycle lifecycle_;
  const ops::Service service_;
  json::Parser parser_;
};

}  // namespace keyfold::embedded

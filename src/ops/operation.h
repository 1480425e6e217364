// An API operation: a name, a handler from JSON to JSON, and where it may run. ops/operations.cc has the table of all
// operations.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "auth/gate.h"
#include "base/error.h"
#include "engine/background/jobs.h"
#include "engine/background/table_lifecycle.h"
#include "engine/catalog/arn.h"
#include "engine/catalog/database.h"
#include "engine/history/backup_jobs.h"
#include "engine/items/request_context.h"
#include "json/document.h"
#include "json/writer.h"

namespace keyfold::transfer {
class ExportJobs;
class ImportJobs;
class Verifier;
}  // namespace keyfold::transfer

namespace keyfold::ops {

// What the server provides to every operation. Borrowed; one per process.
struct Service {
  engine::Database db;
  engine::TableLifecycle& lifecycle;
  const engine::Identity& identity;
  // Null if there is no folder to work in.
  engine::BackupJobs* backups = nullptr;
  transfer::ExportJobs* exports = nullptr;
  transfer::ImportJobs* imports = nullptr;
  const engine::Jobs* jobs = nullptr;  // null if there are no background threads
  transfer::Verifier* verifier = nullptr;
};

// What an operation reports about itself, for metrics and tests.
struct Account {
  std::string table;
  double read_units = 0, write_units = 0;
  int64_t items_returned = 0;
  size_t item_bytes = 0;                     // GetItem: size of the item it found
  bool is_page = false;                      // it read a page, so it may take long, in turns
  std::vector<std::string_view> rules = {};  // rules of the statements that failed, for test builds
};

// One run of one request. Used by one thread at a time.
struct Call {
  const Service& service;
  const auth::Authenticated& caller;
  std::string_view endpoint;  // the client's name for this server: host:port
  engine::RequestContext access;
  Account account;
};

// Decodes, checks, executes, and writes the response's JSON. After an error, what was written is invalid.
using OperationHandler = Status (*)(Call& call, json::Value request, json::Writer& answer);

enum class Runs : uint8_t {
  kAnywhere,  // on an event loop; kWouldBlock restarts it on a worker
  kOnWorker,  // writes more than once or waits for the disk, so it must start on a worker
  kAtLength,  // on a worker, and it may compute for long
};

// The service in the request's target: one of AWS's two, or Keyfold's own for operations that AWS does not have.
enum class Api : uint8_t { kDynamoDb, kStreams, kKeyfold };

struct Operation {
  std::string_view name;
  OperationHandler handler = nullptr;
  Runs runs = Runs::kAnywhere;
  Api api = Api::kDynamoDb;
};

std::span<const Operation> Operations();
const Operation* FindOperation(std::string_view name);

}  // namespace keyfold::ops

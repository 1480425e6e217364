// An API operation: a name, a handler from JSON to JSON, and where it may run. ops/operations.cc is the table of them
// all.
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
#include "json/document.h"
#include "json/writer.h"

namespace keyfold {

class ExportJobs;
class ImportJobs;
class Verifier;

// What the server gives every operation. Borrowed; one for the process.
struct Service {
  Database db;
  TableLifecycle& lifecycle;
  const Identity& identity;
  // Null where there is no folder to work in.
  BackupJobs* backups = nullptr;
  ExportJobs* exports = nullptr;
  ImportJobs* imports = nullptr;
  const Jobs* jobs = nullptr;  // null: nothing works in the background
  Verifier* verifier = nullptr;
};

// What an operation tells of itself, for metrics and tests.
struct Account {
  std::string table;
  double read_units = 0, write_units = 0;
  int64_t items_returned = 0;
  size_t item_bytes = 0;                     // GetItem: of the item it found
  bool is_page = false;                      // it read a page: it may take long, in turns
  std::vector<std::string_view> rules = {};  // of the statements that failed by themselves, for test builds
};

// One run of one request. One thread at a time.
struct Call {
  const Service& service;
  const Authenticated& caller;
  std::string_view endpoint;  // what the client calls this server: host:port
  Access access;
  Account account;
};

// Decodes, checks, executes, and writes the answer's JSON. On an error what was written is void.
using OperationHandler = Status (*)(Call& call, json::Value request, json::Writer& answer);

enum class Runs : uint8_t {
  kAnywhere,  // on an event loop; kWouldBlock sends it to a worker, from the start
  kOnWorker,  // writes more than once or waits for the disk, so it must not start where it cannot finish
  kAtLength,  // the same, and it may compute for long
};

// Which service's target names it: one of AWS's two, or Keyfold's own for what AWS has no word for.
enum class Api : uint8_t { kDynamoDb, kStreams, kKeyfold };

struct Operation {
  std::string_view name;
  OperationHandler handler = nullptr;
  Runs runs = Runs::kAnywhere;
  Api api = Api::kDynamoDb;
};

std::span<const Operation> Operations();
const Operation* FindOperation(std::string_view name);

}  // namespace keyfold

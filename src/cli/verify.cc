#include "cli/verify.h"

#include <fmt/format.h>

#include "cli/folder_database.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "engine/verify.h"

namespace keyfold {
namespace {

int Fail(const Error& error, Console& console) {
  console.Complain(error.message());
  return kExitFailure;
}

Status VerifyTables(const Database& db, const std::string& only, Console& console, Verification& found) {
  const SnapshotPtr snapshot = db.catalog.Current();
  const SystemClock clock;
  for (const auto& [name, table] : snapshot->tables) {
    if (!only.empty() && name != only) continue;
    const Tally tally = db.store.ReadTally(table->id, kBaseTable);
    Progress progress(console, clock, "Verifying " + name, static_cast<uint64_t>(tally.rows));
    const uint64_t before = found.items;
    uint64_t shown = before;
    const auto show = [&](const Verification& so_far) {
      progress.Advance(so_far.items - shown);
      shown = so_far.items;
      return true;
    };
    RETURN_IF_ERROR(VerifyTable(db, *table, show, found));
    show(found);
    progress.Finish();
    const uint64_t items = found.items - before;
    if (items != static_cast<uint64_t>(tally.rows)) {
      ++found.faults;
      found.first_faults.push_back(fmt::format("table {}: {} items are counted, {} there", name, tally.rows, items));
    }
  }
  return Ok();
}

// Nobody writes to the folder meanwhile.
int Verify(const std::string& folder, const std::string& only, Console& console) {
  Result<std::unique_ptr<FolderDatabase>> opened = FolderDatabase::Open(folder);
  if (!opened.ok()) return Fail(opened.error(), console);
  const Database& db = (*opened)->database();
  if (!only.empty() && !db.catalog.Current()->Find(only)) {
    console.Complain(fmt::format("there is no table {}", only));
    return kExitFailure;
  }
  Verification found;
  if (Status status = VerifyTables(db, only, console, found); !status.ok()) {
    return Fail(std::move(status).TakeError(), console);
  }
  std::vector<std::string> damaged;
  if (only.empty() && (*opened)->backups()) damaged = (*opened)->backups()->DamagedFiles();
  for (const std::string& fault : found.first_faults) console.Print(fault + "\n");
  for (const std::string& file : damaged) console.Print(fmt::format("{} is damaged\n", file));
  const uint64_t faults = found.faults + damaged.size();
  console.Print(fmt::format("{} items, {} rows of indexes, {} records of logs: {}\n", Grouped(found.items),
                            Grouped(found.index_rows), Grouped(found.log_records),
                            faults == 0 ? "no faults" : fmt::format("{} faults", Grouped(faults))));
  return faults == 0 ? kExitOk : kExitFailure;
}

}  // namespace

int RunVerify(const Arguments& arguments, Console& console) {
  CLI::App app("Read all of a data folder: checksums, items against indexes, logs, backups", "keyfold verify");
  std::string folder, table;
  app.add_option("TABLE", table, "Only this table");
  app.add_option("--data", folder, "Data folder of a server that is not running")->required();
  if (const auto exit = ParseOptions(app, arguments, console)) return *exit;
  return Verify(folder, table, console);
}

}  // namespace keyfold

// CopyRun: executes the plan of a journal, table by table, from wherever it stopped.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "copy/batch_write.h"
#include "copy/copy_ends.h"
#include "copy/journal.h"
#include "copy/pace.h"
#include "copy/stop_request.h"
#include "terminal/console.h"
#include "terminal/progress.h"

namespace keyfold::copy {

// Used by one thread at a time; its own threads copy the items. Everything is borrowed.
class CopyRun {
 public:
  CopyRun(CopyJournal& journal, const CopyEnds& ends, terminal::Console& console, const Clock& clock,
          StopRequest& stop);

  // Copies all tables. If it fails, the journal on disk records the progress. Returns whether every count that had to
  // be verified matches.
  Result<bool> Run();

 private:
  Status RunTable(size_t number);
  // Makes sure that the target exists and may be written to.
  Status Prepare(const TablePlan& table);
  Status CopyItems(size_t number);
  // Applies the settings that come after the items: an enabled TTL would delete some of them during the copy.
  Status Complete(const TablePlan& table);
  Status Verify(const TablePlan& table);
  Status Enter(size_t number, TablePhase phase);
  void Report(const TablePlan& table, Micros took);

  CopyJournal& journal_;
  const CopyEnds& ends_;
  terminal::Console& console_;
  const Clock& clock_;
  StopRequest& stop_;
  const CopyPlan plan_;  // as it was at the start: only its settings are used
  CopyPace pace_;
  std::unique_ptr<client::ApiCaller> from_;
  std::unique_ptr<client::ApiCaller> to_;
  bool counts_right_ = true;
};

// "shop", or "shop as shop2".
std::string TitleOf(const TablePlan& table);

}  // namespace keyfold::copy

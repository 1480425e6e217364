// CopyRun: carries out the plan of a journal, table by table, from wherever it stands.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "copy/batch_write.h"
#include "copy/caller.h"
#include "copy/journal.h"
#include "copy/pace.h"
#include "copy/stop_request.h"
#include "terminal/console.h"
#include "terminal/progress.h"

namespace keyfold {

// One thread at a time; items are copied by threads of its own. Everything is borrowed.
class CopyRun {
 public:
  CopyRun(CopyJournal& journal, const CopyEnds& ends, Console& console, const Clock& clock, StopRequest& stop);

  // All tables are at the target. Where it fails the journal has, on disk, how far it came. True: every count that was
  // to be verified is right.
  Result<bool> Run();

 private:
  Status RunTable(size_t number);
  // The target is there and may be written to.
  Status Prepare(const TablePlan& table);
  Status CopyItems(size_t number);
  // Those settings that come after the items: an expiry that is on would delete some of them meanwhile.
  Status Complete(const TablePlan& table);
  Status Verify(const TablePlan& table);
  Status Enter(size_t number, TablePhase phase);
  void Report(const TablePlan& table, Micros took);

  CopyJournal& journal_;
  const CopyEnds& ends_;
  Console& console_;
  const Clock& clock_;
  StopRequest& stop_;
  const CopyPlan plan_;  // as it was at the start: only its settings count
  CopyPace pace_;
  std::unique_ptr<Caller> from_;
  std::unique_ptr<Caller> to_;
  bool counts_right_ = true;
};

// "shop", or "shop as shop2".
std::string TitleOf(const TablePlan& table);

}  // namespace keyfold

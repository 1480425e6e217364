// SegmentCopy: copies one segment of the source's scan page by page into the target. The journal records a page after
// the target has acknowledged all of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "client/api_caller.h"
#include "copy/batch_write.h"
#include "copy/journal.h"

namespace keyfold::copy {

// Views of a Scan response.
struct ScanPage {
  std::vector<std::string_view> items;
  std::string_view next;  // the key after which there may be more; empty: the end
  uint64_t bytes = 0;     // size of the items as JSON
};
Result<ScanPage> CutScanPage(std::string_view answer);

// The request for the items after `next`. `limit` 0: a full page.
struct ScanRequest {
  std::string_view table;
  size_t segment = 0;
  size_t segments = 1;
  std::string_view next = {};
  uint64_t limit = 0;
  bool count_only = false;
};
std::string BodyOf(const ScanRequest& request);

// Used by one thread at a time. Everything is borrowed.
class SegmentCopy {
 public:
  SegmentCopy(client::ApiCaller& source, BatchWrite& write, CopyJournal& journal, size_t table, StopRequest& stop)
      : source_(source), write_(write), journal_(journal), table_(table), stop_(stop) {}

  // Copies from the position in the journal to the end of the segment.
  Status Run(size_t segment);

 private:
  client::ApiCaller& source_;
  BatchWrite& write_;
  CopyJournal& journal_;
  const size_t table_;
  StopRequest& stop_;
};

// Counts the items of one segment.
Result<uint64_t> CountSegment(client::ApiCaller& caller, const std::string& table, size_t segment, size_t segments,
                              StopRequest& stop);

}  // namespace keyfold::copy

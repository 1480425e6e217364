// Reads an export's summary (manifest-summary.json), and checks whether exports fit together: increments over a full
// export must be of the same table and leave no gap in time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "transfer/format/format.h"

namespace keyfold::transfer {

struct ExportSummary {
  std::string name;  // for messages: s3://BUCKET/PREFIX/AWSDynamoDB/ID/
  bool incremental = false;
  std::string table_id;
  Micros from = 0;                   // start of the period, if incremental
  Micros time = 0;                   // the moment, or the end of the period (exclusive) if incremental
  std::optional<DataFormat> format;  // nullopt if unknown
  std::optional<int64_t> items;      // nullopt if not given
};

// Returns nullopt if the text is not a summary.
std::optional<ExportSummary> ReadExportSummary(std::string name, const std::string& text);

// Checks that each increment is of the same table as the one before it and begins where that ends. An overlap is
// refused: an item that was created and deleted within a period is not in its changes, so it could remain. `full` is
// the export that they apply to, if it is one.
Status IncrementsFollow(const std::optional<ExportSummary>& full, const std::vector<ExportSummary>& increments);

}  // namespace keyfold::transfer

// What the summary of an export (manifest-summary.json) says of it, and whether exports fit together: incremental ones
// over a full one must be of the same table, and leave out no time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "transfer/format/format.h"

namespace keyfold {

struct ExportSummary {
  std::string name;  // for messages: s3://BUCKET/PREFIX/AWSDynamoDB/ID/
  bool incremental = false;
  std::string table_id;
  Micros from = 0;                   // of an incremental one
  Micros time = 0;                   // the moment; of an incremental one the end of the period, which is not in it
  std::optional<DataFormat> format;  // none: one that is not known here
  std::optional<int64_t> items;      // none: it is not said
};

// Nothing where the text is no summary.
std::optional<ExportSummary> ReadExportSummary(std::string name, const std::string& text);

// Each increment is of the table of the one before it and begins with its end: an item that came and went within a
// period is in none of it, so in an overlap it could stay. `full` is what they go over, where that is an export.
Status IncrementsFollow(const std::optional<ExportSummary>& full, const std::vector<ExportSummary>& increments);

}  // namespace keyfold

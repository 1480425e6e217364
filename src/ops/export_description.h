// ExportDescription, as in the responses of ExportTableToPointInTime and DescribeExport, and the ARNs that both accept.
#pragma once

#include <optional>
#include <string_view>

#include "json/writer.h"
#include "ops/operation.h"
#include "transfer/layout/export.h"

namespace keyfold::ops {

inline constexpr Rule<"Access is denied"> kExportDenied{"export-denied", Kind::kAccessDenied};

// {"ExportDescription": {…}}
void WriteExportDescription(json::Writer& out, const Call& call, const transfer::Export& made);

// arn:PARTITION:SERVICE:REGION:ACCOUNT:RESOURCE. Borrows the text.
struct ArnParts {
  std::string_view partition, service, region, account, resource;
};
// Returns nullopt if it does not start with "arn:" or lacks one of the parts.
std::optional<ArnParts> SplitArn(std::string_view arn);

}  // namespace keyfold::ops

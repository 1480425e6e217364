// ExportDescription, as ExportTableToPointInTime and DescribeExport answer it, and the ARNs that both take.
#pragma once

#include <optional>
#include <string_view>

#include "json/writer.h"
#include "ops/operation.h"
#include "transfer/layout/export.h"

namespace keyfold {

inline constexpr Rule<"Access is denied"> kExportDenied{"export-denied", Kind::kAccessDenied};

// {"ExportDescription": {…}}
void WriteExportDescription(json::Writer& out, const Call& call, const Export& made);

// arn:PARTITION:SERVICE:REGION:ACCOUNT:RESOURCE. Borrows the text.
struct ArnParts {
  std::string_view partition, service, region, account, resource;
};
// None: it does not start with "arn:", or lacks one of the parts.
std::optional<ArnParts> SplitArn(std::string_view arn);

}  // namespace keyfold

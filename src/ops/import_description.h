// ImportTableDescription and its parts, as in the responses of ImportTable, DescribeImport and ListImports.
#pragma once

#include "json/writer.h"
#include "ops/operation.h"
#include "transfer/import/import.h"

namespace keyfold::ops {

// {"ImportTableDescription": {…}}
void WriteImportDescription(json::Writer& out, const Call& call, const transfer::Import& import);
// An element of "ImportSummaryList".
void WriteImportSummary(json::Writer& out, const Call& call, const transfer::Import& import);

std::string ArnOf(const Call& call, const transfer::Import& import);

}  // namespace keyfold::ops

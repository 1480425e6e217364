// ImportTableDescription and its parts, as ImportTable, DescribeImport and ListImports answer them.
#pragma once

#include "bulk/import.h"
#include "json/writer.h"
#include "ops/operation.h"

namespace keyfold {

// {"ImportTableDescription": {…}}
void WriteImportDescription(json::Writer& out, const Call& call, const Import& import);
// An element of "ImportSummaryList".
void WriteImportSummary(json::Writer& out, const Call& call, const Import& import);

std::string ArnOf(const Call& call, const Import& import);

}  // namespace keyfold

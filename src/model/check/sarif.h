// Findings as SARIF 2.1.0, as code scanning services take them.
#pragma once

#include <span>
#include <string>

#include "model/finding/finding.h"

namespace keyfold::model {

std::string FindingsSarif(std::span<const FileFindings>);

}  // namespace keyfold::model

// Findings as SARIF 2.1.0, the format of code scanning services.
#pragma once

#include <span>
#include <string>

#include "model/finding/finding.h"

namespace keyfold::model {

std::string FindingsSarif(std::span<const FileFindings>);

}  // namespace keyfold::model

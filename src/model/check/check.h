// `keyfold model check`: runs every rule over one model and marks the findings that the file accepts.
#pragma once

#include <vector>

#include "model/core/model.h"
#include "model/finding/finding.h"

namespace keyfold::model {

// Returns the findings in order. Needs no network and no files.
std::vector<Finding> Check(const Model&);

}  // namespace keyfold::model

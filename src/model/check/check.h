// `keyfold model check`: every rule over one model, with what the file accepts marked as such.
#pragma once

#include <vector>

#include "model/core/model.h"
#include "model/finding/finding.h"

namespace keyfold::model {

// In their order. Needs no network and no file.
std::vector<Finding> Check(const Model&);

}  // namespace keyfold::model

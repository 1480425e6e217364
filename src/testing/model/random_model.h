// Random models for tests of the checker's proofs: small key templates over a few literals, whose texts often meet.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "model/core/model.h"

namespace keyfold::model {

// The text of a model of at most six entities, with index keys, variants, shards and reads. It can always be loaded.
// Entities often share the start of their keys, so that about every third model has two that collide.
std::string RandomModelText(Random&);

// Values of an attribute of a random model: a few that often occur in other entities' keys. A string does not contain
// the separator.
std::vector<std::string> CommonValues(AttributeType, const std::vector<std::string>& choices,
                                      std::string_view separator);

}  // namespace keyfold::model

// The bytes of values, as DynamoDB counts them: what the type of an attribute says about their size.
#pragma once

#include <optional>

#include "model/core/model.h"

namespace keyfold::model {

// The average bytes of a value: avg_bytes, else what the type determines. nullopt for types of open size: strings,
// binaries, lists and maps.
std::optional<double> ValueBytes(const Attribute&);

// The average bytes that a part of a key template writes.
double PartBytes(const Entity&, const TemplatePart&);

}  // namespace keyfold::model

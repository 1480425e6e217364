// Questions about a query that several rules on reads share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/check/subject.h"
#include "model/compile/access.h"

namespace keyfold::model::check {

// Null if the pattern has no request.
bool IsQuery(const Access*);

// Decides which rule reports unwanted entities. L04 does if the key condition could have kept them out (true); L12 does
// if several entities are wanted and the condition names only the partition (false).
bool IsLeak(const Access&);

// The index's name, or "the table".
std::string PlaceName(const Subject&, std::optional<IndexId>);

std::vector<std::string> NamesOf(const Subject&, const std::vector<EntityId>&);

}  // namespace keyfold::model::check

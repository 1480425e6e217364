// What several rules on reads ask of a query.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/check/subject.h"
#include "model/compile/access.h"

namespace keyfold::model::check {

// nullptr: the pattern has no request.
bool IsQuery(const Access*);

// L04's, where the key condition could tell entities apart; L12's where several are wanted and it names the partition
// alone.
bool IsLeak(const Access&);

// The index's name, or "the table".
std::string PlaceName(const Subject&, std::optional<IndexId>);

std::vector<std::string> NamesOf(const Subject&, const std::vector<EntityId>&);

}  // namespace keyfold::model::check

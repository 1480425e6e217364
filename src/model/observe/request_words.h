// Readable text for requests: one short line for an unplanned request, the same for all of its kind; and the text of a
// partition key value.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/observe/pattern_matcher.h"

namespace keyfold::model {

// "Query GSI1: GSI1PK = EMAIL#…, GSI1SK begins with P…"
std::string QueryWords(const Model&, std::string_view index, const ReadShape&);
std::string GetWords(const Model&, const ReadShape&);  // "GetItem: PK = USER#…, SK = PROFILE"
std::string ScanWords(std::string_view index);         // "Scan GSI1"
// "BatchGetItem of User, Order", followed by "items of no entity" if not all are `known`.
std::string KeysWords(const Model&, Operation, std::span<const EntityId>, bool known);
std::string WritesWords(const Model&, Operation, std::span<const WriteShape>, bool known);

// "USER#1"; for several attributes "eu, pending".
void AppendKeyText(std::span<const ValueView> values, std::string& out);

}  // namespace keyfold::model

// Ids that sort by the time of their creation: ULID (26 characters of Crockford's base 32), KSUID (27 of base 62) and
// UUID version 7 (36 characters, hexadecimal digits in lower case). Every text of one kind has the same width, so the
// order of the texts is that of the ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/core/type.h"

namespace keyfold::model {

// The width of the type's ids; 0 for other types.
size_t IdWidth(AttributeType);

// The characters that an id can have at a position, in the order of their values.
std::string_view IdCharacters(AttributeType, size_t position);

bool IsWholeId(AttributeType, std::string_view text);

// An id made at the time, with `n` as its random part.
std::string MakeId(AttributeType, int64_t epoch_ms, uint64_t n);

}  // namespace keyfold::model

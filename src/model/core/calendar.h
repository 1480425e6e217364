// Times as stored in keys: prefixes of 2024-01-15T10:30:00.000Z, always UTC, so that text order is time order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/format.h"

namespace keyfold::model {

// The layout of a time format: Y M D h m s f stand for digits, every other character for itself. Empty if it is not a
// time format.
std::string_view LayoutOf(Format);

// Returns true if `text` follows the layout, or a prefix of it: shortened times match too.
bool FollowsLayout(std::string_view text, std::string_view layout);

// Returns true if `text` is complete in the format, and its date and time of day exist.
bool IsWholeTime(Format, std::string_view text);

// Converts a time, or a prefix of one, to another format. A prefix shorter than the format is returned unchanged; to a
// complete time zeros are added.
std::string FormatTime(Format, std::string_view iso);

// Returns the texts of a calendar format (year, month, day, hour) from the one that contains `from` to the one that
// contains `to`; both are times or prefixes of times. Returns nullopt if one is too short for the format or not a date,
// or if there would be more than `most`.
std::optional<std::vector<std::string>> Buckets(Format, std::string_view from, std::string_view to, size_t most);

// Milliseconds since 1970 as iso_ms, for years 0 to 9999.
std::string IsoMillis(int64_t epoch_ms);
// Returns nullopt if the text is not a complete time in iso_s, iso_ms or iso_us.
std::optional<int64_t> EpochMillis(std::string_view iso);

}  // namespace keyfold::model

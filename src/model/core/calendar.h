// Times as keys hold them: prefixes of 2024-01-15T10:30:00.000Z, always UTC, so that text order is time order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/format.h"

namespace keyfold::model {

// The layout of a time format: Y M D h m s f stand for digits, all else for itself. Empty: not a time format.
std::string_view LayoutOf(Format);

// Characters of `text` that stand where the layout wants them, so a whole or a shortened time gives its size.
bool FollowsLayout(std::string_view text, std::string_view layout);

// A whole text of a time format, and a date and time of day that exist.
bool IsWholeTime(Format, std::string_view text);

// A time in iso_ms, or any shorter start of one, in another format; what is shorter than the format stays as it is.
std::string FormatTime(Format, std::string_view iso);

// The texts of a calendar format (year, month, day, hour) from the one that holds `from` to the one that holds `to`;
// both are times or starts of them. Nothing where one is too short for the format, no date, or there would be more than
// `most`.
std::optional<std::vector<std::string>> Buckets(Format, std::string_view from, std::string_view to, size_t most);

// Milliseconds since 1970 as iso_ms, for years 0 to 9999.
std::string IsoMillis(int64_t epoch_ms);
// Nothing where it is not a whole time in iso_s or iso_ms.
std::optional<int64_t> EpochMillis(std::string_view iso);

}  // namespace keyfold::model

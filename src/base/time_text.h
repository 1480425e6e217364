// Times and durations as people and manifests write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace keyfold {

// The last second of the year 9999: what has four digits for the year.
inline constexpr int64_t kLatestSecond = 253'402'300'799;

// "2026-11-15T16:45:00.123456Z"; the fraction is left out where it is zero. From 1970 to kLatestSecond.
std::string FormatIsoTime(Micros time);
// "2026-11-15T16:45:00.120Z", always with milliseconds: as manifests have it.
std::string FormatIsoMillis(Micros time);

// The same, with up to six digits of fraction, and with an offset ("+02:00") in the place of Z. Nothing for any other
// text, for a day that is not in the calendar, and for what is before 1970.
std::optional<Micros> ParseIsoTime(std::string_view text);

// "25h30m", "90s", "1d", "250ms": whole numbers, each with its unit of d, h, m, s, ms, the larger first. Nothing for
// any other text, and for more than kLatestSecond.
std::optional<Micros> ParseDuration(std::string_view text);

}  // namespace keyfold

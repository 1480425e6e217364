// The text form of times and durations, as people and manifests write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace keyfold {

// The last second of the year 9999, the last year of four digits.
inline constexpr int64_t kLatestSecond = 253'402'300'799;

// "2026-11-15T16:45:00.123456Z", without the fraction if it is zero. From 1970 to kLatestSecond.
std::string FormatIsoTime(Micros time);
// "2026-11-15T16:45:00.120Z", always with milliseconds, as in manifests.
std::string FormatIsoMillis(Micros time);

// Parses the same format, with up to six digits of fraction and optionally an offset ("+02:00") instead of Z. Returns
// nullopt for any other text, for a day that is not in the calendar, and for times before 1970.
std::optional<Micros> ParseIsoTime(std::string_view text);

// Parses "25h30m", "90s", "1d", "250ms": whole numbers, each with one of the units d, h, m, s, ms, larger units first.
// Returns nullopt for any other text and for more than kLatestSecond.
std::optional<Micros> ParseDuration(std::string_view text);

}  // namespace keyfold

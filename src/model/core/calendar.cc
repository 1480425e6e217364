#include "model/core/calendar.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/text/ascii.h"

namespace keyfold::model {
namespace {

constexpr std::string_view kIso = "YYYY-MM-DDThh:mm:ss.fffZ";
constexpr std::string_view kIsoToTheSecond = "YYYY-MM-DDThh:mm:ssZ";
constexpr std::string_view kIsoToTheMicrosecond = "YYYY-MM-DDThh:mm:ss.ffffffZ";

constexpr bool IsField(char c) {
  return c == 'Y' || c == 'M' || c == 'D' || c == 'h' || c == 'm' || c == 's' || c == 'f';
}

// Up to eight characters of a layout, compared with eight characters of a text at once. `wanted` has the expected
// characters, with '0' for a digit. `to_top` is added to each byte's difference, so that the byte's top bit is set if
// the difference is too large.
struct LayoutWord {
  uint64_t wanted = 0, to_top = 0;
};

constexpr LayoutWord WordAt(std::string_view layout, size_t at) {
  std::array<char, 8> wanted{}, to_top{};
  for (size_t i = 0; i < 8; ++i) {
    const char c = at + i < layout.size() ? layout[at + i] : '\0';
    wanted[i] = IsField(c) ? '0' : c;
    to_top[i] = IsField(c) ? 0x80 - 10 : 0x80 - 1;
  }
  return {std::bit_cast<uint64_t>(wanted), std::bit_cast<uint64_t>(to_top)};
}

// Indexed by the position of the word's first character.
constexpr auto kIsoWords = [] {
  std::array<LayoutWord, kIso.size() - 7> words;
  for (size_t at = 0; at < words.size(); ++at) words[at] = WordAt(kIso, at);
  return words;
}();
constexpr LayoutWord kYearWord = WordAt(kIso.substr(0, 4), 0), kMonthWord = WordAt(kIso.substr(0, 7), 0);
constexpr LayoutWord kEndToTheSecond = WordAt(kIsoToTheSecond, kIsoToTheSecond.size() - 8);

bool Matches(const LayoutWord& word, const char* text) {
  constexpr uint64_t kTops = 0x8080808080808080;
  uint64_t off = 0;
  std::memcpy(&off, text, 8);
  off ^= word.wanted;  // for a digit, its value
  return ((off | (off + word.to_top)) & kTops) == 0;
}

// As FollowsLayout, for a text as long as the layout.
bool IsWholeLayout(std::string_view text, std::string_view layout) {
  const size_t size = layout.size();
  if (size > kIso.size()) return FollowsLayout(text, layout);
  if (size < 8) {
    char padded[8] = {};
    std::memcpy(padded, text.data(), size);
    return Matches(size == 4 ? kYearWord : kMonthWord, padded);
  }
  for (size_t at = 0; at + 8 < size; at += 8) {
    if (!Matches(kIsoWords[at], text.data() + at)) return false;
  }
  const LayoutWord& end = size == kIsoToTheSecond.size() ? kEndToTheSecond : kIsoWords[size - 8];
  return Matches(end, text.data() + size - 8);
}

int Digits(std::string_view text, size_t at, size_t count) {
  int value = 0;
  for (size_t i = at; i < at + count && i < text.size(); ++i) value = value * 10 + (text[i] - '0');
  return value;
}

void AppendDigits(std::string& out, int64_t value, int count) {
  const size_t at = out.size();
  out.append(static_cast<size_t>(count), '0');
  for (size_t i = at + static_cast<size_t>(count); i > at && value > 0; value /= 10) {
    out[--i] = static_cast<char>('0' + value % 10);
  }
}

bool IsLeap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int DaysIn(int year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && IsLeap(year) ? 29 : kDays[month - 1];
}

// A point in the calendar, to the hour.
struct CalendarPlace {
  int year = 0;
  int month = 1;
  int day = 1;
  int hour = 0;

  // `text` must follow the layout at least to the year. Returns nullopt if the date does not exist.
  static std::optional<CalendarPlace> Of(std::string_view text) {
    CalendarPlace place;
    place.year = Digits(text, 0, 4);
    if (text.size() >= 7) place.month = Digits(text, 5, 2);
    if (place.month < 1 || place.month > 12) return {};
    if (text.size() >= 10) place.day = Digits(text, 8, 2);
    if (place.day < 1 || place.day > DaysIn(place.year, place.month)) return {};
    if (text.size() >= 13) place.hour = Digits(text, 11, 2);
    if (place.hour > 23) return {};
    return place;
  }

  void Advance(Format by) {
    if (by == Format::kHour && ++hour < 24) return;
    hour = 0;
    if ((by == Format::kHour || by == Format::kDay) && ++day <= DaysIn(year, month)) return;
    day = 1;
    if (by != Format::kYear && ++month <= 12) return;
    month = 1;
    ++year;
  }

  std::string Text(Format format) const {
    std::string out;
    AppendDigits(out, year, 4);
    AppendDigits(out += '-', month, 2);
    AppendDigits(out += '-', day, 2);
    AppendDigits(out += 'T', hour, 2);
    out.resize(LayoutOf(format).size());
    return out;
  }
};

// Days from 1970-01-01 to a date in the proleptic Gregorian calendar.
int64_t DaysSince1970(int year, int month, int day) {
  const int64_t y = year - (month <= 2);
  const int64_t era = (y >= 0 ? y : y - 399) / 400;
  const int64_t of_era = y - era * 400;
  const int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

}  // namespace

std::string_view LayoutOf(Format format) {
  switch (format) {
    case Format::kIsoMillis:
      return kIso;
    case Format::kIsoMicros:
      return kIsoToTheMicrosecond;
    case Format::kIsoSeconds:
      return kIsoToTheSecond;
    case Format::kYear:
      return kIso.substr(0, 4);
    case Format::kMonth:
      return kIso.substr(0, 7);
    case Format::kDay:
      return kIso.substr(0, 10);
    case Format::kHour:
      return kIso.substr(0, 13);
    default:
      return {};
  }
}

bool FollowsLayout(std::string_view text, std::string_view layout) {
  if (text.size() > layout.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (IsField(layout[i]) ? !IsDigit(text[i]) : text[i] != layout[i]) return false;
  }
  return true;
}

bool IsWholeTime(Format format, std::string_view text) {
  const std::string_view layout = LayoutOf(format == Format::kPlain ? Format::kIsoMillis : format);
  if (layout.empty() || text.size() != layout.size() || !IsWholeLayout(text, layout)) return false;
  const auto two = [&](size_t at) { return (text[at] - '0') * 10 + (text[at + 1] - '0'); };
  if (text.size() >= 7 && (two(5) < 1 || two(5) > 12)) return false;
  if (text.size() >= 10 && (two(8) < 1 || (two(8) > 28 && two(8) > DaysIn(Digits(text, 0, 4), two(5))))) return false;
  if (text.size() >= 13 && two(11) > 23) return false;
  return text.size() < kIsoToTheSecond.size() || (two(14) <= 59 && two(17) <= 59);
}

std::string FormatTime(Format format, std::string_view iso) {
  const size_t seconds = kIsoToTheSecond.size() - 1;
  if (format == Format::kIsoSeconds) {
    return iso.size() > seconds ? std::string(iso.substr(0, seconds)) + 'Z' : std::string(iso);
  }
  if (format == Format::kIsoMillis || format == Format::kIsoMicros) {
    const size_t stem = LayoutOf(format).size() - 1;
    if (iso.size() > stem + 1) return std::string(iso.substr(0, stem)) + 'Z';
    const bool shorter = iso.size() < stem + 1 && iso.size() > seconds && iso.back() == 'Z';
    if (!shorter) return std::string(iso);
    std::string longer(iso.substr(0, iso.size() - 1));
    if (longer.size() == seconds) longer += '.';
    longer.resize(stem, '0');
    return longer + 'Z';
  }
  const size_t size = LayoutOf(format).size();
  return std::string(size == 0 ? iso : iso.substr(0, size));
}

std::optional<std::vector<std::string>> Buckets(Format format, std::string_view from, std::string_view to,
                                                size_t most) {
  const size_t size = LayoutOf(format).size();
  const auto place_of = [&](std::string_view text) -> std::optional<CalendarPlace> {
    text = text.substr(0, size);
    if (!IsBucket(format) || text.size() < size || !FollowsLayout(text, kIso)) return {};
    return CalendarPlace::Of(text);
  };
  std::optional<CalendarPlace> place = place_of(from);
  if (!place || !place_of(to)) return {};
  std::vector<std::string> buckets;
  for (std::string text = place->Text(format); text <= to.substr(0, size); text = place->Text(format)) {
    if (buckets.size() == most) return {};
    buckets.push_back(std::move(text));
    if (buckets.back() == to.substr(0, size)) break;  // the last hour of year 9999 has no successor
    place->Advance(format);
  }
  return buckets;
}

std::string IsoMillis(int64_t epoch_ms) {
  constexpr int64_t kDayMs = 86'400'000;
  int64_t days = epoch_ms / kDayMs;
  int64_t of_day = epoch_ms % kDayMs;
  if (of_day < 0) of_day += kDayMs, --days;
  const int64_t shifted = days + 719468;
  const int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const int64_t of_era = shifted - era * 146097;
  const int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t moved = (5 * of_year + 2) / 153;
  const int64_t month = moved + (moved < 10 ? 3 : -9);
  std::string out;
  AppendDigits(out, year_of_era + era * 400 + (month <= 2), 4);
  AppendDigits(out += '-', month, 2);
  AppendDigits(out += '-', of_year - (153 * moved + 2) / 5 + 1, 2);
  AppendDigits(out += 'T', of_day / 3'600'000, 2);
  AppendDigits(out += ':', of_day / 60'000 % 60, 2);
  AppendDigits(out += ':', of_day / 1000 % 60, 2);
  AppendDigits(out += '.', of_day % 1000, 3);
  return out + 'Z';
}

std::optional<int64_t> EpochMillis(std::string_view iso) {
  const bool micros = iso.size() == kIsoToTheMicrosecond.size();
  const bool millis = iso.size() == kIso.size() || micros;
  const std::string_view layout = micros ? kIsoToTheMicrosecond : millis ? kIso : kIsoToTheSecond;
  if (iso.size() != layout.size() || !FollowsLayout(iso, layout)) return {};
  const std::optional<CalendarPlace> place = CalendarPlace::Of(iso.substr(0, 13));
  const int minute = Digits(iso, 14, 2);
  const int second = Digits(iso, 17, 2);
  if (!place || minute > 59 || second > 59) return {};
  const int64_t seconds =
      ((DaysSince1970(place->year, place->month, place->day) * 24 + place->hour) * 60 + minute) * 60 + second;
  return seconds * 1000 + (millis ? Digits(iso, 20, 3) : 0);
}

}  // namespace keyfold::model

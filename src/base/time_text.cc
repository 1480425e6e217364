#include "base/time_text.h"

#include <fmt/format.h>
#include <time.h>

#include <charconv>

#include "base/text/ascii.h"

namespace keyfold {
namespace {

// Consumes text from the front of a view. Used by one thread at a time.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  bool Take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Exactly `count` digits, as a number from min to max.
  std::optional<int> Digits(size_t count, int min, int max) {
    int value = 0;
    if (rest_.size() < count) return std::nullopt;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + count, value);
    if (error != std::errc() || end != rest_.data() + count || rest_[0] == '-') return std::nullopt;
    if (value < min || value > max) return std::nullopt;
    rest_.remove_prefix(count);
    return value;
  }
  // One to six digits after a point, as microseconds.
  std::optional<Micros> Fraction() {
    Micros micros = 0, unit = kSecond / 10;
    size_t digits = 0;
    for (; digits < rest_.size() && IsDigit(rest_[digits]); ++digits, unit /= 10) {
      micros += (rest_[digits] - '0') * unit;
    }
    if (digits == 0 || digits > 6) return std::nullopt;
    rest_.remove_prefix(digits);
    return micros;
  }
  bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

// "2026-11-15T16:45:00", as if it were in UTC.
std::optional<Micros> TakeDateAndTime(Cursor& text) {
  std::optional<int> part[6];
  constexpr struct {
    char before;
    size_t digits;
    int min, max;
  } kParts[] = {{0, 4, 1970, 9999}, {'-', 2, 1, 12}, {'-', 2, 1, 31},
                {'T', 2, 0, 23},    {':', 2, 0, 59}, {':', 2, 0, 59}};
  for (size_t i = 0; i < 6; ++i) {
    if (kParts[i].before != 0 && !text.Take(kParts[i].before)) return std::nullopt;
    part[i] = text.Digits(kParts[i].digits, kParts[i].min, kParts[i].max);
    if (!part[i]) return std::nullopt;
  }
  tm utc{};
  utc.tm_year = *part[0] - 1900;
  utc.tm_mon = *part[1] - 1;
  utc.tm_mday = *part[2];
  utc.tm_hour = *part[3];
  utc.tm_min = *part[4];
  utc.tm_sec = *part[5];
  const time_t seconds = timegm(&utc);
  if (utc.tm_mday != *part[2]) return std::nullopt;  // February 30 became another day
  return static_cast<Micros>(seconds) * kSecond;
}

// The offset from UTC that "Z" or "+02:00" denotes.
std::optional<Micros> TakeOffset(Cursor& text) {
  if (text.Take('Z')) return 0;
  const int sign = text.Take('+') ? 1 : text.Take('-') ? -1 : 0;
  if (sign == 0) return std::nullopt;
  const std::optional<int> hours = text.Digits(2, 0, 23);
  if (!hours || !text.Take(':')) return std::nullopt;
  const std::optional<int> minutes = text.Digits(2, 0, 59);
  if (!minutes) return std::nullopt;
  return sign * (*hours * kHour + *minutes * kMinute);
}

// Without fraction and time zone.
std::string DateAndTime(Micros time) {
  const time_t seconds = static_cast<time_t>(time / kSecond);
  tm utc{};
  gmtime_r(&seconds, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec);
}

}  // namespace

std::string FormatIsoTime(Micros time) {
  const Micros fraction = time % kSecond;
  return DateAndTime(time) + (fraction == 0 ? "Z" : fmt::format(".{:06}Z", fraction));
}

std::string FormatIsoMillis(Micros time) { return DateAndTime(time) + fmt::format(".{:03}Z", time % kSecond / 1000); }

std::optional<Micros> ParseIsoTime(std::string_view text) {
  Cursor cursor(text);
  const std::optional<Micros> local = TakeDateAndTime(cursor);
  if (!local) return std::nullopt;
  std::optional<Micros> fraction = 0;
  if (cursor.Take('.')) fraction = cursor.Fraction();
  const std::optional<Micros> offset = TakeOffset(cursor);
  if (!fraction || !offset || !cursor.empty()) return std::nullopt;
  const Micros time = *local + *fraction - *offset;
  if (time < 0 || time / kSecond > kLatestSecond) return std::nullopt;
  return time;
}

std::optional<Micros> ParseDuration(std::string_view text) {
  constexpr struct {
    std::string_view name;
    Micros micros;
  } kUnits[] = {{"d", kDay}, {"h", kHour}, {"m", kMinute}, {"s", kSecond}, {"ms", kMillisecond}};
  if (text.empty()) return std::nullopt;
  Micros sum = 0, last_unit = INT64_MAX;
  while (!text.empty()) {
    uint64_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    const std::string_view name = text.substr(0, text.find_first_of("0123456789"));
    text.remove_prefix(name.size());
    Micros unit = 0;
    for (const auto& u : kUnits) unit = u.name == name ? u.micros : unit;
    if (unit == 0 || unit >= last_unit) return std::nullopt;
    last_unit = unit;
    if (count > static_cast<uint64_t>(kLatestSecond * kSecond / unit)) return std::nullopt;
    sum += static_cast<Micros>(count) * unit;
    if (sum / kSecond > kLatestSecond) return std::nullopt;
  }
  return sum;
}

}  // namespace keyfold

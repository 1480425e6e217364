#include "model/core/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace keyfold::model {

std::string NumberText(double number, int decimals) {
  std::string digits = fmt::format("{:.{}f}", std::abs(number), decimals);
  if (decimals > 0) {
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
  }
  const size_t whole = std::min(digits.find('.'), digits.size());
  for (size_t at = whole; at > 3;) digits.insert(at -= 3, ",");
  return number < 0 && digits != "0" ? "-" + digits : digits;
}

std::string Figure(double number) {
  if (std::abs(number) >= 100 || number == std::floor(number)) return NumberText(number, 0);
  const std::string text = NumberText(number, 2);
  return text == "0" ? "0.01" : text;
}

std::string Percent(double share) { return Figure(share * 100) + " %"; }

std::string BytesText(double bytes) {
  constexpr std::string_view kUnits[] = {"KB", "MB", "GB", "TB", "PB"};
  if (bytes < 100 * 1024) return NumberText(bytes, 0) + " B";
  size_t unit = 0;
  for (bytes /= 1024; bytes >= 1024 && unit + 1 < std::size(kUnits); bytes /= 1024) ++unit;
  return fmt::format("{} {}", NumberText(bytes, bytes < 100 ? 1 : 0), kUnits[unit]);
}

std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace keyfold::model

#include "model/core/sortable_id.h"

#include <algorithm>
#include <array>

#include "base/check.h"

namespace keyfold::model {
namespace {

constexpr std::string_view kCrockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::string_view kBase62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kHex = "0123456789abcdef";
// x stands for a digit, V for the variant's digit, everything else for itself.
constexpr std::string_view kUuid7Layout = "xxxxxxxx-xxxx-7xxx-Vxxx-xxxxxxxxxxxx";
constexpr size_t kUlidWidth = 26;
constexpr size_t kUlidTimeWidth = 10;
constexpr size_t kKsuidWidth = 27;
constexpr size_t kKsuidRandomWidth = 20;  // in sample ids; a KSUID's own parts do not end at a character
constexpr int64_t kKsuidEpochSeconds = 1'400'000'000;

// The bytes that are characters of an alphabet.
using Members = std::array<bool, 256>;
constexpr Members MembersOf(std::string_view alphabet) {
  Members members{};
  for (const char c : alphabet) members[static_cast<unsigned char>(c)] = true;
  return members;
}
constexpr Members kCrockfordMembers = MembersOf(kCrockford), kBase62Members = MembersOf(kBase62);

bool ConsistsOf(const Members& members, std::string_view text) {
  return std::all_of(text.begin(), text.end(), [&](char c) { return members[static_cast<unsigned char>(c)]; });
}

// `width` digits of the number in the alphabet's base, with leading zeros.
std::string DigitsOf(uint64_t value, std::string_view alphabet, size_t width) {
  std::string text(width, alphabet[0]);
  for (size_t i = width; i > 0 && value > 0; value /= alphabet.size()) text[--i] = alphabet[value % alphabet.size()];
  return text;
}

}  // namespace

size_t IdWidth(AttributeType type) {
  if (type == AttributeType::kUlid) return kUlidWidth;
  if (type == AttributeType::kKsuid) return kKsuidWidth;
  return type == AttributeType::kUuid7 ? kUuid7Layout.size() : 0;
}

std::string_view IdCharacters(AttributeType type, size_t position) {
  if (type == AttributeType::kUlid) return position == 0 ? kCrockford.substr(0, 8) : kCrockford;
  if (type == AttributeType::kKsuid) return kBase62;
  const std::string_view one = kUuid7Layout.substr(position, 1);
  if (one == "x") return kHex;
  return one == "V" ? kHex.substr(8, 4) : one;
}

bool IsWholeId(AttributeType type, std::string_view text) {
  if (text.empty() || text.size() != IdWidth(type)) return false;
  if (type == AttributeType::kKsuid) return ConsistsOf(kBase62Members, text);
  if (type == AttributeType::kUlid) return text[0] <= '7' && ConsistsOf(kCrockfordMembers, text);
  for (size_t i = 0; i < text.size(); ++i) {
    if (IdCharacters(type, i).find(text[i]) == std::string_view::npos) return false;
  }
  return true;
}

std::string MakeId(AttributeType type, int64_t epoch_ms, uint64_t n) {
  CHECK(IsSortableId(type));
  const auto time = static_cast<uint64_t>(epoch_ms);
  if (type == AttributeType::kUlid) {
    return DigitsOf(time, kCrockford, kUlidTimeWidth) + DigitsOf(n, kCrockford, kUlidWidth - kUlidTimeWidth);
  }
  if (type == AttributeType::kKsuid) {
    const auto seconds = static_cast<uint64_t>(epoch_ms / 1000 - kKsuidEpochSeconds);
    return DigitsOf(seconds, kBase62, kKsuidWidth - kKsuidRandomWidth) + DigitsOf(n, kBase62, kKsuidRandomWidth);
  }
  const std::string digits = DigitsOf(time, kHex, 12);
  const std::string random = DigitsOf(n, kHex, 12);
  return digits.substr(0, 8) + '-' + digits.substr(8) + "-7000-8000-" + random;
}

}  // namespace keyfold::model

#include "base/text/base64.h"

#include <array>
#include <cstdint>

namespace keyfold {
namespace {

constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<int8_t, 256> MakeReverse() {
  std::array<int8_t, 256> reverse{};
  for (auto& r : reverse) r = -1;
  for (int8_t i = 0; i < 64; ++i) reverse[static_cast<uint8_t>(kAlphabet[i])] = i;
  return reverse;
}
constexpr std::array<int8_t, 256> kReverse = MakeReverse();

}  // namespace

void AppendBase64(std::string& out, std::string_view bytes) {
  const size_t before = out.size();
  out.resize(before + Base64Length(bytes.size()));
  PutBase64(out.data() + before, bytes);
}

char* PutBase64(char* to, std::string_view bytes) {
  size_t i = 0;
  const auto at = [&](size_t k) { return static_cast<uint32_t>(static_cast<uint8_t>(bytes[k])); };
  for (; i + 3 <= bytes.size(); i += 3) {
    const uint32_t v = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
    *to++ = kAlphabet[v >> 18];
    *to++ = kAlphabet[v >> 12 & 63];
    *to++ = kAlphabet[v >> 6 & 63];
    *to++ = kAlphabet[v & 63];
  }
  const size_t rest = bytes.size() - i;
  if (rest == 0) return to;
  const uint32_t v = at(i) << 16 | (rest == 2 ? at(i + 1) << 8 : 0);
  *to++ = kAlphabet[v >> 18];
  *to++ = kAlphabet[v >> 12 & 63];
  *to++ = rest == 2 ? kAlphabet[v >> 6 & 63] : '=';
  *to++ = '=';
  return to;
}

bool AppendFromBase64(std::string& out, std::string_view text) {
  if (text.size() % 4 != 0) return false;
  const size_t before = out.size();
  out.resize(before + text.size() / 4 * 3);
  char* to = out.data() + before;
  const auto fail = [&] {
    out.resize(before);
    return false;
  };
  size_t pad = 0;
  for (size_t i = 0; i < text.size(); i += 4) {
    const bool last = i + 4 == text.size();
    if (last && text[i + 3] == '=') pad = text[i + 2] == '=' ? 2 : 1;
    uint32_t v = 0;
    for (size_t k = 0; k < 4 - pad; ++k) {
      const int8_t d = kReverse[static_cast<uint8_t>(text[i + k])];
      if (d < 0) return fail();
      v |= static_cast<uint32_t>(d) << (18 - 6 * k);
    }
    if (pad > 0 && (v & (pad == 1 ? 0xffu : 0xffffu)) != 0) return fail();
    *to++ = static_cast<char>(v >> 16);
    *to++ = static_cast<char>(v >> 8);
    *to++ = static_cast<char>(v);
  }
  out.resize(out.size() - pad);
  return true;
}

}  // namespace keyfold

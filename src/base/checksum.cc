#include "base/checksum.h"

#include <zlib.h>

#include <array>
#include <cstring>

namespace keyfold {
namespace {

constexpr std::array<uint32_t, 256> MakeTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t c = i;
    for (int k = 0; k < 8; ++k) c = c & 1 ? c >> 1 ^ 0x82F63B78u : c >> 1;  // Castagnoli, reflected
    table[i] = c;
  }
  return table;
}
constexpr std::array<uint32_t, 256> kTable = MakeTable();

constexpr uint32_t ByTable(std::string_view bytes, uint32_t crc) {
  for (const char c : bytes) crc = crc >> 8 ^ kTable[(crc ^ static_cast<uint8_t>(c)) & 0xff];
  return crc;
}

// The check value of CRC-32C: machines with and without the instruction must agree, since it stands in stored rows.
static_assert(~ByTable("123456789", ~0u) == 0xE3069283u);

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) uint32_t ByInstruction(std::string_view bytes, uint32_t crc) {
  const char* p = bytes.data();
  size_t n = bytes.size();
  uint64_t wide = crc;
  for (; n >= 8; n -= 8, p += 8) {
    uint64_t v;
    std::memcpy(&v, p, 8);
    wide = __builtin_ia32_crc32di(wide, v);
  }
  crc = static_cast<uint32_t>(wide);
  for (; n > 0; --n, ++p) crc = __builtin_ia32_crc32qi(crc, static_cast<unsigned char>(*p));
  return crc;
}
const bool kHasInstruction = __builtin_cpu_supports("sse4.2");
#else
uint32_t ByInstruction(std::string_view bytes, uint32_t crc) { return ByTable(bytes, crc); }
constexpr bool kHasInstruction = false;
#endif

}  // namespace

uint32_t Crc32(std::string_view bytes) {
  return static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

uint32_t Crc32c(std::string_view bytes, uint32_t crc) {
  return ~(kHasInstruction ? ByInstruction(bytes, ~crc) : ByTable(bytes, ~crc));
}

}  // namespace keyfold

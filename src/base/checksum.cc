#include "base/checksum.h"

#include <zlib.h>

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace keyfold {
namespace {

// Polynomials over GF(2) of degree 32, without their x^32, in the reflected form that both checksums use: bit i is the
// coefficient of x^(31-i).
constexpr uint32_t kIeee = 0xEDB88320u, kCastagnoli = 0x82F63B78u;

constexpr uint32_t TimesX(uint32_t p, uint32_t modulus) { return p & 1 ? p >> 1 ^ modulus : p >> 1; }

constexpr std::array<uint32_t, 256> MakeTable(uint32_t modulus) {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t c = i;
    for (int k = 0; k < 8; ++k) c = TimesX(c, modulus);
    table[i] = c;
  }
  return table;
}
constexpr std::array<uint32_t, 256> kTable = MakeTable(kCastagnoli);

constexpr uint32_t ByTable(std::string_view bytes, uint32_t crc) {
  for (const char c : bytes) crc = crc >> 8 ^ kTable[(crc ^ static_cast<uint8_t>(c)) & 0xff];
  return crc;
}

// The check value of CRC-32C: machines with and without the instruction must agree, because it is in stored rows.
static_assert(~ByTable("123456789", ~0u) == 0xE3069283u);

#if defined(__x86_64__)

// Everything below uses reflected form: bit i of a 64-bit word is the coefficient of x^(63-i), and bit i of a 128-bit
// word that of x^(127-i). So a message's first bit, its highest power, is bit 0 of its first byte. In this form the
// carry-less product of a and b is a * b * x.

// The factor that multiplies by x^n modulo the polynomial: x^(n-1), because the product adds another x.
constexpr uint64_t ByXToThe(int n, uint32_t modulus) {
  uint32_t p = 0x80000000u;  // 1
  for (int i = 1; i < n; ++i) p = TimesX(p, modulus);
  return uint64_t{p} << 32;
}

// The quotient of x^64 and the polynomial, divided by x: its terms below x^0 are never needed.
constexpr uint64_t Reciprocal(uint32_t modulus) {
  uint64_t quotient = uint64_t{1} << 32;  // its x^32 term
  uint32_t rest = modulus;                // remainder after the first step; multiplied by x in each round
  for (int i = 1; i < 32; ++i) {
    if (rest & 1) quotient |= uint64_t{1} << (32 + i);  // bit 0 of `rest` is its x^31, about to become x^32
    rest = TimesX(rest, modulus);
  }
  return quotient;
}

// The factors that shift a 128-bit block to the position of another, for its high half and its low half.
struct Fold {
  uint64_t high, low;
};
constexpr Fold FoldOver(int bits, uint32_t modulus) { return {ByXToThe(bits + 64, modulus), ByXToThe(bits, modulus)}; }

#define KEYFOLD_CLMUL __attribute__((target("pclmul")))

KEYFOLD_CLMUL inline __m128i Pair(uint64_t low, uint64_t high) {
  return _mm_set_epi64x(static_cast<int64_t>(high), static_cast<int64_t>(low));
}
KEYFOLD_CLMUL inline __m128i Load(const char* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }

KEYFOLD_CLMUL inline __m128i Moved(__m128i block, __m128i fold) {
  return _mm_xor_si128(_mm_clmulepi64_si128(block, fold, 0x00), _mm_clmulepi64_si128(block, fold, 0x11));
}

// Returns block * x^32 modulo the polynomial: reduces 128 bits to 96, then 64, then to 32 by Barrett reduction.
template <uint32_t modulus>
KEYFOLD_CLMUL uint32_t Reduced(__m128i block) {
  constexpr Fold kLast{ByXToThe(96, modulus), ByXToThe(64, modulus)};
  const __m128i powers = Pair(kLast.high, kLast.low);
  const __m128i bits96 =
      _mm_xor_si128(_mm_clmulepi64_si128(block, powers, 0x00), _mm_slli_si128(_mm_srli_si128(block, 8), 4));
  const __m128i bits64 = _mm_xor_si128(_mm_clmulepi64_si128(bits96, powers, 0x10), bits96);
  const uint64_t rest = static_cast<uint64_t>(_mm_cvtsi128_si64(_mm_srli_si128(bits64, 8)));

  constexpr uint64_t kReciprocal = Reciprocal(modulus);
  const __m128i divide = Pair(kReciprocal, uint64_t{modulus} << 32);
  const __m128i quotient = _mm_clmulepi64_si128(Pair(rest & 0xFFFFFFFFu, 0), divide, 0x00);
  const __m128i product = _mm_clmulepi64_si128(quotient, divide, 0x10);
  const uint64_t low = static_cast<uint64_t>(_mm_cvtsi128_si64(_mm_srli_si128(product, 8)));
  return static_cast<uint32_t>(rest >> 32) ^ static_cast<uint32_t>(low >> 31);
}

// For shorter input the setup costs more than folding saves: CRC-32 compared with zlib, CRC-32C compared with the CRC
// instruction, each use of which depends on the previous one.
constexpr size_t kCrc32FoldedMin = 32, kCrc32cFoldedMin = 384;

// Requires at least 32 bytes. `crc` is the register before the final complement.
template <uint32_t modulus>
KEYFOLD_CLMUL uint32_t ByFolding(std::string_view bytes, uint32_t crc) {
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  // Leading zeros change nothing, so the message is padded there to whole blocks. The register is added to its first
  // four bytes.
  alignas(16) char start[32] = {};
  const size_t odd = bytes.size() % 16;
  std::memcpy(start + 16 - odd, p, 16);
  std::memcpy(start + 16, p + odd, 16);
  uint32_t first;
  std::memcpy(&first, start + 16 - odd, 4);
  first ^= crc;
  std::memcpy(start + 16 - odd, &first, 4);
  p += odd + 16;

  constexpr Fold kOne = FoldOver(128, modulus), kFour = FoldOver(512, modulus);
  const __m128i over_one = Pair(kOne.high, kOne.low), over_four = Pair(kFour.high, kFour.low);
  __m128i block = _mm_xor_si128(Moved(Load(start), over_one), Load(start + 16));
  if (end - p >= 112) {  // four blocks in parallel, to hide the latency of the product
    __m128i b = Load(p), c = Load(p + 16), d = Load(p + 32);
    for (p += 48; end - p >= 64; p += 64) {
      block = _mm_xor_si128(Moved(block, over_four), Load(p));
      b = _mm_xor_si128(Moved(b, over_four), Load(p + 16));
      c = _mm_xor_si128(Moved(c, over_four), Load(p + 32));
      d = _mm_xor_si128(Moved(d, over_four), Load(p + 48));
    }
    b = _mm_xor_si128(Moved(block, over_one), b);
    c = _mm_xor_si128(Moved(b, over_one), c);
    block = _mm_xor_si128(Moved(c, over_one), d);
  }
  for (; p < end; p += 16) block = _mm_xor_si128(Moved(block, over_one), Load(p));
  return Reduced<modulus>(block);
}

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
const bool kCanFold = __builtin_cpu_supports("pclmul");
#else
constexpr size_t kCrc32FoldedMin = SIZE_MAX, kCrc32cFoldedMin = SIZE_MAX;
template <uint32_t modulus>
uint32_t ByFolding(std::string_view, uint32_t crc) {
  return crc;
}
uint32_t ByInstruction(std::string_view bytes, uint32_t crc) { return ByTable(bytes, crc); }
constexpr bool kHasInstruction = false, kCanFold = false;
#endif

}  // namespace

uint32_t Crc32(std::string_view bytes) {
  if (kCanFold && bytes.size() >= kCrc32FoldedMin) return ~ByFolding<kIeee>(bytes, ~0u);
  return static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

uint32_t Crc32c(std::string_view bytes, uint32_t crc) {
  if (kCanFold && bytes.size() >= kCrc32cFoldedMin) return ~ByFolding<kCastagnoli>(bytes, ~crc);
  return ~(kHasInstruction ? ByInstruction(bytes, ~crc) : ByTable(bytes, ~crc));
}

}  // namespace keyfold

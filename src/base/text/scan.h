// Finds the first byte with a property, sixteen bytes at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace keyfold {

using ByteBlock = uint8_t __attribute__((vector_size(16)));

// Returns the position of the first byte for which `test` holds; text.size() if there is none. `test` must work for a
// byte and for a block of bytes, so it uses bitwise operators: (b == ',') | (b == ' ').
template <typename Test>
size_t FirstWhere(std::string_view text, const Test& test) {
  static_assert(std::endian::native == std::endian::little);
  constexpr size_t kBytes = sizeof(ByteBlock);
  const auto first_in = [&](size_t at) {  // position in a block; kBytes: no match
    ByteBlock block;
    std::memcpy(&block, text.data() + at, kBytes);
    const auto hits = test(block);
    uint64_t halves[2];
    std::memcpy(halves, &hits, kBytes);
    if (halves[0] != 0) return static_cast<size_t>(std::countr_zero(halves[0])) / 8;
    return 8 + static_cast<size_t>(std::countr_zero(halves[1])) / 8;
  };
  size_t i = 0;
  if (text.size() >= kBytes) {
    for (; i + kBytes <= text.size(); i += kBytes) {
      if (const size_t first = first_in(i); first < kBytes) return i + first;
    }
    // The last block overlaps the previous one, in which there was no match.
    return i == text.size() ? i : text.size() - kBytes + first_in(text.size() - kBytes);
  }
  while (i < text.size() && !test(static_cast<uint8_t>(text[i]))) ++i;
  return i;
}

}  // namespace keyfold

// Looking for the first byte of a kind, sixteen bytes at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace keyfold {

using ByteBlock = uint8_t __attribute__((vector_size(16)));

// Where the first byte is for which `test` holds; text.size() where there is none. `test` takes a byte or a whole block
// of them, and says so in the block's own terms: (b == ',') | (b == ' ').
template <typename Test>
size_t FirstWhere(std::string_view text, const Test& test) {
  static_assert(std::endian::native == std::endian::little);
  constexpr size_t kBytes = sizeof(ByteBlock);
  const auto first_in = [&](size_t at) {  // of a block; kBytes: none
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
    // The last block overlaps the one before, where there is nothing to find.
    return i == text.size() ? i : text.size() - kBytes + first_in(text.size() - kBytes);
  }
  while (i < text.size() && !test(static_cast<uint8_t>(text[i]))) ++i;
  return i;
}

}  // namespace keyfold

// Hashes that are part of the data format, so they never change: Hash64 of keys (it chooses a row's slot), Hash128 of
// requests (it tells one from another).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace keyfold {

uint64_t Hash64(std::string_view bytes);
std::array<uint64_t, 2> Hash128(std::string_view bytes);  // high, low

}  // namespace keyfold

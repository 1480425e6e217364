// Hashes that are part of the data format and must never change: Hash64 of keys (it determines a row's slot) and
// Hash128 of requests (it identifies them).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace keyfold {

uint64_t Hash64(std::string_view bytes);
std::array<uint64_t, 2> Hash128(std::string_view bytes);  // high, low

}  // namespace keyfold

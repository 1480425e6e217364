// The two checksums in use: CRC-32 on answers (x-amz-crc32, as zlib has it) and CRC-32C on stored rows.
#pragma once

#include <cstdint>
#include <string_view>

namespace keyfold {

uint32_t Crc32(std::string_view bytes);

// Continues from `crc`, so that Crc32c(b, Crc32c(a)) is the checksum of a and b in a row.
uint32_t Crc32c(std::string_view bytes, uint32_t crc = 0);

}  // namespace keyfold

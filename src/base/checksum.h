// The two checksums in use: CRC-32 of responses (x-amz-crc32, as in zlib) and CRC-32C of stored rows.
#pragma once

#include <cstdint>
#include <string_view>

namespace keyfold {

uint32_t Crc32(std::string_view bytes);

// Continues from `crc`: Crc32c(b, Crc32c(a)) is the checksum of a followed by b.
uint32_t Crc32c(std::string_view bytes, uint32_t crc = 0);

}  // namespace keyfold

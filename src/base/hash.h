// The one hash of keys. It is part of the data format (it chooses a row's slot), so it never changes.
#pragma once

#include <cstdint>
#include <string_view>

namespace keyfold {

uint64_t Hash64(std::string_view bytes);

}  // namespace keyfold

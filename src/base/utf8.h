// UTF-8: validity, and byte order (DynamoDB sorts strings by their UTF-8 bytes).
#pragma once

#include <string_view>

namespace keyfold {

[[nodiscard]] bool IsUtf8(std::string_view bytes);

}  // namespace keyfold

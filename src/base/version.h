// The version of the program, as it says it itself.
#pragma once

namespace keyfold {

inline constexpr char kVersion[] = "0.1.0";

}  // namespace keyfold

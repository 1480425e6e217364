// The version that the program reports.
#pragma once

namespace keyfold {

inline constexpr char kVersion[] = "0.1.0";

}  // namespace keyfold

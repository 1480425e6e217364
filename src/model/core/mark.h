// A position in a model file.
#pragma once

#include <compare>
#include <cstdint>

namespace keyfold::model {

// Both count from 1. Column 0 means that only the line is known. Columns count characters, not bytes.
struct Mark {
  uint32_t line = 0;
  uint32_t column = 0;

  friend auto operator<=>(const Mark&, const Mark&) = default;
};

}  // namespace keyfold::model

// Requests of Keyfold's own operations (target Keyfold_20261116.NAME), for what AWS's API has no word for.
#pragma once

#include "wire/requests/imports.h"

namespace keyfold {

// What ImportExports takes beside the members of ImportTable, which it has as well.
struct ImportExportsRequest {
  std::vector<std::string> increments;
};
template <>
struct ShapeOf<ImportExportsRequest> {
  static constexpr std::string_view kName = "ImportExportsInput";
  static constexpr Field kFields[] = {
      Member<&ImportExportsRequest::increments>("Increments",
                                                {.required = true, .max = 1000, .elements = {.min = 1, .max = 1024}}),
  };
};

}  // namespace keyfold

// What the server hands out to get back (stream iterators, paging tokens): text that says nothing to others and that
// nobody else can make, since its bytes carry a keyed checksum under the database's secret (CatalogSnapshot::secret).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace keyfold {

inline constexpr Rule<"Invalid Request: Provided nextToken is invalid: {}"> kNextTokenInvalid{"next-token",
                                                                                              Kind::kValidation};

// `purpose` keeps tokens of different kinds apart: one is not taken for another.
std::string Seal(std::string_view secret, std::string_view purpose, std::string_view payload);
// The payload; nullopt where `sealed` did not come from Seal with the same secret and purpose.
std::optional<std::string> Unseal(std::string_view secret, std::string_view purpose, std::string_view sealed);

}  // namespace keyfold

// Tokens that the server hands out and later gets back (stream iterators, paging tokens). They are opaque and cannot be
// forged: their bytes carry a keyed checksum under the database's secret (CatalogSnapshot::secret).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace keyfold::ops {

inline constexpr Rule<"Invalid Request: Provided nextToken is invalid: {}"> kNextTokenInvalid{"next-token",
                                                                                              Kind::kValidation};

// `purpose` distinguishes kinds of tokens: one kind is not accepted as another.
std::string Seal(std::string_view secret, std::string_view purpose, std::string_view payload);
// Returns the payload; nullopt if `sealed` did not come from Seal with the same secret and purpose.
std::optional<std::string> Unseal(std::string_view secret, std::string_view purpose, std::string_view sealed);

}  // namespace keyfold::ops

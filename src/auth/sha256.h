// SHA-256 and HMAC-SHA-256, the two functions that signatures use.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/text/hex.h"

struct evp_md_st;

namespace keyfold::auth {

using Digest = std::array<uint8_t, 32>;

// Immutable; thread-safe. Fetches OpenSSL's implementation once, which costs more than hashing a short text.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  Digest Hash(std::initializer_list<std::string_view> parts) const;
  Digest Hmac(std::string_view key, std::string_view message) const;

 private:
  evp_md_st* algorithm_;
};

inline std::string_view AsBytes(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}
inline std::string Hex(const Digest& digest) { return keyfold::Hex(AsBytes(digest)); }

}  // namespace keyfold::auth

#include "auth/sha256.h"

#include <openssl/evp.h>

#include <algorithm>
#include <memory>

#include "base/check.h"

namespace keyfold::auth {
namespace {

constexpr size_t kBlockBytes = 64;

}  // namespace

Sha256::Sha256() : algorithm_(EVP_MD_fetch(nullptr, "SHA256", nullptr)) { CHECK(algorithm_ != nullptr); }

Sha256::~Sha256() { EVP_MD_free(algorithm_); }

Digest Sha256::Hash(std::initializer_list<std::string_view> parts) const {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  Digest digest;
  bool done = context != nullptr && EVP_DigestInit_ex(context.get(), algorithm_, nullptr) == 1;
  for (const std::string_view part : parts) {
    done = done && EVP_DigestUpdate(context.get(), part.data(), part.size()) == 1;
  }
  CHECK(done && EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) == 1);
  return digest;
}

// RFC 2104.
Digest Sha256::Hmac(std::string_view key, std::string_view message) const {
  Digest hashed_key;
  if (key.size() > kBlockBytes) {
    hashed_key = Hash({key});
    key = AsBytes(hashed_key);
  }
  std::array<char, kBlockBytes> inner;
  std::array<char, kBlockBytes> outer;
  for (size_t i = 0; i < kBlockBytes; ++i) {
    const char byte = i < key.size() ? key[i] : '\0';
    inner[i] = static_cast<char>(byte ^ 0x36);
    outer[i] = static_cast<char>(byte ^ 0x5c);
  }
  const Digest first = Hash({{inner.data(), inner.size()}, message});
  return Hash({{outer.data(), outer.size()}, AsBytes(first)});
}

}  // namespace keyfold::auth

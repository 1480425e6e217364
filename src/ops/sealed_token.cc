#include "ops/sealed_token.h"

#include "auth/sha256.h"
#include "base/bytes.h"
#include "base/text/base64.h"

namespace keyfold::ops {
namespace {

auth::Digest ChecksumOf(std::string_view secret, std::string_view purpose, std::string_view payload) {
  static const auth::Sha256 sha256;  // immutable, and expensive to fetch
  std::string message;
  message.reserve(purpose.size() + payload.size() + 2);
  AppendString(message, purpose);
  message.append(payload);
  return sha256.Hmac(secret, message);
}

// Constant time, so that a forger cannot learn from timing which byte differs.
bool AreSame(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

}  // namespace

std::string Seal(std::string_view secret, std::string_view purpose, std::string_view payload) {
  const auth::Digest checksum = ChecksumOf(secret, purpose, payload);
  std::string bytes(auth::AsBytes(checksum));
  bytes.append(payload);
  std::string sealed;
  AppendBase64(sealed, bytes);
  return sealed;
}

std::optional<std::string> Unseal(std::string_view secret, std::string_view purpose, std::string_view sealed) {
  std::string bytes;
  if (!AppendFromBase64(bytes, sealed) || bytes.size() < sizeof(auth::Digest)) return std::nullopt;
  const std::string_view payload = std::string_view(bytes).substr(sizeof(auth::Digest));
  const auth::Digest checksum = ChecksumOf(secret, purpose, payload);
  if (!AreSame(std::string_view(bytes).substr(0, sizeof(auth::Digest)), auth::AsBytes(checksum))) return std::nullopt;
  return std::string(payload);
}

}  // namespace keyfold::ops

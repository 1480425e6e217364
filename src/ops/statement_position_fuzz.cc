// Reads arbitrary bytes as NextToken: refused unless sealed, and even sealed bytes are not trusted.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "ops/sealed_token.h"
#include "ops/statement_position.h"

namespace keyfold::ops {
namespace {

void CheckToken(std::string_view secret, const StatementFingerprint& fingerprint, std::string_view token) {
  const Result<StatementPosition> position = UnsealPosition(secret, fingerprint, token);
  if (!position.ok()) {
    CHECK(!position.error().message().empty());
    return;
  }
  CHECK(!position->start || IsWellFormedItem(position->start->bytes()));
  CHECK(UnsealPosition(secret, fingerprint, SealPosition(secret, fingerprint, *position)).ok());
}

}  // namespace
}  // namespace keyfold::ops

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace keyfold;  // NOLINT: one function
  static const std::string secret(32, 's');
  static const ops::StatementFingerprint fingerprint("SELECT", {});
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  CHECK(!UnsealPosition("another", fingerprint, input).ok());
  ops::CheckToken(secret, fingerprint, input);
  ops::CheckToken(secret, fingerprint,
                  keyfold::ops::Seal(secret, "statement", fingerprint.bytes() + std::string(input)));
  return 0;
}

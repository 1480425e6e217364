// Fuzzes the Gate with arbitrary Authorization headers, dates and queries, in both modes: nothing may crash, and
// nothing may be verified, as no fuzzer knows the secret.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "auth/gate.h"
#include "base/check.h"

namespace {

std::unique_ptr<keyfold::auth::Gate> OpenVerifying() {
  std::string path = (std::filesystem::temp_directory_path() / "keyfold_fuzz_XXXXXX").string();
  const int file = mkstemp(path.data());
  CHECK(file >= 0);
  constexpr std::string_view kText = "[a]\naws_access_key_id=AKIDEXAMPLE\naws_secret_access_key=secret\n";
  CHECK(write(file, kText.data(), kText.size()) == static_cast<ssize_t>(kText.size()));
  close(file);
  auto gate = keyfold::auth::Gate::Open({.credentials_file = path, .check_time = false});
  unlink(path.c_str());
  CHECK(gate.ok());
  return *std::move(gate);
}

std::string_view TakeLine(std::string_view& rest) {
  const size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::unique_ptr<keyfold::auth::Gate> verifying = OpenVerifying();
  static const std::unique_ptr<keyfold::auth::Gate> local = keyfold::auth::Gate::OpenLocal("");
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::string_view authorization = TakeLine(rest);
  const std::string_view date = TakeLine(rest);
  const std::string_view query = TakeLine(rest);
  const std::string_view path = TakeLine(rest);
  const keyfold::Header headers[] = {
      {"Host", "localhost"}, {"X-Amz-Date", date}, {"X-Amz-Target", "T"}, {"Authorization", authorization}};
  const std::span<const keyfold::Header> all(headers);
  const keyfold::auth::SignedParts parts{"POST", path, query, authorization.empty() ? all.first(3) : all, rest};
  CHECK(!verifying->Check(parts, 0).ok());
  (void)local->Check(parts, 1'769'903'998'000'000).ok();
  return 0;
}

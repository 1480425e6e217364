// Parses arbitrary bytes as an S3 response: no crash, the reported elements are consistent, and the results fit the
// bounds.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "transfer/bucket/s3_xml.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view xml(reinterpret_cast<const char*>(data), size);
  size_t roots = 0, text_bytes = 0;
  const bool whole = keyfold::transfer::ReadXml(xml, [&](std::string_view path, std::string_view text) {
    const auto depth = static_cast<size_t>(std::count(path.begin(), path.end(), '/'));
    if (path.empty() || path.size() > size) std::abort();
    if (depth == 0) ++roots;
    text_bytes += text.size();
  });
  if (text_bytes > size || (whole && roots == 0)) std::abort();
  const auto listing = keyfold::transfer::ReadS3Listing(xml);
  const auto uploads = keyfold::transfer::ReadS3Uploads(xml);
  const auto fault = keyfold::transfer::ReadS3Fault(xml);
  const auto id = keyfold::transfer::ReadS3UploadId(xml);
  if (!whole && (listing || uploads || fault || id)) std::abort();
  for (const auto& object : listing.value_or(keyfold::transfer::S3Listing{}).objects) {
    if (object.key.empty()) std::abort();
  }
  return 0;
}

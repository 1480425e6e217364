// Content codings: decodes gzip and deflate in requests, chooses a coding from Accept-Encoding and applies it to
// responses.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace keyfold::http {

enum class ContentCoding : uint8_t { kIdentity, kGzip, kDeflate, kUnknown };

// Parses the value of a Content-Encoding header.
ContentCoding ContentCodingOf(std::string_view value);

// Returns the coding that a client's Accept-Encoding header prefers: kGzip, kDeflate, or kIdentity if it accepts
// neither. The rules are those observed in DynamoDB, not RFC 9110's: see the table in compression_test.cc.
ContentCoding ChooseCoding(std::string_view accept_encoding);

enum class DecodeOutcome : uint8_t { kDone, kCorrupt, kTooLong };

// Appends the decoded `bytes` to `out`, at most `out_bytes_max`. gzip may have several members; deflate is the zlib
// format, or the raw one that some clients send. Bytes after the end make the input corrupt, and so does an empty
// input.
[[nodiscard]] DecodeOutcome Decode(ContentCoding coding, std::string_view bytes, size_t out_bytes_max,
                                   std::string& out);

// Used by one thread at a time. Keeps zlib's state (about 260 KB per coding) after its first use.
class Compressor {
 public:
  Compressor() = default;
  ~Compressor();
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  // `coding` is kGzip or kDeflate.
  std::string Compress(ContentCoding coding, std::string_view bytes);

 private:
  z_stream* StreamFor(ContentCoding coding);

  std::unique_ptr<z_stream> gzip_;
  std::unique_ptr<z_stream> deflate_;
};

}  // namespace keyfold::http

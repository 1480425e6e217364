// Content codings: undoing gzip and deflate on requests, choosing one from Accept-Encoding and applying it to answers.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace keyfold {

enum class ContentCoding : uint8_t { kIdentity, kGzip, kDeflate, kUnknown };

// Of a Content-Encoding header's value.
ContentCoding ContentCodingOf(std::string_view value);

// The coding that a client's Accept-Encoding header prefers: kGzip, kDeflate, or kIdentity where it wants neither. The
// rules are the observed ones of the service this server stands in for, not RFC 9110's: see the table in
// compression_test.cc.
ContentCoding ChooseCoding(std::string_view accept_encoding);

enum class DecodeOutcome : uint8_t { kDone, kCorrupt, kTooLong };

// Appends to `out` what `bytes` decode to, at most `out_bytes_max`. gzip may have several members; deflate is the zlib
// form, or the bare one that some clients send. Anything behind the end is corrupt, and so is an empty input.
[[nodiscard]] DecodeOutcome Decode(ContentCoding coding, std::string_view bytes, size_t out_bytes_max,
                                   std::string& out);

// One thread at a time. Keeps zlib's state (some 260 KB a coding) from its first use on.
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

}  // namespace keyfold

// Streams of bytes, stacked: a file or a bucket's object below, a decompressor or compressor above. And the digests
// that manifests name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace keyfold {

// One thread at a time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // At least one byte, or 0 at the end.
  virtual Result<size_t> Read(char* to, size_t bytes_max) = 0;
};

// One thread at a time. What was not finished is gone, or not whole.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Status Write(std::string_view bytes) = 0;
  virtual Status Finish() = 0;
};

// Passes bytes on, and shows them to `see` as they come.
std::unique_ptr<ByteSource> MakeWatched(std::unique_ptr<ByteSource> from, std::function<void(std::string_view)> see);

enum class Compression : uint8_t { kNone, kGzip, kZstd };

// Several members or frames in a row are one stream, and no bytes at all an empty one. An error names `name` and says
// that it is damaged (IsDamage), the end of the input in the middle of a member included. Memory is bounded, whatever
// the bytes come to.
std::unique_ptr<ByteSource> MakeDecompressor(Compression compression, std::unique_ptr<ByteSource> from,
                                             std::string name);
// A gzip member, at most 1 GB of `bytes`; thread-safe, so that several can be made at once. As fast as may be: level 1.
std::string GzipMember(std::string_view bytes);

// MD5, as manifests and S3's Content-MD5 have it. One thread at a time.
class Md5 {
 public:
  Md5();
  ~Md5();
  void Add(std::string_view bytes);
  std::string Finish();  // 16 bytes

 private:
  struct Rep;
  std::unique_ptr<Rep> rep_;
};

}  // namespace keyfold

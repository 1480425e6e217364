// Stackable byte streams: a file or a bucket's object at the bottom, a decompressor or compressor above it. Also the
// digests that manifests use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace keyfold::files {

// Used by one thread at a time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Returns the number of bytes read, at least one, or 0 at the end.
  virtual Result<size_t> Read(char* to, size_t bytes_max) = 0;
};

// Used by one thread at a time. Without Finish the output is missing or incomplete.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Status Write(std::string_view bytes) = 0;
  virtual Status Finish() = 0;
};

// Passes the bytes of `from` through, and calls `see` with them as they are read.
std::unique_ptr<ByteSource> MakeWatched(std::unique_ptr<ByteSource> from, std::function<void(std::string_view)> see);

enum class Compression : uint8_t { kNone, kGzip, kZstd };
std::string_view NameOf(Compression compression);

// Several members or frames in a row are one stream, and an empty input is an empty stream. Errors name `name` and say
// that it is damaged (IsDamage), also if the input ends in the middle of a member. Memory is bounded, whatever the
// decompressed size.
std::unique_ptr<ByteSource> MakeDecompressor(Compression compression, std::unique_ptr<ByteSource> from,
                                             std::string name);
// Compresses at most 1 GB of `bytes` into one gzip member, at level 1, the fastest. Thread-safe, so members can be made
// in parallel.
std::string GzipMember(std::string_view bytes);

// MD5, for manifests and S3's Content-MD5. Used by one thread at a time.
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

}  // namespace keyfold::files

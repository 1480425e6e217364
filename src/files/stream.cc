// Decompressors read their source in pieces of kInputBytes and inflate directly into the caller's buffer. zlib reads
// gzip, because it is hardened against hostile input; ISA-L writes gzip, because it is faster. libzstd reads zstd, and
// OpenSSL computes MD5.
#include "files/stream.h"

#include <isa-l/igzip_lib.h>
#include <openssl/evp.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace keyfold::files {
namespace {

constexpr Rule<"{} is damaged: it is not a gzip stream, or some of its bytes have changed"> kGzipDamaged{
    "damaged-gzip", Kind::kInternal};
constexpr Rule<"{} is damaged: it is not a zstd stream, or some of its bytes have changed"> kZstdDamaged{
    "damaged-zstd", Kind::kInternal};
constexpr Rule<"{} is damaged: its compressed data is truncated"> kCutShort{"damaged-cut-short", Kind::kInternal};

constexpr size_t kInputBytes = 128 << 10;
constexpr int kGzipWindow = 15 + 16;  // the largest window, with gzip's header and trailer
// The largest window a zstd frame may require: as zstd --ultra and --long=27 write it.
constexpr int kZstdWindowLogMax = 27;
constexpr size_t kOutputBytesMax = size_t{1} << 30;  // per call: zlib counts in 32 bits

// Compressed bytes that were read but not yet consumed. Used by one thread at a time.
class Input {
 public:
  explicit Input(std::unique_ptr<ByteSource> from) : from_(std::move(from)) {}

  bool empty() const { return at_ == end_; }
  // Reads more if there are none. Returns false at the end of the source.
  Result<bool> Fill() {
    if (!empty()) return true;
    ASSIGN_OR_RETURN(const size_t bytes, from_->Read(buffer_.get(), kInputBytes));
    at_ = buffer_.get();
    end_ = at_ + bytes;
    return bytes > 0;
  }
  char* at() const { return at_; }
  size_t bytes() const { return static_cast<size_t>(end_ - at_); }
  void Take(size_t bytes) { at_ += bytes; }

 private:
  std::unique_ptr<ByteSource> from_;
  std::unique_ptr<char[]> buffer_ = std::make_unique_for_overwrite<char[]>(kInputBytes);
  char* at_ = buffer_.get();
  char* end_ = buffer_.get();
};

// Used by one thread at a time.
class WatchedSource final : public ByteSource {
 public:
  WatchedSource(std::unique_ptr<ByteSource> from, std::function<void(std::string_view)> see)
      : from_(std::move(from)), see_(std::move(see)) {}
  Result<size_t> Read(char* to, size_t bytes_max) override {
    ASSIGN_OR_RETURN(const size_t bytes, from_->Read(to, bytes_max));
    see_({to, bytes});
    return bytes;
  }

 private:
  const std::unique_ptr<ByteSource> from_;
  const std::function<void(std::string_view)> see_;
};

// Used by one thread at a time.
class GunzipSource final : public ByteSource {
 public:
  GunzipSource(std::unique_ptr<ByteSource> from, std::string name) : input_(std::move(from)), name_(std::move(name)) {
    CHECK(inflateInit2(&stream_, kGzipWindow) == Z_OK);
  }
  ~GunzipSource() override { inflateEnd(&stream_); }

  Result<size_t> Read(char* to, size_t bytes_max) override {
    CHECK(bytes_max > 0);
    bytes_max = std::min(bytes_max, kOutputBytesMax);
    for (;;) {
      ASSIGN_OR_RETURN(const bool more, input_.Fill());
      // Within a member zlib may still have output without more input; if it needs input, the stream is truncated.
      if (!more && !in_member_) return size_t{0};
      stream_.next_in = reinterpret_cast<Bytef*>(input_.at());
      stream_.avail_in = static_cast<uInt>(input_.bytes());
      stream_.next_out = reinterpret_cast<Bytef*>(to);
      stream_.avail_out = static_cast<uInt>(bytes_max);
      const int result = inflate(&stream_, Z_NO_FLUSH);
      CHECK(result != Z_MEM_ERROR);
      input_.Take(input_.bytes() - stream_.avail_in);
      const size_t got = bytes_max - stream_.avail_out;
      in_member_ = result != Z_STREAM_END;
      if (result == Z_STREAM_END) CHECK(inflateReset(&stream_) == Z_OK);
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) return kGzipDamaged(name_);
      if (got > 0) return got;
      if (!more && in_member_) return kCutShort(name_);
    }
  }

 private:
  Input input_;
  const std::string name_;
  z_stream stream_{};
  bool in_member_ = false;
};

// Used by one thread at a time.
class UnzstdSource final : public ByteSource {
 public:
  UnzstdSource(std::unique_ptr<ByteSource> from, std::string name) : input_(std::move(from)), name_(std::move(name)) {
    CHECK(stream_ != nullptr);
    CHECK(!ZSTD_isError(ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, kZstdWindowLogMax)));
  }
  ~UnzstdSource() override { ZSTD_freeDStream(stream_); }

  Result<size_t> Read(char* to, size_t bytes_max) override {
    CHECK(bytes_max > 0);
    for (;;) {
      ASSIGN_OR_RETURN(const bool more, input_.Fill());
      if (!more && !in_frame_) return size_t{0};
      ZSTD_inBuffer in{input_.at(), input_.bytes(), 0};
      ZSTD_outBuffer out{to, bytes_max, 0};
      const size_t left = ZSTD_decompressStream(stream_, &out, &in);
      if (ZSTD_isError(left)) return kZstdDamaged(name_);
      input_.Take(in.pos);
      in_frame_ = left != 0;
      if (out.pos > 0) return out.pos;
      if (!more && in_frame_) return kCutShort(name_);
    }
  }

 private:
  Input input_;
  const std::string name_;
  ZSTD_DStream* const stream_ = ZSTD_createDStream();
  bool in_frame_ = false;
};

// Incompressible bytes are stored, with five bytes per block of 64 KB. Header and trailer take 18 bytes.
size_t GzipBytesMax(size_t bytes) { return bytes + bytes / 4096 + 1024; }

// ISA-L's working memory, a third of a megabyte.
struct Deflater {
  isal_zstream stream;
  uint8_t tables[ISAL_DEF_LVL1_DEFAULT];
};

}  // namespace

std::unique_ptr<ByteSource> MakeWatched(std::unique_ptr<ByteSource> from, std::function<void(std::string_view)> see) {
  return std::make_unique<WatchedSource>(std::move(from), std::move(see));
}

std::unique_ptr<ByteSource> MakeDecompressor(Compression compression, std::unique_ptr<ByteSource> from,
                                             std::string name) {
  switch (compression) {
    case Compression::kNone:
      return from;
    case Compression::kGzip:
      return std::make_unique<GunzipSource>(std::move(from), std::move(name));
    case Compression::kZstd:
      return std::make_unique<UnzstdSource>(std::move(from), std::move(name));
  }
  CHECK(false);
  return nullptr;
}

// Megabytes per second on one core, for order lines that compress 20 times / 4 times: ISA-L 2,490 / 650, libdeflate 530
// / 250, zlib 340 / 130, all at level 1 with sizes within 10% of each other. zlib inflates them at 1,200 / 480.
std::string GzipMember(std::string_view bytes) {
  CHECK(bytes.size() <= kOutputBytesMax);
  const auto deflater = std::make_unique_for_overwrite<Deflater>();
  isal_zstream& stream = deflater->stream;
  isal_deflate_stateless_init(&stream);
  stream.gzip_flag = IGZIP_GZIP;
  stream.level = 1;
  stream.level_buf = deflater->tables;
  stream.level_buf_size = sizeof deflater->tables;
  stream.end_of_stream = 1;

  std::string out;
  out.resize(GzipBytesMax(bytes.size()));
  stream.next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uint32_t>(bytes.size());
  stream.next_out = reinterpret_cast<uint8_t*>(out.data());
  stream.avail_out = static_cast<uint32_t>(out.size());
  CHECK(isal_deflate_stateless(&stream) == COMP_OK);
  CHECK(stream.avail_in == 0);
  // Copies the result, because `out` is several times as long.
  return out.substr(0, out.size() - stream.avail_out);
}

struct Md5::Rep {
  Rep() : context(EVP_MD_CTX_new()) {
    CHECK(context != nullptr);
    CHECK(EVP_DigestInit_ex(context, EVP_md5(), nullptr) == 1);
  }
  ~Rep() { EVP_MD_CTX_free(context); }
  EVP_MD_CTX* const context;
};

Md5::Md5() : rep_(std::make_unique<Rep>()) {}
Md5::~Md5() = default;

void Md5::Add(std::string_view bytes) { CHECK(EVP_DigestUpdate(rep_->context, bytes.data(), bytes.size()) == 1); }

std::string Md5::Finish() {
  std::string digest(16, '\0');
  unsigned bytes = 0;
  CHECK(EVP_DigestFinal_ex(rep_->context, reinterpret_cast<unsigned char*>(digest.data()), &bytes) == 1);
  CHECK(bytes == digest.size());
  return digest;
}

std::string_view NameOf(Compression compression) {
  switch (compression) {
    case Compression::kGzip:
      return "GZIP";
    case Compression::kZstd:
      return "ZSTD";
    case Compression::kNone:
      break;
  }
  return "NONE";
}

}  // namespace keyfold::files

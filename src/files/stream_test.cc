#include "files/stream.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>

#include "base/random.h"
#include "files/record_file.h"

namespace keyfold::files {
namespace {

// Returns at most `piece_bytes` at a time. Used by one thread at a time.
class PieceSource final : public ByteSource {
 public:
  PieceSource(std::string bytes, size_t piece_bytes) : bytes_(std::move(bytes)), piece_bytes_(piece_bytes) {}
  Result<size_t> Read(char* to, size_t bytes_max) override {
    const size_t bytes = std::min({bytes_max, piece_bytes_, bytes_.size() - at_});
    bytes_.copy(to, bytes, at_);
    at_ += bytes;
    return bytes;
  }

 private:
  const std::string bytes_;
  const size_t piece_bytes_;
  size_t at_ = 0;
};

struct Outcome {
  std::string bytes;
  Status status;
};

Outcome Decompress(Compression compression, std::string compressed, size_t piece_bytes, size_t read_bytes = 4096) {
  const auto source =
      MakeDecompressor(compression, std::make_unique<PieceSource>(std::move(compressed), piece_bytes), "a.gz");
  Outcome outcome;
  std::string buffer(read_bytes, '\0');
  for (;;) {
    Result<size_t> got = source->Read(buffer.data(), buffer.size());
    if (!got.ok()) {
      outcome.status = std::move(got).TakeError();
      return outcome;
    }
    if (*got == 0) return outcome;
    outcome.bytes.append(buffer, 0, *got);
  }
}

std::string RandomBytes(Random& random, size_t bytes, uint64_t letters) {
  std::string out;
  for (size_t i = 0; i < bytes; ++i) out.push_back(static_cast<char>(random.Below(letters)));
  return out;
}

std::string Zstd(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  out.resize(ZSTD_compress2(context, out.data(), out.size(), bytes.data(), bytes.size()));
  ZSTD_freeCCtx(context);
  return out;
}

// A header as other programs may write it, with a name, a comment and extra bytes.
std::string GzipWithLongHeader(std::string bytes) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  gz_header header{};
  std::string name = "items.json", comment = "all of them", extra = "EX";
  header.name = reinterpret_cast<Bytef*>(name.data());
  header.comment = reinterpret_cast<Bytef*>(comment.data());
  header.extra = reinterpret_cast<Bytef*>(extra.data());
  header.extra_len = 2;
  header.hcrc = 1;
  EXPECT_EQ(deflateSetHeader(&stream, &header), Z_OK);
  std::string out(bytes.size() + 200, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

TEST(Gzip, MembersOfEverySizeAndKindReadBack) {
  Random random(1);
  for (const size_t bytes : {0, 1, 2, 31, 100, 4095, 65535, 65536, 65537, 300'000, 1'200'000}) {
    for (const uint64_t letters : {1, 4, 60, 256}) {
      const std::string content = RandomBytes(random, bytes, letters);
      const std::string member = GzipMember(content);
      const Outcome outcome = Decompress(Compression::kGzip, member, 1 << 20);
      ASSERT_TRUE(outcome.status.ok()) << bytes << " of " << letters << ": " << outcome.status.message();
      ASSERT_EQ(outcome.bytes, content) << bytes << " of " << letters;
      EXPECT_LE(member.size(), bytes + bytes / 1000 + 64) << bytes << " of " << letters;
    }
  }
}

TEST(Gzip, ManyShortMembersReadBack) {
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    const std::string content = RandomBytes(random, random.Below(400), 1 + random.Below(256));
    const Outcome outcome = Decompress(Compression::kGzip, GzipMember(content), 64);
    ASSERT_TRUE(outcome.status.ok() && outcome.bytes == content) << i;
  }
}

TEST(Decompressor, SeveralMembersAreOneStreamHoweverTheyAreRead) {
  Random random(3);
  std::string content, gzip, zstd;
  for (const size_t bytes : {700, 0, 1, 3000}) {
    const std::string part = RandomBytes(random, bytes, 20);
    content += part;
    gzip += GzipMember(part);
    zstd += Zstd(part);
  }
  for (const size_t piece_bytes : {1, 2, 7, 100, 1 << 20}) {
    for (const size_t read_bytes : {1, 3, 512, 1 << 16}) {
      for (const auto& [compression, bytes] :
           {std::pair(Compression::kGzip, gzip), {Compression::kZstd, zstd}, {Compression::kNone, content}}) {
        const Outcome outcome = Decompress(compression, bytes, piece_bytes, read_bytes);
        ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
        ASSERT_EQ(outcome.bytes, content) << static_cast<int>(compression) << piece_bytes << ' ' << read_bytes;
      }
    }
  }
}

TEST(Decompressor, AHeaderWithNameCommentAndExtraIsRead) {
  EXPECT_EQ(Decompress(Compression::kGzip, GzipWithLongHeader("content"), 5).bytes, "content");
}

TEST(Decompressor, AnEmptyInputIsAnEmptyStream) {
  for (const Compression compression : {Compression::kNone, Compression::kGzip, Compression::kZstd}) {
    const Outcome outcome = Decompress(compression, "", 10);
    EXPECT_TRUE(outcome.status.ok());
    EXPECT_EQ(outcome.bytes, "");
  }
}

bool SaysDamaged(Outcome outcome) {
  if (outcome.status.ok() || outcome.status.message().find("a.gz is damaged") != 0) return false;
  return IsDamage(std::move(outcome.status).TakeError());
}

TEST(Decompressor, WordingOfDamage) {
  const auto damage = [](Compression compression, std::string bytes) {
    return Decompress(compression, std::move(bytes), 1000).status.message();
  };
  const std::string cut_short = "a.gz is damaged: its compressed data is truncated";
  EXPECT_EQ(damage(Compression::kGzip, "{\"Item\":{}}"),
            "a.gz is damaged: it is not a gzip stream, or some of its bytes have changed");
  EXPECT_EQ(damage(Compression::kZstd, "{\"Item\":{}}"),
            "a.gz is damaged: it is not a zstd stream, or some of its bytes have changed");
  EXPECT_EQ(damage(Compression::kGzip, GzipMember("a line").substr(0, 20)), cut_short);
  EXPECT_EQ(damage(Compression::kZstd, Zstd("a line").substr(0, 10)), cut_short);
}

TEST(Decompressor, EveryTruncationIsFound) {
  const std::string content = "one line\nanother line\nand a third\n";
  for (const auto& [compression, whole] :
       {std::pair(Compression::kGzip, GzipMember(content)), {Compression::kZstd, Zstd(content)}}) {
    for (size_t bytes = 1; bytes < whole.size(); ++bytes) {
      EXPECT_TRUE(SaysDamaged(Decompress(compression, whole.substr(0, bytes), 1000))) << bytes;
      // Also in a second member, after output was returned.
      EXPECT_TRUE(SaysDamaged(Decompress(compression, whole + whole.substr(0, bytes), 1000))) << bytes;
    }
  }
}

// A flip is either detected or changes nothing: gzip's header has a timestamp, and some bits are only padding.
TEST(Decompressor, EveryFlippedByteIsFound) {
  Random random(4);
  const std::string content = RandomBytes(random, 2000, 12);
  for (const auto& [compression, whole] :
       {std::pair(Compression::kGzip, GzipMember(content)), {Compression::kZstd, Zstd(content)}}) {
    size_t found = 0;
    for (size_t i = 0; i < whole.size(); ++i) {
      std::string flipped = whole;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << random.Below(8)));
      const Outcome outcome = Decompress(compression, flipped, 1000);
      EXPECT_TRUE(!outcome.status.ok() || outcome.bytes == content) << i;
      found += !outcome.status.ok();
    }
    EXPECT_GE(found, whole.size() - 12);
  }
}

TEST(Decompressor, BytesAfterTheLastMemberAreDamage) {
  for (const std::string_view behind : {"x", "\n", "{\"Item\":{}}"}) {
    EXPECT_TRUE(SaysDamaged(Decompress(Compression::kGzip, GzipMember("a") + std::string(behind), 1000)));
    EXPECT_TRUE(SaysDamaged(Decompress(Compression::kZstd, Zstd("a") + std::string(behind), 1000)));
  }
}

// A thousand times as long as its input, read through one small buffer.
TEST(Decompressor, ABombIsReadPieceByPiece) {
  const std::string bomb = GzipMember(std::string(64 << 20, 'a'));
  EXPECT_LT(bomb.size(), 1 << 20);
  const auto source = MakeDecompressor(Compression::kGzip, std::make_unique<PieceSource>(bomb, 4096), "bomb");
  char buffer[4096];
  size_t total = 0;
  for (;;) {
    Result<size_t> got = source->Read(buffer, sizeof buffer);
    ASSERT_TRUE(got.ok());
    if (*got == 0) break;
    ASSERT_LE(*got, sizeof buffer);
    total += *got;
  }
  EXPECT_EQ(total, size_t{64} << 20);
}

TEST(Md5, MatchesRfc1321) {
  struct Case {
    std::string_view bytes, hex;
  };
  constexpr Case kCases[] = {
      {"", "d41d8cd98f00b204e9800998ecf8427e"},
      {"a", "0cc175b9c0f1b6a831c399e269772661"},
      {"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
  };
  for (const Case& c : kCases) {
    Md5 md5;
    for (const char byte : c.bytes) md5.Add({&byte, 1});
    std::string hex;
    for (const char byte : md5.Finish()) {
      constexpr char kDigits[] = "0123456789abcdef";
      hex.push_back(kDigits[static_cast<uint8_t>(byte) >> 4]);
      hex.push_back(kDigits[byte & 15]);
    }
    EXPECT_EQ(hex, c.hex);
  }
}

}  // namespace
}  // namespace keyfold::files

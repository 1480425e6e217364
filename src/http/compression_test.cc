#include "http/compression.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace keyfold::http {
namespace {

constexpr auto kNone = ContentCoding::kIdentity;
constexpr auto kGzip = ContentCoding::kGzip;
constexpr auto kDeflate = ContentCoding::kDeflate;

struct Choice {
  const char* accept_encoding;
  ContentCoding coding;
};

// Observed in DynamoDB, including the malformed ones.
constexpr Choice kChoices[] = {
    {"", kNone},
    {"identity", kNone},
    {"br", kNone},
    {"zstd", kNone},
    {"compress", kNone},
    {"x-gzip", kNone},
    {"gzip", kGzip},
    {"deflate", kDeflate},
    {"gzip, deflate", kGzip},
    {"br, identity, deflate, gzip", kDeflate},
    {"GZIP, identity", kGzip},
    {"dog, gzip ,, cat", kGzip},
    {"gzip;q=0.8, deflate;q=0.5", kGzip},
    {"deflate;q=0.5, gzip;q=0.2", kDeflate},
    {"br, gzip;q=0, deflate; q = 0.5 , identity;q=0", kDeflate},
    {"*", kGzip},
    {"*, deflate;q=0.5", kGzip},
    {"*, deflate", kDeflate},
    {"*, identity", kGzip},
    {"*, gzip;q=0.5", kDeflate},
    {"gzip ;q=0", kNone},
    {"identity;q=0", kNone},
    {"*;q=0", kNone},
    {"*;q=0.5,identity", kGzip},
    {"gzip;q=0.5,identity;q=0.8", kGzip},
    {"br;q=0.8,identity;q=0.5,*;q=0", kNone},
    {"\"gzip\"", kNone},
    {"gzip br", kNone},
    {"gzip:q=1", kNone},
    {"deflate;q=0.5, gzip;q=31", kGzip},
    {"gzip;q=31,deflate;q=51", kGzip},
    {"deflate;q=0.5, gzip;q=1;q=0.2", kGzip},
    {"deflate;q=0.5,gzip;q=0.", kDeflate},
    {"deflate;q=0.5,gzip;q=0.x", kGzip},
    {"deflate;q=0.5,gzip;q=0. x", kGzip},
    {"deflate;q=-0.5,gzip;q=0.2", kGzip},
    {"gzip;q= 0;q=1", kNone},
    {"gzip;q =0;q=1", kGzip},
    {"gzip; q=0;q=1", kNone},
    {"gzip;nq=0;q=1", kNone},
    {"gzip;q=0, gzip;q=1, gzip;q=0", kGzip},
    {"br,identity;q=0.5,gzip;q=0.0001", kGzip},
};

TEST(Compression, ChoosesFromAcceptEncoding) {
  for (const Choice& row : kChoices) {
    EXPECT_EQ(ChooseCoding(row.accept_encoding), row.coding) << row.accept_encoding;
  }
}

TEST(Compression, NamesOfContentEncoding) {
  EXPECT_EQ(ContentCodingOf("gzip"), kGzip);
  EXPECT_EQ(ContentCodingOf("GZip"), kGzip);
  EXPECT_EQ(ContentCodingOf("deflate"), kDeflate);
  EXPECT_EQ(ContentCodingOf("identity"), kNone);
  EXPECT_EQ(ContentCodingOf(""), kNone);
  EXPECT_EQ(ContentCodingOf("gzip, gzip"), ContentCoding::kUnknown);
  EXPECT_EQ(ContentCodingOf("br"), ContentCoding::kUnknown);
}

std::string BareDeflate(std::string_view bytes) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

TEST(Compression, RoundTrip) {
  Compressor compressor;
  Random random(1);
  for (const size_t bytes : {0, 1, 100, 5000, 70'000, 1'000'000}) {
    std::string text;
    for (size_t i = 0; i < bytes; ++i) text.push_back(static_cast<char>('a' + random.Below(bytes % 3 == 0 ? 26 : 2)));
    for (const ContentCoding coding : {kGzip, kDeflate}) {
      std::string back;
      EXPECT_EQ(Decode(coding, compressor.Compress(coding, text), bytes, back), DecodeOutcome::kDone);
      EXPECT_EQ(back, text);
    }
    std::string back;
    EXPECT_EQ(Decode(kDeflate, BareDeflate(text), bytes, back), DecodeOutcome::kDone);
    EXPECT_EQ(back, text);
  }
}

TEST(Compression, DecodeRefuses) {
  Compressor compressor;
  const std::string text = "{\"TableName\":\"t\"}";
  const std::string gzip = compressor.Compress(kGzip, text);
  const std::string zlib = compressor.Compress(kDeflate, text);
  const std::string half = gzip.substr(0, gzip.size() - 1);
  struct Row {
    const char* name;
    ContentCoding coding;
    std::string bytes;
    size_t bytes_max;
    DecodeOutcome outcome;
    std::string out;
  };
  const auto kDone = DecodeOutcome::kDone;
  const auto kCorrupt = DecodeOutcome::kCorrupt;
  const Row rows[] = {
      {"one member", kGzip, gzip, text.size(), kDone, text},
      {"two members", kGzip, gzip + gzip, 2 * text.size(), kDone, text + text},
      {"trailing junk", kGzip, gzip + "junk", 1000, kCorrupt, ""},
      {"last byte missing", kGzip, half, 1000, kCorrupt, ""},
      {"second member cut", kGzip, gzip + half, 1000, kCorrupt, ""},
      {"not gzip", kGzip, text, 1000, kCorrupt, ""},
      {"zlib as gzip", kGzip, zlib, 1000, kCorrupt, ""},
      {"empty gzip", kGzip, "", 1000, kCorrupt, ""},
      {"zlib", kDeflate, zlib, text.size(), kDone, text},
      {"two zlib streams", kDeflate, zlib + zlib, 1000, kCorrupt, ""},
      {"not deflate", kDeflate, text, 1000, kCorrupt, ""},
      {"empty deflate", kDeflate, "", 1000, kCorrupt, ""},
      {"one byte too long", kGzip, gzip, text.size() - 1, DecodeOutcome::kTooLong, ""},
      {"too long together", kGzip, gzip + gzip, 2 * text.size() - 1, DecodeOutcome::kTooLong, ""},
      {"unknown", ContentCoding::kUnknown, text, 1000, kCorrupt, ""},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    std::string out;
    EXPECT_EQ(Decode(row.coding, row.bytes, row.bytes_max, out), row.outcome);
    EXPECT_LE(out.size(), row.bytes_max + 1);
    if (row.outcome == kDone) {
      EXPECT_EQ(out, row.out);
    }
  }
  std::string flipped = gzip;
  flipped[gzip.size() - 6] ^= 1;  // in the checksum
  std::string out;
  EXPECT_EQ(Decode(kGzip, flipped, 1000, out), kCorrupt);
}

}  // namespace
}  // namespace keyfold::http

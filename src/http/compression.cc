#include "http/compression.h"

#include <algorithm>
#include <charconv>

#include "base/check.h"
#include "base/header.h"

namespace keyfold::http {
namespace {

// Responses are compressed on the event loop, so speed matters more than the last tenth of size.
constexpr int kLevel = 1;
constexpr int kGzipWindow = 15 + 16;
constexpr int kZlibWindow = 15;
constexpr int kBareWindow = -15;

std::string_view TrimmedSpaces(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

// The first "q=" anywhere in the parameters counts; a value that is not a number is treated as absent.
double QualityOf(std::string_view parameters) {
  const size_t at = parameters.find("q=");
  if (at == std::string_view::npos) return 1;
  std::string_view text = parameters.substr(at + 2);
  text = TrimmedSpaces(text.substr(0, text.find(';')));
  double quality = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), quality, std::chars_format::fixed);
  if (error != std::errc() || end != text.data() + text.size()) return 1;
  return std::min(quality, 1.0);
}

bool LooksLikeZlib(std::string_view bytes) {
  if (bytes.size() < 2) return false;
  const unsigned header = static_cast<uint8_t>(bytes[0]) << 8 | static_cast<uint8_t>(bytes[1]);
  return (header >> 8 & 0x0f) == Z_DEFLATED && header % 31 == 0;
}

// An inflating stream that is always released.
class Inflater {
 public:
  explicit Inflater(int window) { CHECK(inflateInit2(&stream_, window) == Z_OK); }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  void SetInput(std::string_view bytes) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
  }
  size_t input_left() const { return stream_.avail_in; }
  bool NextMember() { return inflateReset(&stream_) == Z_OK; }

  // Decodes one member to its end. Grows `out` in steps, so that a short input cannot claim much memory at once.
  DecodeOutcome Member(size_t out_bytes_max, std::string& out) {
    size_t filled = out.size();
    for (;;) {
      const size_t step = std::min(std::max<size_t>(4096, filled), out_bytes_max + 1 - filled);
      out.resize(filled + step);
      stream_.next_out = reinterpret_cast<Bytef*>(out.data() + filled);
      stream_.avail_out = static_cast<uInt>(step);
      const int result = inflate(&stream_, Z_NO_FLUSH);
      filled += step - stream_.avail_out;
      out.resize(filled);
      if (filled > out_bytes_max) return DecodeOutcome::kTooLong;
      if (result == Z_STREAM_END) return DecodeOutcome::kDone;
      if (result != Z_OK || (stream_.avail_in == 0 && stream_.avail_out > 0)) return DecodeOutcome::kCorrupt;
    }
  }

 private:
  z_stream stream_{};
};

}  // namespace

ContentCoding ContentCodingOf(std::string_view value) {
  if (EqualsIgnoringCase(value, "gzip") || EqualsIgnoringCase(value, "x-gzip")) return ContentCoding::kGzip;
  if (EqualsIgnoringCase(value, "deflate")) return ContentCoding::kDeflate;
  if (value.empty() || EqualsIgnoringCase(value, "identity")) return ContentCoding::kIdentity;
  return ContentCoding::kUnknown;
}

ContentCoding ChooseCoding(std::string_view accept_encoding) {
  struct Wish {
    double quality = -1;  // negative: not named
    size_t place = 0;
  };
  Wish gzip, deflate, any;
  const auto note = [](Wish& wish, double quality, size_t place) {
    if (quality > wish.quality) wish = {quality, place};
  };
  size_t place = 0;
  while (!accept_encoding.empty()) {
    const size_t comma = std::min(accept_encoding.find(','), accept_encoding.size());
    const std::string_view entry = accept_encoding.substr(0, comma);
    accept_encoding.remove_prefix(std::min(comma + 1, accept_encoding.size()));
    const size_t semicolon = std::min(entry.find(';'), entry.size());
    const std::string_view coding = TrimmedSpaces(entry.substr(0, semicolon));
    const double quality = std::max(0.0, QualityOf(entry.substr(semicolon)));
    ++place;
    if (EqualsIgnoringCase(coding, "gzip")) note(gzip, quality, place);
    if (EqualsIgnoringCase(coding, "deflate")) note(deflate, quality, place);
    if (coding == "*") note(any, quality, place);
  }
  // "*" applies to codings that are not named. At equal quality, a named coding wins over "*", then gzip over deflate.
  if (any.quality >= 0 && gzip.quality < 0) gzip = {any.quality, place + 1};
  if (any.quality >= 0 && deflate.quality < 0) deflate = {any.quality, place + 2};
  if (gzip.quality <= 0 && deflate.quality <= 0) return ContentCoding::kIdentity;
  if (gzip.quality != deflate.quality) {
    return gzip.quality > deflate.quality ? ContentCoding::kGzip : ContentCoding::kDeflate;
  }
  return gzip.place < deflate.place ? ContentCoding::kGzip : ContentCoding::kDeflate;
}

DecodeOutcome Decode(ContentCoding coding, std::string_view bytes, size_t out_bytes_max, std::string& out) {
  if (coding == ContentCoding::kUnknown || bytes.empty()) return DecodeOutcome::kCorrupt;
  const bool gzip = coding == ContentCoding::kGzip;
  Inflater inflater(gzip ? kGzipWindow : (LooksLikeZlib(bytes) ? kZlibWindow : kBareWindow));
  inflater.SetInput(bytes);
  for (;;) {
    const DecodeOutcome outcome = inflater.Member(out_bytes_max, out);
    if (outcome != DecodeOutcome::kDone || inflater.input_left() == 0) return outcome;
    if (!gzip || !inflater.NextMember()) return DecodeOutcome::kCorrupt;
  }
}

Compressor::~Compressor() {
  if (gzip_ != nullptr) deflateEnd(gzip_.get());
  if (deflate_ != nullptr) deflateEnd(deflate_.get());
}

z_stream* Compressor::StreamFor(ContentCoding coding) {
  CHECK(coding == ContentCoding::kGzip || coding == ContentCoding::kDeflate);
  const bool gzip = coding == ContentCoding::kGzip;
  std::unique_ptr<z_stream>& stream = gzip ? gzip_ : deflate_;
  if (stream == nullptr) {
    stream = std::make_unique<z_stream>();
    CHECK(deflateInit2(stream.get(), kLevel, Z_DEFLATED, gzip ? kGzipWindow : kZlibWindow, 8, Z_DEFAULT_STRATEGY) ==
          Z_OK);
  }
  return stream.get();
}

std::string Compressor::Compress(ContentCoding coding, std::string_view bytes) {
  z_stream* stream = StreamFor(coding);
  CHECK(deflateReset(stream) == Z_OK);
  std::string out;
  out.resize(deflateBound(stream, bytes.size()));
  stream->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream->avail_in = static_cast<uInt>(bytes.size());
  stream->next_out = reinterpret_cast<Bytef*>(out.data());
  stream->avail_out = static_cast<uInt>(out.size());
  CHECK(deflate(stream, Z_FINISH) == Z_STREAM_END);
  out.resize(out.size() - stream->avail_out);
  return out;
}

}  // namespace keyfold::http

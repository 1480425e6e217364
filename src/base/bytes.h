// The byte encodings of the store and the item form: big-endian integers (so that byte order is numeric order) and
// varints.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace keyfold {

inline void AppendU16(std::string& out, uint16_t v) {
  const char b[2] = {static_cast<char>(v >> 8), static_cast<char>(v)};
  out.append(b, 2);
}
inline void AppendU32(std::string& out, uint32_t v) {
  v = __builtin_bswap32(v);
  out.append(reinterpret_cast<const char*>(&v), 4);
}
inline void AppendU64(std::string& out, uint64_t v) {
  v = __builtin_bswap64(v);
  out.append(reinterpret_cast<const char*>(&v), 8);
}
inline uint16_t LoadU16(const char* p) {
  return static_cast<uint16_t>(static_cast<uint8_t>(p[0]) << 8 | static_cast<uint8_t>(p[1]));
}
inline uint32_t LoadU32(const char* p) {
  uint32_t v;
  std::memcpy(&v, p, 4);
  return __builtin_bswap32(v);
}
inline uint64_t LoadU64(const char* p) {
  uint64_t v;
  std::memcpy(&v, p, 8);
  return __builtin_bswap64(v);
}
inline void StoreU32(char* p, uint32_t v) {
  v = __builtin_bswap32(v);
  std::memcpy(p, &v, 4);
}

// 7 bits per byte, low bits first; the high bit means that more bytes follow.
inline void AppendVarint(std::string& out, uint64_t v) {
  while (v >= 0x80) {
    out.push_back(static_cast<char>(v | 0x80));
    v >>= 7;
  }
  out.push_back(static_cast<char>(v));
}

// Reads from trusted bytes, and moves `p` past the varint.
inline uint64_t ReadVarint(const char*& p) {
  uint64_t v = static_cast<uint8_t>(*p++);
  if (v < 0x80) return v;
  v &= 0x7f;
  for (int shift = 7;; shift += 7) {
    const uint8_t b = static_cast<uint8_t>(*p++);
    v |= static_cast<uint64_t>(b & 0x7f) << shift;
    if (b < 0x80) return v;
  }
}

// The number of bytes AppendVarint writes for `v`: the only canonical length.
inline size_t VarintLength(uint64_t v) {
  size_t n = 1;
  for (; v >= 0x80; v >>= 7) ++n;
  return n;
}

// Reads bytes of unknown origin. After a failed read, ok() is false and all further reads fail.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : p_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool ok() const { return ok_; }
  bool at_end() const { return p_ == end_; }
  size_t left() const { return static_cast<size_t>(end_ - p_); }

  uint8_t U8() { return Take(1) ? static_cast<uint8_t>(p_[-1]) : 0; }
  uint16_t U16() { return Take(2) ? LoadU16(p_ - 2) : 0; }
  uint32_t U32() { return Take(4) ? LoadU32(p_ - 4) : 0; }
  uint64_t U64() { return Take(8) ? LoadU64(p_ - 8) : 0; }
  uint64_t Varint() {
    uint64_t v = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (!Take(1)) return 0;
      const uint8_t b = static_cast<uint8_t>(p_[-1]);
      if (shift == 63 && b > 1) break;  // more than 64 bits
      v |= static_cast<uint64_t>(b & 0x7f) << shift;
      if (b < 0x80) return v;
    }
    ok_ = false;
    return 0;
  }
  std::string_view Bytes(uint64_t n) { return n <= left() && Take(n) ? std::string_view(p_ - n, n) : Fail(); }
  // A varint length, then that many bytes.
  std::string_view String() {
    const uint64_t n = Varint();
    return Bytes(n);
  }

 private:
  bool Take(size_t n) {
    if (!ok_ || left() < n) return ok_ = false;
    p_ += n;
    return true;
  }
  std::string_view Fail() {
    ok_ = false;
    return {};
  }

  const char* p_;
  const char* end_;
  bool ok_ = true;
};

inline void AppendString(std::string& out, std::string_view s) {
  AppendVarint(out, s.size());
  out.append(s);
}

}  // namespace keyfold

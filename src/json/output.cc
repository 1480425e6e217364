#include "json/output.h"

#include <algorithm>
#include <cstdint>

#include "base/text/hex.h"
#include "base/text/scan.h"

namespace keyfold::json {
namespace {

constexpr size_t kBlockBytes = sizeof(ByteBlock);
constexpr size_t kEscapeBytesMax = 6;  // \u00XX

// Copies a block, and returns whether one of its bytes needs an escape: below 0x20, a quote, or a backslash.
bool CopyBlock(char* to, const char* from) {
  ByteBlock bytes;
  std::memcpy(&bytes, from, kBlockBytes);
  std::memcpy(to, &bytes, kBlockBytes);
  const auto special = (bytes < 0x20) | (bytes == '"') | (bytes == '\\');
  uint64_t halves[2];
  std::memcpy(halves, &special, kBlockBytes);
  return (halves[0] | halves[1]) != 0;
}

// As CopyBlock, for four or eight bytes. A byte above 0x7F never needs an escape.
template <typename Word>
bool CopyWord(char* to, const char* from) {
  constexpr Word kOnes = static_cast<Word>(0x0101010101010101), kHighs = kOnes * 0x80;
  Word bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  std::memcpy(to, &bytes, sizeof bytes);
  const Word control = bytes - kOnes * 0x20;
  const Word quote = (bytes ^ kOnes * '"') - kOnes;
  const Word backslash = (bytes ^ kOnes * '\\') - kOnes;
  return ((control | quote | backslash) & ~bytes & kHighs) != 0;
}

// As CopyWord, for `n` bytes: at least one word and at most two.
template <typename Word>
bool CopyTwoWords(char* to, const char* from, size_t n) {
  const size_t last = n - sizeof(Word);
  const bool special = CopyWord<Word>(to, from);
  return CopyWord<Word>(to + last, from + last) || special;
}

bool NeedsEscape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

// Copies `n` bytes and checks them. Returns how many need no escape for certain: all, or fewer if one of the next
// kBlockBytes needs one. The last two blocks or words overlap, so that no byte is handled alone.
size_t CopyPlain(char* to, const char* from, size_t n) {
  if (n >= kBlockBytes) {
    size_t i = 0;
    for (; i + kBlockBytes <= n; i += kBlockBytes) {
      if (CopyBlock(to + i, from + i)) return i;
    }
    const size_t last = n - kBlockBytes;
    return i < n && CopyBlock(to + last, from + last) ? i : n;
  }
  if (n >= 8) return CopyTwoWords<uint64_t>(to, from, n) ? 0 : n;
  if (n >= 4) return CopyTwoWords<uint32_t>(to, from, n) ? 0 : n;
  for (size_t i = 0; i < n; ++i) {
    if (NeedsEscape(from[i])) return i;
    to[i] = from[i];
  }
  return n;
}

// The letter after the backslash if the byte has a short form, else 'u'.
char EscapeLetter(char c) {
  switch (c) {
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    case '"':
    case '\\':
      return c;
    default:
      return 'u';
  }
}

char* PutByte(char* to, char c) {
  if (!NeedsEscape(c)) {
    *to++ = c;
    return to;
  }
  const char letter = EscapeLetter(c);
  *to++ = '\\';
  *to++ = letter;
  if (letter != 'u') return to;
  *to++ = '0';
  *to++ = '0';
  *to++ = kHexDigits[static_cast<unsigned char>(c) >> 4];
  *to++ = kHexDigits[c & 0xF];
  return to;
}

}  // namespace

void Output::Quoted(std::string_view text) {
  NeedRoom(text.size() + 2);
  Byte('"');
  const size_t plain = CopyPlain(at_, text.data(), text.size());
  at_ += plain;
  if (plain < text.size()) Escaped(text.data() + plain, text.size() - plain);
  Byte('"');
}

// One of the first kBlockBytes needs an escape.
void Output::Escaped(const char* from, size_t bytes) {
  while (bytes > 0) {
    NeedRoom(bytes + kEscapeBytesMax * kBlockBytes + 1);  // 1 for the closing quote
    for (size_t block = std::min(bytes, kBlockBytes); block > 0; --block, --bytes) at_ = PutByte(at_, *from++);
    const size_t plain = CopyPlain(at_, from, bytes);
    at_ += plain;
    from += plain;
    bytes -= plain;
  }
}

void Output::Grow(size_t bytes) {
  constexpr size_t kStepBytes = 256;
  GrowAt(used(), bytes + std::max((used() - start_) / 2, kStepBytes));
}

}  // namespace keyfold::json

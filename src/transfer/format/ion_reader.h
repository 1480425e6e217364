// Parses Amazon Ion text into items: the output of ion_writer.h, and text from others, with comments, over several
// lines, in any of Ion's notations. Values of types that DynamoDB does not have are refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "transfer/format/format.h"
#include "value/item.h"

namespace keyfold::transfer {

// Reuses its buffers from record to record. Borrows the text. Used by one thread at a time. Strings are taken as they
// are: the caller must check that they are UTF-8.
class IonReader {
 public:
  explicit IonReader(std::string_view text) : text_(text) {}

  // Returns the item of the record at `at`, {Item:{…}}, and moves `at` past it; an error leaves `at` unchanged. The
  // item is valid until the next call.
  Result<ItemView> ReadRecord(size_t& at);
  // As ReadRecord, for a change: {Metadata:{WriteTimestampMicros:…},Keys:{…},OldImage:{…},NewImage:{…}}.
  Result<ChangeLine> ReadChange(size_t& at);

 private:
  enum class Annotation : uint8_t { kNone, kStringSet, kNumberSet, kBinarySet };

  bool ReadWrapper();
  bool ReadEntries(int depth);
  bool ReadName(std::string_view& name);
  bool ReadAnnotations(Annotation& annotation);
  bool ReadValue(int depth);
  bool ReadList(int depth);
  bool ReadSet(Annotation annotation);
  bool ReadElement(Annotation annotation);
  bool ReadWordValue();
  bool ReadNull();
  bool ReadText(std::string_view& text);
  bool ReadQuoted(char quote, std::string_view& text);
  bool ReadLongText(std::string_view& text);
  bool ReadEscape(std::string& out);
  bool ReadSurrogate(uint32_t& code);
  bool ReadHex(int digits, uint32_t& code);
  bool ReadNumber(std::string& encoded);
  bool ReadRadix(std::string& encoded);
  bool ReadDigits();
  bool ReadBinary(std::string& out);
  bool EndNumber(std::string& encoded, std::string_view digits);

  bool PlainWord(std::string_view& word);
  void SkipSpace();
  bool SkipComment();
  char Peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool Take(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }
  bool StartsWith(std::string_view what) const { return text_.compare(at_, what.size(), what) == 0; }

  bool Fail(Error error) {
    fault_ = std::move(error);
    return false;
  }
  bool Malformed(std::string_view expected);

  const std::string_view text_;
  size_t at_ = 0;
  size_t start_ = 0;  // start of the record
  std::string out_;
  std::optional<ValueWriter> writer_;  // writes to out_
  Status fault_;
  // Buffers for the current value: text with escapes, digits, encoded numbers and binaries.
  std::string text_scratch_, number_scratch_, bytes_scratch_;
  // The current set: the concatenated bytes of its elements, where each ends, and the elements as views.
  std::string content_;
  std::vector<size_t> ends_;
  std::vector<std::string_view> elements_;
};

}  // namespace keyfold::transfer

#include "transfer/format/ion_reader.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text/ascii.h"
#include "base/text/base64.h"
#include "base/text/hex.h"
#include "base/text/scan.h"
#include "transfer/format/ion_syntax.h"
#include "value/limits.h"
#include "value/number.h"

namespace keyfold::transfer {
namespace {

using ion::IsSymbolPart;
using ion::IsSymbolStart;

constexpr Kind kValidation = Kind::kValidation;
constexpr Rule<"The Ion text is malformed at byte {} of the record: {} was expected"> kMalformed{"ion-malformed",
                                                                                                 kValidation};
constexpr Rule<"An Ion record must be a struct with one field, Item, which is a struct"> kNotAnIonItem{
    "ion-not-an-item", kValidation};
constexpr Rule<"Ion values of type {} have no DynamoDB type"> kNoSuchType{"ion-type", kValidation};
constexpr Rule<"An Ion symbol may not be given by its number in a symbol table"> kSymbolNumber{"ion-symbol-number",
                                                                                               kValidation};
constexpr Rule<"A set in Ion must be a list"> kSetNotAList{"ion-set-list", kValidation};
constexpr Rule<"A set in Ion must not be empty"> kEmptySet{"ion-set-empty", kValidation};
constexpr Rule<"A set in Ion contains duplicates"> kRepeatedElements{"ion-set-repeated", kValidation};
constexpr Rule<"An element of a set in Ion must be a {}"> kSetElement{"ion-set-element", kValidation};
constexpr Rule<"Attributes in the Ion record have nested levels beyond supported limit"> kTooDeep{"ion-too-deep",
                                                                                                  kValidation};
constexpr Rule<"Empty attribute name in the Ion record"> kEmptyIonName{"ion-name-empty", kValidation};
constexpr Rule<"Attribute name in the Ion record is too large, must be less than 65536 bytes"> kLongIonName{
    "ion-name-long", kValidation};
constexpr Rule<"A blob in the Ion record is not base64"> kBlob{"ion-blob", kValidation};
constexpr Rule<"A number in the Ion record has more digits than DynamoDB supports"> kLongRadix{"ion-number-long",
                                                                                               kValidation};

constexpr Rule<
    "An Ion record of a change must be a struct with the fields Metadata (with a WriteTimestampMicros) and Keys, "
    "and optionally OldImage and NewImage">
    kNotAnIonChange{"ion-not-a-change", kValidation};

constexpr int kDepthMax = static_cast<int>(kItemDepthMax);

// Ion's own types, as named after "null.".
constexpr std::string_view kTypes[] = {"null",   "bool",   "int",  "float", "decimal", "timestamp", "string",
                                       "symbol", "struct", "list", "sexp",  "clob",    "blob"};

// Control characters that may appear unescaped in a string: white space only.
bool IsRawControl(char c, bool line_ends) { return c == '\t' || c == '\v' || c == '\f' || (line_ends && IsSpace(c)); }

void AppendUtf8(std::string& out, uint32_t code) {
  const auto tail = [&](int shift) { out.push_back(static_cast<char>(0x80 | (code >> shift & 0x3F))); };
  if (code < 0x80) {
    out.push_back(static_cast<char>(code));
  } else if (code < 0x800) {
    out.push_back(static_cast<char>(0xC0 | code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    out.push_back(static_cast<char>(0xE0 | code >> 12));
    tail(6);
    tail(0);
  } else {
    out.push_back(static_cast<char>(0xF0 | code >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

// Returns the map in the record's field `name`; `absent` says whether there is no such field.
std::optional<ItemView> StructOf(ItemView record, std::string_view name, bool& absent) {
  const std::optional<ValueView> value = record.Find(name);
  absent = !value;
  if (absent || value->type() != Type::kM) return std::nullopt;
  return ItemView(value->bytes().substr(1));
}

// A number, or its digits as a string.
std::optional<Micros> IonWriteTime(ItemView metadata) {
  const std::optional<ValueView> value = metadata.Find("WriteTimestampMicros");
  if (!value || (value->type() != Type::kN && value->type() != Type::kS)) return std::nullopt;
  const Result<Number> number =
      value->type() == Type::kN ? Number::Decode(value->AsEncodedNumber()) : Number::Parse(value->AsText());
  int64_t micros = 0;
  if (!number.ok() || !number->ToInt64(micros)) return std::nullopt;
  return micros;
}

std::optional<ChangeLine> ChangeOf(ItemView record) {
  bool absent = false;
  const std::optional<ItemView> metadata = StructOf(record, "Metadata", absent);
  const std::optional<Micros> written = metadata ? IonWriteTime(*metadata) : std::nullopt;
  const std::optional<ItemView> keys = StructOf(record, "Keys", absent);
  if (!written || !keys) return std::nullopt;
  ChangeLine change{.written = *written, .keys = *keys, .before = {}, .after = {}};
  change.before = StructOf(record, "OldImage", absent);
  if (!change.before && !absent) return std::nullopt;
  change.after = StructOf(record, "NewImage", absent);
  if (!change.after && !absent) return std::nullopt;
  return change;
}

bool IsSurrogate(uint32_t code) { return code >= 0xD800 && code <= 0xDFFF; }

// Whether `c` can follow a number or word.
bool EndsWord(char c) {
  return c == '\0' || IsSpace(c) || std::string_view(",]})[{(\"'/").find(c) != std::string_view::npos;
}

}  // namespace

Result<ItemView> IonReader::ReadRecord(size_t& at) {
  at_ = start_ = at;
  out_.clear();
  writer_.emplace(out_);
  if (!ReadWrapper()) return std::exchange(fault_, Status()).TakeError();
  at = at_;
  return ItemView(out_);
}

Result<ChangeLine> IonReader::ReadChange(size_t& at) {
  at_ = start_ = at;
  out_.clear();
  writer_.emplace(out_);
  Annotation annotation;
  if (!ReadAnnotations(annotation)) return std::exchange(fault_, Status()).TakeError();
  if (Peek() != '{' || Peek(1) == '{') return kNotAnIonChange();
  ++at_;
  writer_->BeginItem();
  // The nesting depth of an image is counted from inside the record.
  if (!ReadEntries(-1)) return std::exchange(fault_, Status()).TakeError();
  std::optional<ChangeLine> change = ChangeOf(ItemView(out_));
  if (!change) return kNotAnIonChange();
  at = at_;
  return *change;
}

// {Item:{…}}
bool IonReader::ReadWrapper() {
  Annotation annotation;
  std::string_view name;
  if (!ReadAnnotations(annotation)) return false;
  if (Peek() != '{' || Peek(1) == '{') return Fail(kNotAnIonItem());
  ++at_;
  SkipSpace();
  if (Peek() == '}') return Fail(kNotAnIonItem());
  if (!ReadName(name)) return false;
  if (name != "Item") return Fail(kNotAnIonItem());
  if (!ReadAnnotations(annotation)) return false;
  if (Peek() != '{' || Peek(1) == '{' || annotation != Annotation::kNone) return Fail(kNotAnIonItem());
  ++at_;
  writer_->BeginItem();
  if (!ReadEntries(0)) return false;
  SkipSpace();
  if (Take(',')) SkipSpace();
  return Take('}') || Fail(kNotAnIonItem());
}

// Reads from after the opening brace of a struct to after its closing brace.
bool IonReader::ReadEntries(int depth) {
  for (;;) {
    SkipSpace();
    if (Take('}')) break;
    std::string_view name;
    if (!ReadName(name)) return false;
    if (name.empty()) return Fail(kEmptyIonName());
    if (name.size() > kAttributeNameBytesMax) return Fail(kLongIonName());
    writer_->Name(name);
    if (!ReadValue(depth)) return false;
    SkipSpace();
    if (!Take(',') && Peek() != '}') return Malformed("a comma or the end of the struct");
  }
  writer_->EndMap();
  return true;
}

// Reads a field name (a word, or a quoted symbol or string) and the colon after it.
bool IonReader::ReadName(std::string_view& name) {
  const char c = Peek();
  if (c == '"' || c == '\'') {
    if (!ReadText(name)) return false;
  } else if (!IsSymbolStart(c)) {
    return Malformed("a field name");
  } else if (!PlainWord(name)) {
    return false;
  }
  SkipSpace();
  if (!Take(':') || Peek() == ':') return Malformed("a colon");
  return true;
}

// Reads an unquoted word. Its end needs no check: the caller examines what follows.
bool IonReader::PlainWord(std::string_view& word) {
  if (ion::IsVersionMarker(text_, at_)) return Malformed("the rest of the record");
  const size_t start = at_;
  while (at_ < text_.size() && IsSymbolPart(text_[at_])) ++at_;
  word = text_.substr(start, at_ - start);
  if (word[0] == '$' && word.size() > 1 && std::all_of(word.begin() + 1, word.end(), IsDigit)) {
    return Fail(kSymbolNumber());
  }
  return true;
}

// Reads up to the value itself. Annotations other than those of sets are ignored.
bool IonReader::ReadAnnotations(Annotation& annotation) {
  annotation = Annotation::kNone;
  for (;;) {
    SkipSpace();
    const size_t start = at_;
    const char c = Peek();
    std::string_view word;
    if (c == '\'' && !StartsWith("'''")) {
      if (!ReadQuoted('\'', word)) return false;
    } else if (!IsSymbolStart(c)) {
      return true;
    } else if (!PlainWord(word)) {
      return false;
    }
    SkipSpace();
    if (!StartsWith("::")) {
      at_ = start;
      return true;
    }
    at_ += 2;
    if (word == "$dynamodb_SS") annotation = Annotation::kStringSet;
    if (word == "$dynamodb_NS") annotation = Annotation::kNumberSet;
    if (word == "$dynamodb_BS") annotation = Annotation::kBinarySet;
  }
}

bool IonReader::ReadValue(int depth) {
  Annotation annotation;
  if (!ReadAnnotations(annotation)) return false;
  if (annotation != Annotation::kNone) return ReadSet(annotation);
  const char c = Peek();
  if (c == '"' || c == '\'') {
    std::string_view text;
    if (!ReadText(text)) return false;
    writer_->String(text);
    return true;
  }
  if (IsDigit(c) || c == '-' || c == '+') {
    bytes_scratch_.clear();
    if (!ReadNumber(bytes_scratch_)) return false;
    writer_->EncodedNumber(bytes_scratch_);
    return true;
  }
  if (c == '{' && Peek(1) == '{') {
    bytes_scratch_.clear();
    if (!ReadBinary(bytes_scratch_)) return false;
    writer_->Binary(bytes_scratch_);
    return true;
  }
  if (c == '{') {
    if (depth >= kDepthMax) return Fail(kTooDeep());
    ++at_;
    writer_->BeginMap();
    return ReadEntries(depth + 1);
  }
  if (c == '[') return ReadList(depth + 1);
  if (c == '(') return Fail(kNoSuchType("sexp"));
  if (IsSymbolStart(c)) return ReadWordValue();
  return Malformed("a value");
}

bool IonReader::ReadList(int depth) {
  if (depth > kDepthMax) return Fail(kTooDeep());
  ++at_;
  writer_->BeginList();
  uint32_t count = 0;
  for (;; ++count) {
    SkipSpace();
    if (Take(']')) break;
    if (!ReadValue(depth)) return false;
    SkipSpace();
    if (!Take(',') && Peek() != ']') return Malformed("a comma or the end of the list");
  }
  writer_->EndList(count);
  return true;
}

bool IonReader::ReadSet(Annotation annotation) {
  if (!Take('[')) return Fail(kSetNotAList());
  content_.clear();
  ends_.clear();
  for (;;) {
    Annotation ignored;
    if (!ReadAnnotations(ignored)) return false;
    if (Take(']')) break;
    if (!ReadElement(annotation)) return false;
    ends_.push_back(content_.size());
    SkipSpace();
    if (!Take(',') && Peek() != ']') return Malformed("a comma or the end of the set");
  }
  if (ends_.empty()) return Fail(kEmptySet());
  elements_.clear();
  size_t start = 0;
  for (const size_t end : ends_) {
    elements_.push_back(std::string_view(content_).substr(start, end - start));
    start = end;
  }
  const Tag tag = annotation == Annotation::kStringSet   ? Tag::kSS
                  : annotation == Annotation::kNumberSet ? Tag::kNS
                                                         : Tag::kBS;
  return writer_->Set(tag, elements_) || Fail(kRepeatedElements());
}

// Appends the element to content_.
bool IonReader::ReadElement(Annotation annotation) {
  const char c = Peek();
  if (annotation == Annotation::kNumberSet) {
    return IsDigit(c) || c == '-' || c == '+' ? ReadNumber(content_) : Fail(kSetElement("number"));
  }
  if (annotation == Annotation::kBinarySet) {
    return c == '{' && Peek(1) == '{' ? ReadBinary(content_) : Fail(kSetElement("blob"));
  }
  if (c != '"' && c != '\'') return Fail(kSetElement("string"));
  std::string_view text;
  if (!ReadText(text)) return false;
  content_.append(text);
  return true;
}

// true, false, null, null.int, nan; any other word is a symbol, which is read as a string.
bool IonReader::ReadWordValue() {
  std::string_view word;
  if (!PlainWord(word)) return false;
  if (word == "null") return ReadNull();
  if (!EndsWord(Peek())) return Malformed("the end of a word");
  if (word == "true" || word == "false") {
    writer_->Bool(word == "true");
  } else if (word == "nan") {
    return Fail(kNoSuchType("non-finite float"));
  } else {
    writer_->String(word);
  }
  return true;
}

bool IonReader::ReadNull() {
  if (Take('.')) {
    std::string_view type;
    if (!IsSymbolStart(Peek()) || !PlainWord(type)) return Malformed("a type");
    if (std::find(std::begin(kTypes), std::end(kTypes), type) == std::end(kTypes)) return Malformed("a type");
  }
  if (!EndsWord(Peek())) return Malformed("the end of a word");
  writer_->Null();
  return true;
}

// Reads "text", 'text', or '''text''' '''in several''' '''parts'''. `text` points into text_ or text_scratch_.
bool IonReader::ReadText(std::string_view& text) {
  if (StartsWith("'''")) return ReadLongText(text);
  return ReadQuoted(Peek(), text);
}

bool IonReader::ReadQuoted(char quote, std::string_view& text) {
  const size_t start = ++at_;
  const auto next_special = [&] {
    at_ += FirstWhere(text_.substr(at_), [quote](auto b) {
      return (b == static_cast<uint8_t>(quote)) | (b == uint8_t{'\\'}) | (b < uint8_t{0x20});
    });
  };
  next_special();
  if (Peek() == quote) {
    text = text_.substr(start, at_++ - start);
    return true;
  }
  text_scratch_.assign(text_.substr(start, at_ - start));
  for (size_t from = at_;; from = at_) {
    next_special();
    text_scratch_.append(text_.substr(from, at_ - from));
    if (Take(quote)) break;
    if (Take('\\')) {
      if (!ReadEscape(text_scratch_)) return false;
    } else if (at_ < text_.size() && IsRawControl(text_[at_], false)) {
      text_scratch_.push_back(text_[at_++]);
    } else {
      return Malformed("the end of a string");
    }
  }
  text = text_scratch_;
  return true;
}

// A line end of any kind counts as one byte.
bool IonReader::ReadLongText(std::string_view& text) {
  text_scratch_.clear();
  while (StartsWith("'''")) {
    at_ += 3;
    while (!StartsWith("'''")) {
      if (at_ == text_.size()) return Malformed("the end of a string");
      const char c = text_[at_++];
      if (c == '\\') {
        if (!ReadEscape(text_scratch_)) return false;
      } else if (c == '\r') {
        if (Peek() != '\n') text_scratch_.push_back('\n');
      } else if (static_cast<uint8_t>(c) < 0x20 && !IsRawControl(c, true)) {
        return Malformed("the end of a string");
      } else {
        text_scratch_.push_back(c);
      }
    }
    at_ += 3;
    SkipSpace();
  }
  text = text_scratch_;
  return true;
}

// Reads the rest of an escape, after the backslash.
bool IonReader::ReadEscape(std::string& out) {
  constexpr std::string_view kLetters = "0abtnfrv\"'?\\/";
  constexpr std::string_view kMeanings("\0\a\b\t\n\f\r\v\"'?\\/", 13);
  const char c = Peek();
  ++at_;
  if (const size_t i = kLetters.find(c); i != std::string_view::npos) {
    out.push_back(kMeanings[i]);
    return true;
  }
  if (c == '\n') return true;  // line continuation
  if (c == '\r') {
    Take('\n');
    return true;
  }
  const int digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
  uint32_t code = 0;
  if (digits == 0 || !ReadHex(digits, code)) return Malformed("an escape");
  if (IsSurrogate(code) && !ReadSurrogate(code)) return Malformed("a character");
  if (code > 0x10FFFF) return Malformed("a character");
  AppendUtf8(out, code);
  return true;
}

bool IonReader::ReadHex(int digits, uint32_t& code) {
  code = 0;
  for (; digits > 0; --digits) {
    const int digit = HexValue(Peek());
    if (digit < 0) return false;
    code = code << 4 | static_cast<uint32_t>(digit);
    ++at_;
  }
  return true;
}

// Reads the low surrogate that must follow the high surrogate in `code`.
bool IonReader::ReadSurrogate(uint32_t& code) {
  uint32_t low = 0;
  if (code >= 0xDC00 || !Take('\\') || !Take('u') || !ReadHex(4, low)) return false;
  if (low < 0xDC00 || low > 0xDFFF) return false;
  code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  return true;
}

// Reads an int, float or decimal, and appends its encoded form.
bool IonReader::ReadNumber(std::string& encoded) {
  if (StartsWith("+inf") || StartsWith("-inf")) return Fail(kNoSuchType("non-finite float"));
  number_scratch_.clear();
  if (Take('-')) number_scratch_.push_back('-');
  const char radix = static_cast<char>(Peek(1) | 0x20);
  if (Peek() == '0' && (radix == 'x' || radix == 'b')) return ReadRadix(encoded);
  if (Peek() == '0' && IsDigit(Peek(1))) return Malformed("a number without leading zeros, or a timestamp");
  if (!ReadDigits()) return Malformed("a digit");
  if (Take('.')) {
    number_scratch_.push_back('.');
    if (IsDigit(Peek()) && !ReadDigits()) return Malformed("a digit");
  }
  const char power = static_cast<char>(Peek() | 0x20);
  if (power == 'd' || power == 'e') {
    ++at_;
    number_scratch_.push_back('e');
    if (Peek() == '-' || Peek() == '+') number_scratch_.push_back(text_[at_++]);
    if (!ReadDigits()) return Malformed("a digit");
  }
  return EndNumber(encoded, number_scratch_);
}

// Reads digits, with single underscores between them.
bool IonReader::ReadDigits() {
  if (!IsDigit(Peek())) return false;
  for (;;) {
    while (IsDigit(Peek())) number_scratch_.push_back(text_[at_++]);
    if (Peek() != '_') return true;
    ++at_;
    if (!IsDigit(Peek())) return false;
  }
}

// 0x1F, 0b101.
bool IonReader::ReadRadix(std::string& encoded) {
  const unsigned bits = (Peek(1) | 0x20) == 'x' ? 4 : 1;
  at_ += 2;
  unsigned __int128 value = 0;
  for (bool underscore = true;; ++at_) {
    const int digit = HexValue(Peek());
    if (digit >= 0 && digit < 1 << bits) {
      if (value >> (128 - bits) != 0) return Fail(kLongRadix());
      value = value << bits | static_cast<unsigned>(digit);
      underscore = false;
    } else if (Peek() == '_' && !underscore) {
      underscore = true;
    } else if (underscore) {
      return Malformed("a digit");
    } else {
      break;
    }
  }
  char digits[40];
  char* first = std::end(digits);
  do {
    *--first = static_cast<char>('0' + static_cast<int>(value % 10));
    value /= 10;
  } while (value != 0);
  number_scratch_.append(first, std::end(digits));
  return EndNumber(encoded, number_scratch_);
}

bool IonReader::EndNumber(std::string& encoded, std::string_view digits) {
  // 2025-01-01 and 2025T begin like numbers.
  if (Peek() == '-' || Peek() == 'T') return Fail(kNoSuchType("timestamp"));
  if (!EndsWord(Peek())) return Malformed("the end of a number");
  Result<Number> number = Number::Parse(digits);
  if (!number.ok()) return Fail(std::move(number).TakeError());
  number->EncodeTo(encoded);
  return true;
}

// {{ base64, with white space anywhere }}
bool IonReader::ReadBinary(std::string& out) {
  at_ += 2;
  const size_t end = text_.find('}', at_);
  if (end == std::string_view::npos || end + 1 == text_.size() || text_[end + 1] != '}') {
    return Malformed("the end of a blob");
  }
  std::string_view base64 = text_.substr(at_, end - at_);
  if (base64.find_first_of("\"'") != std::string_view::npos) return Fail(kNoSuchType("clob"));
  if (std::any_of(base64.begin(), base64.end(), IsSpace)) {
    text_scratch_.clear();
    std::copy_if(base64.begin(), base64.end(), std::back_inserter(text_scratch_), [](char c) { return !IsSpace(c); });
    base64 = text_scratch_;
  }
  if (!AppendFromBase64(out, base64)) return Fail(kBlob());
  at_ = end + 2;
  return true;
}

void IonReader::SkipSpace() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (IsSpace(c)) {
      ++at_;
    } else if (c != '/' || !SkipComment()) {
      return;
    }
  }
}

bool IonReader::SkipComment() {
  if (Peek(1) == '/') {
    at_ = std::min(text_.find('\n', at_), text_.size());
    return true;
  }
  if (Peek(1) != '*') return false;
  const size_t end = text_.find("*/", at_ + 2);
  if (end == std::string_view::npos) return false;
  at_ = end + 2;
  return true;
}

bool IonReader::Malformed(std::string_view expected) { return Fail(kMalformed(at_ - start_, expected)); }

}  // namespace keyfold::transfer

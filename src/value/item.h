// The item form: attribute values as bytes that are read in place. JSON is converted to it once, at the wire;
// conditions, key extraction, storage and printing work on views of it. It is part of the data format and canonical:
// maps are sorted by name and sets by element, so two values are equal exactly if their bytes are.
//
//   value   one tag byte (Tag), then
//     S B        varint length, bytes
//     N          the encoded number (value/number.h), self-delimiting
//     SS BS      u32 length of what follows, u32 count, then per element: varint length, bytes; ascending, distinct
//     NS         u32 length of what follows, u32 count, then encoded numbers; ascending, distinct
//     L          u32 length of what follows, u32 count, then values
//     M          u32 length of what follows, u32 count, then entries: varint length, name, value; ascending, distinct
//     null true false   no further bytes
//   item    an M without its tag
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "value/number.h"

namespace keyfold {

// DynamoDB's ten types.
enum class Type : uint8_t { kS, kN, kB, kSS, kNS, kBS, kM, kL, kNull, kBool };

// "S", "N", "B", "SS", "NS", "BS", "M", "L", "NULL", "BOOL".
std::string_view NameOf(Type type);
std::optional<Type> TypeByName(std::string_view name);

inline bool IsSet(Type type) { return type == Type::kSS || type == Type::kNS || type == Type::kBS; }

enum class Tag : uint8_t { kS = 1, kN, kB, kSS, kNS, kBS, kM, kL, kNull, kFalse, kTrue };

class ValueView;
struct Entry;

// Forward iteration over elements of a container, in stored order. The bytes belong to the view's owner.
class ListRange;
class SetRange;
class MapRange;

// A borrowed, well-formed encoded value. The function that returns it documents who owns the bytes. Immutable.
class ValueView {
 public:
  ValueView() = default;
  // `bytes` is one complete encoding.
  explicit ValueView(std::string_view bytes) : bytes_(bytes) {}

  // Canonical: equal values have equal bytes.
  std::string_view bytes() const { return bytes_; }
  Tag tag() const { return static_cast<Tag>(bytes_[0]); }
  Type type() const;

  std::string_view AsText() const {  // S and B: the content
    const char* p = bytes_.data() + 1;
    const uint64_t n = ReadVarint(p);
    return {p, n};
  }
  std::string_view AsEncodedNumber() const { return bytes_.substr(1); }  // N: value/number.h's encoding
  bool AsBool() const { return tag() == Tag::kTrue; }

  // SS, NS, BS, L, M: the number of elements.
  uint32_t count() const { return LoadU32(bytes_.data() + 5); }
  SetRange elements() const;  // SS, BS: contents; NS: encoded numbers
  ListRange values() const;   // L
  MapRange entries() const;   // M

  std::optional<ValueView> At(uint32_t index) const;           // L
  std::optional<ValueView> Find(std::string_view name) const;  // M
  bool Contains(std::string_view element) const;               // SS, BS, NS: content or encoded number

  // The length of the value at the start of trusted bytes.
  static size_t LengthAt(const char* p) {
    switch (static_cast<Tag>(*p)) {
      case Tag::kS:
      case Tag::kB: {
        const char* q = p + 1;
        const uint64_t n = ReadVarint(q);
        return static_cast<size_t>(q - p) + n;
      }
      case Tag::kN:
        return 1 + Number::LengthAt(p + 1);
      case Tag::kNull:
      case Tag::kFalse:
      case Tag::kTrue:
        return 1;
      default:
        return 5 + LoadU32(p + 1);
    }
  }

  friend bool operator==(ValueView a, ValueView b) { return a.bytes_ == b.bytes_; }

 private:
  std::string_view bytes_;
};

struct Entry {
  std::string_view name;
  ValueView value;
};

// Each iterator decodes its element once, when it reaches it, and thereby knows where the next one starts.
class ListRange {
 public:
  class Iterator {
   public:
    Iterator(const char* p, const char* end) : p_(p), end_(end) { Read(); }
    ValueView operator*() const { return ValueView({p_, bytes_}); }
    Iterator& operator++() {
      p_ += bytes_;
      Read();
      return *this;
    }
    bool operator!=(const Iterator& o) const { return p_ != o.p_; }

   private:
    void Read() {
      if (p_ != end_) bytes_ = ValueView::LengthAt(p_);
    }
    const char* p_;
    const char* end_;
    size_t bytes_ = 0;
  };
  explicit ListRange(std::string_view content) : content_(content) {}
  Iterator begin() const { return {content_.data(), content_.data() + content_.size()}; }
  Iterator end() const { return {content_.data() + content_.size(), content_.data() + content_.size()}; }

 private:
  std::string_view content_;
};

class SetRange {
 public:
  class Iterator {
   public:
    Iterator(const char* p, const char* end, bool numbers) : p_(p), end_(end), numbers_(numbers) { Read(); }
    std::string_view operator*() const { return element_; }
    Iterator& operator++() {
      p_ = element_.data() + element_.size();
      Read();
      return *this;
    }
    bool operator!=(const Iterator& o) const { return p_ != o.p_; }

   private:
    void Read() {
      if (p_ == end_) return;
      const char* p = p_;
      const size_t bytes = numbers_ ? Number::LengthAt(p) : ReadVarint(p);
      element_ = {p, bytes};
    }
    const char* p_;
    const char* end_;
    bool numbers_;
    std::string_view element_;
  };
  SetRange(std::string_view content, bool numbers) : content_(content), numbers_(numbers) {}
  Iterator begin() const { return {content_.data(), content_.data() + content_.size(), numbers_}; }
  Iterator end() const { return {content_.data() + content_.size(), content_.data() + content_.size(), numbers_}; }

 private:
  std::string_view content_;
  bool numbers_;
};

class MapRange {
 public:
  class Iterator {
   public:
    Iterator(const char* p, const char* end) : p_(p), end_(end) { Read(); }
    const Entry& operator*() const { return entry_; }
    Iterator& operator++() {
      p_ = entry_.value.bytes().data() + entry_.value.bytes().size();
      Read();
      return *this;
    }
    bool operator!=(const Iterator& o) const { return p_ != o.p_; }

   private:
    void Read() {
      if (p_ == end_) return;
      const char* p = p_;
      const uint64_t name_bytes = ReadVarint(p);
      const char* value = p + name_bytes;
      entry_ = {{p, name_bytes}, ValueView({value, ValueView::LengthAt(value)})};
    }
    const char* p_;
    const char* end_;
    Entry entry_;
  };
  explicit MapRange(std::string_view content) : content_(content) {}
  Iterator begin() const { return {content_.data(), content_.data() + content_.size()}; }
  Iterator end() const { return {content_.data() + content_.size(), content_.data() + content_.size()}; }

 private:
  std::string_view content_;
};

// A borrowed item: an M without its tag. Immutable.
class ItemView {
 public:
  ItemView() : bytes_("\0\0\0\4\0\0\0\0", 8) {}  // the empty item
  explicit ItemView(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes() const { return bytes_; }
  uint32_t count() const { return LoadU32(bytes_.data() + 4); }
  bool empty() const { return count() == 0; }
  MapRange entries() const { return MapRange(bytes_.substr(8)); }
  std::optional<ValueView> Find(std::string_view name) const;

  friend bool operator==(ItemView a, ItemView b) { return a.bytes_ == b.bytes_; }

 private:
  std::string_view bytes_;
};

// An owned value. Copies of a large one share its bytes, because an expression may refer to a value of megabytes a
// thousand times.
class Value {
 public:
  Value() : bytes_(1, static_cast<char>(Tag::kNull)) {}
  explicit Value(std::string bytes) : bytes_(std::move(bytes)) {
    if (IsShared(bytes_.size())) shared_ = std::make_shared<const std::string>(std::move(bytes_));
  }
  explicit Value(ValueView view) : Value(std::string(view.bytes())) {}
  static constexpr bool IsShared(size_t bytes) { return bytes > 1024; }

  ValueView view() const { return ValueView(shared_ ? *shared_ : bytes_); }
  operator ValueView() const { return view(); }  // NOLINT: implicit by intent
  Type type() const { return view().type(); }

 private:
  std::string bytes_;
  std::shared_ptr<const std::string> shared_;  // used instead of bytes_ if large
};

// An owned item.
class Item {
 public:
  Item() : bytes_("\0\0\0\4\0\0\0\0", 8) {}
  explicit Item(std::string bytes) : bytes_(std::move(bytes)) {}
  explicit Item(ItemView view) : bytes_(view.bytes()) {}
  ItemView view() const { return ItemView(bytes_); }
  operator ItemView() const { return view(); }  // NOLINT: implicit by intent
  const std::string& bytes() const { return bytes_; }
  std::string TakeBytes() && { return std::move(bytes_); }
  bool empty() const { return view().empty(); }
  std::optional<ValueView> Find(std::string_view name) const { return view().Find(name); }

 private:
  std::string bytes_;
};

// Appends the item form to a string. Containers nest; maps are sorted when they end. Used by one thread at a time.
//   ValueWriter w(out); w.BeginMap(); w.Name("a"); w.String("x"); w.EndMap();
class ValueWriter {
 public:
  explicit ValueWriter(std::string& out) : out_(out) {}

  void String(std::string_view s) { Text(Tag::kS, s); }
  void Binary(std::string_view b) { Text(Tag::kB, b); }
  void EncodedNumber(std::string_view n) {
    PutTag(Tag::kN);
    out_.append(n);
  }
  void Bool(bool b) { PutTag(b ? Tag::kTrue : Tag::kFalse); }
  void Null() { PutTag(Tag::kNull); }
  void Copy(ValueView v) { out_.append(v.bytes()); }

  // Takes elements in any order (content, or encoded number for NS). Returns false if two are equal; then the output
  // must be discarded.
  [[nodiscard]] bool Set(Tag tag, std::span<std::string_view> elements);
  // Takes elements that are already sorted and distinct.
  void SortedSet(Tag tag, std::span<const std::string_view> elements);

  void BeginList();
  void EndList(uint32_t count);

  // An item is a map without its tag: BeginItem … EndMap.
  void BeginMap();
  void BeginItem();
  void Name(std::string_view name);  // before each entry's value
  void EndMap();                     // if two entries have the same name, the later one wins

 private:
  struct OpenMap {
    size_t start;        // offset of the u32 length
    size_t first_entry;  // index into entries_
  };
  struct OpenEntry {
    size_t start, name_start, name_bytes;
    size_t bytes = 0;  // size of name and value, set when its map is sorted
  };
  void PutTag(Tag tag) { out_.push_back(static_cast<char>(tag)); }
  void Text(Tag tag, std::string_view s) {
    PutTag(tag);
    AppendString(out_, s);
  }
  void SortEntries(size_t first_entry, size_t content_start);

  std::string& out_;
  // Enough for typical items; more comes from the heap.
  alignas(OpenEntry) std::byte usual_[1024];
  std::pmr::monotonic_buffer_resource memory_{usual_, sizeof usual_};
  std::pmr::vector<OpenMap> maps_{&memory_};
  std::pmr::vector<size_t> lists_{&memory_};  // offsets of their u32 lengths
  std::pmr::vector<OpenEntry> entries_{&memory_};
};

// For bytes of unknown origin (fuzzing, import, a row read back): returns whether they are one complete, well-formed,
// canonical encoding.
bool IsWellFormedValue(std::string_view bytes);
bool IsWellFormedItem(std::string_view bytes);

// The nesting depth of containers: 0 for a scalar or a set, 1 for an empty map or list.
size_t Depth(ValueView value);

// The size in bytes by DynamoDB's rules for names and values. An item's key alone is sized by the same rules.
size_t ValueSize(ValueView value);
size_t ItemSize(ItemView item);

// A scalar as DynamoDB's messages show it: {S:text}, {N:1}, {B:base64}.
std::string BracedScalar(ValueView value);

}  // namespace keyfold

#include "value/item.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/text/base64.h"
#include "base/text/utf8.h"
#include "value/limits.h"

namespace keyfold {
namespace {

constexpr std::array<std::string_view, 10> kTypeNames = {"S", "N", "B", "SS", "NS", "BS", "M", "L", "NULL", "BOOL"};

// Searches the entries of a map, which are sorted. Most names differ in their first byte.
std::optional<ValueView> FindEntry(std::string_view entries, std::string_view name) {
  const uint8_t first = name.empty() ? 0 : static_cast<uint8_t>(*name.data());
  const char* const end = entries.data() + entries.size();
  for (const char* p = entries.data(); p != end;) {
    const uint64_t bytes = ReadVarint(p);
    const char* const value = p + bytes;
    const uint8_t byte = bytes == 0 ? 0 : static_cast<uint8_t>(*p);
    if (byte > first) break;
    if (byte == first) {
      const int order = std::string_view(p, bytes).compare(name);
      if (order == 0) return ValueView({value, ValueView::LengthAt(value)});
      if (order > 0) break;
    }
    p = value + ValueView::LengthAt(value);
  }
  return std::nullopt;
}

}  // namespace

std::string_view NameOf(Type type) { return kTypeNames[static_cast<size_t>(type)]; }

std::optional<Type> TypeByName(std::string_view name) {
  const char first = name.empty() ? '\0' : name[0];
  if (name.size() == 1) {
    if (first == 'S') return Type::kS;
    if (first == 'N') return Type::kN;
    if (first == 'B') return Type::kB;
    if (first == 'M') return Type::kM;
    if (first == 'L') return Type::kL;
  } else if (name.size() == 2 && name[1] == 'S') {
    if (first == 'S') return Type::kSS;
    if (first == 'N') return Type::kNS;
    if (first == 'B') return Type::kBS;
  } else if (name.size() == 4) {
    if (name == "NULL") return Type::kNull;
    if (name == "BOOL") return Type::kBool;
  }
  return std::nullopt;
}

Type ValueView::type() const {
  static constexpr Type kTypes[] = {Type::kNull, Type::kS, Type::kN, Type::kB,    Type::kSS,   Type::kNS,
                                    Type::kBS,   Type::kM, Type::kL, Type::kNull, Type::kBool, Type::kBool};
  return kTypes[static_cast<size_t>(tag())];
}

SetRange ValueView::elements() const { return SetRange(bytes_.substr(9), tag() == Tag::kNS); }
ListRange ValueView::values() const { return ListRange(bytes_.substr(9)); }
MapRange ValueView::entries() const { return MapRange(bytes_.substr(9)); }

std::optional<ValueView> ValueView::At(uint32_t index) const {
  if (index >= count()) return std::nullopt;
  auto it = values().begin();
  while (index-- > 0) ++it;
  return *it;
}

std::optional<ValueView> ValueView::Find(std::string_view name) const { return FindEntry(bytes_.substr(9), name); }
std::optional<ValueView> ItemView::Find(std::string_view name) const { return FindEntry(bytes_.substr(8), name); }

bool ValueView::Contains(std::string_view element) const {
  for (const std::string_view e : elements()) {
    if (e == element) return true;
  }
  return false;
}

bool ValueWriter::Set(Tag tag, std::span<std::string_view> elements) {
  std::sort(elements.begin(), elements.end());
  SortedSet(tag, elements);
  return std::adjacent_find(elements.begin(), elements.end()) == elements.end();
}

void ValueWriter::SortedSet(Tag tag, std::span<const std::string_view> elements) {
  PutTag(tag);
  const size_t start = out_.size();
  AppendU32(out_, 0);
  AppendU32(out_, static_cast<uint32_t>(elements.size()));
  for (const std::string_view e : elements) tag == Tag::kNS ? void(out_.append(e)) : AppendString(out_, e);
  StoreU32(out_.data() + start, static_cast<uint32_t>(out_.size() - start - 4));
}

void ValueWriter::BeginList() {
  PutTag(Tag::kL);
  lists_.push_back(out_.size());
  out_.append(8, '\0');
}

void ValueWriter::EndList(uint32_t count) {
  const size_t start = lists_.back();
  lists_.pop_back();
  StoreU32(out_.data() + start, static_cast<uint32_t>(out_.size() - start - 4));
  StoreU32(out_.data() + start + 4, count);
}

void ValueWriter::BeginMap() {
  PutTag(Tag::kM);
  BeginItem();
}

void ValueWriter::BeginItem() {
  constexpr size_t kEntriesUsual = 16, kMapsUsual = 4;
  if (entries_.capacity() == 0) {
    entries_.reserve(kEntriesUsual);
    maps_.reserve(kMapsUsual);
  }
  maps_.push_back({out_.size(), entries_.size()});
  out_.append(8, '\0');
}

void ValueWriter::Name(std::string_view name) {
  const size_t start = out_.size();
  AppendString(out_, name);
  entries_.push_back({start, out_.size() - name.size(), name.size()});
}

void ValueWriter::EndMap() {
  const OpenMap map = maps_.back();
  maps_.pop_back();
  SortEntries(map.first_entry, map.start + 8);
  const size_t count = entries_.size() - map.first_entry;
  entries_.resize(map.first_entry);
  StoreU32(out_.data() + map.start, static_cast<uint32_t>(out_.size() - map.start - 4));
  StoreU32(out_.data() + map.start + 4, static_cast<uint32_t>(count));
}

// Entries mostly arrive in order; the map's content is rewritten only if they did not.
void ValueWriter::SortEntries(size_t first_entry, size_t content_start) {
  const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(first_entry);
  const auto name = [&](const OpenEntry& e) { return std::string_view(out_).substr(e.name_start, e.name_bytes); };
  // Most names differ in their first byte.
  const auto order = [&](const OpenEntry& a, const OpenEntry& b) {
    const int first_bytes = static_cast<uint8_t>(out_[a.name_start]) - static_cast<uint8_t>(out_[b.name_start]);
    if (a.name_bytes > 0 && b.name_bytes > 0 && first_bytes != 0) return first_bytes;
    return name(a).compare(name(b));
  };
  const auto out_of_order = [&](const OpenEntry& a, const OpenEntry& b) { return order(a, b) >= 0; };
  if (std::adjacent_find(first, entries_.end(), out_of_order) == entries_.end()) return;

  for (auto it = first; it != entries_.end(); ++it) {
    it->bytes = (it + 1 == entries_.end() ? out_.size() : (it + 1)->start) - it->start;
  }
  std::sort(first, entries_.end(), [&](const OpenEntry& a, const OpenEntry& b) {
    const int by_name = order(a, b);
    return by_name != 0 ? by_name < 0 : a.start < b.start;
  });
  // If entries have equal names, the last one written wins.
  const auto kept_end = std::unique(std::make_reverse_iterator(entries_.end()), std::make_reverse_iterator(first),
                                    [&](const OpenEntry& a, const OpenEntry& b) { return name(a) == name(b); });
  entries_.erase(first, kept_end.base());

  constexpr size_t kUsualBytes = 1024;
  std::byte usual[kUsualBytes];
  std::pmr::monotonic_buffer_resource memory(usual, sizeof usual);
  const std::pmr::string content(std::string_view(out_).substr(content_start), &memory);
  out_.resize(content_start);
  for (auto it = entries_.begin() + static_cast<std::ptrdiff_t>(first_entry); it != entries_.end(); ++it) {
    out_.append(content.data() + (it->start - content_start), it->bytes);
  }
}

namespace {

class WellFormed {
 public:
  explicit WellFormed(std::string_view bytes) : p_(bytes.data()), end_(p_ + bytes.size()) {}

  bool WholeValue() { return Value(0) && p_ == end_; }
  bool WholeItem() { return Map(1) && p_ == end_; }

 private:
  size_t left() const { return static_cast<size_t>(end_ - p_); }

  bool Text(std::string_view& out) {
    ByteReader reader({p_, left()});
    out = reader.String();
    if (!reader.ok() || out.data() != p_ + VarintLength(out.size())) return false;
    p_ = out.data() + out.size();
    return true;
  }
  bool Number(std::string_view& out) {
    const size_t n = Number::EncodedLength({p_, left()});
    out = {p_, n};
    p_ += n;
    return n > 0;
  }
  // Reads the container's count and narrows end_ to the container's end while `content` runs.
  template <typename Content>
  bool Container(const Content& content) {
    if (left() < 8) return false;
    const uint32_t length = LoadU32(p_);
    const uint32_t count = LoadU32(p_ + 4);
    if (length < 4 || left() - 4 < length) return false;
    const char* outer_end = end_;
    end_ = p_ + 4 + length;
    p_ += 8;
    for (uint32_t i = 0; i < count; ++i) {
      if (!content(i)) return false;
    }
    if (p_ != end_) return false;
    end_ = outer_end;
    return true;
  }
  bool Set(Tag tag) {
    std::string_view previous;
    return Container([&](uint32_t i) {
      std::string_view element;
      if (!(tag == Tag::kNS ? Number(element) : Text(element))) return false;
      if (tag == Tag::kSS && !IsUtf8(element)) return false;
      if (i > 0 && element <= previous) return false;
      previous = element;
      return true;
    });
  }
  bool Map(size_t depth) {
    std::string_view previous;
    return depth <= kItemDepthMax + 2 && Container([&](uint32_t i) {
             std::string_view name;
             if (!Text(name) || !IsUtf8(name) || (i > 0 && name <= previous)) return false;
             previous = name;
             return Value(depth);
           });
  }
  bool List(size_t depth) {
    return depth <= kItemDepthMax + 2 && Container([&](uint32_t) { return Value(depth); });
  }
  bool Value(size_t depth) {
    if (left() == 0) return false;
    const Tag tag = static_cast<Tag>(*p_++);
    std::string_view ignored;
    switch (tag) {
      case Tag::kS:
        return Text(ignored) && IsUtf8(ignored);
      case Tag::kB:
        return Text(ignored);
      case Tag::kN:
        return Number(ignored);
      case Tag::kSS:
      case Tag::kNS:
      case Tag::kBS:
        return Set(tag);
      case Tag::kM:
        return Map(depth + 1);
      case Tag::kL:
        return List(depth + 1);
      case Tag::kNull:
      case Tag::kFalse:
      case Tag::kTrue:
        return true;
    }
    return false;
  }

  const char* p_;
  const char* end_;
};

// DynamoDB's sizes, summed in one pass over trusted bytes. Functions named …At move `p` past what they measured.
size_t TextSizeAt(const char*& p) {
  const uint64_t bytes = ReadVarint(p);
  p += bytes;
  return bytes;
}

size_t NumberSizeAt(const char*& p) {
  const std::string_view encoded(p, Number::LengthAt(p));
  p += encoded.size();
  return NumberSize(encoded);
}

size_t ContainerSize(Tag tag, const char* content, const char* end);

// Inlined into its callers: most values are scalars.
inline size_t SizeAt(const char*& p) {
  const Tag tag = static_cast<Tag>(*p++);
  switch (tag) {
    case Tag::kS:
    case Tag::kB:
      return TextSizeAt(p);
    case Tag::kN:
      return NumberSizeAt(p);
    case Tag::kNull:
    case Tag::kFalse:
    case Tag::kTrue:
      return 1;
    default: {
      const char* const content = p;
      p += 4 + LoadU32(p);
      return ContainerSize(tag, content, p);
    }
  }
}

size_t EntriesSize(const char* p, const char* end) {
  size_t bytes = 0;
  while (p != end) {
    const uint64_t name_bytes = ReadVarint(p);
    p += name_bytes;
    bytes += name_bytes + SizeAt(p);
  }
  return bytes;
}

// `content` points after the tag.
size_t ContainerSize(Tag tag, const char* content, const char* end) {
  constexpr size_t kContainerBytes = 3, kElementBytes = 1;
  const size_t around = kContainerBytes + kElementBytes * LoadU32(content + 4);
  const char* p = content + 8;
  if (tag == Tag::kM) return around + EntriesSize(p, end);
  size_t bytes = 0;
  if (tag == Tag::kL) {
    while (p != end) bytes += SizeAt(p);
    return around + bytes;
  }
  while (p != end) bytes += tag == Tag::kNS ? NumberSizeAt(p) : TextSizeAt(p);
  return bytes;
}

}  // namespace

bool IsWellFormedValue(std::string_view bytes) { return WellFormed(bytes).WholeValue(); }
bool IsWellFormedItem(std::string_view bytes) { return WellFormed(bytes).WholeItem(); }

size_t Depth(ValueView value) {
  size_t deepest = 0;
  switch (value.type()) {
    case Type::kM:
      for (const Entry e : value.entries()) deepest = std::max(deepest, Depth(e.value));
      return deepest + 1;
    case Type::kL:
      for (const ValueView v : value.values()) deepest = std::max(deepest, Depth(v));
      return deepest + 1;
    default:
      return 0;
  }
}

size_t ValueSize(ValueView value) {
  const char* p = value.bytes().data();
  return SizeAt(p);
}

size_t ItemSize(ItemView item) {
  return EntriesSize(item.bytes().data() + 8, item.bytes().data() + item.bytes().size());
}

std::string BracedScalar(ValueView value) {
  std::string out = "{";
  out.append(NameOf(value.type())).append(":");
  if (value.type() == Type::kN) {
    Number::Decode(value.AsEncodedNumber()).PrintTo(out);
  } else if (value.type() == Type::kB) {
    AppendBase64(out, value.AsText());
  } else {
    out += value.AsText();
  }
  return out + "}";
}

}  // namespace keyfold

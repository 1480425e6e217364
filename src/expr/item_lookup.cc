#include "expr/item_lookup.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/text/find_bytes.h"
#include "base/text/utf8.h"

namespace keyfold::expr {
namespace {

// Below this size a linear search costs less than remembering its result.
constexpr size_t kLargeBytes = 4096;
constexpr size_t kStride = 32;  // elements from one landmark to the next
// Linear searches before landmarks are set, and before a list's values are sorted, which costs as much as a dozen
// searches.
constexpr uint32_t kWalksUntilMarked = 2, kWalksUntilSorted = 8;

std::string_view ContentOf(ValueView container) { return container.bytes().substr(9); }

std::string_view NameAt(const char* entry) {
  const uint64_t bytes = ReadVarint(entry);
  return {entry, bytes};
}

bool BySizeAndBytes(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace

// Landmarks of one large container.
struct ItemLookup::Landmarks {
  uint32_t walks = 0;
  std::vector<const char*> places;            // the start of every kStride-th element
  std::vector<std::string_view> list_values;  // sorted encodings of a list's values

  // `next` returns the end of the element that starts at its argument.
  template <typename Next>
  void Set(std::string_view content, const Next& next) {
    if (!places.empty()) return;
    const char* const end = content.data() + content.size();
    size_t i = 0;
    for (const char* p = content.data(); p != end; p = next(p), ++i) {
      if (i % kStride == 0) places.push_back(p);
    }
  }
};

struct ItemLookup::Memory {
  std::unordered_map<const char*, Landmarks> containers;  // keyed by the address of the content, like all below
  std::unordered_map<const char*, BytesFinder> parts;
  std::unordered_map<const char*, uint64_t> text_sizes;
  std::map<std::pair<const char*, const char*>, int> orders;
};

ItemLookup::ItemLookup(ItemView item) : item_(item) {}
ItemLookup::~ItemLookup() = default;

ItemLookup::Memory& ItemLookup::memory() {
  if (!memory_) memory_ = std::make_unique<Memory>();
  return *memory_;
}

// Returns null if the container should be searched linearly.
ItemLookup::Landmarks* ItemLookup::LandmarksOf(std::string_view content) {
  if (content.size() < kLargeBytes) return nullptr;
  Landmarks& landmarks = memory().containers[content.data()];
  return landmarks.walks++ < kWalksUntilMarked ? nullptr : &landmarks;
}

std::optional<ValueView> ItemLookup::FindEntry(Landmarks& landmarks, std::string_view content, std::string_view name) {
  landmarks.Set(content, [](const char* p) {
    const std::string_view entry_name = NameAt(p);
    const char* const value = entry_name.data() + entry_name.size();
    return value + ValueView::LengthAt(value);
  });
  const auto behind = std::upper_bound(landmarks.places.begin(), landmarks.places.end(), name,
                                       [](std::string_view wanted, const char* p) { return wanted < NameAt(p); });
  if (behind == landmarks.places.begin()) return std::nullopt;
  const size_t from = static_cast<size_t>(behind[-1] - content.data());
  for (const Entry& entry : MapRange(content.substr(from))) {
    const int order = entry.name.compare(name);
    if (order == 0) return entry.value;
    if (order > 0) break;
  }
  return std::nullopt;
}

std::optional<ValueView> ItemLookup::Find(std::string_view attribute) {
  const std::string_view content = item_.bytes().substr(8);
  Landmarks* const landmarks = LandmarksOf(content);
  return landmarks == nullptr ? item_.Find(attribute) : FindEntry(*landmarks, content, attribute);
}

std::optional<ValueView> ItemLookup::Member(ValueView map, std::string_view name) {
  const std::string_view content = ContentOf(map);
  Landmarks* const landmarks = LandmarksOf(content);
  return landmarks == nullptr ? map.Find(name) : FindEntry(*landmarks, content, name);
}

std::optional<ValueView> ItemLookup::At(ValueView list, uint32_t index) {
  const std::string_view content = ContentOf(list);
  Landmarks* const landmarks = index < list.count() ? LandmarksOf(content) : nullptr;
  if (landmarks == nullptr) return list.At(index);
  landmarks->Set(content, [](const char* p) { return p + ValueView::LengthAt(p); });
  const char* p = landmarks->places[index / kStride];
  for (size_t i = index % kStride; i > 0; --i) p += ValueView::LengthAt(p);
  return ValueView({p, ValueView::LengthAt(p)});
}

std::optional<ValueView> ItemLookup::Resolve(const Path& path) {
  if (item_.bytes().size() < kLargeBytes) return path.Resolve(item_);
  std::optional<ValueView> value = Find(path.root);
  for (const PathStep& step : path.steps) {
    if (!value || value->type() != (step.is_index ? Type::kL : Type::kM)) return std::nullopt;
    value = step.is_index ? At(*value, step.index) : Member(*value, step.name);
  }
  return value;
}

bool ItemLookup::SetContains(ValueView set, std::string_view element) {
  const std::string_view content = ContentOf(set);
  Landmarks* const landmarks = LandmarksOf(content);
  if (landmarks == nullptr) return set.Contains(element);
  const bool numbers = set.type() == Type::kNS;
  const auto element_at = [=](const char* p) {
    const size_t bytes = numbers ? Number::LengthAt(p) : ReadVarint(p);
    return std::string_view(p, bytes);
  };
  landmarks->Set(content, [&](const char* p) {
    const std::string_view at = element_at(p);
    return at.data() + at.size();
  });
  const auto behind = std::upper_bound(landmarks->places.begin(), landmarks->places.end(), element,
                                       [&](std::string_view wanted, const char* p) { return wanted < element_at(p); });
  if (behind == landmarks->places.begin()) return false;
  const size_t from = static_cast<size_t>(behind[-1] - content.data());
  for (const std::string_view at : SetRange(content.substr(from), numbers)) {
    const int order = at.compare(element);
    if (order >= 0) return order == 0;
  }
  return false;
}

bool ItemLookup::ListContains(ValueView list, ValueView element) {
  Landmarks* const landmarks = LandmarksOf(ContentOf(list));
  if (landmarks == nullptr || landmarks->walks <= kWalksUntilSorted) {
    for (const ValueView value : list.values()) {
      if (value == element) return true;
    }
    return false;
  }
  std::vector<std::string_view>& values = landmarks->list_values;
  if (values.empty()) {
    values.reserve(list.count());
    for (const ValueView value : list.values()) values.push_back(value.bytes());
    std::sort(values.begin(), values.end(), BySizeAndBytes);
  }
  return std::binary_search(values.begin(), values.end(), element.bytes(), BySizeAndBytes);
}

bool ItemLookup::TextContains(std::string_view text, std::string_view part) {
  if (text.size() < kLargeBytes) return ContainsBytes(text, part);
  return memory().parts.try_emplace(part.data(), part).first->second.IsIn(text);
}

bool ItemLookup::Contains(ValueView container, ValueView element) {
  const auto holds = [&](Type type) { return element.type() == type; };
  switch (container.type()) {
    case Type::kS:
    case Type::kB:
      return holds(container.type()) && TextContains(container.AsText(), element.AsText());
    case Type::kSS:
      return holds(Type::kS) && SetContains(container, element.AsText());
    case Type::kBS:
      return holds(Type::kB) && SetContains(container, element.AsText());
    case Type::kNS:
      return holds(Type::kN) && SetContains(container, element.AsEncodedNumber());
    case Type::kL:
      return ListContains(container, element);
    case Type::kM:
    case Type::kN:
    case Type::kNull:
    case Type::kBool:
      return false;
  }
  return false;
}

std::optional<uint64_t> ItemLookup::SizeOf(ValueView value) {
  switch (value.type()) {
    case Type::kS: {
      const std::string_view text = value.AsText();
      if (text.size() < kLargeBytes) return CountUtf16Units(text);
      uint64_t& size = memory().text_sizes[text.data()];
      if (size == 0) size = CountUtf16Units(text);
      return size;
    }
    case Type::kB:
      return value.AsText().size();
    case Type::kSS:
    case Type::kNS:
    case Type::kBS:
    case Type::kL:
    case Type::kM:
      return value.count();
    case Type::kN:
    case Type::kNull:
    case Type::kBool:
      return std::nullopt;
  }
  return std::nullopt;
}

int ItemLookup::CompareBytes(std::string_view a, std::string_view b) {
  if (std::min(a.size(), b.size()) < kLargeBytes) return a.compare(b);
  const auto [known, is_new] = memory().orders.try_emplace({a.data(), b.data()});
  if (is_new) known->second = a.compare(b);
  return known->second;
}

bool ItemLookup::AreEqual(ValueView a, ValueView b) {
  return a.bytes().size() == b.bytes().size() && CompareBytes(a.bytes(), b.bytes()) == 0;
}

}  // namespace keyfold::expr

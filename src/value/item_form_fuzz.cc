// Fuzz target for the item form. Bytes that pass as well-formed can be read completely, and writing what was read gives
// the same bytes.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/text/utf8.h"
#include "value/item.h"
#include "value/limits.h"
#include "value/number.h"

namespace keyfold {
namespace {

void Rewrite(ValueView value, ValueWriter& writer);

// Writes entries backwards, so that the writer has to sort.
void RewriteEntries(MapRange range, ValueWriter& writer) {
  std::vector<Entry> entries;
  for (const Entry e : range) entries.push_back(e);
  for (size_t i = entries.size(); i-- > 0;) {
    writer.Name(entries[i].name);
    Rewrite(entries[i].value, writer);
  }
  writer.EndMap();
}

void RewriteContainer(ValueView value, ValueWriter& writer) {
  if (value.type() == Type::kM) {
    for (const Entry e : value.entries()) CHECK(value.Find(e.name)->bytes().data() == e.value.bytes().data());
    writer.BeginMap();
    return RewriteEntries(value.entries(), writer);
  }
  if (value.type() == Type::kL) {
    writer.BeginList();
    uint32_t count = 0;
    for (const ValueView v : value.values()) {
      if (count < 8) CHECK(value.At(count)->bytes().data() == v.bytes().data());
      Rewrite(v, writer);
      ++count;
    }
    CHECK(count == value.count() && !value.At(count));
    return writer.EndList(count);
  }
  std::vector<std::string_view> elements;
  for (const std::string_view e : value.elements()) elements.insert(elements.begin(), e);
  CHECK(elements.size() == value.count());
  for (size_t i = 0; i < elements.size() && i < 8; ++i) CHECK(value.Contains(elements[i]));
  CHECK(writer.Set(value.tag(), elements));
}

void Rewrite(ValueView value, ValueWriter& writer) {
  switch (value.type()) {
    case Type::kS:
      CHECK(IsUtf8(value.AsText()));
      return writer.String(value.AsText());
    case Type::kB:
      return writer.Binary(value.AsText());
    case Type::kN: {
      std::string encoded;
      Number::Decode(value.AsEncodedNumber()).EncodeTo(encoded);
      return writer.EncodedNumber(encoded);
    }
    case Type::kNull:
      return writer.Null();
    case Type::kBool:
      return writer.Bool(value.AsBool());
    default:
      return RewriteContainer(value, writer);
  }
}

void CheckValue(ValueView value) {
  CHECK(ValueView::LengthAt(value.bytes().data()) == value.bytes().size());
  CHECK(Depth(value) <= kItemDepthMax + 2);
  std::string again;
  ValueWriter writer(again);
  Rewrite(value, writer);
  CHECK(again == value.bytes());
  CHECK(IsWellFormedValue(again));
}

void CheckItem(ItemView item) {
  size_t bytes = 0, count = 0;
  for (const Entry e : item.entries()) {
    CHECK(item.Find(e.name)->bytes() == e.value.bytes());
    CheckValue(e.value);
    bytes += e.name.size() + ValueSize(e.value);
    ++count;
  }
  CHECK(count == item.count() && bytes == ItemSize(item));
  std::string again;
  ValueWriter writer(again);
  writer.BeginItem();
  RewriteEntries(item.entries(), writer);
  CHECK(again == item.bytes());
}

}  // namespace
}  // namespace keyfold

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (keyfold::IsWellFormedValue(input)) keyfold::CheckValue(keyfold::ValueView(input));
  if (keyfold::IsWellFormedItem(input)) keyfold::CheckItem(keyfold::ItemView(input));
  return 0;
}

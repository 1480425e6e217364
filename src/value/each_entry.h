// A fast walk over an item's entries, for code that looks at every item a request touches.
#pragma once

#include <cstdint>

#include "value/item.h"

namespace keyfold {

// `take(entry)` for one entry after the other until it says false: as a loop over entries(), with short names and
// texts, which most are, read in line.
template <typename Take>
void EachEntry(ItemView item, Take&& take) {
  const std::string_view bytes = item.bytes();
  for (const char *p = bytes.data() + 8, *end = bytes.data() + bytes.size(); p != end;) {
    const auto name_bytes = static_cast<uint8_t>(*p);
    const char* value = p + 1 + name_bytes;
    const bool is_short =
        name_bytes < 0x80 && *value == static_cast<char>(Tag::kS) && static_cast<uint8_t>(value[1]) < 0x80;
    const Entry entry = is_short ? Entry{{p + 1, name_bytes}, ValueView({value, 2 + static_cast<size_t>(value[1])})}
                                 : *MapRange::Iterator(p);
    if (!take(entry)) return;
    p = entry.value.bytes().data() + entry.value.bytes().size();
  }
}

}  // namespace keyfold

#include "model/observe/name_table.h"

namespace keyfold::model {

NameId NameTable::Add(std::string_view name) {
  if (const NameId id = Find(name); id != kNoName) return id;
  names_.emplace_back(name);
  if (names_.size() * 2 <= places_.size()) {
    Put(static_cast<NameId>(names_.size() - 1));
  } else {
    places_.assign(places_.size() * 2, Place());
    mask_ = places_.size() - 1;
    for (NameId id = 0; id < names_.size(); ++id) Put(id);
  }
  return static_cast<NameId>(names_.size() - 1);
}

void NameTable::Put(NameId id) {
  const std::string_view name = names_[id];
  const Ends ends = EndsOf(name);
  size_t at = PlaceOf(ends, name.size());
  while (places_[at].id != kNoName) at = (at + 1) & mask_;
  places_[at] = {ends, static_cast<uint32_t>(name.size()), id};
}

}  // namespace keyfold::model

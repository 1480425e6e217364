#include "engine/items/capacity.h"

#include <algorithm>

#include "value/limits.h"
#include "value/units.h"

namespace keyfold::engine {
double ReadUnits(size_t bytes, ReadKind kind) {
  const double steps = UnitSteps(bytes, kReadUnitBytes);
  switch (kind) {
    case ReadKind::kEventual:
      return steps / 2;
    case ReadKind::kConsistent:
      return steps;
    case ReadKind::kTransactional:
      return steps * 2;
  }
  return steps;
}

double WriteUnits(size_t bytes_before, size_t bytes_after) {
  return UnitSteps(std::max(bytes_before, bytes_after), kWriteUnitBytes);
}

double IndexWriteUnits(const IndexRowChange& change) {
  if (!change.existed && !change.exists) return 0;
  if (change.existed && change.exists) {
    if (!change.same_key)
      return UnitSteps(change.bytes_before, kWriteUnitBytes) + UnitSteps(change.bytes_after, kWriteUnitBytes);
    if (change.same_content) return 0;
  }
  return WriteUnits(change.bytes_before, change.bytes_after);
}

void Consumed::AddIndex(store::IndexId index, double units) {
  for (OfIndex& i : indexes) {
    if (i.index == index) {
      i.units += units;
      return;
    }
  }
  indexes.push_back({index, units});
}

void Consumed::Add(const Consumed& other) {
  table += other.table;
  for (const OfIndex& i : other.indexes) AddIndex(i.index, i.units);
}

void Consumed::InTransaction() { table *= 2; }

double Consumed::Total() const {
  double total = table;
  for (const OfIndex& i : indexes) total += i.units;
  return total;
}

}  // namespace keyfold::engine

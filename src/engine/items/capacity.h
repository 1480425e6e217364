// Capacity units: what a read or write costs by DynamoDB's arithmetic. The only place that knows it.
#pragma once

#include <cstddef>
#include <vector>

#include "store/row_key.h"

namespace keyfold {

enum class ReadKind : unsigned char { kEventual, kConsistent, kTransactional };

// Of one item (a miss is 0 bytes and costs the minimum), or of the summed bytes of a page.
double ReadUnits(size_t bytes, ReadKind kind);
// Of one item, the larger of before and after; nothing at all still costs one unit.
double WriteUnits(size_t bytes_before, size_t bytes_after);

// What an index row costs: nothing when it stays as it is, one write where it stays in place, appears or goes, two
// where its key moves.
struct IndexRowChange {
  bool existed = false, exists = false;
  bool same_key = false, same_content = false;
  size_t bytes_before = 0, bytes_after = 0;
};
double IndexWriteUnits(const IndexRowChange& change);

// Units of one request on one table; indexes in the order they were met.
struct Consumed {
  double table = 0;
  struct OfIndex {
    IndexId index;
    double units;
  };
  std::vector<OfIndex> indexes;

  void AddIndex(IndexId index, double units);
  void Add(const Consumed& other);
  void InTransaction();  // the table's units double, an index's do not
  double Total() const;
};

}  // namespace keyfold

// Capacity units: the cost of reads and writes by DynamoDB's arithmetic, all in one place.
#pragma once

#include <cstddef>
#include <vector>

#include "store/row_key.h"

namespace keyfold::engine {

enum class ReadKind : unsigned char { kEventual, kConsistent, kTransactional };

// Cost of reading one item (a miss is 0 bytes and costs the minimum), or a page of `bytes` bytes in total.
double ReadUnits(size_t bytes, ReadKind kind);
// Cost of writing one item, by the larger of its sizes before and after. The minimum is one unit, even for no item.
double WriteUnits(size_t bytes_before, size_t bytes_after);

// Cost of an index row: zero if it does not change; one write if it changes in place, appears or disappears; two if its
// key changes.
struct IndexRowChange {
  bool existed = false, exists = false;
  bool same_key = false, same_content = false;
  size_t bytes_before = 0, bytes_after = 0;
};
double IndexWriteUnits(const IndexRowChange& change);

// Units of one request on one table; indexes in the order of first use.
struct Consumed {
  double table = 0;
  struct OfIndex {
    store::IndexId index;
    double units;
  };
  std::vector<OfIndex> indexes;

  void AddIndex(store::IndexId index, double units);
  void Add(const Consumed& other);
  void InTransaction();  // doubles the table's units, but not those of indexes
  double Total() const;
};

}  // namespace keyfold::engine

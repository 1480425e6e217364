// CSV, in only. Cells may stand between double quotes, and must where they have a quote, which is then doubled, the
// delimiter or a line end in them. Empty cells are attributes that are not there. A column is a string unless it is
// named as a key attribute, which it is then converted to.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "transfer/format/format.h"
#include "value/key_schema.h"

namespace keyfold {

// How many of `bytes`, which begin with a record, are whole records.
size_t WholeCsvRecords(std::string_view bytes, char delimiter, bool at_end);

// Of a header. What has more is refused before it is taken apart; an item has room for fewer.
inline constexpr size_t kCsvColumnsMax = 16'384;
inline constexpr size_t kCsvHeaderBytesMax = 1 << 20;

// The first record as names of columns, and how many bytes it takes.
Result<std::vector<std::string>> ReadCsvHeader(std::string_view start, char delimiter, size_t& bytes);
// Names that attributes may have, each once.
Status CheckCsvHeader(const std::vector<std::string>& header);

// One file's columns, and what becomes of them. Immutable; thread-safe.
class CsvColumns {
 public:
  CsvColumns(const std::vector<std::string>& header, const std::vector<KeyAttribute>& keys);
  void Parse(std::string_view block, char delimiter, RecordParser::OnItem on_item,
             RecordParser::OnFault on_fault) const;

 private:
  struct Column {
    std::string name;
    Type type;
    size_t place;  // in a record
  };
  class RecordReader;

  std::vector<Column> by_name_;  // ascending, as items are
};

}  // namespace keyfold

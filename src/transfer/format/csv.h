// CSV, for imports only. Cells may be in double quotes, and must be if they contain a quote (which is then doubled),
// the delimiter or a line end. An empty cell means that the attribute is absent. A column is a string unless it has the
// name of a key attribute, to whose type it is then converted.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "transfer/format/format.h"
#include "value/key_schema.h"

namespace keyfold::transfer {

// How many bytes of `bytes`, which begins with a record, are complete records.
size_t WholeCsvRecords(std::string_view bytes, char delimiter, bool at_end);

// Limits on a header. A longer one is refused before it is parsed; an item has room for fewer attributes.
inline constexpr size_t kCsvColumnsMax = 16'384;
inline constexpr size_t kCsvHeaderBytesMax = 1 << 20;

// Returns the first record as column names, and in `bytes` its length.
Result<std::vector<std::string>> ReadCsvHeader(std::string_view start, char delimiter, size_t& bytes);
// Checks that the names are valid attribute names and unique.
Status CheckCsvHeader(const std::vector<std::string>& header);

// The columns of one file and their types. Immutable; thread-safe.
class CsvColumns {
 public:
  CsvColumns(const std::vector<std::string>& header, const std::vector<KeyAttribute>& keys);
  void Parse(std::string_view block, char delimiter, RecordParser::OnItem on_item,
             RecordParser::OnFault on_fault) const;

 private:
  struct Column {
    std::string name;
    Type type;
    size_t place;  // index in a record
  };
  class RecordReader;

  std::vector<Column> by_name_;  // ascending, as in items
};

}  // namespace keyfold::transfer

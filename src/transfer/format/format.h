// The text formats of exports and imports: DynamoDB JSON and Amazon Ion both ways, CSV in only. Writing appends a line
// an item. Reading is in two steps, so that several threads can parse: a RecordCutter cuts a stream of bytes into
// blocks of whole records, a RecordParser turns a block into items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/function_ref.h"
#include "value/item.h"
#include "value/key_schema.h"

namespace keyfold {

enum class DataFormat : uint8_t { kDynamoDbJson, kIon, kCsv };

// Every item that DynamoDB holds fits a record of this length in every format; the longest are numbers that JSON writes
// with all their zeros.
inline constexpr size_t kTextRecordBytesMax = 32 << 20;

// {"Item":{…}}, or Ion's $ion_1_0 {Item:{…}}, as a full export has it, with its line end. Not CSV.
void AppendItemLine(DataFormat format, ItemView item, std::string& out);

// One key's change in an incremental export.
struct ChangeLine {
  Micros written = 0;  // of its last write in the period
  ItemView keys;
  std::optional<ItemView> before, after;  // OldImage and NewImage where the view shows them and they exist
};
void AppendChangeLine(DataFormat format, const ChangeLine& change, std::string& out);

struct CsvOptions {
  char delimiter = ',';
  std::vector<std::string> header;  // empty: the first record of each file has it
};

// One file's bytes, piece by piece. Immutable; thread-safe.
class RecordCutter {
 public:
  // `delimiter`: of CSV, since a line end counts as one only where no cell is open.
  RecordCutter(DataFormat format, char delimiter) : format_(format), delimiter_(delimiter) {}
  // How many of `bytes` are whole records. What is behind them is to be given again, first, with more after it; where
  // that comes to more than kTextRecordBytesMax it is no record of this format. At the end of the file everything
  // counts as whole.
  size_t WholeRecords(std::string_view bytes, bool at_end) const;

 private:
  const DataFormat format_;
  const char delimiter_;
};

// Immutable; thread-safe.
class RecordParser {
 public:
  // `keys`: attributes that a CSV column of that name is converted to the type of; the others are strings.
  RecordParser(DataFormat format, CsvOptions csv, std::vector<KeyAttribute> keys);

  using OnItem = FunctionRef<void(ItemView item)>;
  // A record that is no item: why. It is skipped.
  using OnFault = FunctionRef<void(const Error& error)>;
  // `block`: whole records. `header`: of the file, by FileHeader. Records are what DynamoDB would accept as an item:
  // values, nesting, names; keys and sizes are for the caller to check. An item lives until on_item returns.
  void Parse(std::string_view block, const std::vector<std::string>& header, OnItem on_item, OnFault on_fault) const;

  using OnChange = FunctionRef<void(const ChangeLine& change)>;
  // The same of an incremental export's records, as AppendChangeLine writes them. Not CSV.
  void ParseChanges(std::string_view block, OnChange on_change, OnFault on_fault) const;

  // What stands before the first record of a file, and how many bytes that takes: for CSV its columns, for all formats
  // the mark of UTF-8, if any. `start` has the first record whole. An error: nothing of the file can be read.
  Result<std::vector<std::string>> FileHeader(std::string_view start, size_t& bytes) const;

 private:
  const DataFormat format_;
  const CsvOptions csv_;
  const std::vector<KeyAttribute> keys_;
};

}  // namespace keyfold

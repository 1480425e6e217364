// The text formats of exports and imports: DynamoDB JSON and Amazon Ion in both directions, CSV for imports only.
// Writing appends one line per item. Reading has two steps, so that several threads can parse: a RecordCutter divides a
// stream of bytes into blocks of complete records, and a RecordParser turns a block into items.
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

namespace keyfold::transfer {

enum class DataFormat : uint8_t { kDynamoDbJson, kIon, kCsv };

// Every item that DynamoDB can hold fits in a record of this length in every format; the longest are numbers that JSON
// writes with all their zeros.
inline constexpr size_t kTextRecordBytesMax = 32 << 20;

// Appends {"Item":{…}}, or Ion's $ion_1_0 {Item:{…}}, as in a full export, with a line end. Not CSV.
void AppendItemLine(DataFormat format, ItemView item, std::string& out);

// One key's change in an incremental export.
struct ChangeLine {
  Micros written = 0;  // time of its last write in the period
  ItemView keys;
  std::optional<ItemView> before, after;  // OldImage and NewImage, if the view includes them and they exist
};
void AppendChangeLine(DataFormat format, const ChangeLine& change, std::string& out);

struct CsvOptions {
  char delimiter = ',';
  std::vector<std::string> header;  // if empty, the first record of each file is the header
};

// Finds record boundaries in the bytes of a file. Immutable; thread-safe.
class RecordCutter {
 public:
  // `delimiter`: CSV's; needed because a line end in a quoted cell does not end the record.
  RecordCutter(DataFormat format, char delimiter) : format_(format), delimiter_(delimiter) {}
  // Returns how many bytes of `bytes` are complete records. The caller passes the rest again, followed by more bytes;
  // if the rest exceeds kTextRecordBytesMax, it is not a record of this format. At the end of the file everything
  // counts as complete.
  size_t WholeRecords(std::string_view bytes, bool at_end) const;

 private:
  const DataFormat format_;
  const char delimiter_;
};

// Immutable; thread-safe.
class RecordParser {
 public:
  // `keys`: a CSV column with the name of one of them is converted to its type; the others are strings.
  RecordParser(DataFormat format, CsvOptions csv, std::vector<KeyAttribute> keys);

  using OnItem = FunctionRef<void(ItemView item)>;
  // Called with the reason for a record that is not an item. The record is skipped.
  using OnFault = FunctionRef<void(const Error& error)>;
  // `block` holds complete records; `header` comes from FileHeader. A record must be what DynamoDB accepts as an item
  // in its values, nesting and names; the caller checks keys and sizes. An item is valid until on_item returns.
  void Parse(std::string_view block, const std::vector<std::string>& header, OnItem on_item, OnFault on_fault) const;

  using OnChange = FunctionRef<void(const ChangeLine& change)>;
  // As Parse, for the records of an incremental export, as AppendChangeLine writes them. Not CSV.
  void ParseChanges(std::string_view block, OnChange on_change, OnFault on_fault) const;

  // Reads what precedes the first record of a file and how many bytes that takes: the columns of CSV, and in all
  // formats the UTF-8 byte order mark, if any. `start` must contain the complete first record. An error means that
  // nothing in the file can be read.
  Result<std::vector<std::string>> FileHeader(std::string_view start, size_t& bytes) const;

 private:
  const DataFormat format_;
  const CsvOptions csv_;
  const std::vector<KeyAttribute> keys_;
};

}  // namespace keyfold::transfer

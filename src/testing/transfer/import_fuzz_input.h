// What must hold for every file of every format: its items are well-formed, and its items and faults are the same
// wherever the file is cut.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/check.h"
#include "transfer/format/format.h"

namespace keyfold::transfer {

struct Imported {
  std::vector<std::string> items;  // their bytes
  size_t faults = 0;
  bool operator==(const Imported&) const = default;
};

inline void ImportBlock(const RecordParser& parser, std::string_view block, const std::vector<std::string>& header,
                        Imported& imported) {
  parser.Parse(
      block, header,
      [&](ItemView item) {
        CHECK(IsWellFormedItem(item.bytes()));
        imported.items.emplace_back(item.bytes());
      },
      [&](const Error& error) { imported.faults += !error.message().empty(); });
}

// Parses the file in one block and in two, cut at a position that its bytes select.
inline Imported ImportTwice(const RecordParser& parser, const RecordCutter& cutter, std::string_view text) {
  Imported whole, parts;
  size_t header_bytes = 0;
  const auto header = parser.FileHeader(text, header_bytes);
  if (!header.ok()) return whole;
  CHECK(header_bytes <= text.size());
  text.remove_prefix(header_bytes);
  ImportBlock(parser, text, *header, whole);

  size_t cut = 0;
  for (const char c : text) cut = cut * 31 + static_cast<uint8_t>(c);
  const std::string_view first = text.substr(0, text.empty() ? 0 : cut % (text.size() + 1));
  const size_t bytes = cutter.WholeRecords(first, false);
  CHECK(bytes <= first.size());
  ImportBlock(parser, text.substr(0, bytes), *header, parts);
  ImportBlock(parser, text.substr(bytes), *header, parts);
  CHECK(parts == whole);
  return whole;
}

// Items printed in either format and read again must be the same.
inline void CheckLines(const Imported& imported) {
  for (const DataFormat format : {DataFormat::kDynamoDbJson, DataFormat::kIon}) {
    std::string lines;
    for (const std::string& item : imported.items) AppendItemLine(format, ItemView(item), lines);
    Imported again;
    ImportBlock(RecordParser(format, {}, {}), lines, {}, again);
    CHECK(again.faults == 0);
    CHECK(again.items == imported.items);
  }
}

inline std::vector<std::string> ChangesIn(const RecordParser& parser, std::string_view block) {
  std::vector<std::string> changes;
  const auto add = [&](const ChangeLine& change) {
    CHECK(IsWellFormedItem(change.keys.bytes()));
    for (const auto& image : {change.before, change.after}) CHECK(!image || IsWellFormedItem(image->bytes()));
    // Always in Ion, so that changes read from both formats can be compared.
    AppendChangeLine(DataFormat::kIon, change, changes.emplace_back());
  };
  parser.ParseChanges(block, add, [](const Error& error) { CHECK(!error.message().empty()); });
  return changes;
}

// Parses the text as changes: printed and read again, they must be the same.
inline void CheckChanges(const RecordParser& parser, std::string_view text) {
  const std::vector<std::string> changes = ChangesIn(parser, text);
  for (const std::string& line : changes) {
    CHECK(ChangesIn(RecordParser(DataFormat::kIon, {}, {}), line) == std::vector<std::string>{line});
  }
}

}  // namespace keyfold::transfer

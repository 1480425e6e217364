#include "transfer/format/format.h"

#include <utility>

#include "base/check.h"
#include "base/text/utf8.h"
#include "transfer/format/csv.h"
#include "transfer/format/ion_reader.h"
#include "transfer/format/ion_syntax.h"
#include "transfer/format/ion_writer.h"
#include "transfer/format/json_lines.h"

namespace keyfold::transfer {
namespace {

constexpr Rule<"The file is binary Ion; only Ion text can be imported"> kBinaryIon{"ion-binary", Kind::kValidation};
constexpr Rule<"The Ion record is not UTF-8"> kIonNotUtf8{"ion-utf8", Kind::kValidation};

constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
constexpr std::string_view kBinaryIonMark("\xE0\x01\x00\xEA", 4);

size_t WholeIonRecords(std::string_view bytes, bool at_end) {
  size_t whole = 0;
  while (ion::FindRecord(bytes, at_end, whole) == ion::Place::kRecord) {
    const std::optional<size_t> end = ion::RecordEnd(bytes, at_end, whole);
    if (!end.has_value()) break;
    whole = *end;
  }
  return whole;
}

// `read` parses a record of the reader's text at `at`, and advances `at` past it.
template <typename Read, typename OnRecord>
void ParseIonRecords(std::string_view block, Read read, OnRecord on_record, RecordParser::OnFault on_fault) {
  const bool utf8 = IsUtf8(block);
  IonReader reader(block);
  size_t at = 0;
  while (ion::FindRecord(block, true, at) == ion::Place::kRecord) {
    const size_t start = at;
    auto record = read(reader, at);
    if (!record.ok()) at = *ion::RecordEnd(block, true, start);
    if (!utf8 && !IsUtf8(block.substr(start, at - start))) {
      on_fault(kIonNotUtf8());
    } else {
      record.ok() ? on_record(*record) : on_fault(record.error());
    }
  }
}

}  // namespace

void AppendItemLine(DataFormat format, ItemView item, std::string& out) {
  CHECK(format != DataFormat::kCsv);
  format == DataFormat::kIon ? AppendIonItemLine(out, item) : AppendJsonItemLine(out, item);
}

void AppendChangeLine(DataFormat format, const ChangeLine& change, std::string& out) {
  CHECK(format != DataFormat::kCsv);
  format == DataFormat::kIon ? AppendIonChangeLine(out, change) : AppendJsonChangeLine(out, change);
}

size_t RecordCutter::WholeRecords(std::string_view bytes, bool at_end) const {
  if (at_end) return bytes.size();
  switch (format_) {
    case DataFormat::kDynamoDbJson:
      return bytes.rfind('\n') + 1;  // 0 if there is none
    case DataFormat::kIon:
      return WholeIonRecords(bytes, at_end);
    case DataFormat::kCsv:
      return WholeCsvRecords(bytes, delimiter_, at_end);
  }
  CHECK(false);
  return 0;
}

RecordParser::RecordParser(DataFormat format, CsvOptions csv, std::vector<KeyAttribute> keys)
    : format_(format), csv_(std::move(csv)), keys_(std::move(keys)) {}

void RecordParser::Parse(std::string_view block, const std::vector<std::string>& header, OnItem on_item,
                         OnFault on_fault) const {
  switch (format_) {
    case DataFormat::kDynamoDbJson:
      return ParseJsonLines(block, on_item, on_fault);
    case DataFormat::kIon:
      return ParseIonRecords(
          block, [](IonReader& reader, size_t& at) { return reader.ReadRecord(at); }, on_item, on_fault);
    case DataFormat::kCsv:
      return CsvColumns(header, keys_).Parse(block, csv_.delimiter, on_item, on_fault);
  }
}

void RecordParser::ParseChanges(std::string_view block, OnChange on_change, OnFault on_fault) const {
  CHECK(format_ != DataFormat::kCsv);
  if (format_ == DataFormat::kDynamoDbJson) return ParseJsonChanges(block, on_change, on_fault);
  ParseIonRecords(
      block, [](IonReader& reader, size_t& at) { return reader.ReadChange(at); }, on_change, on_fault);
}

Result<std::vector<std::string>> RecordParser::FileHeader(std::string_view start, size_t& bytes) const {
  bytes = start.substr(0, kUtf8Mark.size()) == kUtf8Mark ? kUtf8Mark.size() : 0;
  std::vector<std::string> header;
  if (format_ == DataFormat::kIon && start.substr(0, kBinaryIonMark.size()) == kBinaryIonMark) return kBinaryIon();
  if (format_ != DataFormat::kCsv || start.empty()) return header;
  if (!csv_.header.empty()) {
    RETURN_IF_ERROR(CheckCsvHeader(csv_.header));
    return csv_.header;
  }
  size_t header_bytes = 0;
  ASSIGN_OR_RETURN(header, ReadCsvHeader(start.substr(bytes), csv_.delimiter, header_bytes));
  bytes += header_bytes;
  return header;
}

}  // namespace keyfold::transfer

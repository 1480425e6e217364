#include "transfer/format/csv.h"

#include <algorithm>
#include <set>

#include "base/text/base64.h"
#include "base/text/scan.h"
#include "base/text/utf8.h"
#include "value/limits.h"
#include "value/number.h"

namespace keyfold::transfer {
namespace {

constexpr Kind kValidation = Kind::kValidation;
constexpr Rule<"A double quote in the CSV record is not escaped"> kStrayQuote{"csv-quote", kValidation};
constexpr Rule<"The CSV record has {} columns, and its header {}"> kColumnCount{"csv-columns", kValidation};
constexpr Rule<"The CSV record is not UTF-8"> kCsvNotUtf8{"csv-utf8", kValidation};
constexpr Rule<"The column {} of the CSV record is not base64"> kNotBase64{"csv-base64", kValidation};
constexpr Rule<"The CSV header has an empty name"> kEmptyColumnName{"csv-header-empty", kValidation};
constexpr Rule<"The CSV header has a name of more than 65535 bytes"> kLongColumnName{"csv-header-long", kValidation};
constexpr Rule<"The CSV header has more than {} columns"> kTooManyColumns{"csv-header-columns", kValidation};
constexpr Rule<"The CSV header is longer than {} bytes"> kHeaderTooLong{"csv-header-bytes", kValidation};
constexpr Rule<"The CSV header has the name {} twice"> kRepeatedName{"csv-header-repeated", kValidation};
constexpr Rule<"The CSV header is not UTF-8"> kHeaderNotUtf8{"csv-header-utf8", kValidation};

struct Cell {
  std::string_view text;  // without the enclosing quotes
  bool quoted = false;
  bool doubled = false;  // has "" for "
  bool stray = false;    // has a quote where none is allowed
};

enum class End : uint8_t { kCell, kRecord, kCut };

// Divides text into cells. Borrows the text. Used by one thread at a time.
class Scanner {
 public:
  Scanner(std::string_view text, char delimiter, bool at_end) : text_(text), delimiter_(delimiter), at_end_(at_end) {}

  size_t at() const { return at_; }
  bool done() const { return at_ == text_.size(); }

  // Reads the cell that begins here and returns what ends it: the delimiter, the end of its record or of the file, or
  // the end of the text if more may come.
  End Next(Cell& cell) {
    cell = {};
    if (at_ < text_.size() && text_[at_] == '"') return Quoted(cell);
    const size_t start = at_;
    const End end = Rest(cell);
    cell.text = text_.substr(start, end_ - start);
    return end;
  }

 private:
  End Quoted(Cell& cell) {
    const size_t start = at_ + 1;
    size_t quote = start;
    for (;; quote += 2) {
      quote = text_.find('"', quote);
      if (quote == std::string_view::npos) return Unclosed(cell);
      if (quote + 1 == text_.size() && !at_end_) return Cut();
      if (quote + 1 == text_.size() || text_[quote + 1] != '"') break;
      cell.doubled = true;
    }
    cell.quoted = true;
    cell.text = text_.substr(start, quote - start);
    at_ = quote + 1;
    const End end = Rest(cell);
    cell.stray |= end_ != quote + 1;
    return end;
  }

  // Reads up to the next delimiter or line end; quotes have no meaning here.
  End Rest(Cell& cell) {
    const size_t start = at_;
    at_ += FirstWhere(text_.substr(at_),
                      [this](auto b) { return (b == static_cast<uint8_t>(delimiter_)) | (b == uint8_t{'\n'}); });
    end_ = at_;
    if (at_ == text_.size() && !at_end_) return Cut();
    const bool cell_end = at_ < text_.size() && text_[at_] == delimiter_;
    if (!cell_end && end_ > start && text_[end_ - 1] == '\r') --end_;
    cell.stray |= text_.substr(start, end_ - start).find('"') != std::string_view::npos;
    if (at_ < text_.size()) ++at_;
    return cell_end ? End::kCell : End::kRecord;
  }

  End Unclosed(Cell& cell) {
    if (!at_end_) return Cut();
    cell.stray = true;
    at_ = text_.size();
    return End::kRecord;
  }
  End Cut() {
    at_ = text_.size();
    return End::kCut;
  }

  const std::string_view text_;
  const char delimiter_;
  const bool at_end_;
  size_t at_ = 0;
  size_t end_ = 0;  // end of the cell's text, before a line end's '\r'
};

void AppendUndoubled(std::string& out, std::string_view text) {
  for (;;) {
    const size_t quote = text.find('"');
    out.append(text.substr(0, quote + (quote != std::string_view::npos)));
    if (quote == std::string_view::npos) return;
    text.remove_prefix(quote + 2);
  }
}

bool IsBlankLine(const std::vector<Cell>& cells) {
  return cells.size() == 1 && cells[0].text.empty() && !cells[0].quoted && !cells[0].stray;
}

// Reads up to `cells_max` cells of the next record, and returns how many it has.
size_t NextRecord(Scanner& scanner, size_t cells_max, std::vector<Cell>& cells) {
  cells.clear();
  Cell cell;
  for (size_t count = 1;; ++count) {
    const End end = scanner.Next(cell);
    if (count <= cells_max) cells.push_back(cell);
    if (end != End::kCell) return count;
  }
}

}  // namespace

size_t WholeCsvRecords(std::string_view bytes, char delimiter, bool at_end) {
  if (at_end) return bytes.size();
  // Without quotes, every line end ends a record.
  if (bytes.find('"') == std::string_view::npos) return bytes.rfind('\n') + 1;
  Scanner scanner(bytes, delimiter, false);
  Cell cell;
  for (size_t whole = 0;;) {
    const End end = scanner.Next(cell);
    if (end == End::kCut) return whole;
    if (end == End::kRecord) whole = scanner.at();
  }
}

Status CheckCsvHeader(const std::vector<std::string>& header) {
  std::set<std::string_view> seen;
  for (const std::string& name : header) {
    if (name.empty()) return kEmptyColumnName();
    if (name.size() > kAttributeNameBytesMax) return kLongColumnName();
    if (!IsUtf8(name)) return kHeaderNotUtf8();
    if (!seen.insert(name).second) return kRepeatedName(name);
  }
  return Ok();
}

Result<std::vector<std::string>> ReadCsvHeader(std::string_view start, char delimiter, size_t& bytes) {
  Scanner scanner(start, delimiter, true);
  std::vector<Cell> cells;
  const size_t columns = NextRecord(scanner, kCsvColumnsMax, cells);
  bytes = scanner.at();
  if (columns > kCsvColumnsMax) return kTooManyColumns(kCsvColumnsMax);
  if (bytes > kCsvHeaderBytesMax) return kHeaderTooLong(kCsvHeaderBytesMax);
  std::vector<std::string> header;
  for (const Cell& cell : cells) {
    if (cell.stray) return kStrayQuote();
    AppendUndoubled(header.emplace_back(), cell.text);
  }
  RETURN_IF_ERROR(CheckCsvHeader(header));
  return header;
}

CsvColumns::CsvColumns(const std::vector<std::string>& header, const std::vector<KeyAttribute>& keys) {
  for (size_t place = 0; place < header.size(); ++place) {
    const auto key = std::find_if(keys.begin(), keys.end(), [&](const auto& k) { return k.name == header[place]; });
    by_name_.push_back({header[place], key == keys.end() ? Type::kS : key->type, place});
  }
  std::sort(by_name_.begin(), by_name_.end(), [](const Column& a, const Column& b) { return a.name < b.name; });
}

// Reuses its buffers from record to record. Used by one thread at a time.
class CsvColumns::RecordReader {
 public:
  explicit RecordReader(const std::vector<Column>& by_name) : by_name_(by_name) {}

  // The item is valid until the next call.
  Result<ItemView> Read(const std::vector<Cell>& cells, size_t count) {
    if (count != by_name_.size()) return kColumnCount(count, by_name_.size());
    out_.clear();
    ValueWriter writer(out_);
    writer.BeginItem();
    for (const Column& column : by_name_) {
      const Cell& cell = cells[column.place];
      if (cell.stray) return kStrayQuote();
      if (cell.text.empty()) continue;
      writer.Name(column.name);
      RETURN_IF_ERROR(Write(writer, column, Text(cell)));
    }
    writer.EndMap();
    return ItemView(out_);
  }

 private:
  std::string_view Text(const Cell& cell) {
    if (!cell.doubled) return cell.text;
    text_.clear();
    AppendUndoubled(text_, cell.text);
    return text_;
  }

  Status Write(ValueWriter& writer, const Column& column, std::string_view text) {
    bytes_.clear();
    switch (column.type) {
      case Type::kN: {
        ASSIGN_OR_RETURN(const Number number, Number::Parse(text));
        number.EncodeTo(bytes_);
        writer.EncodedNumber(bytes_);
        return Ok();
      }
      case Type::kB:
        if (!AppendFromBase64(bytes_, text)) return kNotBase64(column.name);
        writer.Binary(bytes_);
        return Ok();
      default:
        writer.String(text);
        return Ok();
    }
  }

  const std::vector<Column>& by_name_;
  std::string out_, text_, bytes_;
};

void CsvColumns::Parse(std::string_view block, char delimiter, RecordParser::OnItem on_item,
                       RecordParser::OnFault on_fault) const {
  const bool utf8 = IsUtf8(block);
  Scanner scanner(block, delimiter, true);
  RecordReader reader(by_name_);
  std::vector<Cell> cells;
  while (!scanner.done()) {
    const size_t start = scanner.at();
    const size_t count = NextRecord(scanner, std::max<size_t>(by_name_.size(), 1), cells);
    if (count == 1 && IsBlankLine(cells)) continue;
    if (!utf8 && !IsUtf8(block.substr(start, scanner.at() - start))) {
      on_fault(kCsvNotUtf8());
      continue;
    }
    Result<ItemView> item = reader.Read(cells, count);
    item.ok() ? on_item(*item) : on_fault(item.error());
  }
}

}  // namespace keyfold::transfer

// Records are sorted by the key of their row, then from newest to oldest, by write time and position: the first record
// of a key is the one that counts. Row keys are prefix-free, so the rest can follow them directly:
//
//   place | ~u64 time of the write, 0 for an item | ~u32 block | ~u32 record in the block
//
// The value is the item, or empty if it was deleted.
#include "transfer/import/import_rows.h"

#include <thread>
#include <utility>

#include "base/bytes.h"
#include "engine/items/key.h"
#include "files/sorter.h"
#include "transfer/import/import_blocks.h"
#include "transfer/import/import_reader.h"
#include "value/item_limit.h"

namespace keyfold::transfer {
namespace {

constexpr Rule<"The keys of the change differ from those of its new image"> kOtherKeys{"import-change-keys",
                                                                                       Kind::kValidation};

constexpr size_t kParsers = 2;
constexpr size_t kBlockBytesWaitingMax = 4 * kImportBlockBytes;
constexpr size_t kSortBytes = 40 << 20;  // per parser
constexpr size_t kAgeBytes = 16, kTimeBytes = 8;

CsvOptions CsvOptionsOf(const ImportOrder& order) {
  CsvOptions options;
  if (!order.csv) return options;
  if (order.csv->delimiter) options.delimiter = order.csv->delimiter->front();
  if (order.csv->header) options.header = *order.csv->header;
  return options;
}

ImportSyntax SyntaxOf(const ImportOrder& order, const engine::Table& table) {
  const CsvOptions csv = CsvOptionsOf(order);
  return {order.compression, RecordCutter(order.format, csv.delimiter),
          RecordParser(order.format, csv, table.attributes)};
}

// Turns blocks into rows. Used by one thread at a time; the constructor's arguments must outlive it.
class RowMaker {
 public:
  RowMaker(const engine::Table& table, const RecordParser& parser, ImportLedger& ledger, files::Sorter& sorter)
      : table_(table), parser_(parser), ledger_(ledger), sorter_(sorter) {}

  Status Run(ImportBlocks& blocks, const std::vector<SourceFile>& files) {
    while (std::optional<SourceBlock> block = blocks.Take()) {
      if (!ledger_.IsOver(block->number)) RETURN_IF_ERROR(Make(*block, files[block->file].changes));
      blocks.PutBuffer(std::move(block->buffer));
    }
    return Ok();
  }

 private:
  Status Make(const SourceBlock& block, bool changes) {
    BlockOutcome outcome;
    Status sorted;
    uint32_t record = 0;
    const auto on_fault = [&](const Error& error) {
      if (outcome.ends_file()) return;
      outcome.AddRecord();
      outcome.AddFault(error.message(), /*ends_file=*/true);
    };
    const auto add = [&](Micros written, ItemView keys, std::string_view value, const Status& fits) {
      if (outcome.ends_file() || !sorted.ok()) return;
      outcome.AddRecord();
      if (!fits.ok()) return outcome.AddFault(fits.message(), /*ends_file=*/false);
      sorted = Add(keys, written, block.number, record++, value);
    };
    const auto on_item = [&](ItemView item) { add(0, item, item.bytes(), Fits(item)); };
    const auto on_change = [&](const ChangeLine& change) {
      const std::string_view value = change.after ? change.after->bytes() : std::string_view();
      add(change.written, change.keys, value, Fits(change));
    };
    changes ? parser_.ParseChanges(block.content(), on_change, on_fault)
            : parser_.Parse(block.content(), *block.header, on_item, on_fault);
    ledger_.End(block.number, std::move(outcome));
    return sorted;
  }

  Status Fits(ItemView item) const {
    if (ExceedsItemLimit(item)) return kItemSize();
    RETURN_IF_ERROR(engine::ItemFitsTable(table_, item));
    return engine::ItemFitsIndexes(table_, item);
  }
  Status Fits(const ChangeLine& change) const {
    RETURN_IF_ERROR(engine::KeyFitsTable(table_, change.keys));
    if (!change.after) return Ok();
    RETURN_IF_ERROR(Fits(*change.after));
    if (engine::RowKeyOf(table_, change.keys) != engine::RowKeyOf(table_, *change.after)) return kOtherKeys();
    return Ok();
  }

  Status Add(ItemView keys, Micros written, uint32_t block, uint32_t record, std::string_view value) {
    const store::RowKey row = engine::RowKeyOf(table_, keys);
    key_.assign(row.bytes(), store::RowKey::kTableIdBytes);
    AppendU64(key_, ~static_cast<uint64_t>(written));
    AppendU32(key_, ~block);
    AppendU32(key_, ~record);
    return sorter_.Add(key_, value);
  }

  const engine::Table& table_;
  const RecordParser& parser_;
  ImportLedger& ledger_;
  files::Sorter& sorter_;
  std::string key_;
};

}  // namespace

Result<std::unique_ptr<ImportRows>> ImportRows::Read(Bucket& bucket, const std::vector<SourceFile>& files,
                                                     const ImportOrder& order, const engine::Table& table,
                                                     const files::Folder& scratch, FunctionRef<bool()> stop,
                                                     engine::Job& job) {
  uint64_t bytes = 0;
  for (const SourceFile& file : files) bytes += file.bytes;
  job.Begin("reading", engine::JobUnit::kBytes, bytes);
  const ImportSyntax syntax = SyntaxOf(order, table);
  ImportBlocks blocks(kBlockBytesWaitingMax, kImportBlockBytes);
  ImportLedger ledger;
  files::Sorter sorters[kParsers] = {{scratch, "rows-0", kSortBytes}, {scratch, "rows-1", kSortBytes}};
  Status made[kParsers];
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kParsers; ++i) {
    threads.emplace_back([&, i] {
      made[i] = RowMaker(table, syntax.parser, ledger, sorters[i]).Run(blocks, files);
      if (!made[i].ok()) blocks.Close();
    });
  }
  Status read = ImportReader(bucket, syntax, blocks, ledger, job).Read(files, stop);
  blocks.Close();
  for (std::thread& thread : threads) thread.join();
  RETURN_IF_ERROR(std::move(read));
  for (Status& status : made) RETURN_IF_ERROR(std::move(status));

  std::vector<Input> inputs;
  for (files::Sorter& sorter : sorters) {
    ASSIGN_OR_RETURN(inputs.emplace_back().source, sorter.Finish());
  }
  std::unique_ptr<ImportRows> rows(new ImportRows(std::move(inputs), ledger.MakeSum(files)));
  for (Input& input : rows->inputs_) RETURN_IF_ERROR(rows->Advance(input));
  return rows;
}

Status ImportRows::Advance(Input& input) {
  ASSIGN_OR_RETURN(input.live, input.source->Next(input.key, input.value));
  return Ok();
}

bool ImportRows::IsDropped(std::string_view key) const {
  return sum_.dropped[~LoadU32(key.data() + key.size() - kAgeBytes + kTimeBytes)];
}

Result<bool> ImportRows::Next(std::string_view& place, ItemView& item) {
  for (;;) {
    if (shown_) RETURN_IF_ERROR(Advance(*shown_));
    shown_ = nullptr;
    for (Input& input : inputs_) {
      if (input.live && (!shown_ || input.key < shown_->key)) shown_ = &input;
    }
    if (!shown_) return false;
    const std::string_view key = shown_->key.substr(0, shown_->key.size() - kAgeBytes);
    if (key == place_ || IsDropped(shown_->key)) continue;
    place_ = key;
    if (shown_->value.empty()) continue;
    place = place_;
    item = ItemView(shown_->value);
    return true;
  }
}

}  // namespace keyfold::transfer

// The format; integers are big-endian:
//   file    "KFREC001", blocks, footer
//   block   u32 length of the records | u32 CRC-32C of (u64 number of the block from 0, u32 length, records) | records
//   record  varint length of the key | varint length of the value | key | value
//   footer  u32 0 | u64 blocks | u64 records | u64 bytes of the file | u32 CRC-32C of (the file's first eight bytes,
//           the checksum of each block, the footer up to here)
// A block is never empty, so a length of 0 starts the footer. The checksum of a block includes its number, so that no
// block can pass for another of the same file.
#include "files/record_file.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/bytes.h"
#include "base/check.h"
#include "base/checksum.h"

namespace keyfold::files {
namespace {

constexpr std::string_view kMagic = "KFREC001";
constexpr size_t kBlockHeaderBytes = 8, kFooterBytes = 32, kRecordHeaderBytesMax = 10;
constexpr size_t kBlockRecordsMax = kRecordBytesMax + kRecordHeaderBytesMax;
static_assert(kBlockRecordsMax <= UINT32_MAX && kBlockHeaderBytes == kMagic.size());

constexpr Rule<"{} is damaged: it is not a record file"> kForeign{"damaged-start", Kind::kInternal};
constexpr Rule<"{} is damaged: it is truncated"> kShort{"damaged-short", Kind::kInternal};
constexpr Rule<"{} is damaged: block {} does not match its checksum"> kBlockDamaged{"damaged-block", Kind::kInternal};
constexpr Rule<"{} is damaged: block {} does not consist of records"> kRecordDamaged{"damaged-record", Kind::kInternal};
constexpr Rule<"{} is damaged: its footer does not match its content"> kFooterDamaged{"damaged-footer",
                                                                                      Kind::kInternal};
constexpr Rule<"{} is damaged: there are extra bytes after its end"> kLong{"damaged-long", Kind::kInternal};
constexpr Rule<"{} is damaged: it is complete, but not the file that was written under this name"> kOther{
    "damaged-other", Kind::kInternal};

uint32_t BlockChecksum(uint64_t number, std::string_view records) {
  std::string place;
  AppendU64(place, number);
  AppendU32(place, static_cast<uint32_t>(records.size()));
  return Crc32c(records, Crc32c(place));
}

uint32_t Chained(uint32_t chain, uint32_t block_checksum) {
  char bytes[4];
  StoreU32(bytes, block_checksum);
  return Crc32c({bytes, sizeof bytes}, chain);
}

// The footer without its checksum.
std::string FooterOf(uint64_t blocks, uint64_t records, uint64_t bytes) {
  std::string footer;
  footer.reserve(kFooterBytes);
  AppendU32(footer, 0);
  AppendU64(footer, blocks);
  AppendU64(footer, records);
  AppendU64(footer, bytes);
  return footer;
}

}  // namespace

struct RecordFileWriter::Rep {
  Rep(File opened, std::string_view name, size_t bytes) : file(std::move(opened)), block_bytes(bytes) {
    summary.name = name;
    block.reserve(kBlockHeaderBytes + block_bytes);
    block.assign(kBlockHeaderBytes, '\0');
  }

  size_t pending() const { return block.size() - kBlockHeaderBytes; }
  Status Flush();

  File file;
  const size_t block_bytes;
  std::string block;          // space for its header, then records
  RecordFileSummary summary;  // `bytes` counts what was written so far
  uint64_t blocks = 0;
  uint32_t chain = Crc32c(kMagic);
};

Status RecordFileWriter::Rep::Flush() {
  if (pending() == 0) return Ok();
  const std::string_view records = std::string_view(block).substr(kBlockHeaderBytes);
  const uint32_t checksum = BlockChecksum(blocks, records);
  StoreU32(block.data(), static_cast<uint32_t>(records.size()));
  StoreU32(block.data() + 4, checksum);
  RETURN_IF_ERROR(file.Write(block));
  summary.bytes += block.size();
  chain = Chained(chain, checksum);
  ++blocks;
  block.resize(kBlockHeaderBytes);
  return Ok();
}

RecordFileWriter::RecordFileWriter(std::unique_ptr<Rep> rep) : rep_(std::move(rep)) {}
RecordFileWriter::~RecordFileWriter() = default;

Result<std::unique_ptr<RecordFileWriter>> RecordFileWriter::Create(const Folder& folder, std::string_view name,
                                                                   size_t block_bytes) {
  ASSIGN_OR_RETURN(File file, folder.CreateNew(name));
  RETURN_IF_ERROR(file.Write(kMagic));
  auto rep = std::make_unique<Rep>(std::move(file), name, block_bytes);
  rep->summary.bytes = kMagic.size();
  return std::unique_ptr<RecordFileWriter>(new RecordFileWriter(std::move(rep)));
}

Status RecordFileWriter::Add(std::string_view key, std::string_view value) {
  const size_t bytes = key.size() + value.size();
  CHECK(bytes <= kRecordBytesMax);
  std::string& block = rep_->block;
  if (rep_->pending() + kRecordHeaderBytesMax + bytes > rep_->block_bytes) RETURN_IF_ERROR(rep_->Flush());
  AppendVarint(block, key.size());
  AppendVarint(block, value.size());
  block.append(key).append(value);
  ++rep_->summary.records;
  return Ok();
}

uint64_t RecordFileWriter::bytes() const {
  return rep_->summary.bytes + (rep_->pending() > 0 ? rep_->block.size() : 0);
}

Result<RecordFileSummary> RecordFileWriter::Finish(bool durable) {
  RETURN_IF_ERROR(rep_->Flush());
  RecordFileSummary& summary = rep_->summary;
  summary.bytes += kFooterBytes;
  std::string footer = FooterOf(rep_->blocks, summary.records, summary.bytes);
  summary.checksum = Crc32c(footer, rep_->chain);
  AppendU32(footer, summary.checksum);
  RETURN_IF_ERROR(rep_->file.Write(footer));
  if (durable) RETURN_IF_ERROR(rep_->file.Sync());
  return summary;
}

struct RecordFileReader::Rep {
  Rep(File opened, std::string_view name, uint64_t bytes, size_t buffer_bytes)
      : file(std::move(opened)),
        file_bytes(bytes),
        capacity(std::max<uint64_t>(std::min<uint64_t>(bytes, buffer_bytes), kBlockHeaderBytes + kFooterBytes)),
        buffer(new char[capacity]),
        begin(buffer.get()),
        end(begin) {
    summary.name = name;
  }

  size_t ready() const { return static_cast<size_t>(end - begin); }
  Result<bool> Fill(size_t wanted);
  Status Take(size_t bytes);
  Status ReadStart();
  Result<bool> NextBlock();
  Status ReadFooter();

  File file;
  const uint64_t file_bytes;  // size when it was opened
  size_t capacity;
  std::unique_ptr<char[]> buffer;
  char* begin;                // start of the unused bytes in the buffer; the current block is before it
  char* end;                  // end of the bytes in the buffer
  std::string_view records;   // the rest of the current block
  RecordFileSummary summary;  // `bytes` counts what was used so far
  uint64_t blocks = 0;
  uint32_t chain = Crc32c(kMagic);
  bool at_end = false;
  Status failure;  // returned by every further Next()
};

// Makes `wanted` bytes available, and reads ahead as far as the buffer allows. Returns false if the file ends before
// that.
Result<bool> RecordFileReader::Rep::Fill(size_t wanted) {
  if (ready() >= wanted) return true;
  if (wanted > capacity) {
    std::unique_ptr<char[]> larger(new char[wanted]);
    std::memcpy(larger.get(), begin, ready());
    end = larger.get() + ready();
    buffer = std::move(larger);
    capacity = wanted;
  } else {
    const size_t left = ready();
    std::memmove(buffer.get(), begin, left);
    end = buffer.get() + left;
  }
  begin = buffer.get();
  while (ready() < wanted) {
    ASSIGN_OR_RETURN(const size_t got, file.Read(end, capacity - ready()));
    if (got == 0) return false;
    end += got;
  }
  return true;
}

Status RecordFileReader::Rep::Take(size_t bytes) {
  ASSIGN_OR_RETURN(const bool there, Fill(bytes));
  return there ? Ok() : kShort(file.name());
}

Status RecordFileReader::Rep::ReadStart() {
  RETURN_IF_ERROR(Take(kMagic.size()));
  if (std::string_view(begin, kMagic.size()) != kMagic) return kForeign(file.name());
  begin += kMagic.size();
  summary.bytes = kMagic.size();
  return Ok();
}

Result<bool> RecordFileReader::Rep::NextBlock() {
  if (at_end) return false;
  RETURN_IF_ERROR(Take(kBlockHeaderBytes));
  const uint32_t length = LoadU32(begin), checksum = LoadU32(begin + 4);
  if (length == 0) {
    RETURN_IF_ERROR(ReadFooter());
    at_end = true;
    return false;
  }
  // Checked before memory is allocated. The checksum catches a wrong length that passes.
  if (length > kBlockRecordsMax) return kBlockDamaged(file.name(), blocks);
  if (length > file_bytes - std::min(file_bytes, summary.bytes)) return kShort(file.name());
  RETURN_IF_ERROR(Take(kBlockHeaderBytes + length));
  const std::string_view found(begin + kBlockHeaderBytes, length);
  if (BlockChecksum(blocks, found) != checksum) return kBlockDamaged(file.name(), blocks);
  records = found;
  begin += kBlockHeaderBytes + length;
  summary.bytes += kBlockHeaderBytes + length;
  chain = Chained(chain, checksum);
  ++blocks;
  return true;
}

Status RecordFileReader::Rep::ReadFooter() {
  RETURN_IF_ERROR(Take(kFooterBytes));
  const std::string_view found(begin, kFooterBytes);
  summary.bytes += kFooterBytes;
  std::string expected = FooterOf(blocks, summary.records, summary.bytes);
  summary.checksum = Crc32c(expected, chain);
  AppendU32(expected, summary.checksum);
  if (found != expected) return kFooterDamaged(file.name());
  begin += kFooterBytes;
  ASSIGN_OR_RETURN(const bool more, Fill(1));
  return more ? kLong(file.name()) : Ok();
}

RecordFileReader::RecordFileReader(std::unique_ptr<Rep> rep) : rep_(std::move(rep)) {}
RecordFileReader::~RecordFileReader() = default;

Result<std::unique_ptr<RecordFileReader>> RecordFileReader::Open(const Folder& folder, std::string_view name,
                                                                 size_t buffer_bytes) {
  ASSIGN_OR_RETURN(File file, folder.OpenToRead(name));
  ASSIGN_OR_RETURN(const uint64_t bytes, file.Size());
  auto rep = std::make_unique<Rep>(std::move(file), name, bytes, buffer_bytes);
  RETURN_IF_ERROR(rep->ReadStart());
  return std::unique_ptr<RecordFileReader>(new RecordFileReader(std::move(rep)));
}

Result<bool> RecordFileReader::Next(std::string_view& key, std::string_view& value) {
  Rep& rep = *rep_;
  if (rep.records.empty()) {
    if (!rep.failure.ok()) return rep.failure.Clone().TakeError();
    Result<bool> more = rep.NextBlock();
    if (!more.ok()) {
      rep.failure = Status(std::move(more).TakeError());
      return rep.failure.Clone().TakeError();
    }
    if (!*more) return false;
  }
  ByteReader in(rep.records);
  const uint64_t key_bytes = in.Varint(), value_bytes = in.Varint();
  key = in.Bytes(key_bytes);
  value = in.Bytes(value_bytes);
  if (!in.ok()) {
    rep.records = {};
    rep.failure = kRecordDamaged(rep.file.name(), rep.blocks - 1);
    return rep.failure.Clone().TakeError();
  }
  rep.records.remove_prefix(rep.records.size() - in.left());
  ++rep.summary.records;
  return true;
}

const RecordFileSummary& RecordFileReader::summary() const {
  CHECK(rep_->at_end);
  return rep_->summary;
}

Status VerifyRecordFile(const Folder& folder, const RecordFileSummary& expected) {
  ASSIGN_OR_RETURN(const auto reader, RecordFileReader::Open(folder, expected.name));
  std::string_view key, value;
  while (true) {
    ASSIGN_OR_RETURN(const bool more, reader->Next(key, value));
    if (!more) break;
  }
  if (reader->summary() != expected) return kOther(folder.path() + '/' + expected.name);
  return Ok();
}

bool IsDamage(const Error& error) { return error.rule().starts_with("damaged-") || IsMissing(error); }

}  // namespace keyfold::files

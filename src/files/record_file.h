// Record files: what backups and sorted runs are kept in. Records (key, value) stand in blocks of about 64 KB, each
// with its length and CRC-32C; a footer has the number of blocks, records and bytes, and a CRC-32C over them and the
// blocks' checksums. So every flipped, missing, added or moved byte is found, and one without its footer is not whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "files/folder.h"

namespace keyfold {

// A key and its value: more than an item, or both images of one, can be.
inline constexpr size_t kRecordBytesMax = 64 << 20;
// Records are gathered in blocks up to this; a larger one has a block of its own.
inline constexpr size_t kRecordBlockBytes = 64 << 10;

// What a finished file is known by; two files of equal summaries and different content are not expected to be met.
struct RecordFileSummary {
  std::string name;  // in its folder
  uint64_t bytes = 0;
  uint64_t records = 0;
  uint32_t checksum = 0;  // the footer's
  bool operator==(const RecordFileSummary&) const = default;
};

// A sequence of records. One thread at a time.
class RecordSource {
 public:
  virtual ~RecordSource() = default;
  // False: there are no more. The views live until the next call.
  virtual Result<bool> Next(std::string_view& key, std::string_view& value) = 0;
};

// One thread at a time. A file that was not finished stays, and is not whole.
class RecordFileWriter {
 public:
  // Of records smaller than `block_bytes`, what fits is put into one block; readers need not know it.
  static Result<std::unique_ptr<RecordFileWriter>> Create(const Folder& folder, std::string_view name,
                                                          size_t block_bytes = kRecordBlockBytes);
  ~RecordFileWriter();

  Status Add(std::string_view key, std::string_view value);  // at most kRecordBytesMax together
  uint64_t bytes() const;                                    // so far
  // Once. Synced where `durable`, its name too.
  Result<RecordFileSummary> Finish(bool durable);

 private:
  struct Rep;
  explicit RecordFileWriter(std::unique_ptr<Rep> rep);
  std::unique_ptr<Rep> rep_;
};

// Blocks are checked before their records are shown, the footer when the last was. An error names the file and says
// that it is damaged (Kind::kInternal: the log has it; see IsDamage).
class RecordFileReader final : public RecordSource {
 public:
  // Reads `buffer_bytes` at a time; memory is that, or the largest block where that is more.
  static Result<std::unique_ptr<RecordFileReader>> Open(const Folder& folder, std::string_view name,
                                                        size_t buffer_bytes = 512 << 10);
  ~RecordFileReader() override;
  Result<bool> Next(std::string_view& key, std::string_view& value) override;
  // After Next() was false.
  const RecordFileSummary& summary() const;

 private:
  struct Rep;
  explicit RecordFileReader(std::unique_ptr<Rep> rep);
  std::unique_ptr<Rep> rep_;
};

// Reads the whole file. Ok: it is there, whole, and the one that `expected` was taken of.
Status VerifyRecordFile(const Folder& folder, const RecordFileSummary& expected);
// The error came from a file that is damaged or missing (IsMissing), whose name is in its message. A rule about
// damage says so by its id: "damaged-…".
bool IsDamage(const Error& error);

}  // namespace keyfold

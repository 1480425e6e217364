// Record files store backups and sorted runs. Records (key, value) are in blocks of about 64 KB, each with its length
// and CRC-32C. A footer has the number of blocks, records and bytes, and a CRC-32C of these and the blocks' checksums.
// So every flipped, missing, added or moved byte is detected, and a file without its footer is incomplete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "files/folder.h"

namespace keyfold::files {

// Maximum size of a key and its value: more than an item, or both images of one, can take.
inline constexpr size_t kRecordBytesMax = 64 << 20;
// Records are collected in blocks of up to this size; a larger record has a block of its own.
inline constexpr size_t kRecordBlockBytes = 64 << 10;

// Identifies a finished file. Two files with equal summaries but different content are not expected to occur.
struct RecordFileSummary {
  std::string name;  // in its folder
  uint64_t bytes = 0;
  uint64_t records = 0;
  uint32_t checksum = 0;  // from the footer
  bool operator==(const RecordFileSummary&) const = default;
};

// A sequence of records. Used by one thread at a time.
class RecordSource {
 public:
  virtual ~RecordSource() = default;
  // Returns false at the end. The views are valid until the next call.
  virtual Result<bool> Next(std::string_view& key, std::string_view& value) = 0;
};

// Used by one thread at a time. A file without Finish stays on disk, incomplete.
class RecordFileWriter {
 public:
  // Records smaller than `block_bytes` share blocks of up to that size. Readers need not know it.
  static Result<std::unique_ptr<RecordFileWriter>> Create(const Folder& folder, std::string_view name,
                                                          size_t block_bytes = kRecordBlockBytes);
  ~RecordFileWriter();

  Status Add(std::string_view key, std::string_view value);  // at most kRecordBytesMax in total
  uint64_t bytes() const;                                    // written so far
  // Call it once. If `durable`, the content and the name are synced.
  Result<RecordFileSummary> Finish(bool durable);

 private:
  struct Rep;
  explicit RecordFileWriter(std::unique_ptr<Rep> rep);
  std::unique_ptr<Rep> rep_;
};

// Each block is verified before its records are returned, and the footer after the last block. Errors name the file and
// say that it is damaged (Kind::kInternal, so the client does not see them; see IsDamage).
class RecordFileReader final : public RecordSource {
 public:
  // Reads `buffer_bytes` at a time. Uses that much memory, or the size of the largest block if that is larger.
  static Result<std::unique_ptr<RecordFileReader>> Open(const Folder& folder, std::string_view name,
                                                        size_t buffer_bytes = 512 << 10);
  ~RecordFileReader() override;
  Result<bool> Next(std::string_view& key, std::string_view& value) override;
  // Valid after Next() has returned false.
  const RecordFileSummary& summary() const;

 private:
  struct Rep;
  explicit RecordFileReader(std::unique_ptr<Rep> rep);
  std::unique_ptr<Rep> rep_;
};

// Reads the whole file. Returns Ok if it exists, is complete, and is the file that `expected` describes.
Status VerifyRecordFile(const Folder& folder, const RecordFileSummary& expected);
// Returns whether the error comes from a damaged or missing (IsMissing) file, which its message names. Rules about
// damage have ids that start with "damaged-".
bool IsDamage(const Error& error);

}  // namespace keyfold::files

// The data files of an export: lines in, gzip in a bucket out. Lines are gathered in blocks of about 1 MB, each of
// which becomes a gzip member; a thread of its own compresses and writes them, so that reading the table and printing
// its items go on meanwhile.
//
// As on AWS all items of a file are of one part of the table's slots, and a part without items has an empty file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/bounded_queue.h"
#include "base/function_ref.h"
#include "transfer/bucket/bucket.h"
#include "transfer/layout/export.h"

namespace keyfold {

// How many parts a table is exported in: as many as AWS has partitions for a new table that is billed by request.
inline constexpr size_t kExportParts = 4;

struct ExportFileLimits {
  size_t block_bytes = 1 << 20;
  uint64_t file_bytes = uint64_t{256} << 20;  // of text; then the part goes on in another file
};

// One thread at a time.
class ExportFiles {
 public:
  // `bucket` outlives it.
  ExportFiles(Bucket& bucket, ExportLayout layout, ExportFileLimits limits = {});
  // What was not finished leaves files behind, but no manifest names them.
  ~ExportFiles();
  ExportFiles(const ExportFiles&) = delete;
  ExportFiles& operator=(const ExportFiles&) = delete;

  // In order of row keys (RowKey::bytes()). `print` appends one line. An error may be that of an earlier line; after
  // one there is nothing more to call.
  Status Add(std::string_view row_key, FunctionRef<void(std::string& out)> print);
  // In the order in which they were begun.
  Result<std::vector<ExportedFile>> Finish();

 private:
  struct Block {
    std::string text;
    int64_t items = 0;
    bool ends_file = false;
  };
  struct OpenFile {
    ExportedFile file;
    std::unique_ptr<ByteSink> sink;
    Md5 md5;
  };

  Status EndPart();
  Status HandOver(bool ends_file);
  Status Join();

  void Run();
  Status Write(const Block& block);

  // Of the caller's thread.
  const ExportFileLimits limits_;
  Block block_;
  size_t part_ = 0;
  uint64_t file_bytes_ = 0;  // handed over

  // Of its own thread, and of Finish() once that has ended.
  Bucket& bucket_;
  const ExportLayout layout_;
  std::unique_ptr<OpenFile> open_;
  std::vector<ExportedFile> files_;
  Status written_;

  BoundedQueue<Block> blocks_;
  std::thread thread_;  // last: it uses the rest
};

}  // namespace keyfold

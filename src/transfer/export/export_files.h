// The data files of an export: lines go in, gzip files come out in a bucket. Lines are gathered in blocks of about 1
// MB, each of which becomes a gzip member. A separate thread compresses and writes them, concurrently with reading the
// table and printing its items.
//
// As on AWS, all items of a file belong to one part of the table's slots, and a part without items has an empty file.
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

namespace keyfold::transfer {

// Number of parts a table is exported in: as many as AWS has partitions for a new on-demand table.
inline constexpr size_t kExportParts = 4;

struct ExportFileLimits {
  size_t block_bytes = 1 << 20;
  uint64_t file_bytes = uint64_t{256} << 20;  // bytes of text after which the part continues in another file
};

// Used by one thread at a time.
class ExportFiles {
 public:
  // `bucket` must outlive it.
  ExportFiles(Bucket& bucket, ExportLayout layout, ExportFileLimits limits = {});
  // Without Finish(), files remain in the bucket, but no manifest names them.
  ~ExportFiles();
  ExportFiles(const ExportFiles&) = delete;
  ExportFiles& operator=(const ExportFiles&) = delete;

  // Called in order of row keys (RowKey::bytes()). `print` appends one line. A returned error may be of an earlier
  // line; after an error, nothing more may be called.
  Status Add(std::string_view row_key, FunctionRef<void(std::string& out)> print);
  // Returns the files in the order in which they were begun.
  Result<std::vector<ExportedFile>> Finish();

 private:
  struct Block {
    std::string text;
    int64_t items = 0;
    bool ends_file = false;
  };
  struct OpenFile {
    ExportedFile file;
    std::unique_ptr<files::ByteSink> sink;
    files::Md5 md5;
  };

  Status EndPart();
  Status PassOn(bool ends_file);
  Status Join();

  void Run();
  Status Write(const Block& block);

  // Used by the caller's thread.
  const ExportFileLimits limits_;
  Block block_;
  size_t part_ = 0;
  uint64_t file_bytes_ = 0;  // queued so far

  // Used by thread_, and by Finish() after that has ended.
  Bucket& bucket_;
  const ExportLayout layout_;
  std::unique_ptr<OpenFile> open_;
  std::vector<ExportedFile> files_;
  Status written_;

  BoundedQueue<Block> blocks_;
  std::thread thread_;  // last: it uses the members above
};

}  // namespace keyfold::transfer

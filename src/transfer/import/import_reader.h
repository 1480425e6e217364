// ImportReader reads an import's files, decompresses them, and divides them into blocks of complete records.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/function_ref.h"
#include "engine/background/jobs.h"
#include "files/stream.h"
#include "transfer/bucket/bucket.h"
#include "transfer/format/format.h"
#include "transfer/import/import_blocks.h"
#include "transfer/import/import_ledger.h"
#include "transfer/import/import_source.h"

namespace keyfold::transfer {

inline constexpr size_t kImportBlockBytes = 1 << 20;

// Compression and format of the files.
struct ImportSyntax {
  files::Compression compression = files::Compression::kNone;
  RecordCutter cutter;
  RecordParser parser;
};

// Used by one thread at a time. The constructor's arguments must outlive it.
class ImportReader {
 public:
  // Reports bytes to `job` as they are read.
  ImportReader(Bucket& bucket, const ImportSyntax& syntax, ImportBlocks& blocks, ImportLedger& ledger, engine::Job& job)
      : bucket_(bucket), syntax_(syntax), blocks_(blocks), ledger_(ledger), job_(job) {}

  // Returns when the last block is queued, or the queue is closed. A file that is damaged or cannot be read is an error
  // of transfer/bucket/source_fault.h.
  Status Read(const std::vector<SourceFile>& files, FunctionRef<bool()> stop);

 private:
  class Window;
  Status ReadFile(size_t index, const SourceFile& file, FunctionRef<bool()> stop);
  Status CutFile(size_t index, files::ByteSource& source, bool to_the_end, FunctionRef<bool()> stop);
  void EndFile(size_t index, size_t bytes, const Error& fault);

  Bucket& bucket_;
  const ImportSyntax& syntax_;
  ImportBlocks& blocks_;
  ImportLedger& ledger_;
  engine::Job& job_;
};

}  // namespace keyfold::transfer

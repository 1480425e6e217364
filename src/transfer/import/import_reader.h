// ImportReader: reads an import's files, decompresses them, and cuts them into blocks of whole records.
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

namespace keyfold {

inline constexpr size_t kImportBlockBytes = 1 << 20;

// How the files are written.
struct ImportSyntax {
  Compression compression = Compression::kNone;
  RecordCutter cutter;
  RecordParser parser;
};

// One thread at a time. What it is given outlives it.
class ImportReader {
 public:
  // Bytes are told to `job` as they come.
  ImportReader(Bucket& bucket, const ImportSyntax& syntax, ImportBlocks& blocks, ImportLedger& ledger, Job& job)
      : bucket_(bucket), syntax_(syntax), blocks_(blocks), ledger_(ledger), job_(job) {}

  // Until the last block is on its way, or nobody takes them any more. A file that is not what it must be, or cannot be
  // read, is an error of transfer/bucket/source_fault.h.
  Status Read(const std::vector<SourceFile>& files, FunctionRef<bool()> stop);

 private:
  class Window;
  Status ReadFile(size_t index, const SourceFile& file, FunctionRef<bool()> stop);
  Status CutFile(size_t index, ByteSource& source, bool to_the_end, FunctionRef<bool()> stop);
  void EndFile(size_t index, size_t bytes, const Error& fault);

  Bucket& bucket_;
  const ImportSyntax& syntax_;
  ImportBlocks& blocks_;
  ImportLedger& ledger_;
  Job& job_;
};

}  // namespace keyfold

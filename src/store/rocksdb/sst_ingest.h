// SstIngest: writes rows that arrive in order directly into RocksDB table files, which RocksDB takes over as a whole at
// the end. This needs no log, no write buffer and no merging, because nothing else writes to the table. A separate
// thread writes the files while the caller finds and sorts the next rows.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/sst_file_writer.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/bounded_queue.h"
#include "store/store.h"

namespace keyfold::store {

// What an ingest needs from its store.
struct IngestHost {
  rocksdb::DB& db;
  std::string folder;       // for this ingest's files only; need not exist
  CommitNumber commit = 0;  // commit number of its rows
  std::function<Status(uint64_t bytes)> has_room;
  std::function<Status(std::span<const Changes::Count>)> commit_tallies;
};

// Used by one thread at a time.
class SstIngest final : public Ingest {
 public:
  explicit SstIngest(IngestHost host);
  ~SstIngest() override;

  Status Add(std::string_view key, std::string_view value) override;
  Status Finish(std::span<const Changes::Count> tallies) override;

 private:
  Status PassOn();
  Status Join();

  void Run();
  Status WriteBatch(std::string_view rows);
  Status AskForRoom(uint64_t bytes);
  Status WriteRow(std::string_view key, std::string_view value);
  Status BeginFile();
  Status EndFile();

  const IngestHost host_;
  const rocksdb::Options settings_;
  std::string batch_;  // rows not queued yet
  BoundedQueue<std::string> batches_;

  // Used by thread_ only, and by the caller after thread_ has ended.
  std::unique_ptr<rocksdb::SstFileWriter> file_;
  uint64_t granted_ = 0;  // bytes that may be written before the next check
  std::vector<std::string> paths_;
  std::string key_, stored_;  // the current row
  Status written_;

  std::thread thread_;  // last member: uses the others
};

// Removes the files that ingests of an earlier run left in `folder`.
void RemoveIngests(rocksdb::Env& env, const std::string& folder);

}  // namespace keyfold::store

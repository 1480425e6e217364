// SstIngest: rows that come in order go straight into table files of RocksDB's own, which it takes over whole at the
// end. No log, no write buffer and nothing to merge: the rows of a table that nobody has written to stand in nobody's
// way. A thread of its own makes the files, so that the next rows are found and sorted meanwhile.
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

namespace keyfold {

// What an ingest borrows of its store.
struct IngestHost {
  rocksdb::DB& db;
  std::string folder;       // for the files, of this ingest alone; it need not be there
  CommitNumber commit = 0;  // that its rows are stamped with
  std::function<Status(uint64_t bytes)> has_room;
  std::function<Status(std::span<const Changes::Count>)> commit_tallies;
};

// One thread at a time.
class SstIngest final : public Ingest {
 public:
  explicit SstIngest(IngestHost host);
  ~SstIngest() override;

  Status Add(std::string_view key, std::string_view value) override;
  Status Finish(std::span<const Changes::Count> tallies) override;

 private:
  Status HandOver();
  Status Join();

  void Run();
  Status WriteBatch(std::string_view rows);
  Status AskForRoom(uint64_t bytes);
  Status WriteRow(std::string_view key, std::string_view value);
  Status BeginFile();
  Status EndFile();

  const IngestHost host_;
  const rocksdb::Options settings_;
  std::string batch_;  // rows that come next
  BoundedQueue<std::string> batches_;

  // Of its own thread, and of the caller's once that has ended.
  std::unique_ptr<rocksdb::SstFileWriter> file_;
  uint64_t granted_ = 0;  // bytes that may be written before room is asked for again
  std::vector<std::string> paths_;
  std::string key_, stored_;  // of the row at hand
  Status written_;

  std::thread thread_;  // last: it uses the rest
};

// Removes what ingests of an earlier run have left below `folder`.
void RemoveIngests(rocksdb::Env& env, const std::string& folder);

}  // namespace keyfold

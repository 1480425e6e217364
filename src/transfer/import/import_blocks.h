// A bounded queue of blocks of complete records, from the thread that reads files to those that parse them. The bound
// keeps the reader from getting far ahead, and the buffers are reused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"

namespace keyfold::transfer {

struct SourceBlock {
  uint32_t number = 0;  // in the ledger
  size_t file = 0;
  std::shared_ptr<const std::vector<std::string>> header;  // the file's header line
  std::string buffer;
  size_t start = 0, end = 0;  // the block's range in the buffer
  std::string_view content() const { return std::string_view(buffer).substr(start, end - start); }
};

// Thread-safe.
class ImportBlocks {
 public:
  // Queues up to `bytes_max` bytes, or a single block of any size. Buffers are `buffer_bytes` long.
  ImportBlocks(size_t bytes_max, size_t buffer_bytes) : bytes_max_(bytes_max), buffer_bytes_(buffer_bytes) {}

  // Waits for room. Returns false if the queue is closed.
  bool Put(SourceBlock block) {
    MutexLock lock(mutex_);
    const size_t bytes = block.buffer.size();
    while (!closed_ && !waiting_.empty() && waiting_bytes_ + bytes > bytes_max_) room_.Wait(mutex_);
    if (closed_) return false;
    waiting_bytes_ += bytes;
    waiting_.push_back(std::move(block));
    filled_.NotifyOne();
    return true;
  }
  // Waits for a block. Returns nullopt if no more will come.
  std::optional<SourceBlock> Take() {
    MutexLock lock(mutex_);
    while (waiting_.empty() && !closed_) filled_.Wait(mutex_);
    if (waiting_.empty()) return std::nullopt;
    SourceBlock block = std::move(waiting_.front());
    waiting_.pop_front();
    waiting_bytes_ -= block.buffer.size();
    room_.NotifyOne();
    return block;
  }
  // Blocks that are queued can still be taken.
  void Close() {
    MutexLock lock(mutex_);
    closed_ = true;
    room_.NotifyAll();
    filled_.NotifyAll();
  }

  // A buffer that was enlarged is not kept.
  void PutBuffer(std::string buffer) {
    MutexLock lock(mutex_);
    if (buffer.size() == buffer_bytes_) buffers_.push_back(std::move(buffer));
  }
  // The contents of the buffer are unspecified.
  std::string TakeBuffer() {
    MutexLock lock(mutex_);
    if (buffers_.empty()) return std::string(buffer_bytes_, '\0');
    std::string buffer = std::move(buffers_.back());
    buffers_.pop_back();
    return buffer;
  }

 private:
  const size_t bytes_max_, buffer_bytes_;
  Mutex mutex_;
  CondVar room_, filled_;
  std::deque<SourceBlock> waiting_ GUARDED_BY(mutex_);
  size_t waiting_bytes_ GUARDED_BY(mutex_) = 0;
  std::vector<std::string> buffers_ GUARDED_BY(mutex_);
  bool closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace keyfold::transfer

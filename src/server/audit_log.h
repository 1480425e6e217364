// AuditLog: one JSON line for each request that was refused before execution and for each management call, with
// CloudTrail's field names. docs/audit.md lists the fields. It never contains item values and never blocks a request.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/clock.h"
#include "base/error.h"
#include "base/mutex.h"
#include "http/request.h"

namespace keyfold::server {

// What is known of one event. Texts may come from a client and contain any bytes: they are truncated and escaped.
struct AuditEvent {
  Micros time = 0;
  std::string_view source = {};      // eventSource
  std::string_view name = {};        // eventName: an operation, or a method and a path
  std::string_view peer = {};        // sourceIPAddress
  std::string_view user_agent = {};  // empty: omitted
  std::string_view request_id = {};  // empty: omitted
  std::string_view access_key = {};  // as the request claims it; empty: omitted
  bool verified = false;             // the signature was checked against the credentials file
  std::string_view error_code = {};  // empty: the request succeeded
  int status = 0;                    // the HTTP status; omitted if 0
  std::string_view parameters = {};  // requestParameters, a JSON object; empty: omitted
};

struct AuditLogOptions {
  std::string path;  // "-": standard output
  std::string region, account;
  // size of the queue of unwritten lines; lines beyond it are dropped and counted
  size_t queue_bytes_max = size_t{4} << 20;
};

// Thread-safe. A line waits in memory for the single writer thread.
class AuditLog {
 public:
  // Fails if the file cannot be opened. A file that it creates is readable by its owner only.
  static Result<std::unique_ptr<AuditLog>> Open(AuditLogOptions options);
  // Writes the queued lines, as long as the file accepts them.
  ~AuditLog();
  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;

  void Record(const AuditEvent& event);
  // Records the current request: takes everything that `event` leaves empty from it, except its parameters.
  void RecordRequest(AuditEvent event, const http::Request& request, const http::Response& response);
  // Records a request that the HTTP layer refused with that status before it was read completely.
  void RecordRefusal(Micros time, int status, std::string_view peer, const http::Response& response);

  // Reopens the path, for log rotation: later lines go to the new file. On failure it continues with the old one.
  // Standard output is not affected.
  Status Reopen();

  uint64_t written() const { return written_.load(std::memory_order_relaxed); }
  uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }  // the queue was full
  uint64_t failed() const { return failed_.load(std::memory_order_relaxed); }    // the write failed
  // Prometheus' text format.
  void AppendMetrics(std::string& out) const;

 private:
  AuditLog(AuditLogOptions options, int file);
  Result<int> OpenFile() const;
  void Run();
  void Write(const std::string& lines, uint64_t count);
  // Returns how many of the bytes were written.
  size_t WriteBytes(std::string_view bytes);
  bool stopping() const;

  const AuditLogOptions options_;
  std::atomic<uint64_t> written_{0}, dropped_{0}, failed_{0};

  // Used by the writer thread only.
  int file_;
  bool torn_ = false;                                         // a line was written partially
  std::optional<std::chrono::steady_clock::time_point> end_;  // deadline of the last writes, set when stopping
  bool warned_ = false;

  mutable Mutex mutex_;
  CondVar filled_;
  std::string waiting_ GUARDED_BY(mutex_);
  uint64_t waiting_lines_ GUARDED_BY(mutex_) = 0;
  int fresh_file_ GUARDED_BY(mutex_) = -1;  // reopened; written to from now on
  bool stopping_ GUARDED_BY(mutex_) = false;

  std::thread thread_;
};

// Whether the operation changes tables, backups and the like rather than items. Read-only calls are not recorded.
bool IsManagementCall(std::string_view operation);

// Returns the names in a management request (tables, indexes, backups, buckets) as a JSON object: the part of it that
// may be recorded. Empty if the body is not a JSON object.
std::string AuditedParameters(const std::string& body);

// Returns the access key id that a request claims in its Authorization header or its query string; empty if there is
// none.
std::string_view ClaimedAccessKey(const http::Request& request);

// Returns what AddRequestId put into a response; empty if it put nothing.
std::string_view RequestIdOf(const http::Response& response);

}  // namespace keyfold::server

// AuditLog: one JSON line for each request that was refused at the door and for each management call, under
// CloudTrail's field names. docs/audit.md lists the fields. It never holds item values, and it never holds up a
// request.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/clock.h"
#include "http/request.h"

namespace keyfold {

// What is known of one event. Texts may come from a client and hold any bytes: they are bounded and escaped.
struct AuditEvent {
  Micros time = 0;
  std::string_view source = {};      // eventSource
  std::string_view name = {};        // eventName: an operation, or a method and a path
  std::string_view peer = {};        // sourceIPAddress
  std::string_view user_agent = {};  // empty: left out
  std::string_view request_id = {};  // empty: left out
  std::string_view access_key = {};  // as the request claims it; empty: left out
  bool verified = false;             // the signature was checked against the credentials file
  std::string_view error_code = {};  // empty: the request succeeded
  int status = 0;                    // of the HTTP answer; 0: left out
  std::string_view parameters = {};  // requestParameters, a JSON object; empty: left out
};

struct AuditLogOptions {
  std::string path;  // "-": standard output
  std::string region, account;
  size_t queue_bytes_max = size_t{4} << 20;  // lines that wait for the disk; those beyond are dropped and counted
};

// Thread-safe. A line waits in memory for the one thread that writes.
class AuditLog {
 public:
  // Null, and one line in `error`, where the file cannot be opened. A file that it creates is for its owner only.
  static std::unique_ptr<AuditLog> Open(AuditLogOptions options, std::string& error);
  // Writes what waits, for as long as the file takes it.
  ~AuditLog();
  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;

  void Record(const AuditEvent& event);
  // The same for a request at hand, from which everything is taken that `event` leaves empty (but for its parameters).
  void RecordRequest(AuditEvent event, const Request& request, const Response& response);
  // A request that the HTTP layer refused with that status, before it was read whole.
  void RecordRefusal(Micros time, int status, std::string_view peer, const Response& response);

  // Opens the path again, for log rotation: later lines go to the new file. On failure the old one goes on. Standard
  // output stays as it is.
  [[nodiscard]] bool Reopen(std::string& error);

  uint64_t written() const { return written_.load(std::memory_order_relaxed); }
  uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }  // the queue was full
  uint64_t failed() const { return failed_.load(std::memory_order_relaxed); }    // the write failed
  // Prometheus' text format.
  void AppendMetrics(std::string& out) const;

 private:
  AuditLog(AuditLogOptions options, int file);
  int OpenFile(std::string& error) const;
  void Run();
  void Write(const std::string& lines, uint64_t count);
  // Of the bytes, how many were written.
  size_t WriteBytes(std::string_view bytes);
  bool stopping() const;

  const AuditLogOptions options_;
  std::atomic<uint64_t> written_{0}, dropped_{0}, failed_{0};

  // These belong to the writing thread.
  int file_;
  bool torn_ = false;                                         // a line was written in part
  std::optional<std::chrono::steady_clock::time_point> end_;  // of the last writes, once stopping
  bool warned_ = false;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable filled_;
  std::string waiting_;
  uint64_t waiting_lines_ = 0;
  int fresh_file_ = -1;  // opened again, to be written to from now on
  bool stopping_ = false;

  std::thread thread_;
};

// Whether the operation changes tables, backups and the like rather than items. Calls that only read are not recorded.
bool IsManagementCall(std::string_view operation);

// The names in a management request (tables, indexes, backups, buckets), as a JSON object: what of it may be recorded.
// Empty where the body is not a JSON object.
std::string AuditedParameters(const std::string& body);

// The access key id that a request claims in its Authorization header or its query string; empty where there is none.
std::string_view ClaimedAccessKey(const Request& request);

// What AddRequestId put into a response; empty where it did not.
std::string_view RequestIdOf(const Response& response);

}  // namespace keyfold

#include "server/audit_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "base/log.h"
#include "base/time_text.h"
#include "json/document.h"
#include "json/writer.h"

namespace keyfold::server {
namespace {

constexpr Rule<"audit log {}: {}"> kAuditFile{"audit-file", Kind::kInternal};

constexpr size_t kNameBytesMax = 256, kAgentBytesMax = 256, kKeyBytesMax = 128, kParameterBytesMax = 1024;
constexpr size_t kBodyBytesMax = size_t{1} << 20;  // larger requests are not searched for names
constexpr size_t kPipeBytes = 4096;                // what a writable pipe accepts without blocking
constexpr int kPollMs = 100;
constexpr std::chrono::seconds kLastWrites{1};  // how long a stalled reader may delay a stop
constexpr std::string_view kRequestIdHeader = "x-amzn-RequestId: ";

std::string Reason() { return std::error_code(errno, std::generic_category()).message(); }

// Keeps only printable ASCII, so that a line is valid JSON and safe on a terminal, whatever a client sent.
std::string Bounded(std::string_view text, size_t bytes_max) {
  std::string out(text.substr(0, bytes_max));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return out;
}

struct StatusName {
  int status;
  std::string_view name;
};
constexpr StatusName kStatusNames[] = {
    {400, "MalformedRequest"},  {405, "MethodNotAllowed"},      {408, "RequestTimeout"},
    {411, "LengthRequired"},    {413, "RequestEntityTooLarge"}, {415, "UnsupportedMediaType"},
    {417, "ExpectationFailed"}, {429, "TooManyRequests"},       {431, "RequestHeaderFieldsTooLarge"},
    {500, "InternalFailure"},   {503, "ServiceUnavailable"},    {505, "HttpVersionNotSupported"},
};

std::string_view NameOfStatus(int status) {
  const auto found = std::find_if(std::begin(kStatusNames), std::end(kStatusNames),
                                  [status](const StatusName& one) { return one.status == status; });
  return found == std::end(kStatusNames) ? "MalformedRequest" : found->name;
}

// The members of management requests that hold names. No others are recorded.
constexpr std::string_view kNames[] = {
    "TableName",     "TableArn",  "SourceTableName", "SourceTableArn", "TargetTableName", "IndexName",  "BackupName",
    "BackupArn",     "ExportArn", "ImportArn",       "ResourceArn",    "S3Bucket",        "S3Prefix",   "S3KeyPrefix",
    "AttributeName", "StreamArn", "BillingMode",     "TableClass",     "ExportFormat",    "InputFormat"};
// Objects that are searched for names, one level deep.
constexpr std::string_view kParts[] = {"TableCreationParameters", "S3BucketSource", "TimeToLiveSpecification"};

template <size_t N>
bool Contains(const std::string_view (&list)[N], std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

// "tableName", as in CloudTrail.
std::string LowerCamel(std::string_view name) {
  std::string out(name);
  out[0] = static_cast<char>(out[0] | 0x20);
  return out;
}

void AppendNames(json::Value object, bool inside, json::Writer& out) {
  for (const json::Member member : object.members()) {
    if (member.value.is_string() && Contains(kNames, member.name)) {
      out.Member(LowerCamel(member.name), Bounded(member.value.AsString(), kParameterBytesMax));
    } else if (!inside && member.value.is_object() && Contains(kParts, member.name)) {
      out.Key(LowerCamel(member.name));
      out.BeginObject();
      AppendNames(member.value, /*inside=*/true, out);
      out.EndObject();
    }
  }
}

}  // namespace

bool IsManagementCall(std::string_view operation) {
  constexpr std::string_view kVerbs[] = {"Create", "Delete",  "Disable", "Enable", "Export", "Import",
                                         "Put",    "Restore", "Start",   "Tag",    "Untag",  "Update"};
  constexpr std::string_view kItems[] = {"DeleteItem", "PutItem", "UpdateItem"};
  const auto begins = [&](std::string_view verb) { return operation.starts_with(verb); };
  return std::any_of(std::begin(kVerbs), std::end(kVerbs), begins) && !Contains(kItems, operation);
}

std::string AuditedParameters(const std::string& body) {
  std::string text;
  if (body.size() > kBodyBytesMax) return text;
  json::Parser parser;
  const std::optional<json::Value> request = parser.Parse(body);
  if (!request || !request->is_object()) return text;
  json::Writer out(text);
  out.BeginObject();
  AppendNames(*request, /*inside=*/false, out);
  out.EndObject();
  return text;
}

std::string_view ClaimedAccessKey(const http::Request& request) {
  const auto behind = [](std::string_view text, std::string_view mark, std::string_view end) -> std::string_view {
    const size_t at = text.find(mark);
    if (at == std::string_view::npos) return {};
    text.remove_prefix(at + mark.size());
    return text.substr(0, text.find_first_of(end));
  };
  const std::string_view key = behind(request.Find("Authorization"), "Credential=", "/, ");
  return key.empty() ? behind(request.query, "X-Amz-Credential=", "/&%") : key;
}

std::string_view RequestIdOf(const http::Response& response) {
  std::string_view headers = response.headers;
  const size_t at = headers.find(kRequestIdHeader);
  if (at == std::string_view::npos) return {};
  headers.remove_prefix(at + kRequestIdHeader.size());
  return headers.substr(0, headers.find('\r'));
}

Result<std::unique_ptr<AuditLog>> AuditLog::Open(AuditLogOptions options) {
  std::unique_ptr<AuditLog> log(new AuditLog(std::move(options), -1));
  ASSIGN_OR_RETURN(log->file_, log->OpenFile());
  log->thread_ = std::thread([raw = log.get()] { raw->Run(); });
  return log;
}

AuditLog::AuditLog(AuditLogOptions options, int file) : options_(std::move(options)), file_(file) {}

AuditLog::~AuditLog() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  filled_.NotifyOne();
  if (thread_.joinable()) thread_.join();
  for (const int file : {file_, fresh_file_}) {
    if (file > STDERR_FILENO) ::close(file);
  }
}

Result<int> AuditLog::OpenFile() const {
  if (options_.path == "-") return STDOUT_FILENO;
  // Non-blocking because opening a pipe would otherwise wait for a reader.
  const int file = ::open(options_.path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
  if (file < 0) return kAuditFile(options_.path, Reason());
  return file;
}

Status AuditLog::Reopen() {
  if (options_.path == "-") return Ok();
  ASSIGN_OR_RETURN(int unused, OpenFile());
  {
    MutexLock lock(mutex_);
    std::swap(unused, fresh_file_);
  }
  if (unused >= 0) ::close(unused);
  filled_.NotifyOne();
  return Ok();
}

void AuditLog::RecordRequest(AuditEvent event, const http::Request& request, const http::Response& response) {
  const std::string path = fmt::format("{} {}", request.method, request.path.substr(0, kNameBytesMax));
  if (event.name.empty()) event.name = path;
  if (event.access_key.empty()) event.access_key = ClaimedAccessKey(request);
  event.peer = request.peer;
  event.user_agent = request.Find("User-Agent");
  event.request_id = RequestIdOf(response);
  event.status = response.status;
  Record(event);
}

void AuditLog::Record(const AuditEvent& event) {
  std::string line;
  json::Writer out(line);
  const auto add = [&out](std::string_view name, std::string_view text, size_t bytes_max) {
    if (!text.empty()) out.Member(name, Bounded(text, bytes_max));
  };
  out.BeginObject();
  out.Member("eventTime", FormatIsoMillis(event.time));
  add("eventSource", event.source, kNameBytesMax);
  add("eventName", event.name, kNameBytesMax);
  out.Member("awsRegion", options_.region);
  add("sourceIPAddress", event.peer, kNameBytesMax);
  add("userAgent", event.user_agent, kAgentBytesMax);
  out.Key("userIdentity");
  out.BeginObject();
  out.Member("accountId", options_.account);
  add("accessKeyId", event.access_key, kKeyBytesMax);
  out.Member("verified", event.verified);
  out.EndObject();
  add("requestID", event.request_id, kNameBytesMax);
  if (event.status != 0) out.Member("httpStatus", event.status);
  add("errorCode", event.error_code, kNameBytesMax);
  if (!event.parameters.empty()) {
    out.Key("requestParameters");
    out.Raw(event.parameters);
  }
  out.EndObject();
  line.push_back('\n');
  {
    MutexLock lock(mutex_);
    if (waiting_.size() + line.size() > options_.queue_bytes_max) {
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    waiting_.append(line);
    ++waiting_lines_;
  }
  filled_.NotifyOne();
}

void AuditLog::RecordRefusal(Micros time, int status, std::string_view peer, const http::Response& response) {
  Record({.time = time,
          .source = "keyfold",
          .name = "HttpRequest",
          .peer = peer,
          .request_id = RequestIdOf(response),
          .error_code = NameOfStatus(status),
          .status = status});
}

void AuditLog::Run() {
  for (;;) {
    std::string lines;
    uint64_t count = 0;
    {
      MutexLock lock(mutex_);
      while (!stopping_ && waiting_.empty() && fresh_file_ < 0) filled_.Wait(mutex_);
      if (fresh_file_ >= 0) {
        ::close(std::exchange(file_, std::exchange(fresh_file_, -1)));
        torn_ = warned_ = false;
      }
      if (waiting_.empty() && stopping_) return;
      lines.swap(waiting_);
      count = std::exchange(waiting_lines_, 0);
    }
    if (count > 0) Write(lines, count);
  }
}

void AuditLog::Write(const std::string& lines, uint64_t count) {
  // A line that a full disk cut off must not run into the next one.
  if (torn_ && WriteBytes("\n") == 1) torn_ = false;
  const size_t bytes = torn_ ? 0 : WriteBytes(lines);
  const std::string_view done = std::string_view(lines).substr(0, bytes);
  const auto whole = static_cast<uint64_t>(std::count(done.begin(), done.end(), '\n'));
  written_.fetch_add(whole, std::memory_order_relaxed);
  if (bytes == lines.size()) return;
  torn_ = torn_ || (bytes > 0 && lines[bytes - 1] != '\n');
  failed_.fetch_add(count - whole, std::memory_order_relaxed);
  if (std::exchange(warned_, true)) return;
  LogWarning("audit log {}: {}; requests continue, and the metric AuditLinesFailed counts the lost lines",
             options_.path, Reason());
}

size_t AuditLog::WriteBytes(std::string_view bytes) {
  struct stat about {};
  const bool regular = ::fstat(file_, &about) == 0 && S_ISREG(about.st_mode);
  size_t done = 0;
  while (done < bytes.size()) {
    pollfd ready{file_, POLLOUT, 0};
    if (!regular && ::poll(&ready, 1, kPollMs) == 0) {
      // A stalled reader blocks only this thread, and delays a stop only for a while.
      if (!stopping()) continue;
      const auto now = std::chrono::steady_clock::now();
      if (!end_) end_ = now + kLastWrites;
      errno = EAGAIN;
      if (now >= *end_) return done;
      continue;
    }
    const size_t wanted = regular ? bytes.size() - done : std::min(kPipeBytes, bytes.size() - done);
    const ssize_t count = ::write(file_, bytes.data() + done, wanted);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return done;
    done += static_cast<size_t>(count);
  }
  return done;
}

bool AuditLog::stopping() const {
  MutexLock lock(mutex_);
  return stopping_;
}

void AuditLog::AppendMetrics(std::string& out) const {
  const auto counter = [&out](std::string_view name, std::string_view help, uint64_t value) {
    fmt::format_to(std::back_inserter(out), "# HELP {} {}\n# TYPE {} counter\n{} {}\n", name, help, name, name, value);
  };
  counter("AuditLinesWritten", "Lines written to the audit log", written());
  counter("AuditLinesDropped", "Lines dropped because too many were waiting to be written", dropped());
  counter("AuditLinesFailed", "Lines lost because they could not be written", failed());
}

}  // namespace keyfold::server

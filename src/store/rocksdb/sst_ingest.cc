#include "store/rocksdb/sst_ingest.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "base/checksum.h"
#include "base/log.h"
#include "store/rocksdb/row_format.h"
#include "store/rules.h"

namespace keyfold::store {
namespace {

constexpr uint64_t kFileBytes = uint64_t{64} << 20;  // the same size as RocksDB's own files
constexpr size_t kBatchBytes = 512 << 10, kBatchesWaitingMax = 2;
constexpr size_t kLengthBytes = 4;
constexpr uint64_t kRoomStepBytes = uint64_t{4} << 20;

void AppendPiece(std::string& batch, std::string_view piece) {
  AppendU32(batch, static_cast<uint32_t>(piece.size()));
  batch.append(piece);
}

std::string_view TakePiece(std::string_view& batch) {
  const std::string_view piece = batch.substr(kLengthBytes, LoadU32(batch.data()));
  batch.remove_prefix(kLengthBytes + piece.size());
  return piece;
}

Status StatusOfIngest(const rocksdb::Status& s) {
  if (s.ok()) return Ok();
  LogError("ingesting rows failed: {}", s.ToString());
  if (s.IsNoSpace()) return kDiskFull();
  return kStoreFailure();
}

void RemoveFolder(rocksdb::Env& env, const std::string& folder) {
  std::vector<std::string> names;
  if (!env.GetChildren(folder, &names).ok()) return;
  for (const std::string& name : names) {
    if (name != "." && name != "..") env.DeleteFile(folder + "/" + name).PermitUncheckedError();
  }
  if (const rocksdb::Status s = env.DeleteDir(folder); !s.ok()) {
    LogWarning("cannot remove {}: {}", folder, s.ToString());
  }
}

}  // namespace

SstIngest::SstIngest(IngestHost host)
    : host_(std::move(host)),
      settings_(host_.db.GetOptions()),
      batches_(kBatchesWaitingMax),
      thread_([this] { Run(); }) {}

SstIngest::~SstIngest() {
  static_cast<void>(Join());
  file_.reset();
  RemoveFolder(*settings_.env, host_.folder);
}

Status SstIngest::Add(std::string_view key, std::string_view value) {
  AppendPiece(batch_, key);
  AppendPiece(batch_, value);
  return batch_.size() >= kBatchBytes ? PassOn() : Ok();
}

Status SstIngest::PassOn() {
  std::string next;
  next.reserve(batch_.capacity());
  if (!batches_.Put(std::exchange(batch_, std::move(next)))) return Join();
  return Ok();
}

// Returns the outcome of everything that was queued.
Status SstIngest::Join() {
  batches_.Close();
  if (thread_.joinable()) thread_.join();
  return std::move(written_);
}

void SstIngest::Run() {
  while (const std::optional<std::string> batch = batches_.Take()) {
    written_ = WriteBatch(*batch);
    if (!written_.ok()) return batches_.Close();
  }
}

Status SstIngest::WriteBatch(std::string_view rows) {
  while (!rows.empty()) {
    const std::string_view key = TakePiece(rows);
    RETURN_IF_ERROR(WriteRow(key, TakePiece(rows)));
  }
  return Ok();
}

Status SstIngest::BeginFile() {
  if (paths_.empty()) RETURN_IF_ERROR(StatusOfIngest(settings_.env->CreateDirIfMissing(host_.folder)));
  file_ = std::make_unique<rocksdb::SstFileWriter>(rocksdb::EnvOptions(settings_), settings_);
  paths_.push_back(fmt::format("{}/{:06}.sst", host_.folder, paths_.size()));
  return StatusOfIngest(file_->Open(paths_.back()));
}

Status SstIngest::EndFile() {
  Status status = StatusOfIngest(file_->Finish());  // Finish syncs the file
  file_.reset();
  return status;
}

Status SstIngest::AskForRoom(uint64_t bytes) {
  if (granted_ < bytes) {
    const uint64_t wanted = std::max(bytes, kRoomStepBytes);
    RETURN_IF_ERROR(host_.has_room(wanted));
    granted_ = wanted;
  }
  granted_ -= bytes;
  return Ok();
}

Status SstIngest::WriteRow(std::string_view key, std::string_view value) {
  RETURN_IF_ERROR(AskForRoom(key.size() + value.size()));
  if (!file_) RETURN_IF_ERROR(BeginFile());
  key_.assign(1, kRowSpace).append(key);
  stored_.assign(1, kRowFormat);
  AppendU64(stored_, host_.commit);
  stored_.append(value);
  AppendU32(stored_, FinishStampedCrc(BeginStampedCrc(Crc32c(key_), value), host_.commit));
  RETURN_IF_ERROR(StatusOfIngest(file_->Put(key_, stored_)));
  return file_->FileSize() >= kFileBytes ? EndFile() : Ok();
}

Status SstIngest::Finish(std::span<const Changes::Count> tallies) {
  if (!batch_.empty()) RETURN_IF_ERROR(PassOn());
  RETURN_IF_ERROR(Join());
  if (file_) RETURN_IF_ERROR(EndFile());
  if (!paths_.empty()) {
    rocksdb::IngestExternalFileOptions options;
    options.move_files = true;
    // No request can name the table yet, so no snapshot can be affected. Without this RocksDB would assign a sequence
    // number that the log lacks.
    options.snapshot_consistency = false;
    options.write_global_seqno = false;
    RETURN_IF_ERROR(StatusOfIngest(host_.db.IngestExternalFile(paths_, options)));
  }
  return host_.commit_tallies(tallies);
}

void RemoveIngests(rocksdb::Env& env, const std::string& folder) {
  std::vector<std::string> names;
  if (!env.GetChildren(folder, &names).ok()) return;
  for (const std::string& name : names) {
    if (name != "." && name != "..") RemoveFolder(env, folder + "/" + name);
  }
}

}  // namespace keyfold::store

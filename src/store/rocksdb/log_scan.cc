#include "store/rocksdb/log_scan.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/checksum.h"

namespace keyfold::store {
namespace {

using rocksdb::FileOptions, rocksdb::IOOptions, rocksdb::IOStatus;

constexpr size_t kBlockBytes = 32768, kPieceHeaderBytes = 7, kBatchHeaderBytes = 12;
constexpr uint8_t kWhole = 1, kFirst = 2, kMiddle = 3, kLast = 4;

template <typename T>
T LoadLittle(const char* from) {
  static_assert(std::endian::native == std::endian::little);
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// The masking that LevelDB and RocksDB apply to a stored CRC.
uint32_t Masked(uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8u; }

struct Piece {
  uint8_t type = 0;
  std::string_view payload;
  size_t bytes() const { return kPieceHeaderBytes + payload.size(); }
};

enum class Found { kPiece, kIncomplete, kBad };

// Reads the piece at the start of `rest`, which extends to the end of its block or of the file.
Found ReadPiece(std::string_view rest, bool file_ends, Piece& piece) {
  if (rest.size() < kPieceHeaderBytes) return file_ends ? Found::kIncomplete : Found::kBad;
  const auto length = LoadLittle<uint16_t>(rest.data() + 4);
  piece.type = static_cast<uint8_t>(rest[6]);
  if (kPieceHeaderBytes + length > rest.size()) return file_ends ? Found::kIncomplete : Found::kBad;
  piece.payload = rest.substr(kPieceHeaderBytes, length);
  const bool known = piece.type >= kWhole && piece.type <= kLast;
  if (!known || LoadLittle<uint32_t>(rest.data()) != Masked(Crc32c(rest.substr(6, 1 + length)))) return Found::kBad;
  return Found::kPiece;
}

struct LogFile {
  uint64_t number = 0;
  std::string path;
  uint64_t bytes = 0;
};

IOStatus ListLogs(rocksdb::FileSystem& fs, const std::string& db_path, uint64_t first_log, std::vector<LogFile>& logs) {
  std::vector<std::string> names;
  if (IOStatus s = fs.GetChildren(db_path, IOOptions(), &names, nullptr); !s.ok()) return s;
  for (const std::string& name : names) {
    LogFile log{.path = db_path + "/" + name};
    const char* const end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data(), end, log.number);
    if (parsed.ec != std::errc() || std::string_view(parsed.ptr, end) != ".log" || log.number < first_log) continue;
    if (IOStatus s = fs.GetFileSize(log.path, IOOptions(), &log.bytes, nullptr); !s.ok()) return s;
    logs.push_back(std::move(log));
  }
  std::sort(logs.begin(), logs.end(), [](const LogFile& a, const LogFile& b) { return a.number < b.number; });
  return IOStatus::OK();
}

// Scans the logs in order. Used by one thread at a time.
class Scanner {
 public:
  Scanner(rocksdb::FileSystem& fs, uint64_t flushed, LogScan& scan) : fs_(fs), scan_(scan) {
    scan_.last_sequence = flushed;
  }

  IOStatus Scan(const std::vector<LogFile>& logs) {
    for (const LogFile& log : logs) scan_.log_bytes += log.bytes;
    for (const LogFile& log : logs) {
      if (scan_.has_hole) {
        scan_.dropped_bytes += log.bytes;
      } else if (IOStatus s = ScanFile(log); !s.ok()) {
        return s;
      }
    }
    return IOStatus::OK();
  }

 private:
  IOStatus ScanFile(const LogFile& log) {
    std::unique_ptr<rocksdb::FSSequentialFile> file;
    if (IOStatus s = fs_.NewSequentialFile(log.path, FileOptions(), &file, nullptr); !s.ok()) return s;
    after_torn_ = torn_ || in_record_;
    torn_ = in_record_ = false;
    std::string buffer(kBlockBytes, '\0');
    for (uint64_t offset = 0; offset < log.bytes && !scan_.has_hole; offset += kBlockBytes) {
      size_t filled = 0;
      while (filled < kBlockBytes) {
        rocksdb::Slice got;
        const size_t wanted = kBlockBytes - filled;
        if (IOStatus s = file->Read(wanted, IOOptions(), &got, buffer.data() + filled, nullptr); !s.ok()) return s;
        if (got.empty()) break;
        if (got.data() != buffer.data() + filled) std::memcpy(buffer.data() + filled, got.data(), got.size());
        filled += got.size();
      }
      const bool file_ends = offset + filled >= log.bytes && filled < kBlockBytes;
      if (const size_t bad_at = ScanBlock({buffer.data(), filled}, file_ends); scan_.has_hole) {
        scan_.dropped_bytes += log.bytes - std::min<uint64_t>(log.bytes, offset + bad_at);
      }
    }
    return IOStatus::OK();
  }

  // Returns the offset at which the scan stopped.
  size_t ScanBlock(std::string_view block, bool file_ends) {
    size_t at = 0;
    while (at < block.size() && kBlockBytes - at >= kPieceHeaderBytes) {
      Piece piece;
      const Found found = ReadPiece(block.substr(at), file_ends, piece);
      if (found == Found::kIncomplete) {
        // A damaged length looks the same, but then intact records follow.
        scan_.has_hole = HasRecordBehind(block.substr(at + 1), file_ends);
        torn_ = true;
        return at;
      }
      scan_.has_hole = found == Found::kBad || !Take(piece);
      if (scan_.has_hole) return at;
      at += piece.bytes();
    }
    return at;
  }

  // Returns whether the piece continues what was read so far.
  bool Take(const Piece& piece) {
    const bool begins = piece.type == kWhole || piece.type == kFirst;
    if (begins == in_record_) return false;
    if (begins) header_.clear();
    header_.append(piece.payload.substr(0, kBatchHeaderBytes - std::min(header_.size(), kBatchHeaderBytes)));
    in_record_ = piece.type == kFirst || piece.type == kMiddle;
    return in_record_ || TakeBatch();
  }

  bool TakeBatch() {
    if (header_.size() < kBatchHeaderBytes) return false;
    const auto writes = LoadLittle<uint32_t>(header_.data() + 8);
    // RocksDB marks the end of a recovery by a batch without writes.
    if (writes == 0) return true;
    if (LoadLittle<uint64_t>(header_.data()) != scan_.last_sequence + 1) return false;
    scan_.last_sequence += writes;
    scan_.goes_on |= after_torn_;
    return true;
  }

  // Returns whether a record of a later write starts anywhere in `rest`.
  bool HasRecordBehind(std::string_view rest, bool file_ends) const {
    for (; rest.size() >= kPieceHeaderBytes + kBatchHeaderBytes; rest.remove_prefix(1)) {
      const auto type = static_cast<uint8_t>(rest[6]);
      if (type != kWhole && type != kFirst) continue;
      Piece piece;
      if (ReadPiece(rest, file_ends, piece) != Found::kPiece || piece.payload.size() < kBatchHeaderBytes) continue;
      const auto sequence = LoadLittle<uint64_t>(piece.payload.data());
      if (sequence > scan_.last_sequence && sequence <= scan_.last_sequence + kBlockBytes) return true;
    }
    return false;
  }

  rocksdb::FileSystem& fs_;
  LogScan& scan_;
  bool in_record_ = false;
  bool torn_ = false, after_torn_ = false;  // whether this log, and the one before it, ends with an incomplete record
  std::string header_;                      // header of the batch being assembled
};

}  // namespace

IOStatus ScanLogs(rocksdb::FileSystem& fs, const std::string& db_path, uint64_t first_log, uint64_t flushed,
                  LogScan& scan) {
  std::vector<LogFile> logs;
  if (IOStatus s = ListLogs(fs, db_path, first_log, logs); !s.ok()) return s;
  return Scanner(fs, flushed, scan).Scan(logs);
}

}  // namespace keyfold::store

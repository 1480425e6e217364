#include "store/rocksdb/side_file.h"

#include <fmt/format.h>

#include <memory>

#include "base/checksum.h"

namespace keyfold::store {
namespace {

using rocksdb::FileOptions, rocksdb::IOOptions, rocksdb::IOStatus;

constexpr size_t kSideFileBytesMax = 4096;

std::string Print(const SideRecord& record) {
  std::string text;
  for (const auto& [name, value] : record) text.append(name).append(" ").append(value).append("\n");
  return text.append(fmt::format("crc {:08x}\n", Crc32c(text)));
}

std::optional<SideRecord> Parse(std::string_view text) {
  const size_t crc_line = text.rfind("crc ");
  if (crc_line == std::string_view::npos) return std::nullopt;
  const std::string_view lines = text.substr(0, crc_line);
  if (text.substr(crc_line) != fmt::format("crc {:08x}\n", Crc32c(lines))) return std::nullopt;
  SideRecord record;
  for (size_t at = 0; at < lines.size();) {
    const size_t end = lines.find('\n', at), space = lines.find(' ', at);
    if (end == std::string_view::npos || space == std::string_view::npos || space > end) return std::nullopt;
    record.emplace(lines.substr(at, space - at), lines.substr(space + 1, end - space - 1));
    at = end + 1;
  }
  return record;
}

IOStatus WriteDurably(rocksdb::FileSystem& fs, const std::string& path, const std::string& text) {
  std::unique_ptr<rocksdb::FSWritableFile> file;
  IOStatus s = fs.NewWritableFile(path, FileOptions(), &file, nullptr);
  if (s.ok()) s = file->Append(text, IOOptions(), nullptr);
  if (s.ok()) s = file->Fsync(IOOptions(), nullptr);
  if (file == nullptr) return s;
  const IOStatus closed = file->Close(IOOptions(), nullptr);
  return s.ok() ? closed : s;
}

}  // namespace

IOStatus SyncFolder(rocksdb::FileSystem& fs, const std::string& folder) {
  std::unique_ptr<rocksdb::FSDirectory> directory;
  IOStatus s = fs.NewDirectory(folder, IOOptions(), &directory, nullptr);
  if (s.ok()) s = directory->FsyncWithDirOptions(IOOptions(), nullptr, rocksdb::DirFsyncOptions());
  return s;
}

IOStatus ReplaceSideFile(rocksdb::FileSystem& fs, const std::string& folder, const std::string& name,
                         const SideRecord& record) {
  const std::string path = folder + "/" + name, fresh = path + ".new";
  IOStatus s = WriteDurably(fs, fresh, Print(record));
  if (s.ok()) s = fs.RenameFile(fresh, path, IOOptions(), nullptr);
  if (s.ok()) s = SyncFolder(fs, folder);
  return s;
}

IOStatus ReadSideFile(rocksdb::FileSystem& fs, const std::string& path, std::optional<SideRecord>& record) {
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  IOStatus s = fs.NewSequentialFile(path, FileOptions(), &file, nullptr);
  if (!s.ok()) return s;
  char buffer[kSideFileBytesMax];
  rocksdb::Slice text;
  s = file->Read(sizeof buffer, IOOptions(), &text, buffer, nullptr);
  if (s.ok()) record = Parse({text.data(), text.size()});
  return s;
}

}  // namespace keyfold::store

// Fuzz target for record files. The first byte selects what the rest is: a whole file, or the records of blocks that
// get valid checksums here, so that the code after the checksum test is reached too. The rest is also split into
// records that are written and read back.
#include <stdlib.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/check.h"
#include "base/checksum.h"
#include "files/record_file.h"

namespace keyfold::files {
namespace {

using Records = std::vector<std::pair<std::string, std::string>>;

// A folder removed at the end of the process. Used by one thread at a time.
class Scratch {
 public:
  Scratch() : path_(Make()), folder_(*Folder::Open(path_)) {}
  ~Scratch() { std::filesystem::remove_all(path_); }
  const Folder& folder() const { return folder_; }

 private:
  static std::string Make() {
    std::string path = std::filesystem::temp_directory_path() / "keyfold_XXXXXX";
    CHECK(mkdtemp(path.data()) != nullptr);
    return path;
  }

  const std::string path_;
  const Folder folder_;
};

constexpr char kName[] = "file";

// A file of blocks of `block_bytes` with valid checksums and arbitrary content, without a footer.
std::string SealedBlocks(std::string_view bytes, size_t block_bytes) {
  std::string file = "KFREC001";
  for (uint64_t number = 0; !bytes.empty(); ++number) {
    const std::string_view records = bytes.substr(0, block_bytes);
    std::string place;
    AppendU64(place, number);
    AppendU32(place, static_cast<uint32_t>(records.size()));
    AppendU32(file, static_cast<uint32_t>(records.size()));
    AppendU32(file, Crc32c(records, Crc32c(place)));
    file += records;
    bytes.remove_prefix(records.size());
  }
  return file;
}

// Reading terminates and returns no more bytes than the file has. An error says that the file is damaged, names it, and
// persists.
bool ReadAll(const Folder& folder, size_t buffer_bytes, size_t bytes, Records& records) {
  auto reader = RecordFileReader::Open(folder, kName, buffer_bytes);
  if (!reader.ok()) {
    CHECK(IsDamage(reader.error()) && reader.error().message().find(kName) != std::string::npos);
    return false;
  }
  std::string_view key, value;
  size_t shown = 0;
  while (true) {
    const Result<bool> more = (*reader)->Next(key, value);
    if (!more.ok()) {
      CHECK(IsDamage(more.error()) && more.error().message().find(kName) != std::string::npos);
      CHECK(!(*reader)->Next(key, value).ok());
      return false;
    }
    if (!*more) break;
    shown += 2 + key.size() + value.size();
    CHECK(shown <= bytes);
    records.emplace_back(key, value);
  }
  CHECK((*reader)->summary().records == records.size() && (*reader)->summary().bytes == bytes);
  return true;
}

void CheckBytes(const Folder& folder, std::string_view bytes, size_t buffer_bytes) {
  {
    Result<File> file = folder.CreateNew(kName);
    CHECK(file.ok() && file->Write(bytes).ok());
  }
  // The buffer size makes no difference.
  Records some, same;
  CHECK(ReadAll(folder, buffer_bytes, bytes.size(), some) == ReadAll(folder, 1 << 16, bytes.size(), same));
  CHECK(some == same && folder.Remove(kName).ok());
}

Records RecordsOf(std::string_view bytes) {
  Records records;
  while (bytes.size() >= 2) {
    const size_t key_bytes = static_cast<uint8_t>(bytes[0]), value_bytes = static_cast<uint8_t>(bytes[1]);
    bytes.remove_prefix(2);
    std::string key(bytes.substr(0, key_bytes));
    bytes.remove_prefix(key.size());
    std::string value(bytes.substr(0, value_bytes));
    bytes.remove_prefix(value.size());
    records.emplace_back(std::move(key), std::move(value));
  }
  return records;
}

void CheckRecords(const Folder& folder, const Records& records, size_t block_bytes) {
  RecordFileSummary summary;
  {
    auto writer = RecordFileWriter::Create(folder, kName, block_bytes);
    CHECK(writer.ok());
    for (const auto& [key, value] : records) CHECK((*writer)->Add(key, value).ok());
    summary = *(*writer)->Finish(false);
  }
  Records back;
  CHECK(ReadAll(folder, block_bytes, summary.bytes, back) && back == records);
  CHECK(VerifyRecordFile(folder, summary).ok() && folder.Remove(kName).ok());
}

}  // namespace
}  // namespace keyfold::files

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace keyfold;
  static const files::Scratch scratch;
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const size_t small = 1 + data[0] / 3;
  switch (data[0] % 3) {
    case 0:
      files::CheckBytes(scratch.folder(), input, small);
      break;
    case 1:
      files::CheckBytes(scratch.folder(), files::SealedBlocks(input, small), small);
      break;
    default:
      files::CheckRecords(scratch.folder(), files::RecordsOf(input), small);
  }
  return 0;
}

#include "transfer/bucket/folder_bucket.h"

#include "base/random.h"
#include "base/text/hex.h"
#include "files/folder.h"
#include "transfer/bucket/bucket_fault.h"

namespace keyfold::transfer {
namespace {

// A file that is being written is in the same folder as the object it becomes, under a name that no object may have.
constexpr std::string_view kUnfinishedPrefix = ".keyfold-unfinished-";

constexpr Rule<"The key {} is reserved: no part of a key may start with {}"> kOwnKey{"own-key", Kind::kValidation};

// The last part of a key, and everything before it.
std::string_view FileOf(std::string_view key) { return key.substr(key.rfind('/') + 1); }
std::string_view FolderOf(std::string_view key) { return key.substr(0, key.rfind('/') + 1); }

bool IsUnfinished(std::string_view key) { return FileOf(key).starts_with(kUnfinishedPrefix); }

Status KeyIsFree(std::string_view key) {
  if (IsUnfinished(key)) return kOwnKey(key, kUnfinishedPrefix);
  return Ok();
}

class FileSource final : public files::ByteSource {
 public:
  explicit FileSource(files::File file) : file_(std::move(file)) {}
  Result<size_t> Read(char* to, size_t bytes_max) override { return file_.Read(to, bytes_max); }

 private:
  files::File file_;
};

class FileSink final : public files::ByteSink {
 public:
  FileSink(files::Folder folder, files::File file, std::string unfinished, std::string key, std::string* etag)
      : folder_(std::move(folder)),
        file_(std::move(file)),
        unfinished_(std::move(unfinished)),
        key_(std::move(key)),
        etag_(etag) {}
  ~FileSink() override {
    // If this fails, the file is invisible and RemoveUnfinished removes it later.
    if (!finished_) static_cast<void>(folder_.Remove(unfinished_));
  }

  Status Write(std::string_view bytes) override {
    if (etag_ != nullptr) md5_.Add(bytes);
    return file_.Write(bytes);
  }

  Status Finish() override {
    RETURN_IF_ERROR(file_.Sync());
    RETURN_IF_ERROR(folder_.Rename(unfinished_, key_));
    finished_ = true;
    if (etag_ != nullptr) *etag_ = Hex(md5_.Finish());
    return Ok();
  }

 private:
  const files::Folder folder_;
  files::File file_;
  const std::string unfinished_, key_;
  std::string* const etag_;
  files::Md5 md5_;
  bool finished_ = false;
};

// Immutable; thread-safe.
class FolderBucket final : public Bucket {
 public:
  FolderBucket(files::Folder folder, std::string_view name) : folder_(std::move(folder)), name_(name) {}

  Result<std::vector<Object>> List(std::string_view prefix) override {
    ASSIGN_OR_RETURN(std::vector<files::Folder::Entry> files, folder_.List(prefix));
    std::vector<Object> objects;
    objects.reserve(files.size());
    for (files::Folder::Entry& file : files) {
      if (!IsUnfinished(file.name)) objects.push_back({std::move(file.name), file.bytes});
    }
    return objects;
  }

  Result<std::unique_ptr<files::ByteSource>> Read(std::string_view key) override {
    RETURN_IF_ERROR(KeyIsFree(key));
    Result<files::File> file = folder_.OpenToRead(key);
    if (!file.ok() && files::IsMissing(file.error())) return NoSuchKey(name_, key);
    RETURN_IF_ERROR(file);
    return std::unique_ptr<files::ByteSource>(std::make_unique<FileSource>(*std::move(file)));
  }

  Result<std::unique_ptr<files::ByteSink>> Write(std::string_view key, std::string* etag) override {
    RETURN_IF_ERROR(KeyIsFree(key));
    // Refuses a key that no file can have now, not after everything was written.
    Result<files::File> there = folder_.OpenToRead(key);
    if (!there.ok() && !files::IsMissing(there.error())) return std::move(there).TakeError();
    std::string unfinished(FolderOf(key));
    unfinished.append(kUnfinishedPrefix).append(Random(Random::SeedFromSystem()).Uuid());
    ASSIGN_OR_RETURN(files::File file, folder_.CreateNew(unfinished));
    return std::unique_ptr<files::ByteSink>(
        std::make_unique<FileSink>(folder_, std::move(file), std::move(unfinished), std::string(key), etag));
  }

  Status Remove(std::string_view key) override {
    RETURN_IF_ERROR(KeyIsFree(key));
    return folder_.Remove(key);
  }

  Status RemoveUnfinished(std::string_view folder) override {
    CHECK(folder.empty() || folder.ends_with('/'));
    ASSIGN_OR_RETURN(const std::vector<files::Folder::Entry> files, folder_.List(folder));
    for (const files::Folder::Entry& file : files) {
      if (IsUnfinished(file.name)) RETURN_IF_ERROR(folder_.Remove(file.name));
    }
    return Ok();
  }

  std::string Name() const override { return "s3://" + name_; }

 private:
  const files::Folder folder_;
  const std::string name_;
};

}  // namespace

Result<std::unique_ptr<Bucket>> OpenFolderBucket(const std::string& root, std::string_view name,
                                                 std::shared_ptr<const files::Room> room) {
  ASSIGN_OR_RETURN(const files::Folder folder, files::Folder::Open(root, files::Folder::For::kShared));
  if (!folder.HasFolder(name)) return NoSuchBucket(name);
  ASSIGN_OR_RETURN(const files::Folder bucket, folder.Below(name));
  return std::unique_ptr<Bucket>(std::make_unique<FolderBucket>(bucket.WithRoom(std::move(room)), name));
}

}  // namespace keyfold::transfer

#include "files/folder.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "files/file_modes.h"
#include "testing/files/folder.h"

namespace keyfold::files {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

std::string RuleOf(const Error& error) { return std::string(error.rule()); }
template <typename T>
std::string RuleOf(const Result<T>& result) {
  return result.ok() ? "" : std::string(result.error().rule());
}
std::string RuleOf(Status status) { return status.ok() ? "" : RuleOf(std::move(status).TakeError()); }

// Everything below a path: names, types and content.
std::map<std::string, std::string> Inventory(const std::string& path) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    std::string& what = all[entry.path()];
    if (entry.is_symlink()) {
      what = "link to " + fs::read_symlink(entry.path()).string();
    } else if (entry.is_directory()) {
      what = "folder";
    } else if (entry.is_regular_file()) {
      std::ifstream in(entry.path(), std::ios::binary);
      what = "file " + std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    } else {
      what = "other";
    }
  }
  return all;
}

std::string ReadAll(File& file) {
  std::string bytes;
  char buffer[7];
  while (true) {
    const Result<size_t> got = file.Read(buffer, sizeof buffer);
    EXPECT_TRUE(got.ok());
    if (!got.ok() || *got == 0) return bytes;
    bytes.append(buffer, *got);
  }
}

void WriteFile(const Folder& folder, std::string_view name, std::string_view bytes) {
  Result<File> file = folder.CreateNew(name);
  ASSERT_TRUE(file.ok()) << file.error().message();
  ASSERT_TRUE(file->Write(bytes).ok());
}

// A folder "in" that names must not leave, and next to it a folder "out" with the file "out/secret". "in" contains the
// file "file", the folder "sub" with the file "sub/file", and links to targets outside and inside.
class FolderWithLinks : public testing::Test {
 protected:
  FolderWithLinks() : folder_(*Folder::Open(around_.path() + "/in")) {
    fs::create_directories(Path("out/deep"));
    fs::create_directories(Path("in/sub"));
    around_.Write("out/secret", "secret");
    around_.Write("out/deep/secret", "secret");
    around_.Write("in/file", "file");
    around_.Write("in/sub/file", "sub file");
    fs::create_symlink("../out/secret", Path("in/file_link"));
    fs::create_symlink(Path("out/secret"), Path("in/absolute_file_link"));
    fs::create_symlink("../out", Path("in/folder_link"));
    fs::create_symlink("../../out", Path("in/sub/folder_link"));
    fs::create_symlink("../out/absent", Path("in/dangling"));
    fs::create_symlink("file", Path("in/inner_link"));
    fs::create_symlink("sub", Path("in/inner_folder_link"));
    fs::create_symlink("circle", Path("in/circle"));
    before_ = Inventory(around_.path());
  }
  std::string Path(const std::string& name) const { return around_.path() + '/' + name; }

  const FolderForTest around_;
  const Folder folder_;
  std::map<std::string, std::string> before_;
};

TEST_F(FolderWithLinks, RefusesHostileNames) {
  const std::string long_part(256, 'x');
  const struct {
    std::string name, rule;
  } kRows[] = {
      {"", "name-empty"},
      {"/", "name-absolute"},
      {"//", "name-absolute"},
      {"/etc/passwd", "name-absolute"},
      {"//etc/passwd", "name-absolute"},
      {Path("out/secret"), "name-absolute"},
      {"/../out/secret", "name-absolute"},
      {"/.", "name-absolute"},
      {".", "name-dots"},
      {"..", "name-dots"},
      {"./file", "name-dots"},
      {"../out/secret", "name-dots"},
      {"../in/file", "name-dots"},
      {"sub/..", "name-dots"},
      {"sub/.", "name-dots"},
      {"sub/../file", "name-dots"},
      {"sub/../../out/secret", "name-dots"},
      {"sub/./file", "name-dots"},
      {"sub/file/..", "name-dots"},
      {"absent/../file", "name-dots"},
      {"absent/../../out/secret", "name-dots"},
      {"file/../../out/secret", "name-dots"},
      {"../../../../../../../../etc/passwd", "name-dots"},
      {"folder_link/../out/secret", "name-dots"},
      {"file/", "name-empty-part"},
      {"sub/", "name-empty-part"},
      {"sub//file", "name-empty-part"},
      {"sub///file", "name-empty-part"},
      {"new//file", "name-empty-part"},
      {"new/", "name-empty-part"},
      {"folder_link/", "name-empty-part"},
      {"../", "name-empty-part"},
      {"\0"s, "name-nul"},
      {"file\0"s, "name-nul"},
      {"file\0/../../out/secret"s, "name-nul"},
      {"\0/secret"s, "name-nul"},
      {"sub/\0"s, "name-nul"},
      {"..\0"s, "name-nul"},
      {long_part, "name-part-long"},
      {"sub/" + long_part, "name-part-long"},
      {long_part + "/file", "name-part-long"},
      {"new/" + long_part + "/file", "name-part-long"},
  };
  static_assert(std::size(kRows) >= 40);
  for (const auto& row : kRows) {
    SCOPED_TRACE(testing::PrintToString(row.name));
    const Result<File> read = folder_.OpenToRead(row.name);
    EXPECT_EQ(RuleOf(read), row.rule);
    if (!read.ok()) {
      EXPECT_EQ(read.error().kind(), Kind::kValidation);
      EXPECT_EQ(read.error().message().find('\0'), std::string::npos);
    }
    EXPECT_EQ(RuleOf(folder_.CreateNew(row.name)), row.rule);
    EXPECT_EQ(RuleOf(folder_.Below(row.name)), row.rule);
    EXPECT_EQ(RuleOf(folder_.Rename(row.name, "to")), row.rule);
    EXPECT_EQ(RuleOf(folder_.Rename("file", row.name)), row.rule);
    EXPECT_EQ(RuleOf(folder_.Remove(row.name)), row.rule);
    EXPECT_FALSE(folder_.Has(row.name));
    EXPECT_FALSE(folder_.HasFolder(row.name));
    if (!row.name.empty()) {  // here it means everything below
      EXPECT_EQ(RuleOf(folder_.RemoveAll(row.name)), row.rule);
    }
  }
  EXPECT_EQ(Inventory(around_.path()), before_);
}

// Well-formed names that lead through or to a link, or to something that is not a file. "" means success.
TEST_F(FolderWithLinks, FollowsNoLinks) {
  const struct {
    const char *name, *read, *create, *below;
  } kRows[] = {
      {"file_link", "is-a-link", "file-exists", "is-a-link"},
      {"absolute_file_link", "is-a-link", "file-exists", "is-a-link"},
      {"inner_link", "is-a-link", "file-exists", "is-a-link"},
      {"dangling", "is-a-link", "file-exists", "is-a-link"},
      {"circle", "is-a-link", "file-exists", "is-a-link"},
      {"folder_link", "is-a-link", "file-exists", "is-a-link"},
      {"inner_folder_link", "is-a-link", "file-exists", "is-a-link"},
      {"folder_link/secret", "is-a-link", "is-a-link", "is-a-link"},
      {"folder_link/absent", "is-a-link", "is-a-link", "is-a-link"},
      {"folder_link/deep/secret", "is-a-link", "is-a-link", "is-a-link"},
      {"folder_link/new/file", "is-a-link", "is-a-link", "is-a-link"},
      {"sub/folder_link/secret", "is-a-link", "is-a-link", "is-a-link"},
      {"sub/folder_link/deep/secret", "is-a-link", "is-a-link", "is-a-link"},
      {"inner_folder_link/file", "is-a-link", "is-a-link", "is-a-link"},
      {"file_link/x", "is-a-link", "is-a-link", "is-a-link"},
      {"dangling/x", "is-a-link", "is-a-link", "is-a-link"},
      {"circle/x", "is-a-link", "is-a-link", "is-a-link"},
      {"file/x", "not-a-folder", "not-a-folder", "not-a-folder"},
      {"sub/file/x/y", "not-a-folder", "not-a-folder", "not-a-folder"},
      {"sub", "not-a-file", "file-exists", ""},
      {"file", "", "file-exists", "not-a-folder"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(RuleOf(folder_.OpenToRead(row.name)), row.read);
    EXPECT_EQ(RuleOf(folder_.CreateNew(row.name)), row.create);
    EXPECT_EQ(RuleOf(folder_.Below(row.name)), row.below);
    EXPECT_EQ(folder_.Has(row.name), row.read == ""s);
    EXPECT_EQ(folder_.HasFolder(row.name), row.below == ""s);
    if (row.read == "is-a-link"s && row.create == "is-a-link"s) {
      EXPECT_EQ(RuleOf(folder_.Remove(row.name)), "is-a-link");
      EXPECT_EQ(RuleOf(folder_.RemoveAll(row.name)), "is-a-link");
      EXPECT_EQ(RuleOf(folder_.Rename(row.name, "to")), "is-a-link");
      EXPECT_EQ(RuleOf(folder_.Rename("file", row.name)), "is-a-link");
    }
  }
  EXPECT_EQ(Inventory(around_.path()), before_);
}

TEST_F(FolderWithLinks, LinksThemselvesAreRemovedAndReplaced) {
  EXPECT_TRUE(folder_.Remove("file_link").ok());
  EXPECT_TRUE(folder_.RemoveAll("folder_link").ok());
  EXPECT_TRUE(folder_.Rename("file", "absolute_file_link").ok());
  EXPECT_TRUE(folder_.RemoveAll("sub").ok());
  EXPECT_FALSE(fs::exists(fs::symlink_status(Path("in/file_link"))));
  EXPECT_FALSE(fs::exists(fs::symlink_status(Path("in/folder_link"))));
  EXPECT_FALSE(fs::exists(Path("in/sub")));
  EXPECT_EQ(around_.Read("in/absolute_file_link"), "file");
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(Path("in/absolute_file_link"))));
  EXPECT_TRUE(folder_.RemoveAll("").ok());
  EXPECT_TRUE(fs::is_empty(Path("in")));
  EXPECT_EQ(around_.Read("out/secret"), "secret");
  EXPECT_EQ(around_.Read("out/deep/secret"), "secret");
}

TEST_F(FolderWithLinks, ListsFilesOnly) {
  const struct {
    const char* prefix;
    std::vector<std::string> names;
  } kRows[] = {
      {"", {"file", "sub/file"}},
      {"s", {"sub/file"}},
      {"sub", {"sub/file"}},
      {"sub/", {"sub/file"}},
      {"sub/f", {"sub/file"}},
      {"sub/file", {"sub/file"}},
      {"sub/file/", {}},
      {"subs", {}},
      {"file_link", {}},
      {"folder_link/", {}},
      {"../out/", {}},
      {"/", {}},
      {"./", {}},
  };
  for (const auto& row : kRows) {
    const Result<std::vector<Folder::Entry>> found = folder_.List(row.prefix);
    ASSERT_TRUE(found.ok()) << found.error().message();
    std::vector<std::string> names;
    for (const Folder::Entry& entry : *found) names.push_back(entry.name);
    EXPECT_EQ(names, row.names) << row.prefix;
  }
}

TEST(Folder, RefusesNonFilesWithoutBlocking) {
  const FolderForTest around;
  ASSERT_EQ(mkfifo((around.path() + "/pipe").c_str(), 0600), 0);
  const int socket_fd = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  const std::string path = around.path() + "/socket";
  ASSERT_LT(path.size(), sizeof address.sun_path);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  ASSERT_EQ(bind(socket_fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  close(socket_fd);
  for (const char* name : {"pipe", "socket"}) {
    EXPECT_EQ(RuleOf(around.folder().OpenToRead(name)), "not-a-file") << name;
    EXPECT_EQ(RuleOf(around.folder().OpenToRead(name + "/x"s)), "not-a-folder") << name;
    EXPECT_EQ(RuleOf(around.folder().Below(name)), "not-a-folder") << name;
    EXPECT_FALSE(around.folder().Has(name)) << name;
  }
  EXPECT_TRUE(around.folder().List("")->empty());
}

TEST(Folder, WritesAndReads) {
  const FolderForTest around;
  Result<File> file = around.folder().CreateNew("a/b/new");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->name(), around.path() + "/a/b/new");
  EXPECT_TRUE(file->Write("one ").ok());
  EXPECT_TRUE(file->Write("").ok());
  EXPECT_TRUE(file->Sync().ok());
  EXPECT_TRUE(file->Write("two").ok());
  EXPECT_TRUE(file->Sync().ok());
  EXPECT_EQ(around.Read("a/b/new"), "one two");
  Result<File> read = around.folder().OpenToRead("a/b/new");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read->Size(), 7u);
  File moved = *std::move(read);
  EXPECT_EQ(ReadAll(moved), "one two");
  EXPECT_EQ(ReadAll(moved), "");
  EXPECT_EQ(RuleOf(around.folder().CreateNew("a/b/new")), "file-exists");
  EXPECT_EQ(around.Read("a/b/new"), "one two");
}

TEST(Folder, Below) {
  const FolderForTest around;
  EXPECT_FALSE(around.folder().HasFolder("x/y"));
  const Result<Folder> below = around.folder().Below("x/y");
  ASSERT_TRUE(below.ok());
  EXPECT_EQ(below->path(), around.path() + "/x/y");
  EXPECT_TRUE(around.folder().HasFolder("x/y"));
  EXPECT_FALSE(around.folder().Has("x/y"));
  WriteFile(*below, "z", "1");
  EXPECT_TRUE(around.folder().Has("x/y/z"));
  EXPECT_FALSE(around.folder().HasFolder("x/y/z"));
  // `below` refers to the folder, not to its name: a new folder of that name is a different one.
  ASSERT_TRUE(around.folder().Rename("x/y", "moved").ok());
  WriteFile(*below, "w", "2");
  EXPECT_EQ(around.Read("moved/w"), "2");
}

TEST(Folder, OpenCreatesParents) {
  const FolderForTest around;
  const std::string path = around.path() + "/new/folder";
  for (const std::string& given : {path + "//", path, path + "/"}) {
    const Result<Folder> folder = Folder::Open(given);
    ASSERT_TRUE(folder.ok()) << folder.error().message();
    EXPECT_EQ(folder->path(), path);
  }
  EXPECT_TRUE(fs::is_directory(path));
  around.Write("file", "");
  EXPECT_EQ(RuleOf(Folder::Open("")), "name-empty");
  const Result<Folder> file = Folder::Open(around.path() + "/file");
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().message(), around.path() + "/file cannot be opened: Not a directory");
  EXPECT_EQ(file.error().kind(), Kind::kInternal);
  EXPECT_EQ(RuleOf(Folder::Open(around.path() + "/file/below")), "file-unmade");
}

TEST(Folder, Renames) {
  const FolderForTest around;
  const Folder& folder = around.folder();
  WriteFile(folder, "a", "a");
  WriteFile(folder, "b", "b");
  WriteFile(folder, "full/file", "f");
  EXPECT_TRUE(folder.Rename("a", "b").ok());
  EXPECT_EQ(around.Read("b"), "a");
  EXPECT_FALSE(folder.Has("a"));
  EXPECT_TRUE(folder.Rename("b", "new/way/c").ok());
  EXPECT_EQ(around.Read("new/way/c"), "a");
  EXPECT_EQ(RuleOf(folder.Rename("new/way/c", "full")), "not-a-file");
  EXPECT_EQ(RuleOf(folder.Rename("full", "new/way/c")), "not-a-folder");
  EXPECT_EQ(RuleOf(folder.Rename("new", "full")), "file-unrenamed");
  EXPECT_EQ(RuleOf(folder.Rename("absent", "d")), "file-missing");
  EXPECT_EQ(RuleOf(folder.Rename("absent/x", "d")), "file-missing");
  EXPECT_TRUE(folder.Rename("new", "moved").ok());
  EXPECT_EQ(around.Read("moved/way/c"), "a");
}

TEST(Folder, Removes) {
  const FolderForTest around;
  const Folder& folder = around.folder();
  WriteFile(folder, "file", "");
  for (const char* name : {"absent", "absent/x/y", "file/x"}) {
    EXPECT_TRUE(folder.Remove(name).ok()) << name;
    EXPECT_TRUE(folder.RemoveAll(name).ok()) << name;
  }
  ASSERT_TRUE(folder.Below("a/b/c").ok());
  WriteFile(folder, "a/file", "");
  WriteFile(folder, "a/b/file", "");
  WriteFile(folder, "ab/file", "");
  EXPECT_EQ(RuleOf(folder.Remove("a")), "not-a-file");
  EXPECT_TRUE(folder.RemoveAll("a").ok());
  EXPECT_FALSE(folder.HasFolder("a"));
  EXPECT_TRUE(folder.Has("ab/file"));
  EXPECT_TRUE(folder.RemoveAll("file").ok());
  EXPECT_FALSE(folder.Has("file"));
}

// Deeper than the maximum path length and the limit of open files.
TEST(Folder, RemovesAndListsDeepFolders) {
  const FolderForTest around;
  std::string name;
  for (int i = 0; i < 100; ++i) name += std::string(50, 'd') + '/';
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{.rlim_cur = 40, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  WriteFile(around.folder(), name + "file", "x");
  const Result<std::vector<Folder::Entry>> found = around.folder().List(name.substr(0, 1000));
  EXPECT_TRUE(found.ok() && found->size() == 1 && found->front().name == name + "file");
  EXPECT_TRUE(around.folder().RemoveAll(name.substr(0, 50)).ok());
  EXPECT_TRUE(fs::is_empty(around.path()));
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST(Folder, ListsInOrderOfBytes) {
  const FolderForTest around;
  // '-' and '.' sort before '/', letters after it.
  const std::vector<std::string> names = {"a-b", "a.b", "a/b", "a/b-", "a/c/d", "aa", "b/\x01", "b/\xff"};
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    WriteFile(around.folder(), *name, std::string(name->size(), 'x'));
  }
  ASSERT_TRUE(around.folder().Below("empty/folder").ok());
  const Result<std::vector<Folder::Entry>> found = around.folder().List("");
  ASSERT_TRUE(found.ok());
  std::vector<std::string> listed;
  for (const Folder::Entry& entry : *found) {
    listed.push_back(entry.name);
    EXPECT_EQ(entry.bytes, entry.name.size());
  }
  EXPECT_EQ(listed, names);
}

TEST(Folder, ErrorsNameTheFile) {
  const FolderForTest around;
  const Folder& folder = around.folder();
  around.Write("file", "");
  const std::string dots(1023, '.');
  const struct {
    std::string name, message;
    bool missing;
  } kRows[] = {
      {"absent", around.path() + "/absent does not exist", true},
      {"x/absent", around.path() + "/x/absent does not exist", true},
      {"file/x", "file/x is not a folder", true},
      {"a\nb\x7f\xc3\xa9/..", "The name a?b?\xc3\xa9/.. contains '.' or '..' as a part", false},
      {"\xff/..", "The name ?/.. contains '.' or '..' as a part", false},
      {dots + "\xc3\xa9", "The name " + dots + "... contains a part of more than 255 bytes", false},
      {"x//y", "The name x//y contains an empty part: two '/' in a row, or one at its end", false},
  };
  for (const auto& row : kRows) {
    const Result<File> read = folder.OpenToRead(row.name);
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().message(), row.message);
    EXPECT_EQ(IsMissing(read.error()), row.missing);
  }
  Result<File> read_only = folder.OpenToRead("file");
  ASSERT_TRUE(read_only.ok());
  EXPECT_EQ(read_only->Write("x").message(), around.path() + "/file cannot be written: Bad file descriptor");
}

// Files of /proc can be opened, but neither removed nor synced, and the first bytes of memory cannot be read.
TEST(Folder, RefusalsOfTheSystemNameTheFile) {
  const Folder folder = *Folder::Open("/proc/self");
  EXPECT_EQ(folder.Remove("status").message(), "/proc/self/status cannot be removed: Operation not permitted");
  File file = *folder.OpenToRead("status"), memory = *folder.OpenToRead("mem");
  EXPECT_EQ(file.Sync().message(), "/proc/self/status cannot be written to disk: Invalid argument");
  char byte;
  EXPECT_EQ(memory.Read(&byte, 1).error().message(), "/proc/self/mem cannot be read: Input/output error");
}

mode_t ModeOf(const std::string& path) {
  struct stat found;
  EXPECT_EQ(stat(path.c_str(), &found), 0) << path;
  return found.st_mode & 07777;
}

TEST(FileModes, SharedFilesUseTheOriginalUmask) {
  const FolderForTest around;
  const mode_t before = umask(027);
  EXPECT_EQ(SharedMode(0644), 0u) << "nothing is narrowed yet";
  KeepFilesPrivate();
  KeepFilesPrivate();
  EXPECT_EQ(SharedMode(0644), 0640u);
  for (const bool shared : {false, true}) {
    const std::string path = around.path() + (shared ? "/shared" : "/private");
    const auto folder = Folder::Open(path + "/deep", shared ? Folder::For::kShared : Folder::For::kOwner);
    ASSERT_TRUE(folder.ok() && folder->Below("a")->CreateNew("b/c").ok());
    ASSERT_TRUE(folder->CreateNew("d").ok() && folder->Rename("d", "e/f").ok());
    for (const char* name : {"", "/deep", "/deep/a", "/deep/a/b", "/deep/e"}) {
      EXPECT_EQ(ModeOf(path + name), shared ? 0750u : 0700u) << path << name;
    }
    EXPECT_EQ(ModeOf(path + "/deep/a/b/c"), shared ? 0640u : 0600u);
    EXPECT_EQ(ModeOf(path + "/deep/e/f"), shared ? 0640u : 0600u);
  }
  umask(before);
}

TEST(Folder, FilesCheckForRoomAsTheyGrow) {
  const FolderForTest scratch;
  RoomForTest room;
  const Folder folder = *scratch.folder().WithRoom(room.On(scratch.path())).Below("below");
  EXPECT_TRUE(folder.HasRoom(1).ok());
  EXPECT_EQ(room.asked, 1u);
  File file = *folder.CreateNew("f");
  const std::string piece(kRoomStepBytes / 4, 'x');
  for (int i = 0; i < 8; ++i) ASSERT_TRUE(file.Write(piece).ok());
  EXPECT_EQ(room.asked, 3u);
  room.left = kRoomStepBytes - 1;
  const Status refused = file.Write(piece);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.message(), "The disk is full");
  EXPECT_TRUE(IsNoRoom(refused.Clone().TakeError()));
  EXPECT_EQ(*file.Size(), 2 * kRoomStepBytes);
  EXPECT_FALSE(folder.HasRoom(kRoomStepBytes).ok());
  // There are no checks for another disk.
  EXPECT_TRUE(scratch.folder().WithRoom(room.On("/proc")).HasRoom(UINT64_MAX).ok());
  EXPECT_TRUE(scratch.folder().WithRoom(nullptr).HasRoom(UINT64_MAX).ok());
}

}  // namespace
}  // namespace keyfold::files

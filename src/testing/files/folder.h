// A new, empty folder, for the time of a test.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "base/check.h"
#include "files/folder.h"

namespace keyfold {

// A disk of which the test says how much more may be written to it. Thread-safe.
class RoomForTest {
 public:
  std::shared_ptr<const Room> On(const std::string& path) {
    return std::make_shared<const Room>(Room{.path = path, .has = [this](uint64_t bytes) -> Status {
                                               ++asked;
                                               return bytes <= left ? Ok() : Status(kNoRoomForFile());
                                             }});
  }

  std::atomic<uint64_t> left = UINT64_MAX, asked = 0;
};

// One thread at a time.
class FolderForTest {
 public:
  FolderForTest() : path_(Make()), folder_(*Folder::Open(path_)) {}
  ~FolderForTest() { std::filesystem::remove_all(path_); }
  FolderForTest(const FolderForTest&) = delete;
  FolderForTest& operator=(const FolderForTest&) = delete;

  const Folder& folder() const { return folder_; }
  const std::string& path() const { return path_; }

  // Past the folder's own ways in and out, so that what they did can be seen.
  void Write(const std::string& name, const std::string& bytes) const {
    std::filesystem::remove(path_ + '/' + name);  // one that is cut to nothing and written again goes to disk first
    std::ofstream(path_ + '/' + name, std::ios::binary) << bytes;
  }
  std::string Read(const std::string& name) const {
    std::ifstream in(path_ + '/' + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

 private:
  static std::string Make() {
    std::string path = testing::TempDir() + "keyfold_XXXXXX";
    CHECK(mkdtemp(path.data()) != nullptr);
    return path;
  }

  const std::string path_;
  const Folder folder_;
};

}  // namespace keyfold

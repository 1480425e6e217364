// A new, empty folder that exists for the duration of a test.
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

namespace keyfold::files {

// A disk whose remaining space the test sets. Thread-safe.
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

// Used by one thread at a time.
class FolderForTest {
 public:
  FolderForTest() : path_(Make()), folder_(*Folder::Open(path_)) {}
  ~FolderForTest() { std::filesystem::remove_all(path_); }
  FolderForTest(const FolderForTest&) = delete;
  FolderForTest& operator=(const FolderForTest&) = delete;

  const Folder& folder() const { return folder_; }
  const std::string& path() const { return path_; }

  // These bypass Folder, so that its effects can be checked independently.
  void Write(const std::string& name, const std::string& bytes) const {
    std::filesystem::remove(path_ + '/' + name);  // replacing a file by truncation would flush it to disk first
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

}  // namespace keyfold::files

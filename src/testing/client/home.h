// A home folder with the AWS tools' files, for the duration of a test.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "client/environment.h"

namespace keyfold::client {

// Used by one thread at a time.
class HomeForTest {
 public:
  HomeForTest() : path_(std::filesystem::path(testing::TempDir()) / ("keyfold_home_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_ / ".aws");
  }
  ~HomeForTest() { std::filesystem::remove_all(path_); }
  HomeForTest(const HomeForTest&) = delete;
  HomeForTest& operator=(const HomeForTest&) = delete;

  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }
  // An empty text means that the file does not exist.
  void WriteAws(const std::string& credentials, const std::string& config) const {
    std::filesystem::remove(path_ / ".aws/credentials");
    std::filesystem::remove(path_ / ".aws/config");
    if (!credentials.empty()) Write(".aws/credentials", credentials);
    if (!config.empty()) Write(".aws/config", config);
  }
  // Sets HOME, and disables instance credentials unless `variables` enables them.
  Environment With(Environment::Variables variables) const {
    variables.emplace("HOME", path_);
    variables.emplace("AWS_EC2_METADATA_DISABLED", "true");
    return Environment(std::move(variables));
  }
  std::string path() const { return path_; }

 private:
  const std::filesystem::path path_;
};

}  // namespace keyfold::client

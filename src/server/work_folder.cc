#include "server/work_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/log.h"

namespace keyfold::server {

WorkFolder::WorkFolder(const Config& config) {
  std::string path = config.data;
  if (config.in_memory) {
    std::error_code error;
    path = (std::filesystem::temp_directory_path(error) / "keyfold-XXXXXX").string();
    if (error || mkdtemp(path.data()) == nullptr) {
      if (!error) error = std::error_code(errno, std::generic_category());
      LogWarning("backups are unavailable: {}: {}", path, error.message());
      return;
    }
    temporary_ = path;
  }
  Result<files::Folder> opened = files::Folder::Open(path);
  if (opened.ok()) {
    folder_ = *std::move(opened);
  } else {
    LogWarning("backups are unavailable: {}", opened.error().message());
  }
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  if (!temporary_.empty()) std::filesystem::remove_all(temporary_, ignored);
}

}  // namespace keyfold::server

// WorkFolder: where backups and the sort files of exports and imports are stored: the data folder, or for an in-memory
// server a temporary folder that is removed with it.
#pragma once

#include <optional>
#include <string>

#include "files/folder.h"
#include "server/config/config.h"

namespace keyfold::server {

// Immutable.
class WorkFolder {
 public:
  explicit WorkFolder(const Config& config);
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;

  // nullopt if it cannot be written to; that was logged.
  const std::optional<files::Folder>& folder() const { return folder_; }

 private:
  std::string temporary_;  // its path; empty: the folder is not temporary
  std::optional<files::Folder> folder_;
};

}  // namespace keyfold::server

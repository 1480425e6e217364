// WorkFolder: where backups, and what exports and imports sort, are kept: the data folder, or for a server that keeps
// nothing a temporary folder that goes with it.
#pragma once

#include <optional>
#include <string>

#include "files/folder.h"
#include "server/config/config.h"

namespace keyfold {

// Immutable.
class WorkFolder {
 public:
  explicit WorkFolder(const Config& config);
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;

  // None where it cannot be written to; that was logged.
  const std::optional<Folder>& folder() const { return folder_; }

 private:
  std::string temporary_;  // path; empty: it stays
  std::optional<Folder> folder_;
};

}  // namespace keyfold

// Surroundings: the kernel's boot and the mount on which a data folder is used. They are written into MARK. If a
// process was merely killed, its log is a prefix of what it wrote, because the kernel keeps all of that. Only a restart
// of the machine or a new mount can leave a hole in the log, so a hole in unchanged surroundings is damage.
#pragma once

#include <string>

namespace keyfold::store {

struct Surroundings {
  std::string boot;   // the kernel's boot id
  std::string mount;  // device, mount, and the inodes of the folder and its FORMAT, which a copy does not share

  // Returns false if either is unknown.
  bool IsSameAs(const Surroundings& other) const {
    return !boot.empty() && !mount.empty() && boot == other.boot && mount == other.mount;
  }
  friend bool operator==(const Surroundings&, const Surroundings&) = default;
};

// Leaves fields empty that the system does not report.
Surroundings FindSurroundings(const std::string& folder);

}  // namespace keyfold::store

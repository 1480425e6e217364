// Surroundings: the run of the kernel and the mount that a data folder is used on. They are written into MARK. A log
// that was appended to by a process that was only killed is a prefix of what the process wrote: the kernel keeps the
// rest. Only a restart of the machine or a new mount can leave a hole in it, so a hole under unchanged surroundings is
// damage.
#pragma once

#include <string>

namespace keyfold {

struct Surroundings {
  std::string boot;   // the kernel's boot id
  std::string mount;  // device, mount, and the inodes of the folder and its FORMAT, which a copy does not share

  // False where either is unknown.
  bool IsSameAs(const Surroundings& other) const {
    return !boot.empty() && !mount.empty() && boot == other.boot && mount == other.mount;
  }
  friend bool operator==(const Surroundings&, const Surroundings&) = default;
};

// Leaves empty what the system does not tell.
Surroundings FindSurroundings(const std::string& folder);

}  // namespace keyfold

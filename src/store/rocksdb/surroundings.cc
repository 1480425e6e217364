#include "store/rocksdb/surroundings.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace keyfold::store {
namespace {

#ifndef STATX_MNT_ID_UNIQUE
#define STATX_MNT_ID_UNIQUE 0x00004000U
#endif

// Kernels before 6.8 have no unique mount ids and reuse an id after an unmount. The file system's entry in sysfs is
// created anew with each mount, and its inode number is not reused soon.
std::string MountEntries(unsigned major, unsigned minor) {
  std::error_code error;
  const std::filesystem::path device =
      std::filesystem::read_symlink(fmt::format("/sys/dev/block/{}:{}", major, minor), error).filename();
  if (error) return "";
  std::string inodes;
  for (const char* kind : {"ext4", "xfs", "f2fs"}) {
    struct stat entry;
    const std::string path = fmt::format("/sys/fs/{}/{}", kind, device.string());
    if (stat(path.c_str(), &entry) == 0) inodes += fmt::format(".{}", entry.st_ino);
  }
  return inodes;
}

std::string MountOf(const std::string& folder) {
  struct statx found;
  if (statx(AT_FDCWD, folder.c_str(), 0, STATX_INO | STATX_MNT_ID_UNIQUE, &found) != 0) return "";
  std::string mount;
  if (found.stx_mask & STATX_MNT_ID_UNIQUE) {
    mount = fmt::format("u{}", found.stx_mnt_id);
  } else {
    if (statx(AT_FDCWD, folder.c_str(), 0, STATX_INO | STATX_MNT_ID, &found) != 0) return "";
    if (!(found.stx_mask & STATX_MNT_ID)) return "";
    mount = fmt::format("{}{}", found.stx_mnt_id, MountEntries(found.stx_dev_major, found.stx_dev_minor));
  }
  struct stat format;
  if (stat((folder + "/FORMAT").c_str(), &format) != 0) return "";
  return fmt::format("{}:{}-{}-{}-{}", found.stx_dev_major, found.stx_dev_minor, mount, found.stx_ino, format.st_ino);
}

}  // namespace

Surroundings FindSurroundings(const std::string& folder) {
  Surroundings found;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> found.boot;
  found.mount = MountOf(folder);
  return found;
}

}  // namespace keyfold::store

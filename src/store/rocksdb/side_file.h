// Small text files beside the database: lines of "name value", the last one a checksum of those before. Replaced whole
// and durably, so a crash leaves the old or the new one.
#pragma once

#include <rocksdb/file_system.h>

#include <map>
#include <optional>
#include <string>

namespace keyfold {

using SideRecord = std::map<std::string, std::string>;

// The file, its name and its content are on disk when this returns.
rocksdb::IOStatus ReplaceSideFile(rocksdb::FileSystem& fs, const std::string& folder, const std::string& name,
                                  const SideRecord& record);

// None where the content is not what was written; an error status where the file cannot be read.
rocksdb::IOStatus ReadSideFile(rocksdb::FileSystem& fs, const std::string& path, std::optional<SideRecord>& record);

rocksdb::IOStatus SyncFolder(rocksdb::FileSystem& fs, const std::string& folder);

}  // namespace keyfold

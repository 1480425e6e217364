// Small text files next to the database: lines of "name value", followed by a checksum line. They are replaced
// atomically and durably, so a crash leaves either the old file or the new one.
#pragma once

#include <rocksdb/file_system.h>

#include <map>
#include <optional>
#include <string>

namespace keyfold::store {

using SideRecord = std::map<std::string, std::string>;

// The file's name and content are on disk when this returns.
rocksdb::IOStatus ReplaceSideFile(rocksdb::FileSystem& fs, const std::string& folder, const std::string& name,
                                  const SideRecord& record);

// Sets `record` to nullopt if the content is not what was written. Returns an error status if the file cannot be read.
rocksdb::IOStatus ReadSideFile(rocksdb::FileSystem& fs, const std::string& path, std::optional<SideRecord>& record);

rocksdb::IOStatus SyncFolder(rocksdb::FileSystem& fs, const std::string& folder);

}  // namespace keyfold::store

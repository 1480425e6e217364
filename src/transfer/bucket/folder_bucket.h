// A bucket that is a folder: an object is a file, and its key is the file's path in the folder.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "transfer/bucket/bucket.h"

namespace keyfold::transfer {

// Opens the folder `name` in `root`, which must exist.
Result<std::unique_ptr<Bucket>> OpenFolderBucket(const std::string& root, std::string_view name,
                                                 std::shared_ptr<const files::Room> room = nullptr);

}  // namespace keyfold::transfer

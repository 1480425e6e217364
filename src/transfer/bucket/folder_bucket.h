// A bucket that is a folder: an object is a file in it, its key the file's name below it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "transfer/bucket/bucket.h"

namespace keyfold {

// The folder `name` in `root`, which must be there.
Result<std::unique_ptr<Bucket>> OpenFolderBucket(const std::string& root, std::string_view name,
                                                 std::shared_ptr<const Room> room = nullptr);

}  // namespace keyfold

// `keyfold serve`: builds the parts, runs until a signal, stops in order.
#pragma once

#include "server/config/config.h"
#include "store/rocksdb/open.h"

namespace keyfold {

// The process's exit code. Of `store_options` only what `config` does not say counts; tests give it their file system.
int Serve(const Config& config, const RocksdbOptions& store_options = {});

}  // namespace keyfold

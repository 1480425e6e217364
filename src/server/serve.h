// `keyfold serve`: builds the parts, runs until a signal, stops in order.
#pragma once

#include "server/config/config.h"
#include "store/rocksdb/open.h"

namespace keyfold::server {

// Returns the process's exit code. `store_options` applies only to what `config` does not set; tests pass their file
// system in it.
int Serve(const Config& config, const store::RocksdbOptions& store_options = {});

}  // namespace keyfold::server

// How RocksDB is set up: durable, small and quick to start. Each setting that is not RocksDB's own default has its
// reason in settings.cc.
#pragma once

#include <rocksdb/env.h>
#include <rocksdb/options.h>

#include <atomic>

#include "store/rocksdb/open.h"

namespace keyfold {

// RocksDB's own log, warnings and worse only, in ours: no LOG files to bound, and nothing written into a folder that is
// being refused. Thread-safe.
class LogBridge final : public rocksdb::Logger {
 public:
  LogBridge() : Logger(rocksdb::InfoLogLevel::WARN_LEVEL) {}
  using Logger::Logv;
  void Logv(const char* format, va_list arguments) override;
  void Logv(const rocksdb::InfoLogLevel level, const char* format, va_list arguments) override;
  // While a folder is being opened we say ourselves, in one line, what is wrong with it.
  void Mute(bool muted) { muted_.store(muted); }

 private:
  std::atomic<bool> muted_ = false;
};

rocksdb::Options SettingsFor(const RocksdbOptions& options);

// Of RocksdbOptions::cache_bytes, what is for whole rows; the rest is for RocksDB's blocks.
size_t RowCacheBytes(const RocksdbOptions& options);

}  // namespace keyfold

// RocksDB's settings: durable, small and quick to start. settings.cc gives the reason for each setting that differs
// from RocksDB's default.
#pragma once

#include <rocksdb/env.h>
#include <rocksdb/options.h>

#include <atomic>

#include "store/rocksdb/open.h"

namespace keyfold::store {

// Forwards warnings and errors of RocksDB's own log to Keyfold's log. So there are no LOG files to limit, and nothing
// is written into a folder that is being refused. Thread-safe.
class LogBridge final : public rocksdb::Logger {
 public:
  LogBridge() : Logger(rocksdb::InfoLogLevel::WARN_LEVEL) {}
  using Logger::Logv;
  void Logv(const char* format, va_list arguments) override;
  void Logv(const rocksdb::InfoLogLevel level, const char* format, va_list arguments) override;
  // Muted while a folder is being opened: OpenRocksdbStore reports what is wrong with it in one line.
  void Mute(bool muted) { muted_.store(muted); }

 private:
  std::atomic<bool> muted_ = false;
};

rocksdb::Options SettingsFor(const RocksdbOptions& options);

// The part of RocksdbOptions::cache_bytes for whole rows. The rest is for RocksDB's blocks.
size_t RowCacheBytes(const RocksdbOptions& options);

}  // namespace keyfold::store

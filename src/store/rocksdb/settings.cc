#include "store/rocksdb/settings.h"

#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "base/log.h"
#include "store/rocksdb/partition_prefix.h"

namespace keyfold::store {
namespace {

void SetDurability(rocksdb::Options& o) {
  o.manual_wal_flush = true;  // writes go to a buffer; the syncer writes and syncs it for many at once
  o.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;  // WalAudit and MARK add stricter checks
  o.track_and_verify_wals_in_manifest = true;
  o.paranoid_checks = true;
  // Opening first compares the replayed log with what the inspection found, and only then flushes. Closing a folder
  // that was refused must not flush either. A clean stop flushes explicitly.
  o.avoid_flush_during_recovery = true;
  o.avoid_flush_during_shutdown = true;
  o.recycle_log_file_num = 0;
  o.allow_concurrent_memtable_write = false;  // the log-order lock admits one writer at a time
  o.enable_write_thread_adaptive_yield = false;
}

void SetFootprint(rocksdb::Options& o) {
  o.table_cache_numshardbits = 4;
  o.stats_dump_period_sec = 0;
  o.stats_persist_period_sec = 0;
  o.skip_stats_update_on_db_open = true;  // it would read every table
  o.max_background_jobs = 2;
  o.max_manifest_file_size = uint64_t{16} << 20;
  // With one column family this only bounds the space that a new log preallocates; the default is the size of a write
  // buffer.
  o.max_total_wal_size = uint64_t{4} << 20;
  o.info_log_level = rocksdb::InfoLogLevel::WARN_LEVEL;
  o.info_log = std::make_shared<LogBridge>();
}

constexpr uint64_t kCacheBytesToPin = uint64_t{1} << 30;

void SetTables(rocksdb::Options& o, uint64_t cache_bytes) {
  rocksdb::BlockBasedTableOptions table;
  table.format_version = 5;
  table.block_size = 16 * 1024;      // so a Query page spans one or two blocks
  table.block_restart_interval = 4;  // so a search in a block scans few rows to reach its target
  table.block_cache = rocksdb::NewLRUCache(cache_bytes, /*num_shard_bits=*/4);
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.whole_key_filtering = true;
  table.data_block_index_type = rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash;  // for reads by key
  table.cache_index_and_filter_blocks = true;                                              // --cache-mb bounds them too
  table.cache_index_and_filter_blocks_with_high_priority = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  // At most max_open_files of them are pinned, about 200 MB.
  if (cache_bytes >= kCacheBytesToPin) {
    table.metadata_cache_options.unpartitioned_pinning = rocksdb::PinningTier::kAll;
  }
  o.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  o.compression = rocksdb::kLZ4Compression;
  // Flushed files are soon merged into the next level; compressing them before that is not worth the time.
  o.compression_per_level = {rocksdb::kNoCompression, rocksdb::kLZ4Compression};
  o.level0_file_num_compaction_trigger = 2;  // a Query has to seek in each level-0 file
  o.level_compaction_dynamic_level_bytes = true;
  o.bytes_per_sync = uint64_t{1} << 20;  // avoids large bursts of writes next to the log's syncs
}

}  // namespace

void LogBridge::Logv(const char* format, va_list arguments) {
  Logv(rocksdb::InfoLogLevel::WARN_LEVEL, format, arguments);
}

void LogBridge::Logv(const rocksdb::InfoLogLevel level, const char* format, va_list arguments) {
  if (level < GetInfoLogLevel() || level == rocksdb::InfoLogLevel::HEADER_LEVEL || muted_.load()) return;
  char line[1024];
  std::vsnprintf(line, sizeof line, format, arguments);
  // Logged for every ingested table file. Keyfold's rows have their own checksums.
  if (std::strstr(line, "opened without unique ID") != nullptr) return;
  // Logged every second while a compaction waits for disk space. BackgroundWatch has logged it once.
  for (const char* waits : {"less than needed headroom", "Compaction too large"}) {
    if (std::strstr(line, waits) != nullptr) return;
  }
  if (level >= rocksdb::InfoLogLevel::ERROR_LEVEL) {
    LogError("rocksdb: {}", line);
  } else {
    LogWarning("rocksdb: {}", line);
  }
}

size_t RowCacheBytes(const RocksdbOptions& options) { return options.cache_bytes / 2; }

rocksdb::Options SettingsFor(const RocksdbOptions& options) {
  rocksdb::Options o;
  if (options.env != nullptr) o.env = options.env;
  o.create_if_missing = true;
  o.write_buffer_size = options.write_buffer_bytes;
  // RocksDB's own choice for this size. It is set explicitly because replaying a log uses a larger write buffer for a
  // while.
  o.arena_block_size = std::min<size_t>(size_t{1} << 20, options.write_buffer_bytes / 8);
  // Lets a lookup skip the write buffers if the row or partition is only in files.
  o.prefix_extractor = std::make_shared<PartitionPrefix>();
  o.memtable_whole_key_filtering = true;
  o.memtable_prefix_bloom_size_ratio = 0.02;
  o.max_write_buffer_number = 3;  // one being written and two being flushed before writers are slowed down
  SetDurability(o);
  // Accepting data loss includes logs that were synced completely and no longer are complete.
  if (options.accept_data_loss) o.track_and_verify_wals_in_manifest = false;
  SetFootprint(o);
  o.max_open_files = options.open_files_max;
  SetTables(o, options.cache_bytes - RowCacheBytes(options));
  return o;
}

}  // namespace keyfold::store

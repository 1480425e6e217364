// Keys, and shorthands for a store's catalog and log, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "store/store.h"

namespace keyfold::store {

inline constexpr TableId kTestTable = 9;

// Returns the key of a row whose partition key, and sort key unless it is empty, are texts.
inline RowKey TestKey(std::string_view partition, std::string_view sort = {}, IndexId index = kBaseTable,
                      TableId table = kTestTable) {
  std::string p(partition), s(sort);
  p.append("\0\0", 2);
  if (!s.empty()) s.append("\0\0", 2);
  return RowKey(table, index, p, s);
}

inline Status WriteCatalog(Store& store, CatalogVersion expected, const std::vector<CatalogChange>& changes) {
  return store.WriteCatalog(expected, [&](CommitStamp) { return changes; });
}

struct LogEntry {
  LogPosition at;
  Micros time = 0;
  std::string body;
};

// Returns at most `limit` records.
inline std::vector<LogEntry> ReadLog(Store& store, const LogRange& range, size_t limit = SIZE_MAX) {
  std::vector<LogEntry> entries;
  const auto visit = [&](const LogView& record) {
    if (entries.size() == limit) return false;
    entries.push_back({record.at, record.time, std::string(record.body)});
    return true;
  };
  // A store may stop before the end. It has reached the end when its position no longer changes.
  LogRange rest = range;
  while (true) {
    const Result<LogPosition> reached = store.ReadLog(rest, visit);
    EXPECT_TRUE(reached.ok());
    if (!reached.ok() || *reached == rest.after) return entries;
    rest.after = *reached;
  }
}

}  // namespace keyfold::store

// Continuously writes two items of a table in transactions, both with the same number: any reader of one moment must
// see the same number in both. For tests of copies that are made under load.
#pragma once

#include <atomic>
#include <string>
#include <thread>

#include "base/check.h"
#include "engine/items/item_write.h"
#include "testing/engine/test_database.h"

namespace keyfold::engine {

// Used by one thread at a time.
class PairWriter {
 public:
  // The table has the key p:S. When the constructor returns, both items exist.
  PairWriter(const Database& db, std::string table) : db_(db), table_(std::move(table)) {
    CHECK(WriteBoth(0));
    thread_ = std::thread([this] {
      for (int n = 1; !stopping_; ++n) {
        if (WriteBoth(n)) written_ = n;
      }
    });
  }
  ~PairWriter() { Stop(); }

  // The last acknowledged number.
  int written() const { return written_; }
  void Stop() {
    stopping_ = true;
    if (thread_.joinable()) thread_.join();
  }

 private:
  bool WriteBoth(int n) {
    const Item a = ItemOf("{p='a', n=" + std::to_string(n) + "}"), b = ItemOf("{p='b', n=" + std::to_string(n) + "}");
    const ItemWrite writes[] = {{.action = ItemWrite::Action::kPut, .table = table_, .item = a},
                                {.action = ItemWrite::Action::kPut, .table = table_, .item = b}};
    WriteOutcome outcomes[2];
    store::Horizon horizon;
    return WriteTransaction(db_, writes, outcomes, nullptr, {horizon}).ok();
  }

  const Database db_;
  const std::string table_;
  std::atomic<int> written_ = 0;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace keyfold::engine

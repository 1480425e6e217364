// The models that watch tables of this server: attached at start (--model) or by request, one for each table.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "model/observe/observer.h"

namespace keyfold {

// Thread-safe. The clock, the database's, is borrowed.
class AttachedModels {
 public:
  using ByTable = std::map<std::string, std::shared_ptr<model::Observer>, std::less<>>;

  explicit AttachedModels(const Clock& clock) : clock_(clock) {}

  // The model's table, or nothing and the line that says why it cannot be read. Another model of the table gives way,
  // with its counts.
  std::string Attach(std::string file, std::string text, model::ObserverOptions options, std::string& table);
  // False: no model watches that table.
  bool Detach(std::string_view table);

  // Null where there is none, as nearly always.
  std::shared_ptr<const ByTable> Current() const { return any_.load(std::memory_order_acquire) ? Cached() : nullptr; }

 private:
  // Each thread keeps what it saw last, so that it looks again only after a change.
  std::shared_ptr<const ByTable> Cached() const;
  void Publish(ByTable models);

  const Clock& clock_;
  std::mutex changing_;  // held from reading the models to publishing others
  mutable std::mutex mutex_;
  std::shared_ptr<const ByTable> current_;  // under mutex_; never changed in place
  std::atomic<uint64_t> version_{0};        // of all AttachedModels that ever were, so that a thread's copy names one
  std::atomic<bool> any_{false};
};

}  // namespace keyfold

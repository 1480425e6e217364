// The models that watch tables of this server: attached at startup (--model) or by request, one per table.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "base/mutex.h"
#include "model/observe/observer.h"

namespace keyfold::server {

// Thread-safe. Borrows the database's clock.
class AttachedModels {
 public:
  using ByTable = std::map<std::string, std::shared_ptr<model::Observer>, std::less<>>;

  explicit AttachedModels(const Clock& clock) : clock_(clock) {}

  // Returns the model's table. Replaces another model of that table, along with its counts. The error of a model that
  // cannot be read is one line with its place in the file.
  Result<std::string> Attach(const std::string& file, std::string text, model::ObserverOptions options);
  // Returns false if no model watches that table.
  bool Detach(std::string_view table);

  // Null if no model is attached, which is the usual case.
  std::shared_ptr<const ByTable> Current() const { return any_.load(std::memory_order_acquire) ? Cached() : nullptr; }

 private:
  // Each thread caches what it saw last, so that it takes the lock only after a change.
  std::shared_ptr<const ByTable> Cached() const;
  void Publish(ByTable models) REQUIRES(changing_);

  const Clock& clock_;
  Mutex changing_;  // held from reading the models until the new ones are published
  mutable Mutex mutex_;
  std::shared_ptr<const ByTable> current_ GUARDED_BY(mutex_);  // never changed in place
  std::atomic<uint64_t> version_{0};  // unique across all instances, so that a thread's cached copy identifies one
  std::atomic<bool> any_{false};
};

}  // namespace keyfold::server

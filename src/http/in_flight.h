// InFlight: counts the bytes that requests and responses hold in memory, limits them, and chooses who gives way at the
// limit. An eighth of the limit is reserved for requests and responses of up to 64 KB, so large ones never crowd out
// small ones.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/mutex.h"

namespace keyfold::http {

// A connection that holds bytes and waits for its client: for the rest of a request, or for the client to read a
// response. Its own loop lists it; any thread may choose it.
class Waiter {
 public:
  explicit Waiter(size_t loop) : loop_(loop) {}

  // Makes the waiter's own loop call GiveWay soon. Called from any thread while the waiter is listed.
  virtual void GiveWaySoon() = 0;

 protected:
  ~Waiter() = default;
  bool waits() const { return listed_; }

 private:
  friend class InFlight;

  const size_t loop_;
  bool listed_ = false;  // used by its own loop's thread
  // The rest is guarded by InFlight's mutex.
  bool leaving_ = false;
  size_t place_ = 0;
  size_t bytes_ = 0;      // bytes held
  size_t moved_ = 0;      // bytes received or written
  int64_t since_ms_ = 0;  // when the request's first byte arrived or the response began
  int64_t moved_at_ms_ = 0;
};

// Thread-safe. Change and IsOver use relaxed atomics, because every request calls them; the mutex is used only for
// clients that keep the server waiting.
class InFlight {
 public:
  static constexpr size_t kSmallBytesMax = 64 * 1024;
  static constexpr int64_t kPatienceMs = 500;  // time without a byte moved, or beyond what kPaceBytesPerMs allows
  static constexpr size_t kPaceBytesPerMs = 1024;

  struct Room {
    std::vector<Waiter*> here;     // waiters of the calling loop, which makes them give way now
    bool asker_gives_way = false;  // if true, the asker is not in `here`
  };

  explicit InFlight(size_t bytes_max)
      : bytes_max_(static_cast<int64_t>(bytes_max)),
        small_bytes_kept_(bytes_max_ / 8),
        large_bytes_max_(bytes_max_ - small_bytes_kept_) {}

  // A holder now has `after` bytes, formerly `before`.
  void Change(size_t before, size_t after) {
    bytes_.fetch_add(static_cast<int64_t>(after) - static_cast<int64_t>(before), std::memory_order_relaxed);
    if (before <= kSmallBytesMax && after <= kSmallBytesMax) return;
    large_bytes_.fetch_add(LargePart(after) - LargePart(before), std::memory_order_relaxed);
  }
  // Returns whether there is too little room for a holder of that size. Bytes of large holders never count against
  // small ones.
  bool IsOver(size_t held) const { return Excess(held, 0, 0) > 0; }
  int64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  int64_t bytes_max() const { return bytes_max_; }

  // The waiter holds `bytes` and starts or continues to wait; `moved` only grows.
  void List(Waiter& waiter, size_t bytes, size_t moved, int64_t now_ms);
  void Unlist(Waiter& waiter);
  bool IsLeaving(const Waiter& waiter) const;

  // Called by a holder of `held` bytes that exceeds the limit. Chooses who gives way: slow waiters first, the largest
  // and longest-waiting of them first. If they do not suffice, a request gives way itself. A response is in memory
  // already, so others give way to it, or it to them. Waiters of other loops are notified here.
  Room MakeRoom(Waiter& asker, size_t held, bool answering, int64_t now_ms);
  // Makes the longest-waiting slow waiter give way, to free its descriptor. Returns its loop; nullopt if there is no
  // slow waiter.
  std::optional<size_t> AskSlowest(int64_t now_ms);

 private:
  static int64_t LargePart(size_t bytes) { return bytes > kSmallBytesMax ? static_cast<int64_t>(bytes) : 0; }
  // Called with the mutex held, which guards what it reads of the waiter.
  static bool IsSlow(const Waiter& waiter, int64_t now_ms);
  // How far a holder of that size exceeds the limit after `leaving` bytes are gone.
  int64_t Excess(size_t held, int64_t leaving, int64_t leaving_large) const;
  std::vector<Waiter*> Candidates(bool large_only, int64_t now_ms) const REQUIRES(mutex_);
  void MarkLeaving(Waiter& waiter) REQUIRES(mutex_);

  const int64_t bytes_max_, small_bytes_kept_, large_bytes_max_;
  std::atomic<int64_t> bytes_{0}, large_bytes_{0};

  mutable Mutex mutex_;  // also guards fields of the waiters that are listed
  std::vector<Waiter*> waiting_ GUARDED_BY(mutex_);
  int64_t leaving_bytes_ GUARDED_BY(mutex_) = 0, leaving_large_bytes_ GUARDED_BY(mutex_) = 0;
};

}  // namespace keyfold::http

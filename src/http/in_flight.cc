#include "http/in_flight.h"

#include <algorithm>

namespace keyfold::http {
namespace {

constexpr size_t kWorthwhileBytes = 4096;  // evicting a waiter that holds less frees too little

}  // namespace

int64_t InFlight::Excess(size_t held, int64_t leaving, int64_t leaving_large) const {
  const int64_t large = large_bytes_.load(std::memory_order_relaxed) - leaving_large;
  const int64_t all = bytes() - leaving;
  int64_t excess = held > kSmallBytesMax ? large - large_bytes_max_ : 0;
  if (all - large > small_bytes_kept_) excess = std::max(excess, all - bytes_max_);
  return excess;
}

bool InFlight::IsSlow(const Waiter& waiter, int64_t now_ms) {
  if (now_ms - waiter.moved_at_ms_ >= kPatienceMs) return true;
  return now_ms - waiter.since_ms_ >= kPatienceMs + static_cast<int64_t>(waiter.moved_ / kPaceBytesPerMs);
}

void InFlight::List(Waiter& waiter, size_t bytes, size_t moved, int64_t now_ms) {
  const MutexLock lock(mutex_);
  if (!waiter.listed_) {
    waiter.listed_ = true;
    waiter.leaving_ = false;
    waiter.place_ = waiting_.size();
    waiter.moved_ = moved;
    waiter.since_ms_ = waiter.moved_at_ms_ = now_ms;
    waiting_.push_back(&waiter);
  }
  if (waiter.leaving_) {
    leaving_bytes_ += static_cast<int64_t>(bytes) - static_cast<int64_t>(waiter.bytes_);
    leaving_large_bytes_ += LargePart(bytes) - LargePart(waiter.bytes_);
  }
  waiter.bytes_ = bytes;
  if (moved != waiter.moved_) waiter.moved_at_ms_ = now_ms;
  waiter.moved_ = moved;
}

void InFlight::Unlist(Waiter& waiter) {
  if (!waiter.listed_) return;
  waiter.listed_ = false;
  const MutexLock lock(mutex_);
  if (waiter.leaving_) {
    leaving_bytes_ -= static_cast<int64_t>(waiter.bytes_);
    leaving_large_bytes_ -= LargePart(waiter.bytes_);
    waiter.leaving_ = false;
  }
  waiting_[waiter.place_] = waiting_.back();
  waiting_[waiter.place_]->place_ = waiter.place_;
  waiting_.pop_back();
}

bool InFlight::IsLeaving(const Waiter& waiter) const {
  const MutexLock lock(mutex_);
  return waiter.leaving_;
}

void InFlight::MarkLeaving(Waiter& waiter) {
  waiter.leaving_ = true;
  leaving_bytes_ += static_cast<int64_t>(waiter.bytes_);
  leaving_large_bytes_ += LargePart(waiter.bytes_);
}

// In the order in which they give way: slow ones first, then by bytes held times time held.
std::vector<Waiter*> InFlight::Candidates(bool large_only, int64_t now_ms) const {
  std::vector<Waiter*> found;
  for (Waiter* waiter : waiting_) {
    if (!waiter->leaving_ && !(large_only && waiter->bytes_ <= kSmallBytesMax)) found.push_back(waiter);
  }
  const auto burden = [&](const Waiter* w) {
    return static_cast<double>(w->bytes_) * static_cast<double>(now_ms - w->since_ms_ + 1);
  };
  std::sort(found.begin(), found.end(), [&](const Waiter* a, const Waiter* b) {
    const bool a_slow = IsSlow(*a, now_ms), b_slow = IsSlow(*b, now_ms);
    return a_slow != b_slow ? a_slow : burden(a) > burden(b);
  });
  return found;
}

InFlight::Room InFlight::MakeRoom(Waiter& asker, size_t held, bool answering, int64_t now_ms) {
  Room room;
  const MutexLock lock(mutex_);
  const int64_t needed = Excess(held, leaving_bytes_, leaving_large_bytes_);
  if (needed <= 0) {
    // Enough are leaving already, but their loops may be busy, and the memory limit holds until they are gone.
    room.asker_gives_way = !answering && Excess(held, 0, 0) > bytes_max_ / 16;
    return room;
  }
  // Frees a little more, so that the list of waiters is not searched for every piece that arrives when the server is
  // full.
  const int64_t wanted = needed + bytes_max_ / 32;
  const bool large_only = bytes() - large_bytes_.load(std::memory_order_relaxed) <= small_bytes_kept_;
  int64_t freed = 0;
  for (Waiter* waiter : Candidates(large_only, now_ms)) {
    const bool suffices = freed >= needed;
    if (freed >= wanted || (suffices && waiter->bytes_ < kWorthwhileBytes)) break;
    if (!IsSlow(*waiter, now_ms) && (suffices || !answering)) break;
    freed += static_cast<int64_t>(waiter->bytes_);
    MarkLeaving(*waiter);
    if (waiter == &asker) {
      room.asker_gives_way = true;
    } else if (waiter->loop_ == asker.loop_) {
      room.here.push_back(waiter);
    } else {
      waiter->GiveWaySoon();
    }
  }
  if (freed < needed && !answering) room.asker_gives_way = true;
  return room;
}

std::optional<size_t> InFlight::AskSlowest(int64_t now_ms) {
  const MutexLock lock(mutex_);
  Waiter* slowest = nullptr;
  for (Waiter* waiter : waiting_) {
    if (waiter->leaving_ || !IsSlow(*waiter, now_ms)) continue;
    if (slowest == nullptr || waiter->since_ms_ < slowest->since_ms_) slowest = waiter;
  }
  if (slowest == nullptr) return std::nullopt;
  MarkLeaving(*slowest);
  slowest->GiveWaySoon();
  return slowest->loop_;
}

}  // namespace keyfold::http

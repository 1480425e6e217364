// RestLists: the connections of one loop that have no request under way, longest at rest first. When the server has as
// many connections as it may, they give way to new ones.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace keyfold {

// In the order in which they give way.
enum class Rest : uint8_t {
  kLingering,  // answered for the last time
  kStranger,   // has never proved who it is
  kKnown,
  kNone,  // a request is under way
};
inline constexpr size_t kRestKinds = 3;

// Where a connection stands in its loop's lists.
struct RestPlace {
  RestPlace* older = nullptr;
  RestPlace* newer = nullptr;
  Rest rest = Rest::kNone;
};

// One thread, but for Count.
class RestLists {
 public:
  // Puts it behind all others of that kind, or takes it out (kNone).
  void Move(RestPlace& place, Rest rest) {
    if (place.rest != Rest::kNone) Unlink(place);
    place.rest = rest;
    if (rest != Rest::kNone) Append(place);
  }
  RestPlace* Oldest(Rest rest) const { return Of(rest).oldest; }
  // Any thread.
  size_t Count(Rest rest) const { return Of(rest).count.load(std::memory_order_relaxed); }

 private:
  struct List {
    RestPlace* oldest = nullptr;
    RestPlace* newest = nullptr;
    std::atomic<size_t> count{0};  // written by one thread, so a load and a store suffice

    void Add(size_t change) { count.store(count.load(std::memory_order_relaxed) + change, std::memory_order_relaxed); }
  };
  const List& Of(Rest rest) const { return lists_[static_cast<size_t>(rest)]; }
  List& Of(Rest rest) { return lists_[static_cast<size_t>(rest)]; }

  void Append(RestPlace& place) {
    List& list = Of(place.rest);
    place.older = list.newest;
    place.newer = nullptr;
    (list.newest == nullptr ? list.oldest : list.newest->newer) = &place;
    list.newest = &place;
    list.Add(1);
  }
  void Unlink(RestPlace& place) {
    List& list = Of(place.rest);
    (place.older == nullptr ? list.oldest : place.older->newer) = place.newer;
    (place.newer == nullptr ? list.newest : place.newer->older) = place.older;
    list.Add(size_t{0} - 1);
  }

  std::array<List, kRestKinds> lists_;
};

}  // namespace keyfold

// RestLists: the connections of one loop that have no request in progress, longest at rest first. When the server
// reaches its connection limit, they give way to new ones.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace keyfold::http {

// In the order in which connections give way.
enum class Rest : uint8_t {
  kLingering,  // has received its last response
  kStranger,   // has never authenticated
  kKnown,
  kNone,  // a request is in progress
};
inline constexpr size_t kRestKinds = 3;

// A connection's node in its loop's lists.
struct RestPlace {
  RestPlace* older = nullptr;
  RestPlace* newer = nullptr;
  Rest rest = Rest::kNone;
};

// Used by one thread, except Count.
class RestLists {
 public:
  // Moves it to the end of the list of that kind, or removes it (kNone).
  void Move(RestPlace& place, Rest rest) {
    if (place.rest != Rest::kNone) Unlink(place);
    place.rest = rest;
    if (rest != Rest::kNone) Append(place);
  }
  RestPlace* Oldest(Rest rest) const { return Of(rest).oldest; }
  // Called from any thread.
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

}  // namespace keyfold::http

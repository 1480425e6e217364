#include "model/observe/hot_keys.h"

#include <algorithm>
#include <map>

#include "base/hash.h"

namespace keyfold::model {

// Adds to the key's count, and makes the key one of those that are kept.
HotKey& HotKeys::Find(Window& window, std::string_view key, double units) {
  const uint64_t hash = Hash64(key);
  for (size_t i = 0; i < window.used; ++i) {
    if (window.hashes[i] != hash || window.keys[i].key != key) continue;
    window.counts[i] += units;
    return window.keys[i];
  }
  const bool fresh = window.used < kKeys;
  const size_t at =
      fresh ? window.used++
            : static_cast<size_t>(std::min_element(window.counts.begin(), window.counts.end()) - window.counts.begin());
  HotKey& counter = window.keys[at];
  // The new key inherits the count of the key it evicts: it may have caused that much itself.
  if (fresh) window.counts[at] = counter.read_units = counter.write_units = 0;
  counter.over = window.counts[at];
  counter.key = key;
  window.hashes[at] = hash;
  window.counts[at] += units;
  return counter;
}

void HotKeys::Add(std::string_view key, double read_units, double write_units, Micros now) {
  const uint64_t touch = touches_.load(std::memory_order_relaxed);
  touches_.store(touch + 1, std::memory_order_relaxed);
  if (touch < kExactTouches) return Count(key, read_units, write_units, now);
  if (touch % kSampleOf == 0) Count(key, read_units * kSampleOf, write_units * kSampleOf, now);
}

void HotKeys::Count(std::string_view key, double read_units, double write_units, Micros now) {
  MutexLock lock(mutex_);
  if (windows_[current_].since == 0) {
    windows_[current_].since = now;
  } else if (now - windows_[current_].since > kWindow) {
    current_ = 1 - current_;
    windows_[current_].used = 0;
    windows_[current_].units = 0;
    windows_[current_].since = now;
    touches_.store(0, std::memory_order_relaxed);
  }
  Window& window = windows_[current_];
  HotKey& counter = Find(window, key, read_units + write_units);
  counter.read_units += read_units;
  counter.write_units += write_units;
  window.units += read_units + write_units;
}

HotKeys::Reading HotKeys::Read(Micros now) const {
  MutexLock lock(mutex_);
  Reading reading;
  for (const Window& window : windows_) {
    if (window.since == 0 || now - window.since > 2 * kWindow) continue;
    for (size_t i = 0; i < window.used; ++i) reading.keys.push_back(window.keys[i]);
    reading.units += window.units;
    if (reading.since == 0 || window.since < reading.since) reading.since = window.since;
  }
  return reading;
}

HotKeys::Reading Merge(const std::vector<HotKeys::Reading>& readings, size_t most) {
  HotKeys::Reading all;
  std::map<std::string, HotKey> by_key;
  for (const HotKeys::Reading& reading : readings) {
    all.units += reading.units;
    if (reading.since != 0 && (all.since == 0 || reading.since < all.since)) all.since = reading.since;
    for (const HotKey& key : reading.keys) {
      HotKey& sum = by_key[key.key];
      sum.read_units += key.read_units;
      sum.write_units += key.write_units;
      sum.over += key.over;
    }
  }
  for (auto& [text, key] : by_key) {
    key.key = text;
    all.keys.push_back(std::move(key));
  }
  std::stable_sort(all.keys.begin(), all.keys.end(),
                   [](const HotKey& a, const HotKey& b) { return a.Units() - a.over > b.Units() - b.over; });
  if (all.keys.size() > most) all.keys.resize(most);
  return all;
}

}  // namespace keyfold::model

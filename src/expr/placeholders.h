// ExpressionAttributeNames and ExpressionAttributeValues of one request, and which of them its expressions have used.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.h"
#include "value/item.h"

namespace keyfold {

// Borrows names and values from the request, which outlives every expression parsed with it. One thread at a time.
class Placeholders {
 public:
  struct Name {
    std::string_view placeholder, name;
    bool used = false;
  };
  struct BoundValue {
    std::string_view placeholder;
    ValueView value;
    bool used = false;
    size_t shared = 0;  // its place in shared_values_, from 1 on; 0: not there
  };

  void ReserveNames(size_t count) { names_.entries.reserve(count); }
  void ReserveValues(size_t count) { values_.entries.reserve(count); }
  void AddName(std::string_view placeholder, std::string_view name) { names_.entries.push_back({placeholder, name}); }
  void AddValue(std::string_view placeholder, ValueView value) { values_.entries.push_back({placeholder, value}); }

  // Marks as used.
  std::optional<std::string_view> UseName(std::string_view placeholder);
  std::optional<Value> UseValue(std::string_view placeholder);

  // Syntax of the placeholders themselves ("#" or ":" and at least one letter, digit or _), and the 255-byte and 2 MB
  // limits.
  Status Check() const;
  // After all expressions were parsed: "Value provided in ExpressionAttributeValues unused in expressions: keys: {:b,
  // :c}", and the same for names.
  Status AllUsed() const;

 private:
  using Places = std::unordered_map<std::string_view, size_t>;

  template <typename Entry>
  struct Table {
    std::vector<Entry> entries;
    std::unique_ptr<Places> by_placeholder;  // once there are many and one is used
    Entry* Find(std::string_view placeholder);
  };

  Table<Name> names_;
  Table<BoundValue> values_;
  std::vector<Value> shared_values_;  // large ones that were used: one buffer for all uses of each
};

}  // namespace keyfold

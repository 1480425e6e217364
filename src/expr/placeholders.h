// The ExpressionAttributeNames and ExpressionAttributeValues of one request, and which of them its expressions used.
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

namespace keyfold::expr {

// Borrows names and values from the request, which must outlive every expression parsed with it. Used by one thread at
// a time.
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
    size_t shared = 0;  // its position in shared_values_, counted from 1; 0: not there
  };

  void ReserveNames(size_t count) { names_.entries.reserve(count); }
  void ReserveValues(size_t count) { values_.entries.reserve(count); }
  void AddName(std::string_view placeholder, std::string_view name) { names_.entries.push_back({placeholder, name}); }
  void AddValue(std::string_view placeholder, ValueView value) { values_.entries.push_back({placeholder, value}); }

  // Return the name or value and mark it as used; nullopt if it is undefined.
  std::optional<std::string_view> UseName(std::string_view placeholder);
  std::optional<Value> UseValue(std::string_view placeholder);

  // Checks the syntax of the placeholders ("#" or ":" and at least one letter, digit or _), and the 255-byte and 2 MB
  // limits.
  Status Check() const;
  // Call it after all expressions were parsed. The error is "Value provided in ExpressionAttributeValues unused in
  // expressions: keys: {:b, :c}", or the same for names.
  Status AllUsed() const;

 private:
  using Places = std::unordered_map<std::string_view, size_t>;

  template <typename Entry>
  struct Table {
    std::vector<Entry> entries;
    std::unique_ptr<Places> by_placeholder;  // created when there are many and one is looked up
    Entry* Find(std::string_view placeholder);
  };

  Table<Name> names_;
  Table<BoundValue> values_;
  std::vector<Value> shared_values_;  // large values in use: one buffer for all uses of each
};

}  // namespace keyfold::expr

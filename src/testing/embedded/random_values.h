// Attribute values, keys and items as JSON text, drawn at random from small pools so that they recur.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "engine/catalog/table.h"
#include "value/item.h"

namespace keyfold::embedded {

// Attributes used in index keys, in addition to the table's own key.
inline constexpr std::string_view kIndexAttributes[] = {"g1", "g2", "g3", "g4", "l1", "l2"};

// How many different values a key attribute takes.
struct KeyPools {
  size_t partition = 8, sort = 24, index = 6;
};

// Members of an item: name, and the value's JSON.
using AttributeTexts = std::vector<std::pair<std::string, std::string>>;

std::string TextOf(const AttributeTexts& item);

// Used by one thread at a time.
class RandomValues {
 public:
  explicit RandomValues(Random& random) : random_(random) {}

  // {"S":"a"}, at most `depth` containers deep.
  std::string Of(Type type, int depth = 2);
  std::string Any(int depth = 2);
  // One of `pool` values of a type allowed in keys; equal numbers give equal values, and some are prefixes of others.
  std::string KeyValue(Type type, size_t pool);
  Type KeyType();

  // An attribute that is not in any table's key, and the usual type of its values.
  struct Plain {
    std::string_view name;
    Type type;
  };
  Plain PlainAttribute();

  AttributeTexts Key(const engine::Table& table);
  // An item with its key, most attributes of index keys, and some more.
  AttributeTexts NewItem(const engine::Table& table);
  std::string IndexKeyValue(const engine::Table& table, const KeyAttribute& part);

  bool OneIn(uint64_t n) { return random_.OneIn(n); }
  size_t Below(size_t bound) { return static_cast<size_t>(random_.Below(bound)); }
  template <typename T>
  const T& OneOf(const std::vector<T>& choices) {
    return choices[Below(choices.size())];
  }
  std::string_view Word(std::initializer_list<std::string_view> choices) {
    return choices.begin()[Below(choices.size())];
  }

 private:
  std::string Scalar(Type type);
  std::string Set(Type type);
  std::string List(int depth);
  std::string Map(int depth);
  std::string LargeText();

  Random& random_;
};

// Tables with this name get few keys and large items, so that their pages end at 1 MB.
bool HasLargeItems(const engine::Table& table);
KeyPools PoolsOf(const engine::Table& table);

}  // namespace keyfold::embedded

// Finds what the operands of one evaluation name in one item. An expression may have hundreds of operands and an item
// hundreds of thousands of elements, so the cost must not be their product: a large container that is asked several
// times gets landmarks, and what was found out about large values is kept until the evaluation ends.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "expr/path.h"
#include "value/item.h"

namespace keyfold {

// Borrows the item, and every value it is asked about. One thread at a time.
class ItemLookup {
 public:
  explicit ItemLookup(ItemView item);
  ~ItemLookup();
  ItemLookup(const ItemLookup&) = delete;
  ItemLookup& operator=(const ItemLookup&) = delete;

  ItemView item() const { return item_; }
  std::optional<ValueView> Resolve(const Path& path);
  std::optional<ValueView> Find(std::string_view attribute);

  // DynamoDB's contains(): a part of a text, an element of a set or a list.
  bool Contains(ValueView container, ValueView element);
  // DynamoDB's size(); nullopt for types that have none.
  std::optional<uint64_t> SizeOf(ValueView value);
  bool AreEqual(ValueView a, ValueView b);
  int CompareBytes(std::string_view a, std::string_view b);  // below, at or above 0

 private:
  struct Landmarks;
  struct Memory;

  Memory& memory();
  Landmarks* LandmarksOf(std::string_view content);
  std::optional<ValueView> FindEntry(Landmarks& landmarks, std::string_view content, std::string_view name);
  std::optional<ValueView> Member(ValueView map, std::string_view name);
  std::optional<ValueView> At(ValueView list, uint32_t index);
  bool SetContains(ValueView set, std::string_view element);
  bool ListContains(ValueView list, ValueView element);
  bool TextContains(std::string_view text, std::string_view part);

  ItemView item_;
  std::unique_ptr<Memory> memory_;  // made when the first large value is seen
};

}  // namespace keyfold

// Finds what the operands of one evaluation refer to in one item. An expression may have hundreds of operands and an
// item hundreds of thousands of elements, so the cost must not be their product. A large container that is searched
// several times gets landmarks, and results for large values are kept until the evaluation ends.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "expr/path.h"
#include "value/item.h"

namespace keyfold::expr {

// Borrows the item and every value passed to it. Used by one thread at a time.
class ItemLookup {
 public:
  explicit ItemLookup(ItemView item);
  ~ItemLookup();
  ItemLookup(const ItemLookup&) = delete;
  ItemLookup& operator=(const ItemLookup&) = delete;

  ItemView item() const { return item_; }
  std::optional<ValueView> Resolve(const Path& path);
  std::optional<ValueView> Find(std::string_view attribute);

  // DynamoDB's contains(): a substring of a text, or an element of a set or a list.
  bool Contains(ValueView container, ValueView element);
  // DynamoDB's size(); nullopt for types that have none.
  std::optional<uint64_t> SizeOf(ValueView value);
  bool AreEqual(ValueView a, ValueView b);
  int CompareBytes(std::string_view a, std::string_view b);  // negative, 0 or positive

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
  std::unique_ptr<Memory> memory_;  // created for the first large value
};

}  // namespace keyfold::expr

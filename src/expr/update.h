// UpdateExpression, and AttributeUpdates translated into it.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "expr/condition.h"
#include "expr/path.h"
#include "expr/placeholders.h"
#include "value/key_schema.h"

namespace keyfold {

// The right side of SET.
struct UpdateOperand {
  enum class Kind : uint8_t { kValue, kPath, kIfNotExists, kListAppend, kPlus, kMinus };
  Kind kind = Kind::kValue;
  Value value;
  Path path;                            // kPath, and the path kIfNotExists tests
  std::vector<UpdateOperand> children;  // kIfNotExists: the default; kListAppend, kPlus, kMinus: two
};

// Immutable once parsed.
struct Update {
  struct Set {
    Path path;
    UpdateOperand operand;
  };
  struct Change {  // ADD and DELETE
    Path path;
    Value value;
  };
  std::vector<Set> sets;
  std::vector<Path> removes;
  std::vector<Change> adds;
  std::vector<Change> deletes;
  // AttributeUpdates' ADD also appends lists and takes a missing attribute's type from its value, and its DELETE is
  // lenient in other ways.
  bool legacy = false;

  // Only REMOVE and DELETE: on a missing item nothing is created, and the update is not applied: there even a path that
  // leads nowhere is no error.
  bool OnlyTakesAway() const { return sets.empty() && adds.empty() && !(removes.empty() && deletes.empty()); }
};

inline constexpr Rule<"Item size to update has exceeded the maximum allowed size"> kUpdatedItemSize{"updated-item-size",
                                                                                                    Kind::kValidation};

Result<Update> ParseUpdate(std::string_view text, Placeholders& placeholders);

// "Cannot update attribute pk. This attribute is part of the key".
Status UpdateLeavesKeyAlone(const Update& update, const KeySchema& key);

// How many operators and functions it applies, at most.
uint64_t CountOperators(const Update& update);

// The new item. All right sides read `old`. Errors are DynamoDB's for missing operands, operand types, paths that lead
// nowhere, number overflow and nesting; that of the item's size only where the result would be many times too large to
// be worth making. `old` is the existing item, or just the key for a new one.
Result<Item> ApplyUpdate(const Update& update, ItemView old);

// UPDATED_OLD and UPDATED_NEW: the parts of `item` that the update's paths name.
Item UpdatedPart(const Update& update, ItemView item);

}  // namespace keyfold

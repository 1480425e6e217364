// UpdateExpression, and AttributeUpdates translated into it.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "expr/condition.h"
#include "expr/path.h"
#include "expr/placeholders.h"
#include "value/key_schema.h"

namespace keyfold::expr {

// The right-hand side of SET.
struct UpdateOperand {
  enum class Kind : uint8_t { kValue, kPath, kIfNotExists, kListAppend, kPlus, kMinus };
  Kind kind = Kind::kValue;
  Value value;
  Path path;                            // for kPath, and the path that kIfNotExists tests
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
  // AttributeUpdates: ADD also appends lists and takes a missing attribute's type from its value, and DELETE is lenient
  // in other ways.
  bool legacy = false;

  // True if there are only REMOVE and DELETE. On a missing item such an update creates nothing and is not applied, so
  // even a path that leads nowhere is not an error there.
  bool OnlyTakesAway() const { return sets.empty() && adds.empty() && !(removes.empty() && deletes.empty()); }
};

inline constexpr Rule<"Item size to update has exceeded the maximum allowed size"> kUpdatedItemSize{"updated-item-size",
                                                                                                    Kind::kValidation};

Result<Update> ParseUpdate(std::string_view text, Placeholders& placeholders);

// Returns the error "Cannot update attribute pk. This attribute is part of the key" if the update writes to a key
// attribute.
Status UpdateLeavesKeyAlone(const Update& update, const KeySchema& key);

// Upper bound of the operators and functions that the update applies.
uint64_t CountOperators(const Update& update);

// Returns the new item. All right-hand sides read `old`, which is the existing item, or only the key for a new one.
// Errors are DynamoDB's for missing operands, operand types, paths that lead nowhere, number overflow and nesting. The
// error about the item's size is returned only if the result would be so many times too large that it is not built.
Result<Item> ApplyUpdate(const Update& update, ItemView old);

// The parts of `item` that the update's paths name, for UPDATED_OLD and UPDATED_NEW.
Item UpdatedPart(const Update& update, ItemView item);

}  // namespace keyfold::expr

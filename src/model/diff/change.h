// The calls, in order, that make a table match a model. `model apply` executes them.
#pragma once

#include <string>
#include <vector>

#include "model/diff/definition.h"

namespace keyfold::model {

struct Call {
  // What to wait for before the next call.
  enum class Wait : uint8_t { kNone, kTableActive, kIndexActive, kIndexGone };
  std::string title;  // "create index GSI1 (GSI1PK, GSI1SK)"
  std::string operation;
  std::string body;
  Wait wait = Wait::kNone;
  std::string index;      // the index to wait for
  bool optional = false;  // skipped if the endpoint does not have the operation
};

struct Change {
  std::vector<Call> calls;
  std::vector<std::string> refused;  // differences that no call removes; if any, no call may be made
  std::vector<std::string> left;     // differences that remain
};

struct ChangeOptions {
  bool delete_indexes = false;
  ProvisionedUnits units;
};

// `current` is null if the table does not exist.
Change ChangeFrom(const TableDefinition* current, const TableDefinition& wanted, const ChangeOptions&);

}  // namespace keyfold::model

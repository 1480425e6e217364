// What has to be called, in which order, to make a table as a model wants it. `model apply` carries it out.
#pragma once

#include <string>
#include <vector>

#include "model/diff/definition.h"

namespace keyfold::model {

struct Call {
  // What has to be seen before the next call may be made.
  enum class Wait : uint8_t { kNone, kTableActive, kIndexActive, kIndexGone };
  std::string title;  // "create index GSI1 (GSI1PK, GSI1SK)"
  std::string operation;
  std::string body;
  Wait wait = Wait::kNone;
  std::string index;      // that is waited for
  bool optional = false;  // an endpoint without the operation is left as it is
};

struct Change {
  std::vector<Call> calls;
  std::vector<std::string> refused;  // differences that no call removes; nothing may be called
  std::vector<std::string> left;     // differences that stay
};

struct ChangeOptions {
  bool delete_indexes = false;
  ProvisionedUnits units;
};

// `current` null: there is no such table.
Change ChangeFrom(const TableDefinition* current, const TableDefinition& wanted, const ChangeOptions&);

}  // namespace keyfold::model

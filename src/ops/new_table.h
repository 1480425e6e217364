// The table that a CreateTable describes, checked by all of CreateTable's rules: also for the other ways to a new table
// that take the same words.
#pragma once

#include "engine/catalog/table.h"
#include "ops/operation.h"
#include "wire/requests/tables.h"

namespace keyfold {

// As TableLifecycle::Create takes it.
Result<Table> NewTable(const CreateTableRequest& request, const Service& service);

}  // namespace keyfold

// The table that a CreateTable request describes, checked by all of CreateTable's rules. Other operations that make
// tables from the same parameters use it too.
#pragma once

#include "engine/catalog/table.h"
#include "ops/operation.h"
#include "wire/requests/tables.h"

namespace keyfold::ops {

// In the form that TableLifecycle::Create takes.
Result<engine::Table> NewTable(const wire::CreateTableRequest& request, const Service& service);

}  // namespace keyfold::ops

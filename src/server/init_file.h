// --init FILE: tables and items to have at start.
//   {"tables": [a CreateTable request, …], "items": {"TableName": [an item in DynamoDB JSON, …], …}}
// A table that exists already is left as it is, and its items are not put again, so that a restart changes nothing.
// Where something is wrong, the tables it created are removed again.
#pragma once

#include <string>

#include "ops/operation.h"

namespace keyfold {

// One line with what is wrong; empty when all was done.
std::string LoadInitFile(const std::string& path, const Service& service, const Authenticated& caller);

}  // namespace keyfold

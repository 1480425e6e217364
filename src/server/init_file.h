// --init FILE: tables and items to create at startup.
//   {"tables": [a CreateTable request, …], "items": {"TableName": [an item in DynamoDB JSON, …], …}}
// A table that already exists is left unchanged, and its items are not put again, so a restart changes nothing. On an
// error, the tables it created are removed again.
#pragma once

#include <string>

#include "ops/operation.h"

namespace keyfold::server {

// Returns one line saying what is wrong; empty on success.
std::string LoadInitFile(const std::string& path, const ops::Service& service, const auth::Authenticated& caller);

}  // namespace keyfold::server

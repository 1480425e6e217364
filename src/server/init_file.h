// --init FILE: tables and items to create at startup.
//   {"tables": [a CreateTable request, …], "items": {"TableName": [an item in DynamoDB JSON, …], …}}
// A table that already exists is left unchanged, and its items are not put again, so a restart changes nothing. On an
// error, the tables it created are removed again.
#pragma once

#include <string>

#include "base/error.h"
#include "embedded/local_caller.h"

namespace keyfold::server {

// Returns after everything is durable, or a one-line error that names the file.
Status LoadInitFile(const std::string& path, embedded::LocalCaller& caller);

}  // namespace keyfold::server

// The calls of a copy to the tables at either end, except those for items.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "client/api_caller.h"
#include "copy/stop_request.h"

namespace keyfold::copy {

// Returns the names of all tables.
Result<std::vector<std::string>> ListTables(client::ApiCaller& caller);

// Checks for a single item.
Result<bool> IsEmpty(client::ApiCaller& caller, const std::string& table);

// Waits until the table accepts writes.
Status WaitUntilActive(client::ApiCaller& caller, const std::string& table, StopRequest& stop);

// Returns the array as CreateTable takes it; empty if there are none or the endpoint does not support tags. AWS's own
// tags (aws:…) cannot be set and are left out.
Result<std::string> ReadTags(client::ApiCaller& caller, const std::string& arn);

// Returns the attribute's name as a JSON string; empty if TTL is off or the endpoint does not support it.
Result<std::string> ReadTtl(client::ApiCaller& caller, const std::string& table);

// Turns TTL on, unless it already is.
Status SetTtl(client::ApiCaller& caller, const std::string& table, const std::string& attribute);

}  // namespace keyfold::copy

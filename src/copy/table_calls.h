// What a copy asks of a table at either end, besides its items.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "copy/caller.h"
#include "copy/stop_request.h"

namespace keyfold {

// All of them, by name.
Result<std::vector<std::string>> ListTables(Caller& caller);

// Looks for one item.
Result<bool> IsEmpty(Caller& caller, const std::string& table);

// Until writes are taken.
Status WaitUntilActive(Caller& caller, const std::string& table, StopRequest& stop);

// The array as CreateTable takes it; empty where there are none, or the endpoint knows no tags. Those of AWS itself
// (aws:…) cannot be given and are left out.
Result<std::string> ReadTags(Caller& caller, const std::string& arn);

// The JSON string that names the attribute; empty where expiry is off or the endpoint does not know it.
Result<std::string> ReadTtl(Caller& caller, const std::string& table);

// Turns expiry on, where it is not on already.
Status SetTtl(Caller& caller, const std::string& table, const std::string& attribute);

}  // namespace keyfold

// A table at an endpoint, as `model apply` and `model import` see it.
#pragma once

#include <optional>
#include <string>

#include "client/service_client.h"
#include "json/document.h"
#include "model/diff/definition.h"

namespace keyfold {

// A member of an answer that is an object; nothing where it is not there.
std::optional<json::Value> FindObject(const json::Value& from, std::string_view name);

// {"TableName": name}
std::string TableBody(std::string_view table);

// Its description with expiry and point-in-time recovery; nothing where there is no such table. What the endpoint does
// not know counts as off.
Result<std::optional<model::TableDefinition>> DescribeLiveTable(ServiceClient& client, const std::string& table);

}  // namespace keyfold

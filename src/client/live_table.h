// A table at an endpoint, as `model apply` and `model import` see it.
#pragma once

#include <optional>
#include <string>

#include "client/service_client.h"
#include "json/document.h"
#include "model/diff/definition.h"

namespace keyfold::client {

// Returns an object member of a response; nullopt if it is absent.
std::optional<json::Value> FindObject(const json::Value& from, std::string_view name);

// {"TableName": name}
std::string TableBody(std::string_view table);

// Returns its description, with expiry and point-in-time recovery; nullopt if there is no such table. Features the
// endpoint does not support count as off.
Result<std::optional<model::TableDefinition>> DescribeLiveTable(ServiceClient& client, const std::string& table);

}  // namespace keyfold::client

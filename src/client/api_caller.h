// ApiCaller: the one way to call an operation of the API, from JSON to JSON, wherever the database is: at an endpoint
// (client/service_client.h) or in this process (embedded/).
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace keyfold::client {

// Used by one thread at a time.
class ApiCaller {
 public:
  virtual ~ApiCaller() = default;

  // Returns the response's JSON, or an error whose kind is that of the exception. `operation` is AWS's, or one of
  // Keyfold's own (wire/target.h), which other servers do not know: kUnknownOperation.
  virtual Result<std::string> Call(std::string_view operation, std::string_view body) = 0;
};

}  // namespace keyfold::client

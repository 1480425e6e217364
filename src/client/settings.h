// What a command is told about the endpoint to call. What is left empty is looked for where the AWS tools look.
#pragma once

#include <optional>
#include <string>

#include "auth/credentials.h"

namespace keyfold {

enum class AwsService : uint8_t { kDynamoDb, kDynamoDbStreams };

struct ClientSettings {
  std::string endpoint = {};  // http://127.0.0.1:8000
  std::string region = {};
  std::string profile = {};  // where given, variables with credentials do not count
  std::string ca_file = {};  // PEM, instead of the authorities the system trusts
  std::optional<Credentials> credentials = {};
};

}  // namespace keyfold

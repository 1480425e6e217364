// Endpoint options of a command. Unset fields are looked up where the AWS tools look.
#pragma once

#include <optional>
#include <string>

#include "auth/credentials.h"

namespace keyfold::client {

enum class AwsService : uint8_t { kDynamoDb, kDynamoDbStreams };

struct ClientSettings {
  std::string endpoint = {};  // http://127.0.0.1:8000
  std::string region = {};
  std::string profile = {};  // if given, credentials in variables are ignored
  std::string ca_file = {};  // PEM, in place of the authorities the system trusts
  std::optional<auth::Credentials> credentials = {};
};

}  // namespace keyfold::client

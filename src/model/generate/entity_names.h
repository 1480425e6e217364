// Names of an entity's declarations in a generated program.
#pragma once

#include <map>
#include <string>

#include "model/core/model.h"
#include "model/generate/code.h"

namespace keyfold::model {

struct MapName {
  std::string type;
  std::string input;
};
using MapNames = std::map<const Attribute*, MapName>;

struct EntityNames {
  std::string type;                           // User
  std::string input;                          // UserValues
  std::string key;                            // userKey, user_key
  std::string make;                           // userToItem
  std::string read;                           // readUser
  std::string is;                             // isUser
  std::string shape;                          // userShape
  std::map<IndexId, std::string> index_keys;  // userGSI1Key
  // The types of maps with declared fields, as items have them and as callers give them: UserAddress,
  // UserAddressValues.
  MapNames maps;
};

// `functions` is camel or snake case.
EntityNames NameEntity(const Model&, const Entity&, Case functions, Scope&);

}  // namespace keyfold::model

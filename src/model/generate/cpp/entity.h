// C++ code of an entity: its struct, and the builders of its keys and items.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/core/model.h"
#include "model/generate/code.h"
#include "model/generate/cpp/values.h"
#include "model/generate/entity_names.h"
#include "model/generate/item_layout.h"

namespace keyfold::model::cpp {

// Used by one thread at a time. Views its constructor arguments.
class EntityCode {
 public:
  EntityCode(const Model& model, const Entity& entity, const EntityNames& names, const MemberNames& members, Code& code)
      : model_(model), entity_(entity), names_(names), members_(members), code_(code) {}

  void Write();

 private:
  void WriteKey(const std::string& name, std::optional<IndexId>);
  void WriteItem();
  void WriteIndexKeys();
  void WriteKeysOf(const IndexKeys::Choice&);
  std::string MemberOf(std::string_view attribute) const { return "of." + members_.find(attribute)->second; }
  std::string ValueOf(std::string_view attribute) const;

  const Model& model_;
  const Entity& entity_;
  const EntityNames& names_;
  const MemberNames& members_;
  const Values target_;
  Code& code_;
};

}  // namespace keyfold::model::cpp

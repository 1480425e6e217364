// Python code of an entity: its types, the builders of its keys and items, and the functions that read items back.
#pragma once

#include <optional>
#include <string>

#include "model/core/model.h"
#include "model/generate/code.h"
#include "model/generate/entity_names.h"
#include "model/generate/item_layout.h"
#include "model/generate/python/values.h"

namespace keyfold::model::python {

// Used by one thread at a time. Views its constructor arguments.
class EntityCode {
 public:
  EntityCode(const Model& model, const Entity& entity, const EntityNames& names, Code& code)
      : model_(model), entity_(entity), names_(names), code_(code) {}

  void Write();

 private:
  void WriteTypes();
  void WriteKey(const std::string& name, std::optional<IndexId>);
  void WriteItem();
  void WriteIndexKeys();
  void WriteKeysOf(const IndexKeys::Choice&);
  void WriteMapTypes(const Attribute&);
  // An attribute of `of` as an item stores it.
  std::string StoredMember(const Attribute&) const;
  void WriteShape();
  void WriteReaders();

  const Model& model_;
  const Entity& entity_;
  const EntityNames& names_;
  const Values target_;
  Code& code_;
};

}  // namespace keyfold::model::python

#include "model/compile/projection.h"

#include <algorithm>

namespace keyfold::model {

bool Projects(const Model& model, const Index& index, std::string_view attribute) {
  if (index.project != Project::kInclude) return index.project == Project::kAll;
  if (attribute == model.table.type_attribute) return true;
  return std::find(index.included.begin(), index.included.end(), attribute) != index.included.end();
}

}  // namespace keyfold::model

#include "model/check/query.h"

namespace keyfold::model::check {
namespace {

bool HasSortCondition(const KeyRead& read) { return !read.sort.empty() || read.range.op != SortRange::Op::kNone; }

}  // namespace

bool IsQuery(const Access* access) { return access != nullptr && access->operation == Operation::kQuery; }

std::string PlaceName(const Subject& subject, std::optional<IndexId> index) {
  return index ? subject.model().indexes[*index].name : "the table";
}

std::vector<std::string> NamesOf(const Subject& subject, const std::vector<EntityId>& ids) {
  std::vector<std::string> names;
  for (const EntityId id : ids) names.push_back(subject.entity(id).name);
  return names;
}

bool IsLeak(const Access& access) {
  return access.read().wanted.size() + access.read().absent.size() == 1 || HasSortCondition(access.read());
}

}  // namespace keyfold::model::check

#include "engine/catalog/table.h"

#include <algorithm>
#include <iterator>

namespace keyfold::engine {
namespace {

constexpr std::string_view kViewTypeNames[] = {"", "KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"};

}  // namespace

std::string_view NameOf(TableStatus status) {
  static constexpr std::string_view kNames[] = {"CREATING", "UPDATING", "DELETING", "ACTIVE"};
  return kNames[static_cast<size_t>(status)];
}

std::string_view NameOf(IndexStatus status) {
  static constexpr std::string_view kNames[] = {"CREATING", "UPDATING", "DELETING", "ACTIVE"};
  return kNames[static_cast<size_t>(status)];
}

std::string_view NameOf(ProjectionKind kind) {
  static constexpr std::string_view kNames[] = {"ALL", "KEYS_ONLY", "INCLUDE"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view NameOf(StreamViewType type) { return kViewTypeNames[static_cast<size_t>(type)]; }

std::optional<StreamViewType> StreamViewTypeByName(std::string_view name) {
  const auto it = std::find(std::begin(kViewTypeNames), std::end(kViewTypeNames), name);
  if (it == std::end(kViewTypeNames)) return std::nullopt;
  return static_cast<StreamViewType>(it - std::begin(kViewTypeNames));
}

TableStatus Table::StatusAt(Micros now) const {
  if (deleting) return TableStatus::kDeleting;
  if (filling || now < creating_until) return TableStatus::kCreating;
  const auto busy = [](const Index& i) { return i.status != IndexStatus::kActive; };
  if (now < updating_until || std::any_of(indexes.begin(), indexes.end(), busy)) return TableStatus::kUpdating;
  return TableStatus::kActive;
}

bool Table::IsAtRest() const {
  const auto busy = [](const Index& i) { return i.status != IndexStatus::kActive; };
  return !deleting && !filling && (!expiry.enabled || expiry.filled) &&
         std::none_of(indexes.begin(), indexes.end(), busy);
}

void Table::Stamp(store::CommitStamp stamp) {
  if (recovery.enabled && recovery.since.commit == 0) recovery.since = stamp;
  for (LogHold& hold : holds) {
    if (hold.since.commit == 0) hold.since = stamp;
  }
}

const Index* Table::FindIndex(std::string_view index_name) const {
  for (const Index& i : indexes) {
    if (i.name == index_name) return &i;
  }
  return nullptr;
}

bool Table::HasLocalIndexes() const { return !indexes.empty() && !indexes.front().global; }

bool Table::HasBackfillingIndex() const {
  return std::any_of(indexes.begin(), indexes.end(), [](const Index& i) { return i.backfilling; });
}

std::optional<Type> Table::TypeOf(std::string_view attribute) const {
  for (const KeyAttribute& a : attributes) {
    if (a.name == attribute) return a.type;
  }
  return std::nullopt;
}

}  // namespace keyfold::engine

// Drift (L49): what is wrong with a written item, by its model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/core/model.h"

namespace keyfold::model {

enum class DriftKind : uint8_t {
  kNoEntity,       // its key is that of no entity
  kTypeAttribute,  // the type attribute is missing, or says what the key does not
  kKey,            // its key does not fit its entity's templates, or says other than its attributes
  kAttributeType,  // an attribute has another type, or is no value of its enum
  kMissing,        // an attribute that is not optional is missing
  kIndexKey,       // an index key is missing, or says other than the attributes
  kSparse,         // it has index keys while `when` is false
  kTtl,            // the time to live never comes: milliseconds, more than five years past, or no number
};
inline constexpr size_t kDriftKinds = 8;

std::string_view NameOf(DriftKind);  // "no_entity"

struct Drift {
  DriftKind kind = DriftKind::kNoEntity;
  std::optional<EntityId> entity;
  std::optional<IndexId> index;
  std::string message;  // one clause, for people
};

}  // namespace keyfold::model

// Drift (L49): how a written item differs from its model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/core/model.h"

namespace keyfold::model {

enum class DriftKind : uint8_t {
  kNoEntity,       // its key fits no entity
  kTypeAttribute,  // the type attribute is missing, or contradicts the key
  kKey,            // its key does not fit its entity's templates, or contradicts its attributes
  kAttributeType,  // an attribute has the wrong type or form, or a value that is not in its enum
  kMissing,        // a required attribute is missing
  kIndexKey,       // an index key is missing, or contradicts the attributes
  kSparse,         // it has index keys although `when` is false
  kTtl,            // it never expires: milliseconds, more than five years past, or not a number
};
inline constexpr size_t kDriftKinds = 8;

std::string_view NameOf(DriftKind);  // "no_entity"

struct Drift {
  DriftKind kind = DriftKind::kNoEntity;
  std::optional<EntityId> entity;
  std::optional<IndexId> index;
  std::string attribute;  // the attribute, path or key attribute that is wrong; empty if it is the whole item
  std::string other;      // the attribute that it contradicts
  std::string message;    // one clause of readable text
};

}  // namespace keyfold::model

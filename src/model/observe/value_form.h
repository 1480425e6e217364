// What an attribute's value must look like besides having its type: one of the declared values, a time or an id in its
// declared form, a map with its declared fields.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/function_ref.h"
#include "model/core/model.h"
#include "value/item.h"

namespace keyfold::model {

enum class ValueForm : uint8_t { kAny, kChoice, kTime, kId, kEpoch, kMap };
ValueForm FormOf(const Attribute&);

bool HasOtherStoredType(ValueView, StoredType);
inline bool HasStoredType(ValueView value, StoredType type) {
  return value.tag() == Tag::kS ? type == StoredType::kS : HasOtherStoredType(value, type);
}

// Returns true if a value of the attribute's stored type has its form. Always false for a map, whose fields have to be
// looked at with CheckValue.
bool HasForm(ValueForm, const Attribute&, ValueView);

// Reports everything that is wrong with the value, with the path of the attribute or field. `missing` is true if the
// field is absent.
using ReportValue = FunctionRef<void(const std::string& path, bool missing, const Error&)>;
void CheckValue(const Attribute&, ValueView, ReportValue);

}  // namespace keyfold::model

// SerializationExceptions: JSON of another type than the API has there, as AWS words them.
#pragma once

#include <string_view>

#include "base/error.h"
#include "json/document.h"

namespace keyfold {

// Where a JSON value stands: as a member of a structure, or as an element of a list or map.
enum class Place : uint8_t { kMember, kElement };

// `java_name` as in "NUMBER_VALUE cannot be converted to String": String, Boolean, Integer, Long.
Error NotAScalar(json::Value json, std::string_view java_name);
Error NotABlob(json::Value json);
Error NotATimestamp(json::Value json);
Error NotAList(json::Value json, Place place);
// `java_element` as in "java.util.Map<java.lang.String, …>".
Error NotAMap(json::Value json, Place place, std::string_view java_element);
Error NotAStructure(json::Value json, Place place, std::string_view name);
// `text` is no base64.
Error NotBase64(std::string_view text);
Error OutOfRange(json::Value json, std::string_view java_type);

// true, false, and the strings AWS takes for them ("true", "1", "yes" and their opposites, in any case).
Status DecodeBoolean(json::Value json, bool& out);

// No JSON at all; it has no message.
Error NotJson();

}  // namespace keyfold

// SerializationExceptions, in AWS's words: JSON of a type other than the API's.
#pragma once

#include <string_view>

#include "base/error.h"
#include "json/document.h"

namespace keyfold::wire {

// Where a JSON value is: a member of a structure, or an element of a list or map.
enum class Place : uint8_t { kMember, kElement };

// `java_name` as in "NUMBER_VALUE cannot be converted to String": String, Boolean, Integer, Long.
Error NotAScalar(json::Value json, std::string_view java_name);
Error NotABlob(json::Value json);
Error NotATimestamp(json::Value json);
Error NotAList(json::Value json, Place place);
// `java_element` as in "java.util.Map<java.lang.String, …>".
Error NotAMap(json::Value json, Place place, std::string_view java_element);
Error NotAStructure(json::Value json, Place place, std::string_view name);
// `text` is not base64.
Error NotBase64(std::string_view text);
Error OutOfRange(json::Value json, std::string_view java_type);

// Accepts true, false, and the strings that AWS accepts instead ("true", "1", "yes" and their opposites, in any case).
Status DecodeBoolean(json::Value json, bool& out);

// The body is not JSON; the error has no message.
Error NotJson();

}  // namespace keyfold::wire

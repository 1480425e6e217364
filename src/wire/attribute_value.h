// AttributeValue, DynamoDB's JSON of a value, to the item form and back, without a tree between.
//
// DynamoDB looks at a value twice: JSON of the wrong type and bad base64 fail the request at once
// (SerializationException, before anything else is said about it); what the value means (numbers, sets, nulls, nesting)
// is looked at only when the operation's own checks get to it. So decoding keeps the first fault of the second kind
// aside, and the ladder asks for it:
//   RETURN_IF_ERROR(request.item.Check());
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "json/document.h"
#include "json/writer.h"
#include "value/item.h"
#include "wire/type_error.h"

namespace keyfold {

inline constexpr Rule<
    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes">
    kSeveralTypes{"value-several-types", Kind::kValidation};

// A value or item as a request brought it, and the first rule it breaks. Its content may be read only once Check() is
// ok. Immutable.
template <typename T>
class Supplied {
 public:
  Supplied() = default;
  explicit Supplied(T value) : value_(std::move(value)) {}
  explicit Supplied(Error fault) : fault_(std::move(fault)) {}
  Supplied(Supplied&&) noexcept = default;
  Supplied& operator=(Supplied&&) noexcept = default;

  Status Check() const { return fault_.Clone(); }

  const T& operator*() const& {
    CHECK(fault_.ok());
    return value_;
  }
  T&& operator*() && {
    CHECK(fault_.ok());
    return std::move(value_);
  }
  const T* operator->() const { return &**this; }

 private:
  T value_;
  Status fault_;
};

// A JSON map of T, in document order; of two entries of one name the later stands.
template <typename T>
using OrderedMap = std::vector<std::pair<std::string, T>>;

// The first value at fault: "ExpressionAttributeValues contains invalid value: … for key :v".
Status CheckExpressionAttributeValues(const OrderedMap<Supplied<Value>>& values);

// "Empty attribute name", for names that stand outside of items (AttributesToGet, AttributeUpdates,
// ExpressionAttributeNames) and for the first name of an item.
Status AttributeNameIsGiven(std::string_view name);

// The fault is one of a number, or of a set's elements: DynamoDB words these alike wherever the value stands.
bool IsOfNumberOrSet(const Error& fault);

// What a null stands for where a value is expected.
Supplied<Value> MissingValue();

// `out` takes the value or the rule it breaks; an error is a type error.
Status DecodeAttributeValue(json::Value json, Place place, Supplied<Value>& out);
Status DecodeItem(json::Value json, Place place, Supplied<Item>& out);

// {"S":"a"}, and {"name":{"S":"a"},…}.
void AppendJson(std::string& out, ValueView value);
void AppendJson(std::string& out, ItemView item);
inline void Write(json::Writer& writer, ValueView value) { AppendJson(writer.BeginRaw(), value); }
inline void Write(json::Writer& writer, ItemView item) { AppendJson(writer.BeginRaw(), item); }

}  // namespace keyfold

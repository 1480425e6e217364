// Converts AttributeValue, DynamoDB's JSON of a value, to the item form and back, without an intermediate tree.
//
// DynamoDB checks a value twice. JSON of the wrong type and bad base64 fail the request at once
// (SerializationException, before any other error). The meaning of the value (numbers, sets, nulls, nesting) is checked
// only when the operation's own checks reach it. So decoding stores the first fault of the second kind, and the
// operation asks for it:
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

namespace keyfold::wire {

inline constexpr Rule<
    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes">
    kSeveralTypes{"value-several-types", Kind::kValidation};

// A value or item from a request, and the first rule that it breaks. Its content may be read only after Check()
// returned ok. Immutable.
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

// A JSON map of T, in document order; of two entries with the same name the later one counts.
template <typename T>
using OrderedMap = std::vector<std::pair<std::string, T>>;

// Returns the error of the first faulty value: "ExpressionAttributeValues contains invalid value: … for key :v".
Status CheckExpressionAttributeValues(const OrderedMap<Supplied<Value>>& values);

// Returns "Empty attribute name", for names outside of items (AttributesToGet, AttributeUpdates,
// ExpressionAttributeNames) and for the first name of an item.
Status AttributeNameIsGiven(std::string_view name);

// Returns whether the fault is one of a number, or of a set's elements: DynamoDB words these alike for all values.
bool IsOfNumberOrSet(const Error& fault);

// The meaning of null where a value is expected.
Supplied<Value> MissingValue();

// `out` receives the value or the rule it breaks; a returned error is a type error.
Status DecodeAttributeValue(json::Value json, Place place, Supplied<Value>& out);
Status DecodeItem(json::Value json, Place place, Supplied<Item>& out);

// Appends {"S":"a"}, or {"name":{"S":"a"},…}.
void AppendJson(std::string& out, ValueView value);
void AppendJson(std::string& out, ItemView item);
inline void Write(json::Writer& writer, ValueView value) { AppendJson(writer.BeginRaw(), value); }
inline void Write(json::Writer& writer, ItemView item) { AppendJson(writer.BeginRaw(), item); }

}  // namespace keyfold::wire

// Key attributes as order-preserving, prefix-free bytes: memcmp of encodings is DynamoDB's order of values, and an
// encoding is never a prefix of another of its type, so parts can be strung together (composite index keys, base key
// after index key).
//
//   S B   each 00 as 00 FF, then 00 00 as the end
//   N     value/number.h's encoding, which ends itself
#pragma once

#include <string>
#include <string_view>

#include "value/item.h"

namespace keyfold {

// `value` is of type S, N or B.
void AppendKeyPart(std::string& out, ValueView value);

// A bound that stands before every encoding of S or B whose content starts with `prefix`, and (with the last byte
// counted up) after them all: begins_with as a range of bytes.
void AppendKeyPrefix(std::string& out, std::string_view prefix);

// The smallest string greater than every string that starts with `bytes`; empty where there is none.
std::string AfterPrefix(std::string_view bytes);

// Reads back one part of `type` from the front of `bytes`: appends it to `value_out` as an item-form value and shortens
// `bytes`. False, and both unchanged, where it is malformed.
[[nodiscard]] bool TakeKeyPart(std::string_view& bytes, Type type, std::string& value_out);

}  // namespace keyfold

// Key attributes as order-preserving, prefix-free bytes. memcmp of two encodings gives DynamoDB's order of the values,
// and no encoding is a prefix of another of its type, so parts can be concatenated (composite index keys, the base key
// after the index key).
//
//   S B   each 00 becomes 00 FF, and 00 00 terminates the part
//   N     value/number.h's encoding, which is self-terminating
#pragma once

#include <string>
#include <string_view>

#include "value/item.h"

namespace keyfold::store {

// Appends the encoding of `value`, which is of type S, N or B.
void AppendKeyPart(std::string& out, ValueView value);

// Appends a bound that sorts before every encoding of S or B whose content starts with `prefix`. AfterPrefix of the
// result sorts after all of them, so begins_with becomes a range of bytes.
void AppendKeyPrefix(std::string& out, std::string_view prefix);

// Returns the smallest string greater than every string that starts with `bytes`; empty if there is no such string.
std::string AfterPrefix(std::string_view bytes);

// Decodes one part of `type` from the front of `bytes`: appends it to `value_out` as an item-form value and removes it
// from `bytes`. Returns false, and leaves both unchanged, if it is malformed.
[[nodiscard]] bool TakeKeyPart(std::string_view& bytes, Type type, std::string& value_out);

}  // namespace keyfold::store

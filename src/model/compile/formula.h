// How a value of a request is computed from a call's inputs: literals, inputs in a placeholder's format, a shard, a
// calendar bucket, the current time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "model/core/template.h"
#include "model/core/type.h"

namespace keyfold::model {

struct Piece {
  enum class Kind : uint8_t {
    kLiteral,
    kInput,
    kShardEach,    // every shard, one request each
    kShardOfHash,  // hash(input) modulo shards
    kShardRandom,  // a random shard, for a put
    kBucket,       // every bucket between the bounds, one request each
    kNow,
  };
  Kind kind = Kind::kLiteral;
  std::string text;  // the literal, the input's name, or for a bucket the attribute
  Format format = Format::kPlain;
  uint8_t width = 0;
  AttributeType type = AttributeType::kString;  // the type of the input's value; for kNow, the type to write
  uint32_t shards = 1;
  const TemplatePart* origin = nullptr;  // the placeholder it fills, in the Model, if any

  // Returns true if both give the same text for the same inputs.
  bool SameAs(const Piece&) const;
};

// Immutable. Views the Model.
struct Formula {
  StoredType type = StoredType::kS;
  std::vector<Piece> pieces;  // concatenated; exactly one if the type is not S
  // How the text of a bound goes on, so that a key condition, which includes its bounds, means another one.
  enum class End : uint8_t {
    kNothing,
    kOpen,   // U+FFFF: an upper bound that covers all longer texts, or a lower bound after all of them
    kAbove,  // U+0001: a lower bound after this text alone
    kBelow,  // one less in the last character, then U+FFFF: an upper bound before this text of fixed width
  };
  End end = End::kNothing;

  bool SameAs(const Formula&) const;
  // For messages: `USER#{userId}`, `ORDER#{from|iso_s}\uFFFF`, `STATUS#pending#{0..9}`.
  std::string ToString() const;
};

// The values that a formula is evaluated with.
struct CallValues {
  FunctionRef<std::optional<std::string>(std::string_view)> input;  // returns a value's text, as FormatValue takes it
  uint32_t shard = 0;                                               // for kShardEach and kShardRandom
  std::string_view bucket;
  int64_t now_ms = 0;
};
// Returns the value's text, or nullopt if an input is missing.
std::optional<std::string> Evaluate(const Formula&, const CallValues&);

}  // namespace keyfold::model

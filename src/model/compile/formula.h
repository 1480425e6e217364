// How a value of a request is made from what a pattern is called with: literals, inputs in a placeholder's format, a
// shard, a calendar bucket, the present time.
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
    kShardEach,    // every shard in turn, one request each
    kShardOfHash,  // hash(input) modulo shards
    kShardRandom,  // a random shard, of a put
    kBucket,       // every bucket between the bounds in turn, one request each
    kNow,
  };
  Kind kind = Kind::kLiteral;
  std::string text;  // the literal, or the name of the input; of a bucket the attribute
  Format format = Format::kPlain;
  uint8_t width = 0;
  AttributeType type = AttributeType::kString;  // of the input's value; of kNow how it is written
  uint32_t shards = 1;
  const TemplatePart* origin = nullptr;  // the placeholder it fills, in the Model, where there is one

  // The same text for the same inputs.
  bool SameAs(const Piece&) const;
};

// Immutable. Views the Model.
struct Formula {
  StoredType type = StoredType::kS;
  std::vector<Piece> pieces;  // one behind the other; exactly one where the type is not S
  bool open_end = false;      // U+FFFF follows, so that an upper bound takes in all longer keys

  bool SameAs(const Formula&) const;
  // For people: `USER#{userId}`, `ORDER#{from|iso_s}\uFFFF`, `STATUS#pending#{0..9}`.
  std::string ToString() const;
};

// What a formula is worked out with.
struct CallValues {
  FunctionRef<std::optional<std::string>(std::string_view)> input;  // a value's text, as FormatValue takes it
  uint32_t shard = 0;                                               // of kShardEach and kShardRandom
  std::string_view bucket;
  int64_t now_ms = 0;
};
// The value's text, or nothing where an input is missing.
std::optional<std::string> Evaluate(const Formula&, const CallValues&);

}  // namespace keyfold::model

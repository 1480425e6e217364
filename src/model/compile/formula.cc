#include "model/compile/formula.h"

#include <algorithm>

#include "model/core/condition.h"

namespace keyfold::model {

bool Piece::SameAs(const Piece& other) const {
  return kind == other.kind && text == other.text && format == other.format && width == other.width &&
         shards == other.shards;
}

bool Formula::SameAs(const Formula& other) const {
  return type == other.type && end == other.end && pieces.size() == other.pieces.size() &&
         std::equal(pieces.begin(), pieces.end(), other.pieces.begin(),
                    [](const Piece& a, const Piece& b) { return a.SameAs(b); });
}

std::string Formula::ToString() const {
  std::string out;
  for (const Piece& piece : pieces) {
    const std::string format = piece.format == Format::kPlain ? "" : '|' + FormatName(piece.format, piece.width);
    switch (piece.kind) {
      case Piece::Kind::kLiteral:
        out += piece.text;
        break;
      case Piece::Kind::kInput:
      case Piece::Kind::kBucket:
        out += '{' + piece.text + format + '}';
        break;
      case Piece::Kind::kShardEach:
        out += "{0.." + std::to_string(piece.shards - 1) + '}';
        break;
      case Piece::Kind::kShardOfHash:
        out += "{hash(" + piece.text + format + ")%" + std::to_string(piece.shards) + '}';
        break;
      case Piece::Kind::kShardRandom:
        out += "{random%" + std::to_string(piece.shards) + '}';
        break;
      case Piece::Kind::kNow:
        out += "{now" + format + '}';
        break;
    }
  }
  switch (end) {
    case End::kOpen:
      return out + "\\uFFFF";
    case End::kAbove:
      return out + "\\u0001";
    case End::kBelow:
      return out + " - 1\\uFFFF";
    default:
      return out;
  }
}

std::optional<std::string> Evaluate(const Formula& formula, const CallValues& call) {
  std::string out;
  for (const Piece& piece : formula.pieces) {
    if (piece.kind == Piece::Kind::kLiteral) {
      out += piece.text;
    } else if (piece.kind == Piece::Kind::kBucket) {
      out += call.bucket;
    } else if (piece.kind == Piece::Kind::kNow) {
      out += FormatValue(piece.format, piece.width, piece.type, NowAs(piece.type, call.now_ms));
    } else if (piece.kind == Piece::Kind::kShardEach || piece.kind == Piece::Kind::kShardRandom) {
      out += std::to_string(call.shard);
    } else {
      const std::optional<std::string> value = call.input(piece.text);
      if (!value) return {};
      const std::string text = FormatValue(piece.format, piece.width, piece.type, *value);
      out += piece.kind == Piece::Kind::kInput ? text : std::to_string(ShardOf(text, piece.shards));
    }
  }
  if (formula.end == Formula::End::kBelow && !out.empty()) --out.back();
  if (formula.end == Formula::End::kAbove) out += '\x01';
  if (formula.end == Formula::End::kOpen || formula.end == Formula::End::kBelow) out += "\xEF\xBF\xBF";
  return out;
}

}  // namespace keyfold::model

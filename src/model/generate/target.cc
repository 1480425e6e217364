#include "model/generate/target.h"

#include <algorithm>

#include "model/core/calendar.h"

namespace keyfold::model {
namespace {

// The placeholder that a piece of a formula fills.
TemplatePart ShapeOf(const Piece& piece) {
  TemplatePart shape;
  shape.kind = TemplatePart::Kind::kAttribute;
  shape.format = piece.format;
  shape.width = piece.width;
  shape.type = piece.type;
  return shape;
}

}  // namespace

std::string_view SignOf(Comparator comparator) {
  switch (comparator) {
    case Comparator::kNotEqual:
      return "<>";
    case Comparator::kLess:
      return "<";
    case Comparator::kLessEqual:
      return "<=";
    case Comparator::kGreater:
      return ">";
    case Comparator::kGreaterEqual:
      return ">=";
    case Comparator::kBeginsWith:
      return "begins_with";
    case Comparator::kContains:
      return "contains";
    case Comparator::kIn:
      return "in";
    case Comparator::kExists:
    case Comparator::kMissing:
      return "";
    case Comparator::kEqual:
    case Comparator::kLock:
      break;
  }
  return "=";
}

std::string Target::TimeText(Format format, const std::string& value, bool lenient) const {
  const std::string time = Call(lenient ? "startOfTime" : "time", {value});
  if (format == Format::kIsoSeconds) return Call("isoS", {time});
  if (IsBucket(format)) return Call("upTo", {time, std::to_string(LayoutOf(format).size())});
  return time;
}

std::string Target::Text(const TemplatePart& shape, std::string_view name, const std::string& value,
                         bool lenient) const {
  if (shape.type == AttributeType::kTime) return TimeText(shape.format, value, lenient);
  if (shape.type == AttributeType::kBool) return Call("boolText", {value});
  if (StoredAs(shape.type) == StoredType::kN) {
    if (shape.format == Format::kPad) return Call("pad", {Quoted(name), value, std::to_string(shape.width)});
    return Call("numberText", {value});
  }
  const bool checked = !lenient && shape.type == AttributeType::kString;
  const std::string text = checked ? Call("text", {Quoted(name), value}) : value;
  if (shape.format == Format::kLower) return Call("lower", {text});
  if (shape.format == Format::kUpper) return Call("upper", {text});
  return text;
}

Segment Target::SegmentOf(const Piece& piece, const Names& names) const {
  switch (piece.kind) {
    case Piece::Kind::kLiteral:
      return {true, piece.text};
    case Piece::Kind::kShardEach:
      return {false, names.shard};
    case Piece::Kind::kBucket:
      return {false, names.bucket};
    case Piece::Kind::kShardRandom:
      return {false, Call("randomShard", {std::to_string(piece.shards)})};
    case Piece::Kind::kShardOfHash: {
      const std::string text = Text(ShapeOf(piece), piece.text, names.input(piece.text), true);
      return {false, Call("shardOf", {text, std::to_string(piece.shards)})};
    }
    case Piece::Kind::kNow:
      return {false, Call(piece.type == AttributeType::kTime ? "nowTime" : "nowSeconds", {})};
    case Piece::Kind::kInput:
      break;
  }
  const bool bound = names.bounds != nullptr &&
                     std::find(names.bounds->begin(), names.bounds->end(), piece.text) != names.bounds->end();
  return {false, Text(ShapeOf(piece), piece.text, names.input(piece.text), bound)};
}

std::string Target::Value(const Formula& formula, const Names& names) const {
  const Piece& first = formula.pieces[0];
  if (formula.pieces.size() == 1 && formula.end == Formula::End::kNothing) {
    if (first.kind == Piece::Kind::kLiteral) return StoredLiteral(formula.type, first.text);
    if (first.kind == Piece::Kind::kNow) {
      return Stored(formula.type == StoredType::kN ? AttributeType::kEpochSeconds : AttributeType::kString,
                    SegmentOf(first, names).text);
    }
    const bool as_it_is =
        first.kind == Piece::Kind::kInput && first.format == Format::kPlain && StoredAs(first.type) == formula.type;
    const bool lenient_time = first.type == AttributeType::kTime && names.bounds != nullptr;
    if (as_it_is && !lenient_time) return Stored(first.type, names.input(first.text));
  }
  std::vector<Segment> segments;
  for (const Piece& piece : formula.pieces) segments.push_back(SegmentOf(piece, names));
  if (formula.end == Formula::End::kOpen) segments.push_back({true, "\xEF\xBF\xBF"});
  return StoredText(Concatenated(segments));
}

std::string Target::Key(const Entity& entity, const Template& whole, const Names& names) const {
  if (whole.IsLone()) return Stored(whole.parts[0].type, names.input(whole.parts[0].text));
  std::vector<Segment> segments;
  for (const TemplatePart& part : whole.parts) {
    if (part.IsLiteral()) {
      segments.push_back({true, part.text});
    } else if (part.kind == TemplatePart::Kind::kAttribute) {
      segments.push_back({false, Text(part, part.text, names.input(part.text), false)});
    } else if (!entity.shard->hash_of) {
      segments.push_back({false, names.shard});
    } else {
      const Attribute& hashed = *entity.Find(*entity.shard->hash_of);
      TemplatePart shape = part;
      shape.type = hashed.type;
      shape.format = entity.shard->hash_format;
      shape.width = entity.shard->hash_width;
      const std::string text = Text(shape, hashed.name, names.input(hashed.name), true);
      segments.push_back({false, Call("shardOf", {text, std::to_string(part.shards)})});
    }
  }
  return StoredText(Concatenated(segments));
}

std::string Target::Compare(const Comparison& one, const Attribute& attribute, const std::string& value) const {
  const std::string left = one.path == one.attribute ? value : Below(value, one.path.substr(one.attribute.size()));
  if (one.comparator == Comparator::kExists) return IsThere(left);
  if (one.comparator == Comparator::kMissing) return IsMissing(left);
  if (one.right.kind == Operand::Kind::kInput) return False();
  const bool time = attribute.type == AttributeType::kTime;
  const std::string right =
      one.right.kind == Operand::Kind::kNow ? Call(time ? "nowTime" : "nowSeconds", {}) : Literal(one.right);
  return Call("holds", {left, Quoted(SignOf(one.comparator)), right});
}

std::string Target::Below(const std::string& value, std::string_view path) const {
  std::vector<std::string> arguments{value};
  while (!path.empty()) {
    const size_t end = std::min(path.find_first_of(".[", 1), path.size());
    const std::string_view step = path.substr(1, end - 1);
    arguments.push_back(path[0] == '.' ? Quoted(step) : std::string(step.substr(0, step.size() - 1)));
    path.remove_prefix(end);
  }
  return Call("below", arguments);
}

std::string Target::Condition(const model::Condition& condition, const Entity& entity,
                              FunctionRef<std::string(std::string_view)> value_of) const {
  std::string out;
  for (const Comparison& one : condition.all) {
    const std::string value = value_of(one.attribute);
    const std::string text = value.empty() ? False() : Compare(one, *entity.Find(one.attribute), value);
    if (!out.empty()) out += And();
    out += text;
  }
  return out;
}

}  // namespace keyfold::model

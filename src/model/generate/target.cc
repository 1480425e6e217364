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

// Joins literals that follow each other.
void AddSegment(std::vector<Segment>& segments, Segment one) {
  if (one.literal && !segments.empty() && segments.back().literal) {
    segments.back().text += one.text;
  } else {
    segments.push_back(std::move(one));
  }
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

// Times are written with as many characters as their type or format has.
std::string Target::TimeText(const TemplatePart& shape, const std::string& value, bool lenient) const {
  const size_t own = LayoutOf(StoredFormat(shape.type)).size();
  const size_t wanted = shape.format == Format::kPlain ? own : LayoutOf(shape.format).size();
  if (lenient) return Call("startOfTime", {value, std::to_string(wanted)});
  const std::string time = Call("time", {value, std::to_string(own)});
  return wanted == own ? time : Call("startOfTime", {time, std::to_string(wanted)});
}

std::string Target::Now(AttributeType type) const {
  if (type == AttributeType::kEpochMillis) return Call("nowMillis", {});
  if (!IsTimeText(type)) return Call("nowSeconds", {});
  return Call("nowTime", {std::to_string(LayoutOf(StoredFormat(type)).size())});
}

std::string Target::Text(const TemplatePart& shape, std::string_view name, const std::string& value,
                         bool lenient) const {
  if (IsTimeText(shape.type)) return TimeText(shape, value, lenient);
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
      return {false, Text(ShapeOf(piece), piece.text, Now(piece.type), true)};
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
    if (first.kind == Piece::Kind::kNow && first.format == Format::kPlain) {
      return Stored(formula.type == StoredType::kN ? AttributeType::kEpochSeconds : AttributeType::kString,
                    Now(first.type));
    }
    const bool as_it_is =
        first.kind == Piece::Kind::kInput && first.format == Format::kPlain && StoredAs(first.type) == formula.type;
    const bool lenient_time = IsTimeText(first.type) && names.bounds != nullptr;
    if (as_it_is && !lenient_time) return Stored(first.type, names.input(first.text));
  }
  std::vector<Segment> segments;
  for (const Piece& piece : formula.pieces) AddSegment(segments, SegmentOf(piece, names));
  const bool below = formula.end == Formula::End::kBelow;
  if (below) segments = {{false, Call("lessOne", {Concatenated(segments)})}};
  if (formula.end == Formula::End::kOpen || below) AddSegment(segments, {true, "\xEF\xBF\xBF"});
  if (formula.end == Formula::End::kAbove) AddSegment(segments, {true, "\x01"});
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

std::string Target::Test(const std::string& left, bool size, std::string_view sign, const std::string& right) const {
  const std::string value = size ? Call("sizeOf", {left}) : left;
  if (sign == "contains") return Call("containsPart", {value, right});
  return Call("holds", {value, Quoted(sign == "in" ? "=" : sign), right});
}

std::string Target::OwnTestOf(const OwnTest& one, AttributeType type, ValueOf input) const {
  std::string any;
  const AttributeType compared = one.size ? AttributeType::kNumber : type;
  for (const Operand& operand : one.right) {
    std::string right = operand.kind == Operand::Kind::kInput ? input(operand.text) : Literal(operand);
    if (operand.kind == Operand::Kind::kNow) right = Now(compared);
    const std::string test = Test(Member(one.attribute), one.size, one.sign, Compared(compared, right));
    any += any.empty() ? test : Or() + test;
  }
  return one.right.size() > 1 ? '(' + any + ')' : any;
}

std::string Target::Compare(const Comparison& one, const Entity& entity, ValueOf value_of) const {
  const Attribute* declared = entity.FindPath(one.path);
  const std::string whole = value_of(one.attribute);
  std::string left = whole.empty() ? Missing() : whole;
  if (!whole.empty() && one.path != one.attribute) left = Below(whole, one.path.substr(one.attribute.size()));
  if (one.comparator == Comparator::kExists) return whole.empty() ? False() : IsThere(left);
  if (one.comparator == Comparator::kMissing) return whole.empty() ? Not(False()) : IsMissing(left);
  std::string any;
  for (const Operand& operand : one.operands()) {
    if (operand.kind == Operand::Kind::kInput) return False();
    const std::string right = operand.kind == Operand::Kind::kNow
                                  ? Now(declared != nullptr ? declared->type : AttributeType::kEpochSeconds)
                                  : Literal(operand);
    const std::string test = Test(left, one.size, SignOf(one.comparator), right);
    any += any.empty() ? test : Or() + test;
  }
  return one.comparator == Comparator::kIn ? '(' + any + ')' : any;
}

std::string Target::Node(const ConditionNode& node, const Entity& entity, ValueOf value_of) const {
  if (node.kind == ConditionNode::Kind::kComparison) return Compare(node.comparison, entity, value_of);
  std::string all;
  for (const ConditionNode& part : node.parts) {
    if (!all.empty()) all += node.kind == ConditionNode::Kind::kAnd ? And() : Or();
    all += Node(part, entity, value_of);
  }
  return node.kind == ConditionNode::Kind::kNot ? Not(all) : '(' + all + ')';
}

std::string Target::Both(const std::string& left, const std::string& right) const {
  return left.empty() || right.empty() ? left + right : left + And() + right;
}

std::string Target::Not(const std::string& test) const { return NotSign() + '(' + test + ')'; }

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

std::string Target::Condition(const model::Condition& condition, const Entity& entity, ValueOf value_of) const {
  std::string out;
  for (const Comparison& one : condition.all) out = Both(out, Compare(one, entity, value_of));
  for (const ConditionNode& one : condition.other) out = Both(out, Node(one, entity, value_of));
  return out;
}

}  // namespace keyfold::model

// Writes literals in the item form. Messages name a position inside a value as DynamoDB does: root, root.a, root.a[0].
#include "partiql/literal.h"

#include <charconv>
#include <limits>
#include <vector>

#include "expr/operand_rules.h"
#include "value/limits.h"
#include "value/number.h"

namespace keyfold::partiql {
namespace {

constexpr Rule<"{} under {}"> kNumberFault{"partiql-number", Kind::kValidation};
constexpr Rule<"Unsupported data type: {} under key {} at {}"> kDataType{"partiql-data-type", Kind::kValidation};
constexpr Rule<"Nesting Levels have exceeded supported limits under {}"> kNesting{"partiql-nesting", Kind::kValidation};
constexpr Rule<"Empty bags are not supported"> kEmptyBag{"partiql-empty-bag", Kind::kValidation};
constexpr Rule<"Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"> kBagType{
    "partiql-bag-type", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: Input collection [{}] contains duplicates."> kBagDuplicates{
    "partiql-bag-duplicates", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: Input collection [{}] contains duplicates! under {}">
    kNumberBagDuplicates{"partiql-number-bag-duplicates", Kind::kValidation};
constexpr Rule<"List index is not within the allowable range; index: [{}] at {}"> kIndexRange{"partiql-index-range",
                                                                                              Kind::kValidation};

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// A number with its sign, as in the statement.
std::string NumberText(const BoundTree& bound, NodeId id) {
  std::string text = bound[id].negative ? "-" : "";
  return text.append(bound.tree.SourceOf(id));
}

// Writes one value or one item. Used by one thread at a time.
class LiteralWriter {
 public:
  LiteralWriter(const BoundTree& bound, std::string& out) : bound_(bound), writer_(out) {}

  Status Write(NodeId id) {
    if (depth_ == kItemDepthMax) return kNesting(place_);
    switch (bound_[id].kind) {
      case NodeKind::kString:
        writer_.String(TextOf(bound_.tree.SourceOf(id)));
        return Ok();
      case NodeKind::kNumber:
        return WriteNumber(id);
      case NodeKind::kTrue:
      case NodeKind::kFalse:
        writer_.Bool(bound_[id].kind == NodeKind::kTrue);
        return Ok();
      case NodeKind::kNull:
        writer_.Null();
        return Ok();
      case NodeKind::kParameter:
        if (depth_ > 0) return Unsupported(id);
        writer_.Copy(bound_.parameters[bound_[id].number]);
        return Ok();
      case NodeKind::kList:
        return WriteList(id);
      case NodeKind::kBag:
        return WriteBag(id);
      case NodeKind::kStruct:
        writer_.BeginMap();
        ++depth_;
        RETURN_IF_ERROR(WriteMembers(id, true));
        --depth_;
        return Ok();
      default:
        return Unsupported(id);
    }
  }

  // For a member of an item, the position in messages is "root" again.
  Status WriteItem(NodeId id) {
    if (bound_[id].kind != NodeKind::kStruct) return Unsupported(id);
    writer_.BeginItem();
    return WriteMembers(id, false);
  }

 private:
  Error Unsupported(NodeId id) const {
    const NodeKind kind = bound_[id].kind;
    const std::string_view what = kind == NodeKind::kCall ? bound_.tree.SourceOf(id) : NameOf(kind);
    return kDataType(what, place_, bound_.tree.Position(id));
  }

  Status WriteMembers(NodeId id, bool nested) {
    for (NodeId name = bound_[id].first; name != 0; name = bound_[bound_[name].next].next) {
      if (bound_[name].kind != NodeKind::kString) return Unsupported(name);
      const std::string text = TextOf(bound_.tree.SourceOf(name));
      const size_t place_bytes = place_.size();
      if (nested) place_.append(".").append(text);
      writer_.Name(text);
      RETURN_IF_ERROR(Write(bound_[name].next));
      place_.resize(place_bytes);
    }
    writer_.EndMap();
    return Ok();
  }

  Status WriteList(NodeId id) {
    writer_.BeginList();
    ++depth_;
    uint32_t count = 0;
    for (NodeId element = bound_[id].first; element != 0; element = bound_[element].next) {
      const size_t place_bytes = place_.size();
      place_.append("[").append(std::to_string(count++)).append("]");
      RETURN_IF_ERROR(Write(element));
      place_.resize(place_bytes);
    }
    --depth_;
    writer_.EndList(count);
    return Ok();
  }

  Result<std::string> EncodeNumber(NodeId id) const {
    // DynamoDB accepts .5 and 1. as numbers; Number does not.
    std::string text = bound_[id].negative ? "-0" : "0";
    text.append(bound_.tree.SourceOf(id));
    if (text.back() == '.') text.pop_back();
    const Result<Number> number = Number::Parse(text);
    if (!number.ok()) return kNumberFault(number.error().message(), place_);
    std::string encoded;
    number->EncodeTo(encoded);
    return encoded;
  }

  Status WriteNumber(NodeId id) {
    ASSIGN_OR_RETURN(const std::string encoded, EncodeNumber(id));
    writer_.EncodedNumber(encoded);
    return Ok();
  }

  // Writes a set of strings or numbers; binary sets are possible only as parameters.
  Status WriteBag(NodeId id) {
    if (bound_[id].count == 0) return kEmptyBag();
    const NodeKind kind = bound_[bound_[id].first].kind;
    if (kind != NodeKind::kString && kind != NodeKind::kNumber) return kBagType();
    std::vector<std::string> owned;
    owned.reserve(bound_[id].count);
    for (NodeId element = bound_[id].first; element != 0; element = bound_[element].next) {
      if (bound_[element].kind != kind) return kBagType();
      if (kind == NodeKind::kString) {
        owned.push_back(TextOf(bound_.tree.SourceOf(element)));
      } else {
        ASSIGN_OR_RETURN(owned.emplace_back(), EncodeNumber(element));
      }
    }
    std::vector<std::string_view> elements(owned.begin(), owned.end());
    if (writer_.Set(kind == NodeKind::kString ? Tag::kSS : Tag::kNS, elements)) return Ok();
    return Duplicates(id, kind);
  }

  Error Duplicates(NodeId id, NodeKind kind) const {
    std::string listed;
    for (NodeId element = bound_[id].first; element != 0; element = bound_[element].next) {
      if (!listed.empty()) listed += ", ";
      listed += kind == NodeKind::kString ? TextOf(bound_.tree.SourceOf(element)) : NumberText(bound_, element);
    }
    if (kind == NodeKind::kString) return kBagDuplicates(listed);
    return kNumberBagDuplicates(listed, place_);
  }

  const BoundTree& bound_;
  ValueWriter writer_;
  std::string place_ = "root";
  size_t depth_ = 0;
};

Status AddIndex(const BoundTree& bound, NodeId id, expr::Path& out) {
  const Node& node = bound[id];
  const std::string_view digits = bound.tree.SourceOf(id);
  if (node.kind != NodeKind::kNumber || digits.find_first_not_of("0123456789") != std::string_view::npos) {
    return kPathComponent(bound.tree.Position(id));
  }
  uint32_t index = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  const bool fits = parsed.ec == std::errc() && index <= std::numeric_limits<int32_t>::max();
  if (!fits || (node.negative && index > 0)) {
    return kIndexRange(NumberText(bound, id), bound.tree.Position(id));
  }
  out.steps.push_back({.is_index = true, .index = index, .name = {}});
  return Ok();
}

Result<std::string> NameAt(const BoundTree& bound, NodeId id) {
  std::string name = TextOf(bound.tree.SourceOf(id));
  if (name.empty()) return kEmptyComponent();
  return name;
}

}  // namespace

bool IsValue(NodeKind kind) {
  switch (kind) {
    case NodeKind::kString:
    case NodeKind::kNumber:
    case NodeKind::kTrue:
    case NodeKind::kFalse:
    case NodeKind::kNull:
    case NodeKind::kParameter:
    case NodeKind::kList:
    case NodeKind::kBag:
    case NodeKind::kStruct:
      return true;
    default:
      return false;
  }
}

Result<Value> LowerValue(const BoundTree& bound, NodeId id) {
  std::string bytes;
  RETURN_IF_ERROR(LiteralWriter(bound, bytes).Write(id));
  return Value(std::move(bytes));
}

Result<Item> LowerItem(const BoundTree& bound, NodeId id) {
  std::string bytes;
  RETURN_IF_ERROR(LiteralWriter(bound, bytes).WriteItem(id));
  return Item(std::move(bytes));
}

Result<expr::Path> LowerPath(const BoundTree& bound, NodeId id) {
  const Node& node = bound[id];
  const NodeId base = node.kind == NodeKind::kPath ? node.first : id;
  if (bound[base].kind != NodeKind::kName) return kPathComponent(bound.tree.Position(id));
  expr::Path path;
  ASSIGN_OR_RETURN(path.root, NameAt(bound, base));
  for (NodeId step = node.kind == NodeKind::kPath ? bound[base].next : 0; step != 0; step = bound[step].next) {
    if (bound[step].kind == NodeKind::kIndexStep) {
      RETURN_IF_ERROR(AddIndex(bound, bound[step].first, path));
    } else if (bound[step].kind == NodeKind::kNameStep) {
      ASSIGN_OR_RETURN(path.steps.emplace_back().name, NameAt(bound, step));
    } else {
      return kPathComponent(bound.tree.Position(step));
    }
  }
  const size_t levels = path.steps.size() + 1;
  if (levels > kExpressionPathDepthMax) return expr::kPathDepth(levels);
  return path;
}

std::string FunctionOf(const BoundTree& bound, NodeId call) { return LowerCase(TextOf(bound.tree.SourceOf(call))); }

Error UnrecognizedFunction(const BoundTree& bound, NodeId call) {
  const Token& token = bound.tree.TokenOf(call);
  const std::string name =
      token.kind == TokenKind::kKeyword ? std::string(token.word) : TextOf(bound.tree.SourceOf(call));
  return kUnrecognizedFunction(name, bound.tree.Position(call));
}

}  // namespace keyfold::partiql

// Applies updates. Attributes that an update does not touch are copied as bytes. Each one that it does touch becomes a
// small tree, which is opened only along the update's paths, changed, and written out again.
#include "expr/update.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "expr/item_lookup.h"
#include "expr/projection.h"
#include "value/item_limit.h"
#include "value/limits.h"
#include "value/number.h"

namespace keyfold::expr {
namespace {

constexpr Rule<
    "One or more parameter values were invalid: Cannot update attribute {}. This attribute is part of the key">
    kKeyUpdate{"update-key", Kind::kValidation};
constexpr Rule<"The provided expression refers to an attribute that does not exist in the item"> kOperandMissing{
    "update-operand-missing", Kind::kValidation};
constexpr Rule<"An operand in the update expression has an incorrect data type"> kOperandType{"update-operand-type",
                                                                                              Kind::kValidation};
constexpr Rule<"The document path provided in the update expression is invalid for update"> kInvalidPath{
    "update-invalid-path", Kind::kValidation};
constexpr Rule<"Type mismatch for attribute to update"> kLegacyTypeMismatch{"update-legacy-type", Kind::kValidation};

// All right-hand sides end up in the new item, and no item within the size limit takes this many bytes: the item form
// uses at most three bytes for each that DynamoDB counts. Without this limit an expression could copy a large attribute
// hundreds of times before the result is measured.
constexpr size_t kWrittenBytesMax = 8 * kItemBytesMax;

// Values created while an update is applied. Views of them stay valid until it is done.
class MadeValues {
 public:
  std::string& Add() { return values_.emplace_back(); }

 private:
  std::deque<std::string> values_;
};

// A value of the new item: unchanged or newly set (kWhole), or opened one level.
struct Node {
  enum class Form : uint8_t { kAbsent, kWhole, kMap, kList };
  Form form = Form::kAbsent;
  ValueView whole;
  std::string_view name;  // if it is a member of a map or of the item
  uint32_t index = 0;     // if it is an element of a list
  std::vector<Node> children;
  uint32_t original_count = 0;  // children from here on are new; in a list they are appended in index order

  void Set(ValueView value) {
    form = Form::kWhole;
    whole = value;
  }
  void Remove() { form = Form::kAbsent; }

  // Turns one level of a map or a list into children.
  void Open() {
    original_count = whole.count();
    children.reserve(original_count + 1);
    if (whole.type() == Type::kM) {
      form = Form::kMap;
      for (const Entry entry : whole.entries()) AddChild(Form::kWhole, entry.value).name = entry.name;
      return;
    }
    form = Form::kList;
    for (const ValueView value : whole.values()) AddChild(Form::kWhole, value);
  }

  Node& AddChild(Form child_form, ValueView value) {
    Node& child = children.emplace_back();
    child.form = child_form;
    child.whole = value;
    return child;
  }

  // Returns the child that a step names, or a new absent one if there is none.
  Node& Child(const PathStep& step) {
    if (step.is_index) {
      if (step.index < original_count) return children[step.index];
      Node& child = AddChild(Form::kAbsent, ValueView());
      child.index = step.index;
      return child;
    }
    // Original children are sorted; new ones are few, because an expression is short.
    const auto added = children.begin() + original_count;
    auto found = std::lower_bound(children.begin(), added, std::string_view(step.name),
                                  [](const Node& child, std::string_view name) { return child.name < name; });
    if (found != added && found->name == step.name) return *found;
    found = std::find_if(added, children.end(), [&](const Node& child) { return child.name == step.name; });
    if (found != children.end()) return *found;
    Node& child = AddChild(Form::kAbsent, ValueView());
    child.name = step.name;
    return child;
  }
};

void WriteNode(Node& node, ValueWriter& writer) {
  if (node.form == Node::Form::kWhole) return writer.Copy(node.whole);
  if (node.form == Node::Form::kMap) {
    writer.BeginMap();
    for (Node& child : node.children) {
      if (child.form == Node::Form::kAbsent) continue;
      writer.Name(child.name);
      WriteNode(child, writer);
    }
    return writer.EndMap();
  }
  std::sort(node.children.begin() + node.original_count, node.children.end(),
            [](const Node& a, const Node& b) { return a.index < b.index; });
  writer.BeginList();
  uint32_t count = 0;
  for (Node& child : node.children) {
    if (child.form == Node::Form::kAbsent) continue;
    ++count;
    WriteNode(child, writer);
  }
  writer.EndList(count);
}

// The parts of an item that an update touches. Indexes in paths always refer to the old item, because removed elements
// keep their place until the tree is written. The old item and the paths must outlive it. Used by one thread at a time.
class TouchedAttributes {
 public:
  // `lookup` must be the lookup of `old`.
  TouchedAttributes(ItemView old, ItemLookup& lookup) : old_(old), lookup_(lookup) {}

  // Returns the node that the path leads to, which is absent if the item has no value there. Valid until the next call.
  Result<Node*> Reach(const Path& path) {
    Node* node = &Root(path.root);
    for (const PathStep& step : path.steps) {
      if (node->form == Node::Form::kWhole) {
        if (node->whole.type() != (step.is_index ? Type::kL : Type::kM)) return kInvalidPath();
        node->Open();
      }
      if (node->form != (step.is_index ? Node::Form::kList : Node::Form::kMap)) return kInvalidPath();
      node = &node->Child(step);
    }
    return node;
  }

  Result<Item> Write() {
    std::sort(roots_.begin(), roots_.end(), [](const Node& a, const Node& b) { return a.name < b.name; });
    std::string bytes;
    bytes.reserve(old_.bytes().size() + 64);
    ValueWriter writer(bytes);
    writer.BeginItem();
    auto root = roots_.begin();
    for (const Entry entry : old_.entries()) {
      for (; root != roots_.end() && root->name < entry.name; ++root) WriteRoot(*root, writer, bytes);
      if (root != roots_.end() && root->name == entry.name) {
        WriteRoot(*root++, writer, bytes);
      } else {
        writer.Name(entry.name);
        writer.Copy(entry.value);
      }
    }
    for (; root != roots_.end(); ++root) WriteRoot(*root, writer, bytes);
    writer.EndMap();
    if (too_deep_) return kItemDepth();
    return Item(std::move(bytes));
  }

 private:
  Node& Root(std::string_view name) {
    if (Node* const known = KnownRoot(name)) return *known;
    if (!by_name_.empty()) by_name_.emplace(name, roots_.size());
    Node& root = roots_.emplace_back();
    root.name = name;
    if (const auto value = lookup_.Find(name)) root.Set(*value);
    return root;
  }

  // Uses a hash table if there are many: AttributeUpdates may name hundreds of thousands of attributes.
  Node* KnownRoot(std::string_view name) {
    constexpr size_t kFew = 32;
    if (roots_.size() <= kFew) {
      const auto found =
          std::find_if(roots_.begin(), roots_.end(), [&](const Node& root) { return root.name == name; });
      return found == roots_.end() ? nullptr : &*found;
    }
    if (by_name_.empty()) {
      for (size_t i = 0; i < roots_.size(); ++i) by_name_.emplace(roots_[i].name, i);
    }
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : &roots_[found->second];
  }

  // A value set at the top level is as deep as it was; only a value put into another one can exceed the nesting limit.
  void WriteRoot(Node& root, ValueWriter& writer, const std::string& bytes) {
    if (root.form == Node::Form::kAbsent) return;
    const bool opened = root.form != Node::Form::kWhole;
    writer.Name(root.name);
    const size_t start = bytes.size();
    WriteNode(root, writer);
    too_deep_ = too_deep_ || (opened && Depth(ValueView(std::string_view(bytes).substr(start))) >= kItemDepthMax);
  }

  ItemView old_;
  ItemLookup& lookup_;
  std::vector<Node> roots_;
  std::unordered_map<std::string_view, size_t> by_name_;  // indexes into roots_, used if there are many
  bool too_deep_ = false;
};

ValueView MakeNumber(const Number& number, MadeValues& made) {
  std::string& bytes = made.Add();
  std::string encoded;
  number.EncodeTo(encoded);
  ValueWriter(bytes).EncodedNumber(encoded);
  return ValueView(bytes);
}

ValueView AppendLists(ValueView first, ValueView second, MadeValues& made) {
  std::string& bytes = made.Add();
  ValueWriter writer(bytes);
  writer.BeginList();
  for (const ValueView list : {first, second}) {
    for (const ValueView value : list.values()) writer.Copy(value);
  }
  writer.EndList(first.count() + second.count());
  return ValueView(bytes);
}

Result<ValueView> Evaluate(const UpdateOperand& operand, ItemLookup& old, MadeValues& made);

// Evaluates two operands of the same type.
Result<std::pair<ValueView, ValueView>> EvaluatePair(const UpdateOperand& operand, Type type, ItemLookup& old,
                                                     MadeValues& made) {
  ASSIGN_OR_RETURN(const ValueView first, Evaluate(operand.children[0], old, made));
  if (first.type() != type) return kOperandType();
  ASSIGN_OR_RETURN(const ValueView second, Evaluate(operand.children[1], old, made));
  if (second.type() != type) return kOperandType();
  return std::pair(first, second);
}

Result<ValueView> Evaluate(const UpdateOperand& operand, ItemLookup& old, MadeValues& made) {
  switch (operand.kind) {
    case UpdateOperand::Kind::kValue:
      return operand.value.view();
    case UpdateOperand::Kind::kPath: {
      const auto value = old.Resolve(operand.path);
      if (!value) return kOperandMissing();
      return *value;
    }
    case UpdateOperand::Kind::kIfNotExists: {
      const auto value = old.Resolve(operand.path);
      if (value) return *value;
      return Evaluate(operand.children[0], old, made);
    }
    case UpdateOperand::Kind::kListAppend: {
      ASSIGN_OR_RETURN(const auto lists, EvaluatePair(operand, Type::kL, old, made));
      return AppendLists(lists.first, lists.second, made);
    }
    case UpdateOperand::Kind::kPlus:
    case UpdateOperand::Kind::kMinus:
      break;
  }
  ASSIGN_OR_RETURN(const auto numbers, EvaluatePair(operand, Type::kN, old, made));
  const Number a = Number::Decode(numbers.first.AsEncodedNumber());
  const Number b = Number::Decode(numbers.second.AsEncodedNumber());
  ASSIGN_OR_RETURN(const Number sum,
                   operand.kind == UpdateOperand::Kind::kPlus ? Number::Add(a, b) : Number::Subtract(a, b));
  return MakeNumber(sum, made);
}

// The union of two sets of the same type, or the first without the second; nullopt if nothing is left. Both are sorted,
// so one pass over each is enough.
std::optional<ValueView> CombineSets(ValueView first, ValueView second, bool add, MadeValues& made) {
  std::vector<std::string_view> elements;
  elements.reserve(first.count() + (add ? second.count() : 0));
  const SetRange left = first.elements(), right = second.elements();
  auto a = left.begin(), b = right.begin();
  while (a != left.end() && b != right.end()) {
    const int order = (*a).compare(*b);
    if (order < 0 || (order == 0 && add)) elements.push_back(*a);
    if (order > 0 && add) elements.push_back(*b);
    if (order <= 0) ++a;
    if (order >= 0) ++b;
  }
  for (; a != left.end(); ++a) elements.push_back(*a);
  for (; add && b != right.end(); ++b) elements.push_back(*b);
  if (elements.empty()) return std::nullopt;
  std::string& bytes = made.Add();
  ValueWriter(bytes).SortedSet(first.tag(), elements);
  return ValueView(bytes);
}

Error TypeMismatch(const Update& update) { return update.legacy ? kLegacyTypeMismatch() : kOperandType(); }

Status ApplyAdd(const Update& update, const Update::Change& add, TouchedAttributes& touched, MadeValues& made) {
  ASSIGN_OR_RETURN(Node* const node, touched.Reach(add.path));
  const ValueView value = add.value;
  if (node->form == Node::Form::kAbsent) {
    node->Set(value);
    return Ok();
  }
  const ValueView existing = node->whole;
  if (node->form != Node::Form::kWhole || existing.type() != value.type()) return TypeMismatch(update);
  if (value.type() == Type::kN) {
    ASSIGN_OR_RETURN(const Number sum,
                     Number::Add(Number::Decode(existing.AsEncodedNumber()), Number::Decode(value.AsEncodedNumber())));
    node->Set(MakeNumber(sum, made));
  } else if (value.type() == Type::kL) {
    node->Set(AppendLists(existing, value, made));
  } else {
    node->Set(*CombineSets(existing, value, true, made));
  }
  return Ok();
}

Status ApplyDelete(const Update& update, const Update::Change& change, TouchedAttributes& touched, MadeValues& made) {
  ASSIGN_OR_RETURN(Node* const node, touched.Reach(change.path));
  if (node->form == Node::Form::kAbsent) return Ok();
  if (node->form != Node::Form::kWhole || node->whole.type() != change.value.type()) return TypeMismatch(update);
  const auto left = CombineSets(node->whole, change.value, false, made);
  left ? node->Set(*left) : node->Remove();
  return Ok();
}

// Visits every path that an update writes to, in unspecified order.
template <typename Visit>
void ForEachTarget(const Update& update, const Visit& visit) {
  for (const Update::Set& set : update.sets) visit(set.path);
  for (const Path& path : update.removes) visit(path);
  for (const Update::Change& change : update.adds) visit(change.path);
  for (const Update::Change& change : update.deletes) visit(change.path);
}

uint64_t CountOperands(const UpdateOperand& operand) {
  uint64_t count = operand.children.size();
  for (const UpdateOperand& child : operand.children) count += CountOperands(child);
  return count;
}

}  // namespace

Status UpdateLeavesKeyAlone(const Update& update, const KeySchema& key) {
  for (const KeyAttribute& attribute : key.attributes()) {
    bool written = false;
    ForEachTarget(update, [&](const Path& path) { written = written || path.root == attribute.name; });
    if (written) return kKeyUpdate(attribute.name);
  }
  return Ok();
}

uint64_t CountOperators(const Update& update) {
  uint64_t count = update.removes.size() + update.adds.size() + update.deletes.size();
  for (const Update::Set& set : update.sets) count += 1 + CountOperands(set.operand);
  return count;
}

Result<Item> ApplyUpdate(const Update& update, ItemView old) {
  MadeValues made;
  ItemLookup lookup(old);
  std::vector<ValueView> right_sides;
  right_sides.reserve(update.sets.size());
  size_t bytes = 0;
  for (const Update::Set& set : update.sets) {
    ASSIGN_OR_RETURN(const ValueView value, Evaluate(set.operand, lookup, made));
    right_sides.push_back(value);
    bytes += value.bytes().size();
    if (bytes > kWrittenBytesMax) return kUpdatedItemSize();
  }
  TouchedAttributes touched(old, lookup);
  for (size_t i = 0; i < update.sets.size(); ++i) {
    ASSIGN_OR_RETURN(Node* const node, touched.Reach(update.sets[i].path));
    node->Set(right_sides[i]);
  }
  for (const Path& path : update.removes) {
    ASSIGN_OR_RETURN(Node* const node, touched.Reach(path));
    node->Remove();
  }
  for (const Update::Change& add : update.adds) RETURN_IF_ERROR(ApplyAdd(update, add, touched, made));
  for (const Update::Change& change : update.deletes) RETURN_IF_ERROR(ApplyDelete(update, change, touched, made));
  return touched.Write();
}

Item UpdatedPart(const Update& update, ItemView item) {
  Projection projection;
  ForEachTarget(update, [&](const Path& path) { projection.paths.push_back(path); });
  if (projection.empty()) return Item();
  projection.Sort();
  return Project(projection, item);
}

}  // namespace keyfold::expr

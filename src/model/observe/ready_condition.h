// A model's condition prepared for many items: names are numbers and literals are stored values, so that testing an
// item builds no text. Holds as DynamoDB would test the condition on the item.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "expr/path.h"
#include "model/core/model.h"
#include "model/observe/name_table.h"
#include "value/item.h"

namespace keyfold::model {

// Immutable, thread-safe.
class ReadyCondition {
 public:
  ReadyCondition() = default;  // holds for every item
  // The condition has no inputs. `names` has the entity's attributes.
  ReadyCondition(const Condition&, const Entity&, const NameTable& names);

  // `values` are an item's attributes by name, with empty bytes if absent.
  bool Holds(std::span<const ValueView> values, int64_t now_ms) const;

 private:
  struct Test {
    NameId name = kNoName;
    std::vector<expr::PathStep> steps;
    Comparator comparator = Comparator::kEqual;
    bool size = false;            // compares the size of the value
    bool number = false;          // `now` is a number, not a text of `now_type`
    std::vector<Value> operands;  // one of them has to compare as the comparator says
    bool now = false;             // the only operand is the current time
    AttributeType now_type = AttributeType::kNumber;

    // Compares a value with literals.
    bool IsPlain() const { return !size && !now && comparator != Comparator::kContains; }
  };
  struct Node {
    ConditionNode::Kind kind = ConditionNode::Kind::kComparison;
    Test test;
    std::vector<Node> parts;
  };

  static Test TestOf(const Comparison&, const Entity&, const NameTable&);
  static Node NodeOf(const ConditionNode&, const Entity&, const NameTable&);
  static bool Holds(const Node&, std::span<const ValueView>, int64_t now_ms);
  static bool Holds(const Test&, std::span<const ValueView>, int64_t now_ms);

  std::vector<Node> all_;  // every one must hold
};

// The steps below the attribute at the head of a path: .pages, [0].
std::vector<expr::PathStep> StepsBelow(std::string_view path, std::string_view head);

}  // namespace keyfold::model

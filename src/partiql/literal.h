// What the leaves of a statement stand for: literals and parameters as values, names and their steps as document paths.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "expr/path.h"
#include "partiql/syntax.h"
#include "value/item.h"

namespace keyfold::partiql {

// A statement and its parameters, of which there are as many as it asks for. Both outlive it. Immutable.
struct BoundTree {
  const SyntaxTree& tree;
  std::span<const Value> parameters;

  const Node& operator[](NodeId id) const { return tree[id]; }
};

inline constexpr Rule<"Unsupported operation: {}"> kUnsupportedOperation{"partiql-unsupported-operation",
                                                                         Kind::kValidation};
inline constexpr Rule<"Unrecognized function: {} at {}"> kUnrecognizedFunction{"partiql-unrecognized-function",
                                                                               Kind::kValidation};
inline constexpr Rule<"Unexpected path component at {}"> kPathComponent{"partiql-path-component", Kind::kValidation};
inline constexpr Rule<"Path component cannot be an empty string"> kEmptyComponent{"partiql-empty-component",
                                                                                  Kind::kValidation};

// Whether it stands for the same value in every item.
bool IsValue(NodeKind kind);
inline bool IsPath(NodeKind kind) { return kind == NodeKind::kName || kind == NodeKind::kPath; }

// A literal or a parameter. A parameter may be the whole value but no part of a literal.
Result<Value> LowerValue(const BoundTree& bound, NodeId id);

// { 'name': value, … } as an item; each value as LowerValue has it.
Result<Item> LowerItem(const BoundTree& bound, NodeId id);

Result<Path> LowerPath(const BoundTree& bound, NodeId id);

// A call's function in lower case, as DynamoDB compares it, and as it names one it does not know: a keyword in lower
// case, any other as it is written.
std::string FunctionOf(const BoundTree& bound, NodeId call);
Error UnrecognizedFunction(const BoundTree& bound, NodeId call);

}  // namespace keyfold::partiql

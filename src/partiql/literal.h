// The leaves of a statement: literals and parameters become values, names and their steps become document paths.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "expr/path.h"
#include "partiql/syntax.h"
#include "value/item.h"

namespace keyfold::partiql {

// A statement and its parameters, exactly as many as it uses. Both must outlive it. Immutable.
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

// Whether the node has the same value for every item.
bool IsValue(NodeKind kind);
inline bool IsPath(NodeKind kind) { return kind == NodeKind::kName || kind == NodeKind::kPath; }

// Lowers a literal or a parameter. A parameter may be the whole value but not part of a literal.
Result<Value> LowerValue(const BoundTree& bound, NodeId id);

// Lowers { 'name': value, … } to an item; each value as by LowerValue.
Result<Item> LowerItem(const BoundTree& bound, NodeId id);

Result<expr::Path> LowerPath(const BoundTree& bound, NodeId id);

// FunctionOf returns a call's function in lower case, as DynamoDB compares it. The error for an unknown function shows
// a keyword in lower case, any other name as written.
std::string FunctionOf(const BoundTree& bound, NodeId call);
Error UnrecognizedFunction(const BoundTree& bound, NodeId call);

}  // namespace keyfold::partiql

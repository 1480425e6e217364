// The syntax of a statement, without its meaning: expressions as nodes of one array, and which of them are in which
// clause. DynamoDB reports syntax errors before all others, so a statement is parsed to its end first.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "partiql/lexer.h"

namespace keyfold::partiql {

enum class NodeKind : uint8_t {
  kNone,
  // Leaves.
  kName,
  kString,
  kNumber,
  kTrue,
  kFalse,
  kNull,
  kMissing,
  kParameter,
  // A name or another term, followed by its steps.
  kPath,
  kNameStep,
  kIndexStep,  // one expression
  kStarStep,
  // Elements, or alternating names and values of members.
  kList,
  kBag,
  kStruct,
  kCall,  // arguments; its token is the function's name
  // Two or more conditions.
  kAnd,
  kOr,
  // One operand.
  kNot,
  kPositive,
  kNegative,
  kIs,  // its token is the type's name
  // Two operands.
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kIn,
  kLike,
  kPlus,
  kMinus,
  kTimes,
  kDivide,
  kModulo,
  kConcat,
  // Three operands.
  kBetween,
};

// DynamoDB's name for such an expression in its errors.
std::string_view NameOf(NodeKind kind);
// An operator as written; empty if the node is not an operator.
std::string_view SignOf(NodeKind kind);

// Index of a node in its tree; 0 means no node.
using NodeId = uint32_t;

struct Node {
  NodeKind kind = NodeKind::kNone;
  bool negative = false;                 // kNumber
  uint16_t height = 0;                   // levels below it
  uint32_t token = 0;                    // its first token, or its operator
  uint32_t number = 0;                   // kParameter: its index, from 0
  uint32_t count = 0;                    // number of children
  NodeId first = 0, next = 0, last = 0;  // first and last child, next sibling
};

// `statement` must outlive it. Immutable after parsing.
struct SyntaxTree {
  enum class Kind : uint8_t {
    kSelect,
    kExists,  // EXISTS(SELECT …)
    kInsert,
    kUpdate,  // UPDATE … SET … WHERE …, or FROM … WHERE … SET …
    kDelete,
    kExpression,  // an expression that is not a statement
  };
  struct Column {
    NodeId expression = 0;
    bool aliased = false;
  };
  struct Order {
    NodeId expression = 0;
    bool descending = false;
    bool nulls = false;  // NULLS FIRST or LAST
  };
  struct Change {
    NodeId path = 0;
    NodeId value = 0;  // 0 for REMOVE
  };
  struct Returned {
    bool modified = false, fresh = false;  // MODIFIED instead of ALL, NEW instead of OLD
    NodeId column = 0;                     // 0 for *
  };

  std::string_view statement;
  std::vector<Token> tokens;
  std::vector<Node> nodes;
  uint32_t parameters = 0;

  Kind kind = Kind::kExpression;
  NodeId source = 0;  // the table, or the whole kExpression
  bool aliased = false;
  std::vector<Column> columns;  // empty for SELECT *
  NodeId where = 0;
  std::vector<Order> order;
  std::string_view unsupported;  // the first clause of SELECT that DynamoDB does not have
  NodeId unsupported_at = 0;
  NodeId value = 0;  // the value of an INSERT
  bool keyword_value = false;
  std::vector<Change> changes;
  std::vector<Returned> returning;

  const Node& operator[](NodeId id) const { return nodes[id]; }
  const Token& TokenOf(NodeId id) const { return tokens[nodes[id].token]; }
  std::string_view SourceOf(NodeId id) const {
    const Token& token = TokenOf(id);
    return statement.substr(token.offset, token.bytes);
  }
  std::string Position(NodeId id) const { return PositionOf(statement, TokenOf(id)); }
};

Result<SyntaxTree> ParseSyntax(std::string_view statement);

}  // namespace keyfold::partiql

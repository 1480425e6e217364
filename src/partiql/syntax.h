// A statement's form, before any of it means anything: expressions as nodes of one array, and which of them stand in
// which clause. DynamoDB reports faults of form ahead of all others, so a statement is read to its end first.
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
  // A name or another term, then its steps.
  kPath,
  kNameStep,
  kIndexStep,  // one expression
  kStarStep,
  // Elements, or the names and values of members in turn.
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

// What DynamoDB calls such an expression where it cannot use it.
std::string_view NameOf(NodeKind kind);
// An operator as it is written; empty for what is none.
std::string_view SignOf(NodeKind kind);

// Place of a node in its tree; 0 is none.
using NodeId = uint32_t;

struct Node {
  NodeKind kind = NodeKind::kNone;
  bool negative = false;                 // kNumber
  uint16_t height = 0;                   // levels below it
  uint32_t token = 0;                    // what it starts with, or its operator
  uint32_t number = 0;                   // kParameter: which, from 0
  uint32_t count = 0;                    // of children
  NodeId first = 0, next = 0, last = 0;  // first and last child, next sibling
};

// `statement` outlives it. Immutable once parsed.
struct SyntaxTree {
  enum class Kind : uint8_t {
    kSelect,
    kExists,  // EXISTS(SELECT …)
    kInsert,
    kUpdate,  // UPDATE … SET … WHERE …, or FROM … WHERE … SET …
    kDelete,
    kExpression,  // one that is no statement
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
    NodeId value = 0;  // none for REMOVE
  };
  struct Returned {
    bool modified = false, fresh = false;  // not ALL, not OLD
    NodeId column = 0;                     // none for *
  };

  std::string_view statement;
  std::vector<Token> tokens;
  std::vector<Node> nodes;
  uint32_t parameters = 0;

  Kind kind = Kind::kExpression;
  NodeId source = 0;  // the table, or the whole of a kExpression
  bool aliased = false;
  std::vector<Column> columns;  // none for SELECT *
  NodeId where = 0;
  std::vector<Order> order;
  std::string_view unsupported;  // the first clause of SELECT that DynamoDB does not have, and where it is
  NodeId unsupported_at = 0;
  NodeId value = 0;  // INSERT
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

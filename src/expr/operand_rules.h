// Checks of the operands of conditions and updates that need no item, and of paths against each other. They apply to
// expressions and to statements.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "expr/condition.h"
#include "expr/path.h"

namespace keyfold::expr {

inline constexpr Rule<"The function is not allowed to be used this way in an expression; function: {}"> kFunctionUse{
    "expression-function-use", Kind::kValidation};
inline constexpr Rule<
    "Incorrect number of operands for operator or function; operator or function: {}, number of operands: {}">
    kOperandCount{"expression-operand-count", Kind::kValidation};
inline constexpr Rule<"Operator or function requires a document path; operator or function: {}"> kPathRequired{
    "expression-path-required", Kind::kValidation};
inline constexpr Rule<"Incorrect operand type for operator or function; operator or function: {}, operand type: {}">
    kOperandType{"expression-operand-type", Kind::kValidation};
inline constexpr Rule<"The IN operator is provided with too many operands; number of operands: {}"> kInOperands{
    "condition-in-operands", Kind::kValidation};

inline constexpr Rule<"The document path has too many nesting levels; nesting levels: {}"> kPathDepth{
    "expression-path-depth", Kind::kValidation};

// DynamoDB's name for the type of an operand that is not known in advance.
inline constexpr std::string_view kAnyType = "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}";

// The type that an operand has in every item; nullopt if that depends on the item.
std::optional<Type> KnownType(const Operand& operand);

// `name` is the operator or function to which the operands belong.
// two operands must not be the same path
Status OperandsAreDistinct(std::string_view name, const std::vector<Operand>& operands);
Status OperandsHaveOrder(std::string_view name, const std::vector<Operand>& operands);
Status OperandsAreTexts(std::string_view name, const std::vector<Operand>& operands);
Status OperandHasSize(std::string_view name, const Operand& operand);
// Checks the bounds of BETWEEN. Bounds of a type without an order pass this check.
Status BoundsAreInOrder(const Operand& lower, const Operand& upper);

// Orders a path after its prefixes, and indexes before names.
bool PathPrecedes(const Path* a, const Path* b);

// Returns an error if two of the paths overlap or conflict. It names them in the given order.
Status PathsAreApart(const std::vector<const Path*>& paths);

}  // namespace keyfold::expr

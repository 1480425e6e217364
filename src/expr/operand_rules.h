// What operands of conditions and updates must be before any item is known, and paths to one another; whether they were
// written in an expression or in a statement.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "expr/condition.h"
#include "expr/path.h"

namespace keyfold {

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

// What DynamoDB calls the type of an operand it cannot know.
inline constexpr std::string_view kAnyType = "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}";

// The type an operand has in every item, where it has one.
std::optional<Type> KnownType(const Operand& operand);

// `name` is the operator or function that has the operands.
Status OperandsAreDistinct(std::string_view name, const std::vector<Operand>& operands);  // two are not one path
Status OperandsHaveOrder(std::string_view name, const std::vector<Operand>& operands);
Status OperandsAreTexts(std::string_view name, const std::vector<Operand>& operands);
Status OperandHasSize(std::string_view name, const Operand& operand);
// Of BETWEEN; bounds that have no order are no fault here.
Status BoundsAreInOrder(const Operand& lower, const Operand& upper);

// Puts a path behind those that lead to it, and indexes before names.
bool PathPrecedes(const Path* a, const Path* b);

// No two of the paths may lead to, into, or conflict with one another; a fault names them in the order they are given.
Status PathsAreApart(const std::vector<const Path*>& paths);

}  // namespace keyfold

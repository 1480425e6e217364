// Turns the syntax tree of a statement into its meaning, clause by clause.
#include "partiql/statement.h"

#include <algorithm>
#include <utility>

#include "expr/item_lookup.h"
#include "expr/operand_rules.h"
#include "partiql/changes.h"
#include "partiql/literal.h"
#include "partiql/syntax.h"
#include "partiql/where.h"

namespace keyfold::partiql {
namespace {

constexpr Rule<"Number of parameters in request and statement don't match."> kParameterCount{"partiql-parameter-count",
                                                                                             Kind::kValidation};
constexpr Rule<"Aliasing is not supported"> kAliasing{"partiql-aliasing", Kind::kValidation};
constexpr Rule<"Unexpected from source"> kFromSource{"partiql-from-source", Kind::kValidation};
constexpr Rule<"A path may contain at most 2 components in the FROM clause"> kFromComponents{"partiql-from-components",
                                                                                             Kind::kValidation};
constexpr Rule<"FROM clause may only contain a single table name"> kSingleTable{"partiql-single-table",
                                                                                Kind::kValidation};
constexpr Rule<"This operation is not supported on an index"> kNotOnIndex{"partiql-not-on-index", Kind::kValidation};
constexpr Rule<"Unsupported clause: {} at {}"> kUnsupportedClause{"partiql-unsupported-clause", Kind::kValidation};
constexpr Rule<"Duplicate identifiers in select clause: {}"> kDuplicateColumn{"partiql-duplicate-column",
                                                                              Kind::kValidation};
constexpr Rule<"Invalid returning clause: {}. Only RETURNING ALL OLD * is allowed in DELETE statements.">
    kDeleteReturning{"partiql-delete-returning", Kind::kValidation};
constexpr Rule<"RETURNING clause is not supported in INSERT statements."> kInsertReturning{"partiql-insert-returning",
                                                                                           Kind::kValidation};
constexpr Rule<"Only one RETURNING element with * is supported."> kReturningElement{"partiql-returning-element",
                                                                                    Kind::kValidation};

struct TableSource {
  std::string table, index;
};

// name or name.index
Result<TableSource> LowerSource(const BoundTree& bound) {
  const NodeId source = bound.tree.source;
  if (!IsPath(bound[source].kind)) return kFromSource();
  NodeId component = bound[source].kind == NodeKind::kPath ? bound[source].first : source;
  std::vector<std::string> names;
  for (; component != 0; component = bound[component].next) {
    const NodeKind kind = bound[component].kind;
    if (kind != NodeKind::kName && kind != NodeKind::kNameStep) return kFromSource();
    if (names.emplace_back(TextOf(bound.tree.SourceOf(component))).empty()) return kEmptyComponent();
  }
  if (names.size() > 2) return kFromComponents();
  if (bound.tree.aliased) return kAliasing();
  return TableSource{std::move(names[0]), names.size() > 1 ? std::move(names[1]) : std::string()};
}

Result<std::string> LowerTable(const BoundTree& bound) {
  ASSIGN_OR_RETURN(TableSource source, LowerSource(bound));
  if (!source.index.empty()) return kNotOnIndex();
  return std::move(source.table);
}

Result<expr::Condition> LowerWhere(const BoundTree& bound) {
  if (bound.tree.where == 0) return expr::Condition();
  return LowerCondition(bound, bound.tree.where);
}

// The last name of a path and the indexes after it.
std::string ColumnName(const expr::Path& path) {
  size_t first = path.steps.size();
  while (first > 0 && path.steps[first - 1].is_index) --first;
  std::string name = first > 0 ? path.steps[first - 1].name : path.root;
  for (size_t i = first; i < path.steps.size(); ++i) {
    name.append("[").append(std::to_string(path.steps[i].index)).append("]");
  }
  return name;
}

bool LeadsTo(const expr::Path& a, const expr::Path& b) {
  return a.root == b.root && a.steps.size() <= b.steps.size() &&
         std::equal(a.steps.begin(), a.steps.end(), b.steps.begin());
}

// Columns that contain one another repeat data, so a few dozen could make a row of a hundred megabytes from one item.
Status ColumnsNestLittle(const expr::Projection& projection) {
  constexpr size_t kNestedMax = 4;
  std::vector<const expr::Path*> paths, around;
  for (const expr::Path& path : projection.paths) paths.push_back(&path);
  std::sort(paths.begin(), paths.end(), expr::PathPrecedes);
  for (const expr::Path* path : paths) {
    while (!around.empty() && !LeadsTo(*around.back(), *path)) around.pop_back();
    around.push_back(path);
    if (around.size() > kNestedMax) return expr::PathsAreApart({around.front(), path});
  }
  return Ok();
}

Result<expr::Projection> LowerColumns(const BoundTree& bound) {
  expr::Projection projection;
  std::vector<std::string> names;
  for (const SyntaxTree::Column& column : bound.tree.columns) {
    if (column.aliased) return kAliasing();
    ASSIGN_OR_RETURN(expr::Path path, LowerPath(bound, column.expression));
    names.push_back(ColumnName(path));
    projection.paths.push_back(std::move(path));
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) return kDuplicateColumn(*twice);
  RETURN_IF_ERROR(ColumnsNestLittle(projection));
  return projection;
}

Result<std::vector<OrderKey>> LowerOrder(const BoundTree& bound) {
  std::vector<OrderKey> keys;
  for (const SyntaxTree::Order& order : bound.tree.order) {
    if (order.nulls) return kUnsupportedClause("NULLS", bound.tree.Position(order.expression));
    if (bound[order.expression].kind != NodeKind::kName) return kPathComponent(bound.tree.Position(order.expression));
    ASSIGN_OR_RETURN(expr::Path path, LowerPath(bound, order.expression));
    keys.push_back({std::move(path.root), order.descending});
  }
  return keys;
}

Result<Select> LowerSelect(const BoundTree& bound) {
  const SyntaxTree& tree = bound.tree;
  Select select;
  ASSIGN_OR_RETURN(TableSource source, LowerSource(bound));
  select.table = std::move(source.table);
  select.index = std::move(source.index);
  if (!tree.unsupported.empty()) return kUnsupportedClause(tree.unsupported, tree.Position(tree.unsupported_at));
  ASSIGN_OR_RETURN(select.projection, LowerColumns(bound));
  ASSIGN_OR_RETURN(select.where, LowerWhere(bound));
  select.has_where = tree.where != 0;
  ASSIGN_OR_RETURN(select.order, LowerOrder(bound));
  return select;
}

Result<Insert> LowerInsert(const BoundTree& bound) {
  ASSIGN_OR_RETURN(TableSource source, LowerSource(bound));
  if (!source.index.empty()) return kSingleTable();
  if (!bound.tree.keyword_value) return kUnsupportedOperation("Insert");
  if (!bound.tree.returning.empty()) return kInsertReturning();
  Insert insert;
  insert.table = std::move(source.table);
  ASSIGN_OR_RETURN(insert.item, LowerItem(bound, bound.tree.value));
  return insert;
}

Result<Returning> LowerReturning(const BoundTree& bound) {
  const std::vector<SyntaxTree::Returned>& elements = bound.tree.returning;
  if (elements.empty()) return Returning::kNone;
  if (elements.size() > 1 || elements[0].column != 0) return kReturningElement();
  if (elements[0].modified) return elements[0].fresh ? Returning::kModifiedNew : Returning::kModifiedOld;
  return elements[0].fresh ? Returning::kAllNew : Returning::kAllOld;
}

std::string_view ClauseOf(Returning returning) {
  switch (returning) {
    case Returning::kNone:
      return {};
    case Returning::kAllOld:
      return "RETURNING ALL OLD *";
    case Returning::kModifiedOld:
      return "RETURNING MODIFIED OLD *";
    case Returning::kAllNew:
      return "RETURNING ALL NEW *";
    case Returning::kModifiedNew:
      return "RETURNING MODIFIED NEW *";
  }
  return {};
}

Result<Change> LowerChange(const BoundTree& bound) {
  Change change;
  ASSIGN_OR_RETURN(change.table, LowerTable(bound));
  ASSIGN_OR_RETURN(change.update, LowerChanges(bound));
  ASSIGN_OR_RETURN(change.where, LowerWhere(bound));
  ASSIGN_OR_RETURN(change.returning, LowerReturning(bound));
  return change;
}

Result<Delete> LowerDelete(const BoundTree& bound) {
  Delete deletion;
  ASSIGN_OR_RETURN(deletion.table, LowerTable(bound));
  ASSIGN_OR_RETURN(deletion.where, LowerWhere(bound));
  ASSIGN_OR_RETURN(deletion.returning, LowerReturning(bound));
  if (deletion.returning != Returning::kNone && deletion.returning != Returning::kAllOld) {
    return kDeleteReturning(ClauseOf(deletion.returning));
  }
  return deletion;
}

template <typename T>
Result<Statement> AsStatement(Result<T> lowered) {
  if (!lowered.ok()) return std::move(lowered).TakeError();
  return Statement(*std::move(lowered));
}

}  // namespace

Result<Statement> ParseStatement(std::string_view text, std::span<const Value> parameters) {
  ASSIGN_OR_RETURN(const SyntaxTree tree, ParseSyntax(text));
  if (tree.parameters > parameters.size()) return kParameterCount();
  const BoundTree bound{tree, parameters};
  switch (tree.kind) {
    case SyntaxTree::Kind::kSelect:
      return AsStatement(LowerSelect(bound));
    case SyntaxTree::Kind::kExists: {
      ASSIGN_OR_RETURN(Select select, LowerSelect(bound));
      return Statement(Exists{std::move(select)});
    }
    case SyntaxTree::Kind::kInsert:
      return AsStatement(LowerInsert(bound));
    case SyntaxTree::Kind::kUpdate:
      return AsStatement(LowerChange(bound));
    case SyntaxTree::Kind::kDelete:
      return AsStatement(LowerDelete(bound));
    case SyntaxTree::Kind::kExpression:
      break;
  }
  return kUnsupportedOperation(NameOf(tree[tree.source].kind));
}

Item SelectRow(const expr::Projection& projection, ItemView item) {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.BeginItem();
  expr::ItemLookup lookup(item);
  for (const expr::Path& path : projection.paths) {
    const auto value = lookup.Resolve(path);
    if (!value) continue;
    writer.Name(ColumnName(path));
    writer.Copy(*value);
  }
  writer.EndMap();
  return Item(std::move(bytes));
}

}  // namespace keyfold::partiql

// Recursive descent over the tokens of a statement, by precedence within expressions. What it accepts, and which fault
// it reports first, follows the public PartiQL grammar, whose messages DynamoDB passes on after its own.
#include "partiql/syntax.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/check.h"

namespace keyfold::partiql {
namespace {

// Maximum nesting of parentheses, literals and operators. Literals are limited to 32 elsewhere.
constexpr size_t kDepthMax = 100;

// Higher binds tighter.
constexpr int kAnyPrecedence = 0;
constexpr int kNotPrecedence = 30;

struct Infix {
  NodeKind kind = NodeKind::kNone;
  int precedence = 0;
  bool negated = false;  // NOT IN, NOT BETWEEN, NOT LIKE, IS NOT
  size_t tokens = 1;
};

struct InfixWord {
  std::string_view word;
  NodeKind kind;
  int precedence;
};
constexpr InfixWord kInfixWords[] = {
    {"or", NodeKind::kOr, 10}, {"and", NodeKind::kAnd, 20},   {"is", NodeKind::kIs, 40},
    {"in", NodeKind::kIn, 40}, {"like", NodeKind::kLike, 50}, {"between", NodeKind::kBetween, 50},
};

const InfixWord* FindInfixWord(const Token& token) {
  if (token.kind != TokenKind::kKeyword) return nullptr;
  for (const InfixWord& entry : kInfixWords) {
    if (entry.word == token.word) return &entry;
  }
  return nullptr;
}

Infix InfixOfSign(TokenKind kind) {
  switch (kind) {
    case TokenKind::kEq:
      return {NodeKind::kEq, 40};
    case TokenKind::kNe:
      return {NodeKind::kNe, 40};
    case TokenKind::kLt:
      return {NodeKind::kLt, 50};
    case TokenKind::kLe:
      return {NodeKind::kLe, 50};
    case TokenKind::kGt:
      return {NodeKind::kGt, 50};
    case TokenKind::kGe:
      return {NodeKind::kGe, 50};
    case TokenKind::kPlus:
      return {NodeKind::kPlus, 60};
    case TokenKind::kMinus:
      return {NodeKind::kMinus, 60};
    case TokenKind::kConcat:
      return {NodeKind::kConcat, 60};
    case TokenKind::kStar:
      return {NodeKind::kTimes, 70};
    case TokenKind::kSlash:
      return {NodeKind::kDivide, 70};
    case TokenKind::kPercent:
      return {NodeKind::kModulo, 70};
    default:
      return {};
  }
}

bool IsOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Keywords that name a function if a parenthesis follows.
bool NamesFunction(std::string_view word) {
  return IsOneOf(word, {"exists", "count", "avg", "max", "min", "sum", "char_length", "character_length",
                        "octet_length", "bit_length", "upper", "lower", "size", "sexp", "list", "bag"});
}

bool IsTypeName(std::string_view word) {
  return IsOneOf(
      word, {"missing", "null",      "boolean",  "bool",     "smallint",  "integer", "int",     "int2",    "integer2",
             "int4",    "int8",      "integer4", "integer8", "bigint",    "float",   "real",    "decimal", "dec",
             "numeric", "timestamp", "date",     "time",     "character", "char",    "varchar", "string",  "symbol",
             "clob",    "blob",      "struct",   "tuple",    "list",      "sexp",    "bag",     "any"});
}

struct NodeWords {
  NodeKind kind;
  std::string_view name, sign;
};
constexpr NodeWords kNodeWords[] = {
    {NodeKind::kNone, "None", ""},
    {NodeKind::kName, "Id", ""},
    {NodeKind::kString, "Lit", ""},
    {NodeKind::kNumber, "Lit", ""},
    {NodeKind::kTrue, "Lit", ""},
    {NodeKind::kFalse, "Lit", ""},
    {NodeKind::kNull, "Lit", ""},
    {NodeKind::kMissing, "Missing", ""},
    {NodeKind::kParameter, "Parameter", ""},
    {NodeKind::kPath, "Path", ""},
    {NodeKind::kNameStep, "Path", ""},
    {NodeKind::kIndexStep, "Path", ""},
    {NodeKind::kStarStep, "Path", ""},
    {NodeKind::kList, "List", ""},
    {NodeKind::kBag, "Bag", ""},
    {NodeKind::kStruct, "Struct", ""},
    {NodeKind::kCall, "Call", ""},
    {NodeKind::kAnd, "And", "AND"},
    {NodeKind::kOr, "Or", "OR"},
    {NodeKind::kNot, "Not", "NOT"},
    {NodeKind::kPositive, "Pos", "+"},
    {NodeKind::kNegative, "Neg", "-"},
    {NodeKind::kIs, "IsType", "IS"},
    {NodeKind::kEq, "Eq", "="},
    {NodeKind::kNe, "Ne", "<>"},
    {NodeKind::kLt, "Lt", "<"},
    {NodeKind::kLe, "Lte", "<="},
    {NodeKind::kGt, "Gt", ">"},
    {NodeKind::kGe, "Gte", ">="},
    {NodeKind::kIn, "InCollection", "IN"},
    {NodeKind::kLike, "Like", "LIKE"},
    {NodeKind::kPlus, "Plus", "+"},
    {NodeKind::kMinus, "Minus", "-"},
    {NodeKind::kTimes, "Times", "*"},
    {NodeKind::kDivide, "Divide", "/"},
    {NodeKind::kModulo, "Modulo", "%"},
    {NodeKind::kConcat, "Concat", "||"},
    {NodeKind::kBetween, "Between", "BETWEEN"},
};

const NodeWords& WordsOf(NodeKind kind) {
  const NodeWords& words = kNodeWords[static_cast<size_t>(kind)];
  CHECK(words.kind == kind);
  return words;
}

// One parse of one statement. Used by one thread at a time.
class Parser {
 public:
  explicit Parser(std::string_view statement) { tree_.statement = statement; }

  Result<SyntaxTree> Parse() {
    ASSIGN_OR_RETURN(tree_.tokens, Tokenize(tree_.statement));
    tree_.nodes.reserve(tree_.tokens.size() + 1);
    tree_.nodes.emplace_back();
    RETURN_IF_ERROR(ParseStatement());
    if (At(TokenKind::kSemicolon)) {
      Advance();
      if (!At(TokenKind::kEnd)) return Fail("Unexpected token after semicolon. (Only one query is allowed.)");
    }
    if (!At(TokenKind::kEnd)) return Fail("Unexpected token after expression");
    return std::move(tree_);
  }

 private:
  using Kind = SyntaxTree::Kind;

  const Token& current() const { return tree_.tokens[at_]; }
  const Token& next() const { return tree_.tokens[std::min(at_ + 1, tree_.tokens.size() - 1)]; }
  bool At(TokenKind kind) const { return current().kind == kind; }
  bool AtWord(std::string_view word) const { return At(TokenKind::kKeyword) && current().word == word; }
  bool NextWord(std::string_view word) const { return next().kind == TokenKind::kKeyword && next().word == word; }
  bool AtIdentifier() const { return At(TokenKind::kIdentifier) || At(TokenKind::kQuotedIdentifier); }
  uint32_t Advance() { return static_cast<uint32_t>(at_ + 1 < tree_.tokens.size() ? at_++ : at_); }
  bool Accept(TokenKind kind) {
    const bool there = At(kind);
    if (there) Advance();
    return there;
  }
  bool AcceptWord(std::string_view word) {
    const bool there = AtWord(word);
    if (there) Advance();
    return there;
  }
  static Error Fail(std::string_view detail) { return kMalformed(detail); }
  Status Expect(TokenKind kind, std::string_view detail) { return Accept(kind) ? Ok() : Fail(detail); }

  NodeId Add(NodeKind kind, uint32_t token, std::initializer_list<NodeId> children = {}) {
    const NodeId id = static_cast<NodeId>(tree_.nodes.size());
    Node& node = tree_.nodes.emplace_back();
    node.kind = kind;
    node.token = token;
    for (const NodeId child : children) Append(id, child);
    return id;
  }

  void Append(NodeId parent, NodeId child) {
    Node& node = tree_.nodes[parent];
    if (node.count++ == 0) {
      node.first = child;
    } else {
      tree_.nodes[node.last].next = child;
    }
    node.last = child;
    node.height = std::max<uint16_t>(node.height, static_cast<uint16_t>(tree_.nodes[child].height + 1));
  }

  NodeKind KindOf(NodeId id) const { return tree_.nodes[id].kind; }

  Status ParseStatement() {
    if (AcceptWord("select")) return ParseSelect(Kind::kSelect);
    if (AtWord("insert") && NextWord("into")) return ParseInsert();
    if (AcceptWord("update")) return ParseUpdate();
    if (AcceptWord("delete")) return ParseDelete();
    if (AcceptWord("from")) return ParseFromFirst();
    if (AtWord("exists") && next().kind == TokenKind::kOpen && AtExistsSelect()) return ParseExists();
    ASSIGN_OR_RETURN(tree_.source, ParseExpression(kAnyPrecedence));
    tree_.kind = Kind::kExpression;
    return Ok();
  }

  bool AtExistsSelect() const {
    const Token& third = tree_.tokens[std::min(at_ + 2, tree_.tokens.size() - 1)];
    return third.kind == TokenKind::kKeyword && third.word == "select";
  }

  Status ParseExists() {
    at_ += 3;
    RETURN_IF_ERROR(ParseSelect(Kind::kExists));
    return Expect(TokenKind::kClose, "Expected RIGHT_PAREN");
  }

  // Parses what follows SELECT.
  Status ParseSelect(Kind kind) {
    tree_.kind = kind;
    if (AtWord("distinct")) NoteUnsupported("DISTINCT", Add(NodeKind::kNone, Advance()));
    AcceptWord("all");
    if (AtWord("value")) NoteUnsupported("SELECT VALUE", Add(NodeKind::kNone, Advance()));
    RETURN_IF_ERROR(ParseColumns());
    if (!AcceptWord("from")) return Fail("Expected FROM after SELECT list");
    RETURN_IF_ERROR(ParseSource());
    RETURN_IF_ERROR(ParseWhere());
    RETURN_IF_ERROR(ParseGroupBy());
    RETURN_IF_ERROR(ParseUnsupported("having", "HAVING"));
    RETURN_IF_ERROR(ParseOrderBy());
    RETURN_IF_ERROR(ParseUnsupported("limit", "LIMIT"));
    return ParseUnsupported("offset", "OFFSET");
  }

  void NoteUnsupported(std::string_view clause, NodeId where) {
    if (!tree_.unsupported.empty()) return;
    tree_.unsupported = clause;
    tree_.unsupported_at = where;
  }

  Status ParseColumns() {
    bool star = false;
    size_t count = 0;
    do {
      ++count;
      if (Accept(TokenKind::kStar)) {
        star = true;
      } else {
        RETURN_IF_ERROR(ParseColumn());
      }
    } while (Accept(TokenKind::kComma));
    if (star && count > 1) {
      return Fail("Other expressions may not be present in the select list when '*' is used without dot notation.");
    }
    return Ok();
  }

  Status ParseColumn() {
    if (At(TokenKind::kKeyword) &&
        IsOneOf(current().word, {"set", "remove", "update", "delete", "select", "from", "where"})) {
      return Fail("Expected identifier or an expression but found unexpected keyword '" + std::string(current().word) +
                  "' in a select list.");
    }
    SyntaxTree::Column column;
    ASSIGN_OR_RETURN(column.expression, ParseExpression(kAnyPrecedence));
    ASSIGN_OR_RETURN(column.aliased, ParseAlias());
    tree_.columns.push_back(column);
    return Ok();
  }

  // [AS] name
  Result<bool> ParseAlias() {
    const bool keyword = AcceptWord("as");
    if (keyword && !AtIdentifier()) return Fail("Expected identifier for AS-alias");
    if (AtIdentifier()) {
      Advance();
      return true;
    }
    return false;
  }

  // Parses the table, syntactically any expression, and its aliases.
  Status ParseSource() {
    ASSIGN_OR_RETURN(tree_.source, ParseExpression(kAnyPrecedence));
    return ParseSourceAliases();
  }

  Status ParseSourceAliases() {
    ASSIGN_OR_RETURN(tree_.aliased, ParseAlias());
    for (const auto& [word, detail] :
         {std::pair("at", "Expected identifier for AT-alias"), std::pair("by", "Expected identifier for BY-alias")}) {
      if (!AcceptWord(word)) continue;
      if (!AtIdentifier()) return Fail(detail);
      Advance();
      tree_.aliased = true;
    }
    return Ok();
  }

  Status ParseWhere() {
    if (!AcceptWord("where")) return Ok();
    ASSIGN_OR_RETURN(tree_.where, ParseExpression(kAnyPrecedence));
    return Ok();
  }

  Status ParseUnsupported(std::string_view word, std::string_view clause) {
    if (!AcceptWord(word)) return Ok();
    ASSIGN_OR_RETURN(const NodeId expression, ParseExpression(kAnyPrecedence));
    NoteUnsupported(clause, expression);
    return Ok();
  }

  Status ParseGroupBy() {
    if (!AcceptWord("group")) return Ok();
    AcceptWord("partial");
    if (!AcceptWord("by")) return Fail("Expected BY");
    do {
      ASSIGN_OR_RETURN(const NodeId expression, ParseExpression(kAnyPrecedence));
      NoteUnsupported("GROUP BY", expression);
      RETURN_IF_ERROR(ParseAlias());
    } while (Accept(TokenKind::kComma));
    return Ok();
  }

  Status ParseOrderBy() {
    if (!AcceptWord("order")) return Ok();
    if (!AcceptWord("by")) return Fail("Expected BY");
    do {
      SyntaxTree::Order& order = tree_.order.emplace_back();
      ASSIGN_OR_RETURN(order.expression, ParseExpression(kAnyPrecedence));
      order.descending = AtWord("desc");
      if (AtWord("asc") || AtWord("desc")) Advance();
      order.nulls = AcceptWord("nulls");
      if (order.nulls && !AcceptWord("first") && !AcceptWord("last")) return Fail("Expected FIRST OR LAST after NULLS");
    } while (Accept(TokenKind::kComma));
    return Ok();
  }

  Status ParseInsert() {
    at_ += 2;
    tree_.kind = Kind::kInsert;
    ASSIGN_OR_RETURN(tree_.source, ParseSimplePath());
    tree_.keyword_value = AcceptWord("value");
    ASSIGN_OR_RETURN(tree_.value, ParseExpression(kAnyPrecedence));
    return tree_.keyword_value ? ParseReturning() : Ok();
  }

  // Parses what follows UPDATE.
  Status ParseUpdate() {
    tree_.kind = Kind::kUpdate;
    ASSIGN_OR_RETURN(tree_.source, ParseSimplePath());
    RETURN_IF_ERROR(ParseSourceAliases());
    RETURN_IF_ERROR(ParseChanges());
    RETURN_IF_ERROR(ParseWhere());
    return ParseReturning();
  }

  // Parses what follows DELETE.
  Status ParseDelete() {
    tree_.kind = Kind::kDelete;
    if (!AcceptWord("from")) return Fail("Expected FROM after DELETE");
    ASSIGN_OR_RETURN(tree_.source, ParseSimplePath());
    RETURN_IF_ERROR(ParseSourceAliases());
    RETURN_IF_ERROR(ParseWhere());
    return ParseReturning();
  }

  // Parses what follows FROM: an update with WHERE before its changes.
  Status ParseFromFirst() {
    tree_.kind = Kind::kUpdate;
    RETURN_IF_ERROR(ParseSource());
    RETURN_IF_ERROR(ParseWhere());
    RETURN_IF_ERROR(ParseChanges());
    return ParseReturning();
  }

  Status ParseChanges() {
    const size_t before = tree_.changes.size();
    for (;;) {
      if (AcceptWord("set")) {
        RETURN_IF_ERROR(ParseAssignments());
      } else if (AcceptWord("remove")) {
        ASSIGN_OR_RETURN(const NodeId path, ParseSimplePath());
        tree_.changes.push_back({path, 0});
      } else {
        break;
      }
    }
    return tree_.changes.size() > before ? Ok() : Fail("Expected data manipulation");
  }

  Status ParseAssignments() {
    do {
      ASSIGN_OR_RETURN(const NodeId path, ParseSimplePath());
      if (!Accept(TokenKind::kEq)) return Fail("Expected '='");
      ASSIGN_OR_RETURN(const NodeId value, ParseExpression(kAnyPrecedence));
      tree_.changes.push_back({path, value});
    } while (Accept(TokenKind::kComma));
    return Ok();
  }

  Status ParseReturning() {
    if (!AcceptWord("returning")) return Ok();
    do {
      SyntaxTree::Returned& returned = tree_.returning.emplace_back();
      returned.modified = AtWord("modified");
      returned.fresh = NextWord("new");
      if (!(AtWord("modified") || AtWord("all")) || !(NextWord("new") || NextWord("old"))) {
        return Fail("Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element.");
      }
      at_ += 2;
      if (Accept(TokenKind::kStar)) continue;
      ASSIGN_OR_RETURN(returned.column, ParseExpression(kAnyPrecedence));
    } while (Accept(TokenKind::kComma));
    return Ok();
  }

  Result<NodeId> ParseExpression(int precedence) {
    if (++depth_ > kDepthMax) return FailTooDeep();
    ASSIGN_OR_RETURN(NodeId left, ParseUnary());
    for (;;) {
      const Infix infix = InfixHere();
      if (infix.kind == NodeKind::kNone || infix.precedence <= precedence) break;
      ASSIGN_OR_RETURN(left, ParseInfix(left, infix));
      if (tree_.nodes[left].height > kDepthMax) return FailTooDeep();
    }
    --depth_;
    return left;
  }

  static Error FailTooDeep() { return Fail("Expression nests too deeply"); }

  Infix InfixHere() const {
    if (At(TokenKind::kKeyword) && current().word == "not") {
      const InfixWord* negated = FindInfixWord(next());
      if (negated == nullptr || !IsOneOf(negated->word, {"in", "between", "like"})) return {};
      return {negated->kind, negated->precedence, true, 2};
    }
    if (const InfixWord* entry = FindInfixWord(current())) {
      const bool is_not = entry->kind == NodeKind::kIs && NextWord("not");
      return {entry->kind, entry->precedence, is_not, is_not ? size_t{2} : size_t{1}};
    }
    return InfixOfSign(current().kind);
  }

  Result<NodeId> ParseInfix(NodeId left, const Infix& infix) {
    const uint32_t token = static_cast<uint32_t>(at_);
    at_ += infix.tokens;
    NodeId made = 0;
    if (infix.kind == NodeKind::kIs) {
      ASSIGN_OR_RETURN(made, ParseType(left));
    } else if (infix.kind == NodeKind::kIn && At(TokenKind::kOpen) && !NextWord("select") && !NextWord("values")) {
      const NodeId list = Add(NodeKind::kList, Advance());
      RETURN_IF_ERROR(ParseElements(list, TokenKind::kClose, "Expected RIGHT_PAREN"));
      made = Add(infix.kind, token, {left, list});
    } else {
      if (At(TokenKind::kEnd)) return Fail("Missing right-hand side expression of infix operator");
      ASSIGN_OR_RETURN(const NodeId right, ParseExpression(infix.precedence));
      ASSIGN_OR_RETURN(made, Combine(infix, token, left, right));
    }
    return infix.negated ? Add(NodeKind::kNot, token, {made}) : made;
  }

  Result<NodeId> Combine(const Infix& infix, uint32_t token, NodeId left, NodeId right) {
    if (infix.kind == NodeKind::kBetween) {
      if (!AcceptWord("and")) return Fail("Expected AND keyword");
      if (At(TokenKind::kEnd)) return Fail("Expected expression after AND");
      ASSIGN_OR_RETURN(const NodeId upper, ParseExpression(infix.precedence));
      return Add(infix.kind, token, {left, right, upper});
    }
    // a AND b AND c is one node: a long chain is not a deep one.
    const bool joins = infix.kind == NodeKind::kAnd || infix.kind == NodeKind::kOr;
    if (joins && KindOf(left) == infix.kind) {
      Append(left, right);
      return left;
    }
    if (infix.kind == NodeKind::kLike && AcceptWord("escape")) {
      RETURN_IF_ERROR(ParseExpression(infix.precedence));
    }
    return Add(infix.kind, token, {left, right});
  }

  // Parses what follows IS [NOT]: a type, optionally with numbers in parentheses.
  Result<NodeId> ParseType(NodeId operand) {
    const bool two_words = (AtWord("double") && NextWord("precision")) || (AtWord("character") && NextWord("varying"));
    if (!two_words && !(At(TokenKind::kKeyword) && IsTypeName(current().word))) return Fail("Expected type name");
    const NodeId is = Add(NodeKind::kIs, Advance(), {operand});
    if (two_words) Advance();
    if (At(TokenKind::kOpen)) {
      const NodeId parameters = Add(NodeKind::kList, Advance());
      RETURN_IF_ERROR(ParseElements(parameters, TokenKind::kClose, "Expected RIGHT_PAREN"));
    }
    return is;
  }

  Result<NodeId> ParseUnary() {
    if (AtWord("not")) {
      const uint32_t token = Advance();
      ASSIGN_OR_RETURN(const NodeId operand, ParseExpression(kNotPrecedence));
      return Add(NodeKind::kNot, token, {operand});
    }
    if (!At(TokenKind::kPlus) && !At(TokenKind::kMinus)) return ParsePathTerm();
    if (++depth_ > kDepthMax) return FailTooDeep();
    const bool minus = At(TokenKind::kMinus);
    const uint32_t token = Advance();
    ASSIGN_OR_RETURN(const NodeId operand, ParseUnary());
    --depth_;
    Node& node = tree_.nodes[operand];
    if (node.kind != NodeKind::kNumber) {
      return Add(minus ? NodeKind::kNegative : NodeKind::kPositive, token, {operand});
    }
    node.negative = node.negative != minus;
    return operand;
  }

  Result<NodeId> ParsePathTerm() {
    ASSIGN_OR_RETURN(const NodeId term, ParseTerm());
    return ParseSteps(term, false);
  }

  // Parses the target of an assignment, or the table of UPDATE, DELETE or INSERT.
  Result<NodeId> ParseSimplePath() {
    if (!AtIdentifier()) return Fail("Expected identifier for simple path");
    return ParseSteps(Add(NodeKind::kName, Advance()), true);
  }

  Result<NodeId> ParseSteps(NodeId base, bool simple) {
    if (!At(TokenKind::kDot) && !At(TokenKind::kOpenBracket)) return base;
    const NodeId path = Add(NodeKind::kPath, tree_.nodes[base].token, {base});
    for (;;) {
      if (Accept(TokenKind::kDot)) {
        if (At(TokenKind::kStar) && simple) return Fail("Invalid path dot component for simple path");
        if (!AtIdentifier() && !At(TokenKind::kStar)) return Fail("Invalid path dot component");
        const NodeKind kind = At(TokenKind::kStar) ? NodeKind::kStarStep : NodeKind::kNameStep;
        Append(path, Add(kind, Advance()));
      } else if (At(TokenKind::kOpenBracket)) {
        ASSIGN_OR_RETURN(const NodeId step, ParseIndexStep(simple));
        Append(path, step);
      } else {
        return path;
      }
    }
  }

  Result<NodeId> ParseIndexStep(bool simple) {
    const uint32_t token = Advance();
    if (At(TokenKind::kStar) && !simple) {
      const NodeId star = Add(NodeKind::kStarStep, Advance());
      RETURN_IF_ERROR(Expect(TokenKind::kCloseBracket, "Expected RIGHT_BRACKET"));
      return star;
    }
    ASSIGN_OR_RETURN(const NodeId index, ParseExpression(kAnyPrecedence));
    RETURN_IF_ERROR(Expect(TokenKind::kCloseBracket, "Expected RIGHT_BRACKET"));
    if (simple && tree_.nodes[index].count > 0) return Fail("Invalid path component for simple path");
    return Add(NodeKind::kIndexStep, token, {index});
  }

  Result<NodeId> ParseTerm() {
    switch (current().kind) {
      case TokenKind::kOpen:
        return ParseGroup();
      case TokenKind::kOpenBracket:
        return ParseSequence(NodeKind::kList, TokenKind::kCloseBracket, "Expected RIGHT_BRACKET");
      case TokenKind::kOpenBag:
        return ParseSequence(NodeKind::kBag, TokenKind::kCloseBag, "Expected RIGHT_DOUBLE_ANGLE_BRACKET");
      case TokenKind::kOpenBrace:
        return ParseStruct();
      case TokenKind::kIdentifier:
      case TokenKind::kQuotedIdentifier:
        return next().kind == TokenKind::kOpen ? ParseCall() : Result<NodeId>(Add(NodeKind::kName, Advance()));
      case TokenKind::kString:
        return Add(NodeKind::kString, Advance());
      case TokenKind::kNumber:
        return Add(NodeKind::kNumber, Advance());
      case TokenKind::kParameter: {
        const NodeId parameter = Add(NodeKind::kParameter, Advance());
        tree_.nodes[parameter].number = tree_.parameters++;
        return parameter;
      }
      case TokenKind::kKeyword:
        return ParseKeyword();
      default:
        return Fail(AtSign() ? "Unexpected operator" : "Unexpected term");
    }
  }

  bool AtSign() const {
    if (At(TokenKind::kStar)) return false;
    return At(TokenKind::kOtherOperator) || InfixOfSign(current().kind).kind != NodeKind::kNone;
  }

  Result<NodeId> ParseKeyword() {
    const std::string_view word = current().word;
    if (word == "true") return Add(NodeKind::kTrue, Advance());
    if (word == "false") return Add(NodeKind::kFalse, Advance());
    if (word == "null") return Add(NodeKind::kNull, Advance());
    if (word == "missing") return Add(NodeKind::kMissing, Advance());
    if (NamesFunction(word) && next().kind == TokenKind::kOpen) return ParseCall();
    if (word == "from") {
      // DynamoDB reads a misspelled SELECT as a name multiplied by the FROM-first form of an update.
      Advance();
      RETURN_IF_ERROR(ParseFromFirst());
      return Fail("Unexpected keyword");
    }
    if (FindInfixWord(current()) != nullptr || IsOneOf(word, {"union", "except", "intersect"})) {
      return Fail("Unexpected operator");
    }
    if (IsOneOf(word, {"as", "asc", "at", "by", "desc", "first", "for", "last", "nulls"})) {
      return Fail("Unexpected term");
    }
    return Fail("Unexpected keyword");
  }

  // Parses one expression, or several that form a list.
  Result<NodeId> ParseGroup() {
    const NodeId list = Add(NodeKind::kList, Advance());
    RETURN_IF_ERROR(ParseElements(list, TokenKind::kClose, "Expected RIGHT_PAREN"));
    return tree_.nodes[list].count == 1 ? tree_.nodes[list].first : list;
  }

  Result<NodeId> ParseSequence(NodeKind kind, TokenKind close, std::string_view detail) {
    const NodeId sequence = Add(kind, Advance());
    if (Accept(close)) return sequence;
    RETURN_IF_ERROR(ParseElements(sequence, close, detail));
    return sequence;
  }

  // expression { "," expression } close
  Status ParseElements(NodeId parent, TokenKind close, std::string_view detail) {
    do {
      ASSIGN_OR_RETURN(const NodeId element, ParseExpression(kAnyPrecedence));
      Append(parent, element);
    } while (Accept(TokenKind::kComma));
    return Expect(close, detail);
  }

  Result<NodeId> ParseStruct() {
    const NodeId made = Add(NodeKind::kStruct, Advance());
    if (Accept(TokenKind::kCloseBrace)) return made;
    do {
      ASSIGN_OR_RETURN(const NodeId name, ParseExpression(kAnyPrecedence));
      RETURN_IF_ERROR(Expect(TokenKind::kColon, "Expected COLON"));
      ASSIGN_OR_RETURN(const NodeId value, ParseExpression(kAnyPrecedence));
      Append(made, name);
      Append(made, value);
    } while (Accept(TokenKind::kComma));
    RETURN_IF_ERROR(Expect(TokenKind::kCloseBrace, "Expected RIGHT_CURLY"));
    return made;
  }

  Result<NodeId> ParseCall() {
    const bool counts = AtWord("count");
    const NodeId call = Add(NodeKind::kCall, Advance());
    Advance();
    if (Accept(TokenKind::kClose)) return call;
    if (At(TokenKind::kStar) && !counts) return Fail(std::string(tree_.SourceOf(call)) + "(*) is not allowed");
    if (Accept(TokenKind::kStar)) {
      RETURN_IF_ERROR(Expect(TokenKind::kClose, "Expected RIGHT_PAREN"));
      return call;
    }
    RETURN_IF_ERROR(ParseElements(call, TokenKind::kClose, "Expected RIGHT_PAREN"));
    return call;
  }

  SyntaxTree tree_;
  size_t at_ = 0;
  size_t depth_ = 0;
};

}  // namespace

std::string_view NameOf(NodeKind kind) { return WordsOf(kind).name; }

std::string_view SignOf(NodeKind kind) { return WordsOf(kind).sign; }

Result<SyntaxTree> ParseSyntax(std::string_view statement) { return Parser(statement).Parse(); }

}  // namespace keyfold::partiql

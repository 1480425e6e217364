// The functions of patterns that read.
#include <fmt/format.h>

#include "model/core/calendar.h"
#include "model/generate/literal.h"
#include "model/generate/python/dictionary.h"
#include "model/generate/python/function.h"

namespace keyfold::model::python {

std::string FunctionCode::ElementType(const Returned& one) const {
  if (one.whole) return entities_[one.entity].type;
  const auto named = partial_types_.find(one.entity);
  return named == partial_types_.end() ? "Item" : named->second;
}

std::string FunctionCode::ReadCall(const Returned& one, const std::string& item) const {
  const EntityNames& names = entities_[one.entity];
  if (one.whole) return fmt::format("{}({})", names.read, item);
  std::vector<std::string> attributes;
  for (const std::string& name : one.attributes) attributes.push_back(QuotedText(name));
  const std::string call = fmt::format("_read({}, {}, [{}])", names.shape, item, Joined(attributes));
  const std::string type = ElementType(one);
  return type == "Item" ? call : fmt::format("cast({}, {})", type, call);
}

std::string FunctionCode::Tagged(const Returned& one, bool several, const std::string& item) const {
  const std::string call = ReadCall(one, item);
  return several ? fmt::format("({}, {})", QuotedText(model_.entities[one.entity].name), call) : call;
}

// Writes the types of results that lack some of an entity's attributes, and names the result type if it is such a type
// or a union.
void FunctionCode::WriteResultType() {
  if (access_.operation == Operation::kTransactGetItems) return;
  std::vector<Returned> returns;
  for (const KeyRead& read : access_.reads) {
    for (Returned& one : ReturnsOf(model_, access_, read)) returns.push_back(std::move(one));
  }
  if (returns.empty() || (returns.size() == 1 && returns[0].whole)) return;
  result_type_ = scope_.Take(Cased(Case::kPascal, pattern_.name) + "Result");
  for (const Returned& one : returns) {
    if (one.whole) continue;
    const std::string& entity = entities_[one.entity].type;
    const std::string& type = partial_types_[one.entity] =
        returns.size() == 1 ? result_type_ : scope_.Take(result_type_ + entity);
    std::vector<Field> fields;
    for (const std::string& name : one.attributes) {
      const Attribute& attribute = *model_.entities[one.entity].Find(name);
      fields.push_back({name, TypeOf(attribute, false, maps_), attribute.optional && !attribute.default_value});
    }
    WriteDictionary(type, fmt::format("What {} returns of one {}.", function_, entity), fields, code_);
  }
  if (returns.size() == 1) return;
  std::vector<std::string> types;
  for (const Returned& one : returns) types.push_back(TaggedType(one));
  code_.Add("\n\n");
  code_.AddList(result_type_ + " = Union[", types, "]");
}

std::string FunctionCode::TaggedType(const Returned& one) const {
  return fmt::format("tuple[Literal[{}], {}]", QuotedText(model_.entities[one.entity].name), ElementType(one));
}

std::string FunctionCode::TypeOfResult(const std::vector<Returned>& returns) const {
  return result_type_.empty() ? ElementType(returns[0]) : result_type_;
}

void FunctionCode::WriteGet() {
  const auto value = [&](std::string_view name) { return InputOf(nullptr, name); };
  const Returned returned = ReturnsOf(model_, access_, access_.read())[0];
  const Attribute* expiry = HidesBy(returned);
  OpenFunction(ElementType(returned) + " | None");
  code_.Open("answer = db.client.get_item(");
  code_.Add("TableName=db.table,");
  code_.Add("Key=" + KeyObject(WholeKey(access_.read()), {value}) + ',');
  if (IsStrong()) WriteFlag("ConsistentRead", true);
  code_.Close(")");
  code_.Open("if \"Item\" not in answer:");
  code_.Add("return None");
  code_.Close();
  code_.Add("item = _item(answer[\"Item\"])");
  std::string own = OwnTests();
  if (expiry != nullptr) own = target_.Both(own, fmt::format("not _expires({})", Get("item", expiry->name)));
  code_.Add("return " + ReadCall(returned, "item") + (own.empty() ? "" : fmt::format(" if {} else None", own)));
  code_.Close();
}

void FunctionCode::WriteTransactGet() {
  const auto value = [&](std::string_view name) { return InputOf(nullptr, name); };
  const bool single = pattern_.verb == Verb::kGet;
  std::vector<std::string> types;
  std::vector<std::string> results;
  for (size_t i = 0; i < access_.reads.size(); ++i) {
    const Returned returned = ReturnsOf(model_, access_, access_.reads[i])[0];
    const Attribute* expiry = HidesBy(returned);
    types.push_back(ElementType(returned) + " | None");
    const std::string item = fmt::format("items[{}]", i);
    const std::string alive = expiry == nullptr ? "" : fmt::format(" and not _expires({})", Get(item, expiry->name));
    results.push_back(fmt::format("{} if {} is not None{} else None", ReadCall(returned, item), item, alive));
  }
  OpenFunction(single ? types[0] : "tuple[" + Joined(types) + ']');
  code_.Open("answer = db.client.transact_get_items(TransactItems=[");
  for (const KeyRead& read : access_.reads) {
    code_.Add(
        fmt::format("{{\"Get\": {{\"TableName\": db.table, \"Key\": {}}}}},", KeyObject(WholeKey(read), {value})));
  }
  code_.Close("])");
  code_.Add("items = [_item(one[\"Item\"]) if \"Item\" in one else None for one in answer[\"Responses\"]]");
  code_.Add(single ? "return " + results[0] : "return (" + Joined(results) + (results.size() == 1 ? ",)" : ")"));
  code_.Close();
}

void FunctionCode::WriteBatchGet() {
  const auto value = [&](std::string_view name) { return MemberOf("each", name); };
  std::vector<std::string> keys;
  std::vector<Returned> returns;
  for (const KeyRead& read : access_.reads) {
    keys.push_back(KeyObject(WholeKey(read), {value}));
    returns.push_back(ReturnsOf(model_, access_, read)[0]);
  }
  OpenFunction("list[" + TypeOfResult(returns) + ']');
  code_.Add(fmt::format("wanted = [key for each in keys for key in ({},)]", Joined(keys)));
  code_.Add(fmt::format("out: list[{}] = []", TypeOfResult(returns)));
  code_.Open(fmt::format("for item in _batch_get(db, wanted, {}):", IsStrong() ? "True" : "False"));
  for (const Returned& one : returns) {
    const Attribute* expiry = HidesBy(one);
    const std::string alive = expiry == nullptr ? "" : fmt::format(" and not _expires({})", Get("item", expiry->name));
    code_.Open(fmt::format("if {}(item){}:", entities_[one.entity].is, alive));
    code_.Add(fmt::format("out.append({})", Tagged(one, returns.size() > 1, "item")));
    code_.Close();
  }
  code_.Close();
  code_.Add("return out");
  code_.Close();
}

// Writes the members of a Query or Scan as a dictionary.
void FunctionCode::WriteRequest() {
  keyword_arguments_ = false;
  code_.Open("request: Item = {");
  code_.Add("\"TableName\": db.table,");
  WriteQueryMembers("str(shard)");
  code_.Close("}");
}

void FunctionCode::WriteKept(std::string_view keep, std::string_view skip) {
  const std::vector<Returned> returns = ReturnsOf(model_, access_, access_.read());
  const bool tested = TestsEntities(returns);
  if (const std::string own = OwnTests(); !own.empty()) {
    code_.Open(fmt::format("if not ({}):", own));
    code_.Add(skip);
    code_.Close();
  }
  for (const Returned& one : returns) {
    std::vector<std::string> tests;
    if (tested) tests.push_back(fmt::format("{}(item)", entities_[one.entity].is));
    if (const Attribute* expiry = HidesBy(one))
      tests.push_back(fmt::format("not _expires({})", Get("item", expiry->name)));
    if (!tests.empty()) code_.Open(fmt::format("if {}:", Joined(tests, " and ")));
    code_.Add(fmt::format(fmt::runtime(keep), Tagged(one, returns.size() > 1, "item")));
    if (!tests.empty()) code_.Close();
  }
}

void FunctionCode::WriteLoop(const std::string& items, std::string_view keep) {
  code_.Open(fmt::format("for item in {}:", items));
  WriteKept(keep, "continue");
  code_.Close();
}

std::string FunctionCode::CursorKey() const {
  std::vector<std::string> members;
  for (const auto& [name, type] : CursorKeyOf(model_, access_.read()))
    members.push_back(QuotedText(name) + ": " + QuotedText(type));
  return '{' + Joined(members) + '}';
}

void FunctionCode::WriteEmptyRange(std::string_view statement) {
  const std::string empty = EmptyRangeTest();
  if (empty.empty()) return;
  code_.Open(fmt::format("if {}:", empty));
  code_.Add(statement);
  code_.Close();
}

void FunctionCode::WritePage() {
  const std::string type = TypeOfResult(ReturnsOf(model_, access_, access_.read()));
  OpenFunction("Page[" + type + ']', true);
  WriteEmptyRange("return Page([], None)");
  WriteRequest();
  code_.Add(fmt::format("request.update(_start_of({}, {}, cursor))", QuotedText(pattern_.name), CursorKey()));
  code_.Add(fmt::format("page = db.client.{}(**request)", access_.operation == Operation::kScan ? "scan" : "query"));
  code_.Add(fmt::format("items: list[{}] = []", type));
  WriteLoop("(_item(one) for one in page[\"Items\"])", "items.append({})");
  code_.Add(fmt::format("return Page(items, _next_of({}, page))", QuotedText(pattern_.name)));
  code_.Close();
}

void FunctionCode::WriteQuery() {
  const FanOut fan = FanOutOf(model_, access_);
  const bool paged = IsOnePage(pattern_);
  if (paged && fan.merging == Merging::kOne) return WritePage();
  if (paged) return WriteFanOutPage(fan);
  OpenFunction("Iterator[" + TypeOfResult(ReturnsOf(model_, access_, access_.read())) + ']');
  WriteEmptyRange("return");
  if (fan.merging == Merging::kOne) {
    WriteRequest();
    WriteLoop(fmt::format("_pages(db.client.{}, request)", access_.operation == Operation::kScan ? "scan" : "query"),
              "yield {}");
  } else {
    WriteFanOut(fan);
  }
  code_.Close();
}

std::string FunctionCode::OrderText(const FanOut& fan) const {
  std::vector<std::string> keys;
  const std::string one = access_.read().wanted.size() == 1 ? "one" : "one[1]";
  for (const std::string& name : fan.by) keys.push_back(MemberOf(one, name));
  return fmt::format("lambda one: ({},)", Joined(keys));
}

std::string FunctionCode::Combined(const FanOut& fan, const std::string& streams) const {
  if (fan.merging == Merging::kInTurn) return fmt::format("chain.from_iterable({})", streams);
  const std::string order = fmt::format("key={}{}", OrderText(fan), access_.forward ? "" : ", reverse=True");
  if (fan.merging == Merging::kSorted) return fmt::format("heapq.merge(*_started({}), {})", streams, order);
  return fmt::format("sorted(chain.from_iterable(_started({})), {})", streams, order);
}

// The buckets between the bounds, in the order in which they are read.
std::string FunctionCode::BucketsText() const {
  const auto bound = [&](const Operand& operand) {
    return operand.kind == Operand::Kind::kInput ? ParameterOf(operand.text) : QuotedText(operand.text);
  };
  const std::string all = fmt::format("_buckets({}, {}, {})", LayoutOf(access_.buckets->format).size(),
                                      bound(access_.buckets->from), bound(access_.buckets->to));
  return access_.forward ? all : "reversed(" + all + ')';
}

void FunctionCode::WritePart() {
  code_.Add();
  code_.Open(fmt::format("def part({}) -> Iterator[{}]:", PartParameters(),
                         TypeOfResult(ReturnsOf(model_, access_, access_.read()))));
  WriteRequest();
  WriteLoop("_pages(db.client.query, request)", "yield {}");
  code_.Close();
  code_.Add();
}

std::string FunctionCode::PartParameters() const {
  std::vector<std::string> parameters;
  if (access_.buckets) parameters.push_back("bucket: str");
  if (access_.shards > 1) parameters.push_back("shard: int");
  return Joined(parameters);
}

std::string FunctionCode::AllParts(const FanOut& fan) const {
  const std::string shards = fmt::format("range({})", access_.shards);
  if (!access_.buckets) return Combined(fan, fmt::format("[part(shard) for shard in {}]", shards));
  const std::string each = fmt::format("for bucket in {}", BucketsText());
  if (access_.shards > 1) return Combined(fan, fmt::format("[part(bucket, shard) {} for shard in {}]", each, shards));
  if (fan.buckets_in_turn) return fmt::format("chain.from_iterable(part(bucket) {})", each);
  return Combined(fan, fmt::format("[part(bucket) {}]", each));
}

// Writes one stream per shard and bucket, and merges them in the order of `merge`.
void FunctionCode::WriteFanOut(const FanOut& fan) {
  WritePart();
  if (!access_.buckets || access_.shards == 1 || !fan.buckets_in_turn) return code_.Add("yield from " + AllParts(fan));
  code_.Open(fmt::format("for bucket in {}:", BucketsText()));
  code_.Add("yield from " + Combined(fan, fmt::format("[part(bucket, shard) for shard in range({})]", access_.shards)));
  code_.Close();
}

// Writes a page of several shards and buckets, whose cursor says how far each of them was read.
void FunctionCode::WriteFanOutPage(const FanOut& fan) {
  const std::string type = TypeOfResult(ReturnsOf(model_, access_, access_.read()));
  OpenFunction("Page[" + type + ']', true);
  WriteEmptyRange("return Page([], None)");
  const std::string limit = std::to_string(*pattern_.limit);
  if (fan.merging == Merging::kCollected) {
    WritePart();
    code_.Add(fmt::format("return _page_of_all({}, cursor, {}, {})", QuotedText(pattern_.name), limit, AllParts(fan)));
    return code_.Close();
  }
  code_.Add();
  code_.Open(fmt::format("def part({}) -> tuple[str, Item]:", PartParameters()));
  WriteRequest();
  const bool sharded = access_.shards > 1;
  code_.Add(fmt::format("return {}, request", !sharded          ? "bucket"
                                              : access_.buckets ? "f\"{bucket}/{shard}\""
                                                                : "str(shard)"));
  code_.Close();
  code_.Add();
  code_.Open(fmt::format("def keep(item: Item) -> {} | None:", type));
  WriteKept("return {}", "return None");
  if (LeavesOut(ReturnsOf(model_, access_, access_.read()))) code_.Add("return None");
  code_.Close();
  code_.Add();
  const std::string shards = fmt::format("for shard in range({})", access_.shards);
  const std::string buckets = access_.buckets ? "for bucket in " + BucketsText() : "";
  std::string groups = fmt::format("[part(shard) {}]", shards);
  if (access_.buckets)
    groups = sharded ? fmt::format("[part(bucket, shard) {} {}]", buckets, shards)
                     : fmt::format("[part(bucket) {}]", buckets);
  const bool in_turn = fan.merging == Merging::kInTurn || (fan.buckets_in_turn && !sharded);
  if (in_turn) {
    groups = fmt::format("[[one] for one in {}]", groups);
  } else if (fan.buckets_in_turn) {
    groups = fmt::format("[[part(bucket, shard) {}] {}]", shards, buckets);
  } else {
    groups = '[' + groups + ']';
  }
  std::vector<std::string> arguments{"db", QuotedText(pattern_.name), CursorKey(), "cursor", limit, groups, "keep"};
  if (!in_turn) arguments.push_back(OrderText(fan));
  if (!in_turn && !access_.forward) arguments.push_back("descending=True");
  code_.AddList("return _page_of(", arguments, ")");
  code_.Close();
}

}  // namespace keyfold::model::python

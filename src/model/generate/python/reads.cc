// The functions of patterns that read.
#include <fmt/format.h>

#include "model/core/calendar.h"
#include "model/generate/literal.h"
#include "model/generate/python/dictionary.h"
#include "model/generate/python/function.h"

namespace keyfold::model::python {

std::string FunctionCode::ElementType(const Returned& one) const {
  return one.whole ? entities_[one.entity].type : "Item";
}

std::string FunctionCode::ReadCall(const Returned& one, const std::string& item) const {
  const EntityNames& names = entities_[one.entity];
  if (one.whole) return fmt::format("{}({})", names.read, item);
  std::vector<std::string> attributes;
  for (const std::string& name : one.attributes) attributes.push_back(QuotedText(name));
  return fmt::format("_read({}, {}, [{}])", names.shape, item, Joined(attributes));
}

std::string FunctionCode::Tagged(const Returned& one, bool several, const std::string& item) const {
  const std::string call = ReadCall(one, item);
  return several ? fmt::format("({}, {})", QuotedText(model_.entities[one.entity].name), call) : call;
}

// Names the result type if it would make the function's first line too long: a part of an entity, or one of several
// entities.
void FunctionCode::WriteResultType() {
  if (access_.operation == Operation::kTransactGetItems) return;
  std::vector<Returned> returns;
  for (const KeyRead& read : access_.reads) {
    for (Returned& one : ReturnsOf(model_, read)) returns.push_back(std::move(one));
  }
  if (returns.empty() || (returns.size() == 1 && returns[0].whole)) return;
  result_type_ = scope_.Take(Cased(Case::kPascal, pattern_.name) + "Result");
  if (returns.size() > 1) {
    std::vector<std::string> types;
    for (const Returned& one : returns) types.push_back(TaggedType(one));
    code_.Add("\n\n");
    return code_.AddList(result_type_ + " = Union[", types, "]");
  }
  const Entity& entity = model_.entities[returns[0].entity];
  std::vector<Field> fields;
  for (const std::string& name : returns[0].attributes) {
    const Attribute& attribute = *entity.Find(name);
    fields.push_back({name, TypeOf(attribute, false), attribute.optional && !attribute.default_value});
  }
  WriteDictionary(result_type_, fmt::format("What {} returns of one {}.", function_, entities_[returns[0].entity].type),
                  fields, scope_, code_);
}

std::string FunctionCode::TaggedType(const Returned& one) const {
  return fmt::format("Tuple[Literal[{}], {}]", QuotedText(model_.entities[one.entity].name), ElementType(one));
}

std::string FunctionCode::TypeOfResult(const std::vector<Returned>& returns) const {
  return result_type_.empty() ? ElementType(returns[0]) : result_type_;
}

void FunctionCode::WriteGet() {
  const auto value = [&](std::string_view name) { return InputOf(nullptr, name); };
  const Returned returned = ReturnsOf(model_, access_.read())[0];
  const Attribute* expiry = HidesBy(returned);
  OpenFunction("Optional[" + ElementType(returned) + ']');
  code_.Open("answer = db.client.get_item(");
  code_.Add("TableName=db.table,");
  code_.Add("Key=" + KeyObject(WholeKey(access_.read()), {value}) + ',');
  if (IsStrong()) WriteFlag("ConsistentRead", true);
  code_.Close(")");
  code_.Add(fmt::format("found = {} if \"Item\" in answer else None", ReadCall(returned, "_item(answer[\"Item\"])")));
  const std::string at = expiry == nullptr ? "" : Get("found", expiry->name);
  code_.Add(expiry == nullptr ? "return found" : fmt::format("return None if found and _expires({}) else found", at));
  code_.Close();
}

void FunctionCode::WriteTransactGet() {
  const auto value = [&](std::string_view name) { return InputOf(nullptr, name); };
  const bool single = pattern_.verb == Verb::kGet;
  std::vector<std::string> types;
  std::vector<std::string> results;
  for (size_t i = 0; i < access_.reads.size(); ++i) {
    const Returned returned = ReturnsOf(model_, access_.reads[i])[0];
    const Attribute* expiry = HidesBy(returned);
    types.push_back("Optional[" + ElementType(returned) + ']');
    const std::string item = fmt::format("items[{}]", i);
    const std::string alive = expiry == nullptr ? "" : fmt::format(" and not _expires({})", Get(item, expiry->name));
    results.push_back(fmt::format("{} if {} is not None{} else None", ReadCall(returned, item), item, alive));
  }
  OpenFunction(single ? types[0] : "Tuple[" + Joined(types) + ']');
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
    returns.push_back(ReturnsOf(model_, read)[0]);
  }
  OpenFunction("List[" + TypeOfResult(returns) + ']');
  code_.Add(fmt::format("wanted = [key for each in keys for key in ({},)]", Joined(keys)));
  code_.Add("out: List[Any] = []");
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

std::string FunctionCode::OwnTests() const {
  std::vector<std::string> tests;
  for (const OwnTest& one : OwnTestsOf(model_, access_)) {
    const Attribute* declared = model_.entities[access_.read().wanted[0]].Find(one.attribute);
    std::string value =
        one.right.kind == Operand::Kind::kInput ? InputOf(nullptr, one.right.text) : QuotedText(one.right.text);
    if (one.right.kind == Operand::Kind::kBool) value = one.right.text == "true" ? "True" : "False";
    if (declared != nullptr && declared->type == AttributeType::kTime) value = "_start_of_time(" + value + ')';
    if (declared != nullptr && StoredAs(declared->type) == StoredType::kN) value = "_number(" + value + ')';
    tests.push_back(fmt::format("_holds({}, {}, {})", Get("item", one.attribute), QuotedText(one.sign), value));
  }
  return Joined(tests, " and ");
}

void FunctionCode::WriteLoop(const std::string& items, std::string_view keep) {
  const std::vector<Returned> returns = ReturnsOf(model_, access_.read());
  const bool tested = TestsEntities(returns);
  code_.Open(fmt::format("for item in {}:", items));
  if (const std::string own = OwnTests(); !own.empty()) {
    code_.Open(fmt::format("if not ({}):", own));
    code_.Add("continue");
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
  code_.Close();
}

void FunctionCode::WritePage() {
  OpenFunction("Page[" + TypeOfResult(ReturnsOf(model_, access_.read())) + ']', "start_key: Optional[Item] = None");
  WriteRequest();
  code_.Open("if start_key is not None:");
  code_.Add("request[\"ExclusiveStartKey\"] = _attributes(start_key)");
  code_.Close();
  code_.Add(fmt::format("page = db.client.{}(**request)", access_.operation == Operation::kScan ? "scan" : "query"));
  code_.Add("items: List[Any] = []");
  WriteLoop("map(_item, page[\"Items\"])", "items.append({})");
  code_.Add("return Page(items, _item(page[\"LastEvaluatedKey\"]) if \"LastEvaluatedKey\" in page else None)");
  code_.Close();
}

void FunctionCode::WriteQuery() {
  const FanOut fan = FanOutOf(model_, access_);
  if (IsOnePage(pattern_) && fan.merging == Merging::kOne) return WritePage();
  OpenFunction("Iterator[" + TypeOfResult(ReturnsOf(model_, access_.read())) + ']');
  if (fan.merging == Merging::kOne) {
    WriteRequest();
    WriteLoop(fmt::format("_pages(db.client.{}, request)", access_.operation == Operation::kScan ? "scan" : "query"),
              "yield {}");
  } else {
    WriteFanOut(fan);
  }
  code_.Close();
}

std::string FunctionCode::Combined(const FanOut& fan, const std::string& streams) const {
  if (fan.merging == Merging::kInTurn) return fmt::format("chain.from_iterable({})", streams);
  std::vector<std::string> keys;
  const std::string one = access_.read().wanted.size() == 1 ? "one" : "one[1]";
  for (const std::string& name : fan.by) keys.push_back(MemberOf(one, name));
  const std::string order =
      fmt::format("key=lambda one: ({},){}", Joined(keys), access_.forward ? "" : ", reverse=True");
  if (fan.merging == Merging::kSorted) return fmt::format("heapq.merge(*_started({}), {})", streams, order);
  return fmt::format("sorted(chain.from_iterable(_started({})), {})", streams, order);
}

// Writes one stream per shard and bucket, and merges them in the order of `merge`.
void FunctionCode::WriteFanOut(const FanOut& fan) {
  const bool one_page = IsOnePage(pattern_);
  const bool sharded = access_.shards > 1;
  std::vector<std::string> parameters;
  if (access_.buckets) parameters.push_back("bucket: str");
  if (sharded) parameters.push_back("shard: int");
  code_.Add();
  code_.Open(fmt::format("def part({}) -> Iterator[{}]:", Joined(parameters),
                         TypeOfResult(ReturnsOf(model_, access_.read()))));
  WriteRequest();
  WriteLoop(fmt::format("_pages(db.client.query, request{})", one_page ? ", follow=False" : ""), "yield {}");
  code_.Close();
  code_.Add();
  std::string all;
  if (access_.buckets) {
    const auto bound = [&](const Operand& operand) {
      return operand.kind == Operand::Kind::kInput ? ParameterOf(operand.text) : QuotedText(operand.text);
    };
    all = fmt::format("_buckets({}, {}, {})", LayoutOf(access_.buckets->format).size(), bound(access_.buckets->from),
                      bound(access_.buckets->to));
    if (!access_.forward) all = "reversed(" + all + ')';
  }
  const std::string shards = fmt::format("range({})", access_.shards);
  const auto give = [&](const std::string& stream) {
    code_.Add("yield from " + (one_page ? fmt::format("islice({}, {})", stream, *pattern_.limit) : stream));
  };
  if (access_.buckets && sharded && fan.buckets_in_turn && !one_page) {
    code_.Open(fmt::format("for bucket in {}:", all));
    give(Combined(fan, fmt::format("[part(bucket, shard) for shard in {}]", shards)));
    code_.Close();
  } else if (access_.buckets && sharded) {
    give(Combined(fan, fmt::format("[part(bucket, shard) for bucket in {} for shard in {}]", all, shards)));
  } else if (access_.buckets && fan.buckets_in_turn) {
    give(fmt::format("chain.from_iterable(part(bucket) for bucket in {})", all));
  } else {
    give(Combined(fan, fmt::format("[part(one) for one in {}]", access_.buckets ? all : shards)));
  }
}

}  // namespace keyfold::model::python

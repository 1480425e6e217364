// The functions of patterns that read.
#include <fmt/format.h>

#include "model/core/calendar.h"
#include "model/generate/literal.h"
#include "model/generate/typescript/function.h"

namespace keyfold::model::typescript {
namespace {

std::string QuotedList(const std::vector<std::string>& names, std::string_view by) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back(QuotedText(name));
  return Joined(quoted, by);
}

}  // namespace

std::string FunctionCode::ElementType(const Returned& one) const {
  const EntityNames& names = entities_[one.entity];
  if (one.whole) return names.type;
  return fmt::format("Pick<{}, {}>", names.type, one.attributes.empty() ? "never" : QuotedList(one.attributes, " | "));
}

std::string FunctionCode::ReadCall(const Returned& one, const std::string& item) const {
  const EntityNames& names = entities_[one.entity];
  if (one.whole) return fmt::format("{}({})", names.read, item);
  const bool named = !result_type_.empty() && access_.reads.size() == 1 && access_.read().wanted.size() == 1;
  return fmt::format("read<{}>({}, {}, [{}])", named ? result_type_ : ElementType(one), names.shape, item,
                     QuotedList(one.attributes, ", "));
}

std::string FunctionCode::Tagged(const Returned& one, bool several, const std::string& item) const {
  const std::string call = ReadCall(one, item);
  return several ? fmt::format("{{ entity: {}, item: {} }}", QuotedText(model_.entities[one.entity].name), call) : call;
}

// Names the result type if the function's first line would contain it twice: a part of an entity, or one of several
// entities.
void FunctionCode::WriteResultType() {
  std::vector<Returned> returns;
  if (access_.operation == Operation::kTransactGetItems) return;
  for (const KeyRead& read : access_.reads) {
    for (Returned& one : ReturnsOf(model_, access_, read)) returns.push_back(std::move(one));
  }
  if (returns.empty() || (returns.size() == 1 && returns[0].whole)) return;
  result_type_ = scope_.Take(Cased(Case::kPascal, pattern_.name) + "Result");
  code_.Add();
  if (returns.size() == 1) return code_.Add(fmt::format("export type {} = {};", result_type_, ElementType(returns[0])));
  code_.Open(fmt::format("export type {} =", result_type_));
  for (size_t i = 0; i < returns.size(); ++i)
    code_.Add("| " + TaggedType(returns[i]) + (i + 1 == returns.size() ? ";" : ""));
  code_.Close();
}

std::string FunctionCode::TaggedType(const Returned& one) const {
  return fmt::format("{{ entity: {}; item: {} }}", QuotedText(model_.entities[one.entity].name), ElementType(one));
}

std::string FunctionCode::TypeOfResult(const std::vector<Returned>& returns) const {
  return result_type_.empty() ? ElementType(returns[0]) : result_type_;
}

void FunctionCode::WriteGet() {
  const auto value = [&](std::string_view name) { return InputOf(nullptr, name); };
  const Returned returned = ReturnsOf(model_, access_, access_.read())[0];
  const Attribute* expiry = HidesBy(returned);
  OpenFunction("function", fmt::format("Promise<{} | undefined>", ElementType(returned)));
  code_.Open("const answer = await db.client.send(new GetCommand({");
  code_.Add("TableName: db.table,");
  code_.Add("Key: " + KeyObject(WholeKey(access_.read()), {value}) + ',');
  if (IsStrong()) WriteFlag("ConsistentRead", true);
  code_.Close("}));");
  code_.Add("const item = answer.Item;");
  if (expiry != nullptr)
    code_.Add(fmt::format("if (item && expires({})) return undefined;", MemberOf("item", expiry->name)));
  if (const std::string own = OwnTests(); !own.empty())
    code_.Add(fmt::format("if (item && !({})) return undefined;", own));
  code_.Add(fmt::format("return item && {};", ReadCall(returned, "item")));
  code_.Close("}");
}

void FunctionCode::WriteTransactGet() {
  const auto value = [&](std::string_view name) { return InputOf(nullptr, name); };
  const bool single = pattern_.verb == Verb::kGet;
  std::vector<std::string> types;
  std::vector<std::string> results;
  for (size_t i = 0; i < access_.reads.size(); ++i) {
    const Returned returned = ReturnsOf(model_, access_, access_.reads[i])[0];
    const Attribute* expiry = HidesBy(returned);
    types.push_back(ElementType(returned) + " | undefined");
    const std::string item = fmt::format("items[{}]", i);
    const std::string alive = expiry == nullptr ? "" : fmt::format(" && !expires({})", MemberOf(item, expiry->name));
    results.push_back(fmt::format("{}{} ? {} : undefined", item, alive, ReadCall(returned, item)));
  }
  OpenFunction("function", fmt::format("Promise<{}>", single ? types[0] : '[' + Joined(types) + ']'));
  code_.Open("const answer = await db.client.send(new TransactGetCommand({");
  code_.Open("TransactItems: [");
  for (const KeyRead& read : access_.reads)
    code_.Add(fmt::format("{{ Get: {{ TableName: db.table, Key: {} }} }},", KeyObject(WholeKey(read), {value})));
  code_.Close("],");
  code_.Close("}));");
  code_.Add("const items = (answer.Responses ?? []).map((one) => one.Item);");
  if (single) {
    code_.Add(fmt::format("return {};", results[0]));
  } else {
    code_.Open("return [");
    for (const std::string& one : results) code_.Add(one + ',');
    code_.Close("];");
  }
  code_.Close("}");
}

void FunctionCode::WriteBatchGet() {
  const auto value = [&](std::string_view name) { return MemberOf("each", name); };
  std::vector<std::string> keys;
  std::vector<Returned> returns;
  for (const KeyRead& read : access_.reads) {
    keys.push_back(KeyObject(WholeKey(read), {value}));
    returns.push_back(ReturnsOf(model_, access_, read)[0]);
  }
  const std::string type = TypeOfResult(returns);
  OpenFunction("function", fmt::format("Promise<{}[]>", type));
  code_.Add(fmt::format("const keys = input.flatMap((each) => [{}]);", Joined(keys)));
  code_.Add(fmt::format("const items = await batchGet(db, keys, {});", IsStrong()));
  code_.Add(fmt::format("const found: {}[] = [];", type));
  code_.Open("for (const item of items) {");
  for (const Returned& one : returns) {
    const Attribute* expiry = HidesBy(one);
    const std::string alive = expiry == nullptr ? "" : fmt::format(" && !expires({})", MemberOf("item", expiry->name));
    code_.Add(fmt::format("if ({}(item){}) found.push({});", entities_[one.entity].is, alive,
                          Tagged(one, returns.size() > 1, "item")));
  }
  code_.Close("}");
  code_.Add("return found;");
  code_.Close("}");
}

void FunctionCode::WriteKept(std::string_view keep, std::string_view skip) {
  const std::vector<Returned> returns = ReturnsOf(model_, access_, access_.read());
  const bool tested = TestsEntities(returns);
  if (const std::string own = OwnTests(); !own.empty()) code_.Add(fmt::format("if (!({})) {}", own, skip));
  for (const Returned& one : returns) {
    std::vector<std::string> tests;
    if (tested) tests.push_back(fmt::format("{}(item)", entities_[one.entity].is));
    if (const Attribute* expiry = HidesBy(one))
      tests.push_back(fmt::format("!expires({})", MemberOf("item", expiry->name)));
    const std::string test = tests.empty() ? "" : fmt::format("if ({}) ", Joined(tests, " && "));
    code_.Add(test + fmt::format(fmt::runtime(keep), Tagged(one, returns.size() > 1, "item")));
  }
}

// Writes the loop over the items of one request.
void FunctionCode::WriteLoop(const std::string& call) {
  code_.Open(fmt::format("for await (const item of {}(db, {{", call));
  code_.Add("TableName: db.table,");
  WriteQueryMembers("shard");
  code_.Close();
  code_.Open("})) {");
  WriteKept("yield {};", "continue;");
  code_.Close("}");
}

std::string FunctionCode::CursorKey() const {
  std::vector<std::string> members;
  for (const auto& [name, type] : CursorKeyOf(model_, access_.read()))
    members.push_back(Property(name) + ": " + QuotedText(type));
  return "{ " + Joined(members) + " }";
}

void FunctionCode::WritePage() {
  const std::string type = TypeOfResult(ReturnsOf(model_, access_, access_.read()));
  const std::string name = QuotedText(pattern_.name);
  const bool scan = access_.operation == Operation::kScan;
  OpenFunction("function", fmt::format("Promise<Page<{}>>", type), true);
  if (const std::string empty = EmptyRangeTest(); !empty.empty())
    code_.Add(fmt::format("if ({}) return {{ items: [], next: undefined }};", empty));
  code_.Add(fmt::format("const key: KeyTypes = {};", CursorKey()));
  code_.Open(fmt::format("const page = await db.client.send(new {}({{", scan ? "ScanCommand" : "QueryCommand"));
  code_.Add("TableName: db.table,");
  WriteQueryMembers("shard");
  code_.Add(fmt::format("ExclusiveStartKey: startOf({}, key, cursor),", name));
  code_.Close("}));");
  code_.Add(fmt::format("const items: {}[] = [];", type));
  code_.Open("for (const item of page.Items ?? []) {");
  WriteKept("items.push({});", "continue;");
  code_.Close("}");
  code_.Add(fmt::format("return {{ items, next: nextOf({}, key, page.LastEvaluatedKey) }};", name));
  code_.Close("}");
}

void FunctionCode::WriteQuery() {
  const FanOut fan = FanOutOf(model_, access_);
  const bool paged = IsOnePage(pattern_);
  if (paged && fan.merging == Merging::kOne) return WritePage();
  if (paged) return WriteFanOutPage(fan);
  OpenFunction("function*",
               fmt::format("AsyncGenerator<{}>", TypeOfResult(ReturnsOf(model_, access_, access_.read()))));
  if (const std::string empty = EmptyRangeTest(); !empty.empty()) code_.Add(fmt::format("if ({}) return;", empty));
  if (fan.merging == Merging::kOne) {
    WriteLoop(access_.operation == Operation::kScan ? "scanAll" : "queryAll");
  } else {
    WriteFanOut(fan);
  }
  code_.Close("}");
}

std::string FunctionCode::OrderText(const FanOut& fan) const {
  const bool several = access_.read().wanted.size() > 1;
  std::vector<std::string> keys;
  for (const std::string& name : fan.by) {
    const Attribute* attribute = model_.entities[access_.read().wanted[0]].Find(name);
    const std::string value = MemberOf(several ? "(one.item as Item)" : "one", name);
    const bool decimal = attribute != nullptr && attribute->type == AttributeType::kDecimal;
    keys.push_back(decimal ? "Number(" + value + ')' : value);
  }
  return fmt::format("orderOf((one) => [{}], {})", Joined(keys), !access_.forward);
}

std::string FunctionCode::Combined(const FanOut& fan, const std::string& streams) const {
  if (fan.merging == Merging::kInTurn) return fmt::format("inTurn({})", streams);
  return fmt::format("{}({}, {})", fan.merging == Merging::kSorted ? "merged" : "collected", streams, OrderText(fan));
}

// The buckets between the bounds, in the order in which they are read.
std::string FunctionCode::BucketsText() const {
  const auto bound = [&](const Operand& operand) {
    return operand.kind == Operand::Kind::kInput ? MemberOf("input", operand.text) : QuotedText(operand.text);
  };
  const std::string all = fmt::format("buckets({}, {}, {})", LayoutOf(access_.buckets->format).size(),
                                      bound(access_.buckets->from), bound(access_.buckets->to));
  return access_.forward ? all : all + ".reverse()";
}

std::string FunctionCode::PartParameters() const {
  std::vector<std::string> parameters;
  if (access_.buckets) parameters.push_back("bucket: string");
  if (access_.shards > 1) parameters.push_back("shard: number");
  return Joined(parameters);
}

void FunctionCode::WritePart() {
  code_.Open(fmt::format("async function* part({}): AsyncGenerator<{}> {{", PartParameters(),
                         TypeOfResult(ReturnsOf(model_, access_, access_.read()))));
  WriteLoop("queryAll");
  code_.Close("}");
}

std::string FunctionCode::AllParts(const FanOut& fan) const {
  const std::string shards = fmt::format("range({})", access_.shards);
  if (!access_.buckets) return Combined(fan, shards + ".map(part)");
  const std::string all = BucketsText();
  if (access_.shards > 1)
    return Combined(fan, fmt::format("{}.flatMap((bucket) => {}.map((shard) => part(bucket, shard)))", all, shards));
  return fan.buckets_in_turn ? fmt::format("inTurn({}.map(part))", all) : Combined(fan, all + ".map(part)");
}

// Writes one stream per shard and bucket, and merges them in the order of `merge`.
void FunctionCode::WriteFanOut(const FanOut& fan) {
  WritePart();
  if (!access_.buckets || access_.shards == 1 || !fan.buckets_in_turn)
    return code_.Add("yield* " + AllParts(fan) + ';');
  code_.Open(fmt::format("for (const bucket of {}) {{", BucketsText()));
  const std::string streams = fmt::format("range({}).map((shard) => part(bucket, shard))", access_.shards);
  code_.Add("yield* " + Combined(fan, streams) + ';');
  code_.Close("}");
}

// Writes a page of several shards and buckets, whose cursor says how far each of them was read.
void FunctionCode::WriteFanOutPage(const FanOut& fan) {
  const std::string type = TypeOfResult(ReturnsOf(model_, access_, access_.read()));
  const std::string name = QuotedText(pattern_.name);
  OpenFunction("function", fmt::format("Promise<Page<{}>>", type), true);
  if (const std::string empty = EmptyRangeTest(); !empty.empty())
    code_.Add(fmt::format("if ({}) return {{ items: [], next: undefined }};", empty));
  if (fan.merging == Merging::kCollected) {
    WritePart();
    code_.Add(fmt::format("return pageOfAll({}, cursor, {}, {});", name, *pattern_.limit, AllParts(fan)));
    return code_.Close("}");
  }
  const bool sharded = access_.shards > 1;
  code_.Open(fmt::format("const part = ({}): Part => ({{", PartParameters()));
  code_.Add(!sharded ? "name: bucket," : access_.buckets ? "name: `${bucket}/${shard}`," : "name: String(shard),");
  code_.Open("query: {");
  code_.Add("TableName: db.table,");
  WriteQueryMembers("shard");
  code_.Close("},");
  code_.Close("});");
  code_.Open(fmt::format("const keep = (item: Item): {} | undefined => {{", type));
  WriteKept("return {};", "return undefined;");
  if (LeavesOut(ReturnsOf(model_, access_, access_.read()))) code_.Add("return undefined;");
  code_.Close("};");
  const bool in_turn = fan.merging == Merging::kInTurn || (fan.buckets_in_turn && !sharded);
  const std::string shards =
      fmt::format("range({}).map((shard) => part({}shard))", access_.shards, access_.buckets ? "bucket, " : "");
  std::string groups = access_.buckets ? BucketsText() + ".map(part)" : shards;
  if (access_.buckets && sharded) {
    const bool grouped = fan.buckets_in_turn && !in_turn;
    groups = fmt::format("{}.{}((bucket) => {})", BucketsText(), grouped ? "map" : "flatMap", shards);
    if (!grouped) groups = in_turn ? groups + ".map((one) => [one])" : '[' + groups + ']';
  } else {
    groups = in_turn ? groups + ".map((one) => [one])" : '[' + groups + ']';
  }
  std::vector<std::string> arguments{"db",   name,  CursorKey(), "cursor", std::to_string(*pattern_.limit),
                                     groups, "keep"};
  if (!in_turn) arguments.push_back(OrderText(fan));
  code_.AddList("return pageOf(", arguments, ");");
  code_.Close("}");
}

}  // namespace keyfold::model::typescript

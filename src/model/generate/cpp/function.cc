#include "model/generate/cpp/function.h"

#include <fmt/format.h>

#include "model/core/calendar.h"
#include "model/generate/item_layout.h"

namespace keyfold::model::cpp {

FunctionCode::FunctionCode(const Program& program, const std::vector<NamedEntity>& entities, const Values& values,
                           const Access& access, std::string name, Scope& scope, Code& code)
    : PatternFunction(program, values, access, code), entities_(entities), function_(std::move(name)), scope_(scope) {}

// --- inputs

void FunctionCode::WriteInput(const Input& input, const MemberNames& names) {
  std::string type = input.attribute != nullptr ? TypeOf(*input.attribute) : "std::string";
  if (input.attribute == nullptr && IsBelowAttribute(pattern_, input.name)) type = "Json";
  code_.Add(fmt::format("{} {}{{}};{}", InputMayMiss(input) ? "std::optional<" + type + '>' : type,
                        names.at(input.name), input.attribute != nullptr ? NoteOf(*input.attribute) : ""));
}

void FunctionCode::WriteTypes() {
  Scope members(kReserved);
  for (const Input& input : access_.inputs) AddName(members, inputs_, input.name);
  for (const model::Write& write : access_.writes) {
    if (write.times == 1) continue;
    lists_[&write] = members.Take(Cased(Case::kCamel, model_.entities[write.entity].name) + 's');
    Scope elements(kReserved);
    for (const Input& input : write.each) AddName(elements, each_[&write], input.name);
  }
  if (access_.inputs.empty() && lists_.empty()) return;
  input_type_ = scope_.Take(Cased(Case::kPascal, pattern_.name) + "Input");
  code_.Add();
  code_.Open(fmt::format("struct {} {{", input_type_));
  for (const Input& input : access_.inputs) WriteInput(input, inputs_);
  for (const model::Write& write : access_.writes) {
    if (write.times == 1) continue;
    const std::string type = Cased(Case::kPascal, lists_[&write]) + "Element";
    code_.Open(fmt::format("struct {} {{", type));
    for (const Input& input : write.each) WriteInput(input, each_[&write]);
    code_.Close("};");
    code_.Add(fmt::format("std::vector<{}> {};", type, lists_[&write]));
  }
  code_.Close("};");
}

std::string FunctionCode::MemberOfInput(const model::Write* write, std::string_view name) const {
  if (const auto each = each_.find(write); each != each_.end()) {
    if (const auto it = each->second.find(name); it != each->second.end()) return "each." + it->second;
  }
  const auto it = inputs_.find(name);
  return "input." + (it == inputs_.end() ? std::string(name) : it->second);
}

std::string FunctionCode::InputOf(const model::Write* write, std::string_view name) const {
  const Input* input = write != nullptr ? FindInput(write->each, name) : nullptr;
  if (input == nullptr) input = FindInput(access_.inputs, name);
  const std::string value = MemberOfInput(write, name);
  return input != nullptr && InputMayMiss(*input) ? fmt::format("detail::required({}, {})", Quote(name), value) : value;
}

// --- requests

std::string FunctionCode::InputParameter() const {
  return input_type_.empty() ? "" : fmt::format("const {}& input", input_type_);
}

void FunctionCode::OpenFunction(std::string_view result, const std::string& input, bool paged) {
  code_.Add();
  for (const std::string& line : About()) code_.Add("// " + line);
  if (access_.shards > 1 || access_.buckets) code_.Add("// One request per partition; the caller merges the results.");
  if (paged) code_.Add("// `cursor` is what nextCursor returned after the page before.");
  code_.Open(fmt::format("inline {} {}({}const std::string& table = kTableName{}) {{", result, function_,
                         input.empty() ? "" : input + ", ", paged ? ", const std::string& cursor = \"\"" : ""));
}

void FunctionCode::WriteMember(std::string_view name, std::string_view value) {
  code_.Add(fmt::format("request.emplace_back({}, {});", Quote(name), value));
}

void FunctionCode::WriteText(std::string_view member, std::string_view text) {
  WriteMember(member, fmt::format("detail::quoted({})", Quote(text)));
}

void FunctionCode::WriteFlag(std::string_view member, bool value) { WriteMember(member, fmt::format("\"{}\"", value)); }

void FunctionCode::WriteCount(std::string_view member, uint64_t count) {
  WriteMember(member, fmt::format("\"{}\"", count));
}

std::string FunctionCode::NamesObject(const Aliases& aliases) const {
  std::vector<std::string> names;
  for (const auto& [alias, name] : aliases.names)
    names.push_back(fmt::format("{{{}, detail::quoted({})}}", Quote(alias), Quote(name)));
  return '{' + Joined(names) + '}';
}

void FunctionCode::WriteAliases(const Aliases& aliases, const Names& names) {
  if (!aliases.names.empty()) WriteMember("ExpressionAttributeNames", "detail::object(" + NamesObject(aliases) + ')');
  if (aliases.values.empty()) return;
  code_.Open("request.emplace_back(\"ExpressionAttributeValues\", detail::object({");
  for (const NamedValue& one : aliases.values)
    code_.Add(fmt::format("{{{}, {}}},", Quote(one.name), target_.Value(one.value, names)));
  code_.Close("}));");
}

std::string FunctionCode::KeyObject(const std::vector<KeyPart>& parts, const Names& names) const {
  std::vector<std::string> members;
  for (const KeyPart& part : parts)
    members.push_back(fmt::format("{{{}, {}}}", Quote(part.attribute), target_.Value(part.value, names)));
  return "detail::object({" + Joined(members) + "})";
}

// --- reads

void FunctionCode::WriteGet() {
  const auto value = [&](std::string_view name) { return InputOf(nullptr, name); };
  OpenFunction("Request", InputParameter());
  code_.Add("detail::Members request;");
  WriteMember("TableName", "detail::quoted(table)");
  WriteMember("Key", KeyObject(WholeKey(access_.read()), {value}));
  if (IsStrong()) WriteFlag("ConsistentRead", true);
  code_.Add("return {\"GetItem\", detail::object(request)};");
  code_.Close("}");
}

void FunctionCode::WriteTransactGet() {
  const auto value = [&](std::string_view name) { return InputOf(nullptr, name); };
  OpenFunction("Request", InputParameter());
  code_.Add("std::vector<std::string> gets;");
  for (const KeyRead& read : access_.reads) {
    code_.Add(fmt::format(
        "gets.push_back(detail::object({{{{\"Get\", detail::object({{{{\"TableName\", detail::quoted(table)}}, "
        "{{\"Key\", {}}}}})}}}}));",
        KeyObject(WholeKey(read), {value})));
  }
  code_.Add("return {\"TransactGetItems\", detail::object({{\"TransactItems\", detail::array(gets)}})};");
  code_.Close("}");
}

// At most 100 keys per request.
void FunctionCode::WriteBatchGet() {
  const auto value = [&](std::string_view name) { return InputOf(nullptr, name); };
  OpenFunction("std::vector<Request>", fmt::format("const std::vector<{}>& inputs", input_type_));
  code_.Add("std::vector<Request> requests;");
  code_.Add("std::vector<std::string> keys;");
  code_.Add("std::set<std::string> all;  // DynamoDB refuses a request with duplicates");
  code_.Open("const auto flush = [&] {");
  code_.Add("if (keys.empty()) return;");
  code_.Add(fmt::format("const std::string of_table = detail::object({{{{\"Keys\", detail::array(keys)}}{}}});",
                        IsStrong() ? ", {\"ConsistentRead\", \"true\"}" : ""));
  code_.Add(
      "requests.push_back({\"BatchGetItem\", detail::object({{\"RequestItems\", detail::object({{table, "
      "of_table}})}})});");
  code_.Add("keys.clear();");
  code_.Close("};");
  code_.Open("for (const auto& input : inputs) {");
  for (const KeyRead& read : access_.reads) {
    const std::string key = KeyObject(WholeKey(read), {value});
    code_.Add(fmt::format("if (const auto [key, fresh] = all.insert({}); fresh) keys.push_back(*key);", key));
    code_.Add("if (keys.size() == 100) flush();");
  }
  code_.Close("}");
  code_.Add("flush();");
  code_.Add("return requests;");
  code_.Close("}");
}

std::string FunctionCode::CursorKey() const {
  std::vector<std::string> members;
  for (const auto& [name, type] : CursorKeyOf(model_, access_.read()))
    members.push_back(fmt::format("{{{}, {}}}", Quote(name), Quote(type)));
  return "detail::KeyTypes{" + Joined(members) + '}';
}

std::string FunctionCode::PartName() const {
  if (!access_.buckets) return "std::to_string(shard)";
  return access_.shards > 1 ? "bucket + '/' + std::to_string(shard)" : "bucket";
}

void FunctionCode::WriteQuery() {
  const auto bound = [&](const Operand& operand) {
    return operand.kind == Operand::Kind::kInput ? MemberOfInput(nullptr, operand.text) : Quote(operand.text);
  };
  const bool sharded = access_.shards > 1;
  const bool several = sharded || access_.buckets;
  const bool paged = IsOnePage(pattern_);
  const std::string name = Quote(pattern_.name);
  OpenFunction(several ? "std::vector<Request>" : "Request", InputParameter(), paged);
  if (several) code_.Add("std::vector<Request> requests;");
  if (const std::string empty = EmptyRangeTest(); several && !empty.empty())
    code_.Add(fmt::format("if ({}) return requests;", empty));
  if (several && paged) {
    code_.Add(fmt::format("detail::Positions positions(cursor, {}, {});", name, CursorKey()));
  }
  if (access_.buckets) {
    code_.Open(fmt::format("for (const std::string& bucket : detail::buckets({}, {}, {})) {{",
                           LayoutOf(access_.buckets->format).size(), bound(access_.buckets->from),
                           bound(access_.buckets->to)));
  }
  if (sharded) code_.Open(fmt::format("for (int shard = 0; shard < {}; ++shard) {{", access_.shards));
  if (several && paged) {
    code_.Add(fmt::format("const std::string part = {};", PartName()));
    code_.Add("const std::optional<std::string> start = positions.of(part);");
    code_.Add("if (!start) continue;");
  }
  code_.Add("detail::Members request;");
  WriteMember("TableName", "detail::quoted(table)");
  WriteQueryMembers("std::to_string(shard)");
  if (paged)
    WriteMember("ExclusiveStartKey",
                several ? "*start" : fmt::format("detail::startOf(cursor, {}, {})", name, CursorKey()));
  const std::string more = !paged ? "" : several ? ", " + name + ", part, positions.place()" : ", " + name;
  const std::string made = fmt::format("{{{}, detail::object(request){}}}", Quote(NameOf(access_.operation)), more);
  code_.Add(several ? fmt::format("requests.push_back({});", made) : fmt::format("return {};", made));
  if (sharded) code_.Close("}");
  if (access_.buckets) code_.Close("}");
  if (several && paged) code_.Add("positions.end(requests);");
  if (several) code_.Add("return requests;");
  code_.Close("}");
}

// --- writes

// An expression for the item of a put, built from the inputs.
std::string FunctionCode::ItemOf(const model::Write& write) const {
  const Entity& entity = model_.entities[write.entity];
  const NamedEntity& named = entities_[write.entity];
  std::vector<std::string> members;
  for (const ItemSource& one : ItemSourcesOf(write)) {
    if (one.input == nullptr) {
      members.push_back(fmt::format(".{} = {}", named.members.at(one.attribute->name), one.value));
      continue;
    }
    const std::string& name = one.input->name;
    const bool demanded = InputMayMiss(*one.input) && !MayLeaveOut(model_, entity, *one.attribute);
    std::string value = demanded ? InputOf(&write, name) : MemberOfInput(&write, name);
    const Attribute* from = one.input->attribute;
    const bool to_seconds = TypeOf(*one.attribute) == "std::int64_t" && from != nullptr && TypeOf(*from) == "Number";
    if (to_seconds) value = "detail::seconds(" + value + ')';
    members.push_back(fmt::format(".{} = {}", named.members.at(one.attribute->name), value));
  }
  return fmt::format("{}({}{{{}}})", named.names.make, named.names.type, Joined(members));
}

void FunctionCode::WriteGuardedUpdate(const model::Write& write, const GuardedUpdate& update) {
  const auto value = [&](std::string_view name) { return InputOf(&write, name); };
  code_.Open("detail::updateOf(");
  code_.Add("request,");
  code_.Open("{");
  for (const ClauseList& list : update.lists) {
    std::vector<std::string> all;
    for (const GuardedClause& one : list.clauses) {
      const std::string text = Quote(one.text);
      all.push_back(one.test.empty() ? text : fmt::format("({}) ? {} : \"\"", one.test, text));
    }
    code_.Add(fmt::format("{{{}, {{{}}}}},", Quote(list.word), Joined(all)));
  }
  code_.Close("},");
  code_.Add(Quote(write.condition) + ',');
  code_.Add(NamesObject(write.aliases) + ',');
  code_.Open("{");
  for (const NamedValue& one : write.aliases.values) {
    const std::string given = GivenTest(write, one.value);
    const std::string text = target_.Value(one.value, {value});
    const std::string maybe = fmt::format("({}) ? {} : std::string()", given, text);
    code_.Add(fmt::format("{{{}, {}}},", Quote(one.name), given.empty() ? text : maybe));
  }
  code_.Close("},");
  std::string any;
  for (const std::string& one : update.optional) any += (any.empty() ? "" : " || ") + target_.IsThere(one);
  code_.Add((any.empty() ? "true" : any) +
            (access_.operation == Operation::kTransactWriteItems ? ", true);" : ", false);"));
  code_.Close();
}

void FunctionCode::WriteWrite(const model::Write& write) {
  const auto value = [&](std::string_view name) { return InputOf(&write, name); };
  const bool put = write.verb == Verb::kPut;
  WriteMember(put ? "Item" : "Key", put ? ItemOf(write) : KeyObject(write.key, {value}));
  WriteExpressions(write);
}

void FunctionCode::WriteSingle() {
  OpenFunction("Request", InputParameter());
  code_.Add("detail::Members request;");
  WriteMember("TableName", "detail::quoted(table)");
  WriteWrite(access_.writes[0]);
  code_.Add(fmt::format("return {{{}, detail::object(request)}};", Quote(NameOf(access_.operation))));
  code_.Close("}");
}

// Writes the elements of a transaction or batch as a list.
void FunctionCode::WriteElements() {
  const bool batch = access_.operation == Operation::kBatchWriteItem;
  code_.Add("std::vector<std::string> writes;");
  for (const model::Write& write : access_.writes) {
    const std::string name = std::string(ElementName(write.verb)) + (batch ? "Request" : "");
    code_.Open(write.times == 1 ? "{" : fmt::format("for (const auto& each : input.{}) {{", lists_[&write]));
    code_.Add("detail::Members request;");
    if (!batch) WriteMember("TableName", "detail::quoted(table)");
    WriteWrite(write);
    code_.Add(fmt::format("writes.push_back(detail::object({{{{{}, detail::object(request)}}}}));", Quote(name)));
    code_.Close("}");
  }
}

void FunctionCode::WriteTransaction() {
  OpenFunction("Request", InputParameter());
  WriteElements();
  code_.Add("detail::Members request;");
  WriteMember("TransactItems", "detail::array(writes)");
  if (!access_.token.empty()) {
    const Input* input = FindInput(access_.inputs, access_.token);
    const bool number =
        input != nullptr && input->attribute != nullptr && StoredAs(input->attribute->type) == StoredType::kN;
    const std::string value = InputOf(nullptr, access_.token);
    WriteMember("ClientRequestToken", fmt::format("detail::quoted({})", number ? "Number(" + value + ").text" : value));
  }
  code_.Add("return {\"TransactWriteItems\", detail::object(request)};");
  code_.Close("}");
}

// At most 25 writes per request.
void FunctionCode::WriteBatch() {
  OpenFunction("std::vector<Request>", InputParameter());
  WriteElements();
  code_.Add("std::vector<Request> requests;");
  code_.Open("for (size_t at = 0; at < writes.size(); at += 25) {");
  code_.Add(
      "const std::vector<std::string> some(writes.begin() + static_cast<std::ptrdiff_t>(at), "
      "writes.begin() + static_cast<std::ptrdiff_t>(std::min(at + 25, writes.size())));");
  code_.Add(
      "requests.push_back({\"BatchWriteItem\", detail::object({{\"RequestItems\", detail::object({{table, "
      "detail::array(some)}})}})});");
  code_.Close("}");
  code_.Add("return requests;");
  code_.Close("}");
}

}  // namespace keyfold::model::cpp

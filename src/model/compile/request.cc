#include "model/compile/request.h"

#include <algorithm>

#include "model/core/calendar.h"
#include "model/core/document_text.h"
#include "value/number.h"

namespace keyfold::model {
namespace {

constexpr size_t kBatchGetMax = 100;
constexpr size_t kBatchWriteMax = 25;
const InputValues kNoValues;

std::string TimeAfter(AttributeType type, int64_t now_ms, uint64_t seconds) {
  return NowAs(type, now_ms + static_cast<int64_t>(seconds) * 1000);
}

// The values of one request or one of its elements. Used by one thread at a time.
class Values {
 public:
  Values(const CallInputs& call, const InputValues& element, const std::vector<Input>* inputs,
         const std::vector<Input>* each)
      : call_(call), element_(element), inputs_{inputs, each} {}

  std::optional<std::string> Find(std::string_view name) const {
    for (const InputValues* values : {&element_, &call_.values}) {
      if (const auto it = values->find(name); it != values->end()) return it->second;
    }
    for (const std::vector<Input>* list : inputs_) {
      if (list == nullptr) continue;
      for (const Input& one : *list) {
        if (one.name == name) return Default(one);
      }
    }
    return {};
  }
  std::optional<std::string> Of(const Formula& formula) const {
    const auto input = [this](std::string_view name) { return Find(name); };
    return Evaluate(formula, {input, shard, bucket, call_.now_ms});
  }
  int64_t now_ms() const { return call_.now_ms; }

  uint32_t shard = 0;
  std::string_view bucket = {};

 private:
  std::optional<std::string> Default(const Input& input) const {
    if (input.attribute == nullptr) return {};
    if (input.default_after_s) return TimeAfter(input.attribute->type, call_.now_ms, *input.default_after_s);
    if (input.attribute->default_value) return input.attribute->default_value->text;
    return {};
  }

  const CallInputs& call_;
  const InputValues& element_;
  const std::vector<Input>* inputs_[2];
};

void WriteNamed(json::Writer& writer, std::string_view name, const Formula& formula, const Values& values) {
  const std::optional<std::string> text = values.Of(formula);
  if (!text || (text->empty() && formula.type >= StoredType::kSS)) return;  // an empty set counts as missing
  writer.Key(name);
  WriteValue(writer, formula.type, *text);
}

void WriteKeyOf(json::Writer& writer, const std::vector<KeyPart>& first, const std::vector<KeyPart>& second,
                const Values& values) {
  writer.BeginObject();
  for (const auto* parts : {&first, &second}) {
    for (const KeyPart& part : *parts) WriteNamed(writer, part.attribute, part.value, values);
  }
  writer.EndObject();
}

void WriteAliases(json::Writer& writer, const Aliases& aliases, const Values& values) {
  if (!aliases.names.empty() || !aliases.given_names.empty()) {
    writer.Key("ExpressionAttributeNames");
    writer.BeginObject();
    for (const auto& [alias, name] : aliases.names) writer.Member(alias, name);
    for (const auto& [alias, input] : aliases.given_names) {
      if (const std::optional<std::string> name = values.Find(input)) writer.Member(alias, *name);
    }
    writer.EndObject();
  }
  if (aliases.values.empty()) return;
  writer.Key("ExpressionAttributeValues");
  writer.BeginObject();
  for (const NamedValue& one : aliases.values) WriteNamed(writer, one.name, one.value, values);
  writer.EndObject();
}

std::vector<const InputValues*> ElementsOf(const CallInputs& call, size_t position) {
  if (position >= call.elements.size() || call.elements[position].empty()) return {&kNoValues};
  std::vector<const InputValues*> all;
  for (const InputValues& one : call.elements[position]) all.push_back(&one);
  return all;
}

// Builds the requests of one call. Used by one thread at a time.
class RequestWriter {
 public:
  RequestWriter(const Model& model, const Access& access, const CallInputs& call, const RequestOptions& options)
      : model_(model), pattern_(model.patterns[access.pattern]), access_(access), call_(call), options_(options) {}

  std::vector<ApiRequest> Run() {
    switch (access_.operation) {
      case Operation::kQuery:
      case Operation::kScan:
        WriteQueries();
        break;
      case Operation::kGetItem:
        WriteGet();
        break;
      case Operation::kBatchGetItem:
        WriteBatchGet();
        break;
      case Operation::kTransactGetItems:
        WriteTransactGet();
        break;
      case Operation::kBatchWriteItem:
        WriteBatchWrite();
        break;
      case Operation::kTransactWriteItems:
        WriteTransaction();
        break;
      default:
        WriteSingle();
    }
    return std::move(requests_);
  }

 private:
  Values ValuesOfCall() const { return Values(call_, kNoValues, &access_.inputs, nullptr); }
  Values ValuesOf(const Write& write, const InputValues& element) const {
    Values values(call_, element, &access_.inputs, &write.each);
    if (const std::optional<std::string> shard = values.Find("shard")) {
      values.shard = static_cast<uint32_t>(std::strtoul(shard->c_str(), nullptr, 10));
    }
    return values;
  }

  template <typename Fill>
  void Add(Fill fill) {
    ApiRequest& request = requests_.emplace_back(ApiRequest{access_.operation, {}});
    json::Writer writer(request.body);
    writer.BeginObject();
    fill(writer);
    if (options_.consumed_capacity) writer.Member("ReturnConsumedCapacity", "INDEXES");
    writer.EndObject();
  }

  std::optional<std::string> BoundText(const Operand& bound, const Values& values) const {
    if (bound.kind == Operand::Kind::kInput) return values.Find(bound.text);
    if (bound.kind == Operand::Kind::kNow) return NowAs(AttributeType::kTime, call_.now_ms);
    return bound.text;
  }

  std::vector<std::string> BucketsOfCall() const {
    if (!access_.buckets) return {""};
    const Values values = ValuesOfCall();
    const std::optional<std::string> from = BoundText(access_.buckets->from, values);
    const std::optional<std::string> to = BoundText(access_.buckets->to, values);
    if (!from || !to) return {};
    std::vector<std::string> all =
        Buckets(access_.buckets->format, *from, *to, kBucketsMax).value_or(std::vector<std::string>());
    if (!access_.forward) std::reverse(all.begin(), all.end());
    return all;
  }

  void WriteQueries() {
    for (const std::string& bucket : BucketsOfCall()) {
      for (uint32_t shard = 0; shard < access_.shards; ++shard) {
        Values values = ValuesOfCall();
        values.shard = shard;
        values.bucket = bucket;
        if (IsEmptyRange(values)) continue;
        Add([&](json::Writer& writer) { WriteQuery(writer, values); });
      }
    }
  }

  // Returns true if the lower bound is above the upper one. DynamoDB refuses such a request, and nothing is in the
  // range.
  bool IsEmptyRange(const Values& values) const {
    const SortRange& range = access_.read().range;
    if (range.op != SortRange::Op::kBetween) return false;
    const std::optional<std::string> low = values.Of(range.low);
    const std::optional<std::string> high = values.Of(range.high);
    if (!low || !high) return false;
    if (range.low.type != StoredType::kN) return *high < *low;
    const Result<Number> from = Number::Parse(*low);
    const Result<Number> to = Number::Parse(*high);
    return from.ok() && to.ok() && Number::Compare(*to, *from) < 0;
  }

  void WriteQuery(json::Writer& writer, const Values& values) const {
    writer.Member("TableName", model_.table.name);
    if (access_.read().index) writer.Member("IndexName", model_.indexes[*access_.read().index].name);
    if (!access_.key_condition.empty()) writer.Member("KeyConditionExpression", access_.key_condition);
    if (!access_.filter.empty()) writer.Member("FilterExpression", access_.filter);
    WriteAliases(writer, access_.aliases, values);
    if (access_.fetches) writer.Member("Select", "ALL_ATTRIBUTES");
    if (!access_.forward) writer.Member("ScanIndexForward", false);
    const std::optional<uint64_t> limit = options_.page_items ? options_.page_items : pattern_.limit;
    if (limit) writer.Member("Limit", *limit);
    if (pattern_.consistent == Consistency::kStrong) writer.Member("ConsistentRead", true);
  }

  void WriteGet() {
    const Values values = ValuesOfCall();
    Add([&](json::Writer& writer) {
      writer.Member("TableName", model_.table.name);
      writer.Key("Key");
      WriteKeyOf(writer, access_.read().partition, access_.read().sort, values);
      if (pattern_.consistent == Consistency::kStrong) writer.Member("ConsistentRead", true);
    });
  }

  // The keys of a batch or a transaction, one JSON object each.
  std::vector<std::string> KeysOfCall() const {
    std::vector<std::string> keys;
    for (size_t i = 0; i < access_.reads.size(); ++i) {
      for (const InputValues* element : ElementsOf(call_, i)) {
        json::Writer writer(keys.emplace_back());
        WriteKeyOf(writer, access_.reads[i].partition, access_.reads[i].sort,
                   Values(call_, *element, &access_.inputs, nullptr));
      }
    }
    return keys;
  }

  void WriteBatchGet() {
    const std::vector<std::string> keys = KeysOfCall();
    for (size_t at = 0; at < keys.size(); at += kBatchGetMax) {
      Add([&](json::Writer& writer) {
        writer.Key("RequestItems");
        writer.BeginObject();
        writer.Key(model_.table.name);
        writer.BeginObject();
        writer.Key("Keys");
        writer.BeginArray();
        for (size_t i = at; i < keys.size() && i < at + kBatchGetMax; ++i) writer.Raw(keys[i]);
        writer.EndArray();
        if (pattern_.consistent == Consistency::kStrong) writer.Member("ConsistentRead", true);
        writer.EndObject();
        writer.EndObject();
      });
    }
  }

  void WriteTransactGet() {
    Add([&](json::Writer& writer) {
      writer.Key("TransactItems");
      writer.BeginArray();
      for (const std::string& key : KeysOfCall()) {
        writer.BeginObject();
        writer.Key("Get");
        writer.BeginObject();
        writer.Member("TableName", model_.table.name);
        writer.Key("Key");
        writer.Raw(key);
        writer.EndObject();
        writer.EndObject();
      }
      writer.EndArray();
    });
  }

  // Returns true if the condition holds with the values that the write gives. A value it does not give counts as
  // missing.
  bool HoldsIn(const Condition& condition, const Write& write, const Values& values) const {
    const Entity& entity = model_.entities[write.entity];
    const auto declared = [&](std::string_view path) { return entity.FindPath(path); };
    const auto input = [&](std::string_view name) { return values.Find(name); };
    const auto value = [&](std::string_view path) -> std::optional<std::string> {
      const Attribute* head = entity.FindHead(path);
      for (const KnownValue& one : write.known) {
        if (head == nullptr || one.attribute != head->name) continue;
        const std::optional<std::string> whole = TextOf(one.value, *head, values);
        if (!whole || path == head->name) return whole;
        const auto inner = ValueInside(*whole, StoredAs(head->type), path.substr(head->name.size()));
        return inner ? std::optional(inner->text) : std::nullopt;
      }
      return {};
    };
    return Holds(condition, {declared, value, input, values.now_ms()});
  }

  static std::optional<std::string> TextOf(const Operand& operand, const Attribute& attribute, const Values& values) {
    if (operand.kind == Operand::Kind::kInput) return values.Find(operand.text);
    return operand.kind == Operand::Kind::kNow ? NowAs(attribute.type, values.now_ms()) : operand.text;
  }

  void WriteItem(json::Writer& writer, const Write& write, const Values& values) const {
    writer.BeginObject();
    for (const ItemPart& part : write.item) {
      const auto met = [&](const Guard& guard) { return HoldsIn(*guard.condition, write, values) == guard.holds; };
      if (std::all_of(part.guards.begin(), part.guards.end(), met))
        WriteNamed(writer, part.attribute, part.value, values);
    }
    writer.EndObject();
  }

  // Writes the members of a PutItem, UpdateItem or DeleteItem, or of an element of a transaction.
  void WriteMembers(json::Writer& writer, const Write& write, const Values& values) const {
    writer.Member("TableName", model_.table.name);
    if (write.verb == Verb::kPut) {
      writer.Key("Item");
      WriteItem(writer, write, values);
    } else {
      writer.Key("Key");
      WriteKeyOf(writer, write.key, {}, values);
    }
    if (!write.condition.empty()) writer.Member("ConditionExpression", write.condition);
    if (write.verb != Verb::kUpdate) return WriteAliases(writer, write.aliases, values);
    const UpdateText text = UpdateOf(
        write, [&](const Condition& condition) { return HoldsIn(condition, write, values); },
        [&](std::string_view input) { return values.Find(input).has_value(); });
    if (!text.update.empty()) writer.Member("UpdateExpression", text.update);
    WriteAliases(writer, text.aliases, values);
    if (access_.returned != Access::Returned::kNothing)
      writer.Member("ReturnValues", access_.returned == Access::Returned::kAll ? "ALL_NEW" : "UPDATED_NEW");
  }

  void WriteSingle() {
    const Write& write = access_.writes[0];
    for (const InputValues* element : ElementsOf(call_, 0)) {
      Add([&](json::Writer& writer) { WriteMembers(writer, write, ValuesOf(write, *element)); });
    }
  }

  void WriteTransaction() {
    Add([&](json::Writer& writer) {
      writer.Key("TransactItems");
      writer.BeginArray();
      for (size_t i = 0; i < access_.writes.size(); ++i) {
        const Write& write = access_.writes[i];
        for (const InputValues* element : ElementsOf(call_, i)) WriteElement(writer, write, ValuesOf(write, *element));
      }
      writer.EndArray();
      const std::optional<std::string> token =
          access_.token.empty() ? std::nullopt : ValuesOfCall().Find(access_.token);
      if (token) writer.Member("ClientRequestToken", *token);
    });
  }

  void WriteElement(json::Writer& writer, const Write& write, const Values& values) const {
    writer.BeginObject();
    writer.Key(write.verb == Verb::kPut      ? "Put"
               : write.verb == Verb::kUpdate ? "Update"
               : write.verb == Verb::kDelete ? "Delete"
                                             : "ConditionCheck");
    writer.BeginObject();
    WriteMembers(writer, write, values);
    writer.EndObject();
    writer.EndObject();
  }

  void WriteBatchWrite() {
    std::vector<std::string> all;
    for (size_t i = 0; i < access_.writes.size(); ++i) {
      const Write& write = access_.writes[i];
      for (const InputValues* element : ElementsOf(call_, i)) {
        const Values values = ValuesOf(write, *element);
        json::Writer writer(all.emplace_back());
        writer.BeginObject();
        writer.Key(write.verb == Verb::kPut ? "PutRequest" : "DeleteRequest");
        writer.BeginObject();
        writer.Key(write.verb == Verb::kPut ? "Item" : "Key");
        write.verb == Verb::kPut ? WriteItem(writer, write, values) : WriteKeyOf(writer, write.key, {}, values);
        writer.EndObject();
        writer.EndObject();
      }
    }
    for (size_t at = 0; at < all.size(); at += kBatchWriteMax) {
      Add([&](json::Writer& writer) {
        writer.Key("RequestItems");
        writer.BeginObject();
        writer.Key(model_.table.name);
        writer.BeginArray();
        for (size_t i = at; i < all.size() && i < at + kBatchWriteMax; ++i) writer.Raw(all[i]);
        writer.EndArray();
        writer.EndObject();
      });
    }
  }

  const Model& model_;
  const Pattern& pattern_;
  const Access& access_;
  const CallInputs& call_;
  const RequestOptions& options_;
  std::vector<ApiRequest> requests_;
};

}  // namespace

std::vector<ApiRequest> RequestsOf(const Model& model, const Access& access, const CallInputs& call,
                                   const RequestOptions& options) {
  return RequestWriter(model, access, call, options).Run();
}

std::string FollowPage(std::string_view body, std::string_view key) {
  std::string next(body.substr(0, body.size() - 1));
  next += ",\"ExclusiveStartKey\":";
  next += key;
  return next + '}';
}

void WriteValue(json::Writer& writer, StoredType type, std::string_view text) {
  AppendValue(writer.BeginRaw(), type, text);
}

}  // namespace keyfold::model

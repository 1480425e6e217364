#include "testing/embedded/item_requests.h"

#include <set>
#include <string>

namespace keyfold::embedded {
namespace {

std::string KeyTextOf(const engine::Table& table, const AttributeTexts& item) {
  AttributeTexts key;
  for (const auto& attribute : item) {
    if (table.key.Names(attribute.first)) key.push_back(attribute);
  }
  return TextOf(key);
}

}  // namespace

void ItemRequests::WriteReturnedCapacity(json::Writer& out) {
  if (values_.OneIn(2)) out.Member("ReturnConsumedCapacity", values_.Word({"INDEXES", "TOTAL", "NONE", "INDEXES"}));
}

void ItemRequests::WriteReturned(json::Writer& out, std::initializer_list<std::string_view> return_values) {
  if (values_.OneIn(2)) out.Member("ReturnValues", values_.Word(return_values));
  if (values_.OneIn(4)) out.Member("ReturnItemCollectionMetrics", "SIZE");
  WriteReturnedCapacity(out);
}

void ItemRequests::WriteCondition(RandomExpressions& expressions, bool legacy, json::Writer& out) {
  if (!legacy) {
    out.Member("ConditionExpression", expressions.Condition(2, nullptr));
    if (values_.OneIn(2)) out.Member("ReturnValuesOnConditionCheckFailure", "ALL_OLD");
    return;
  }
  const size_t count = 1 + values_.Below(2);
  out.Key("Expected");
  out.Raw(expressions.LegacyConditions(nullptr, true, count));
  if (values_.OneIn(count == 1 ? 50 : 2)) out.Member("ConditionalOperator", values_.Word({"AND", "OR"}));
}

void ItemRequests::PutItem(const engine::Table& table, json::Writer& out) {
  RandomExpressions expressions(values_, table);
  out.Key("Item");
  out.Raw(TextOf(values_.NewItem(table)));
  if (values_.OneIn(4)) WriteCondition(expressions, values_.OneIn(4), out);
  WriteReturned(out, {"ALL_OLD", "NONE"});
  expressions.WritePlaceholders(out);
}

void ItemRequests::UpdateItem(const engine::Table& table, json::Writer& out) {
  RandomExpressions expressions(values_, table);
  out.Key("Key");
  out.Raw(TextOf(values_.Key(table)));
  const bool legacy = values_.OneIn(5);
  if (legacy) {
    out.Key("AttributeUpdates");
    out.Raw(expressions.LegacyUpdates());
  } else if (!values_.OneIn(20)) {
    out.Member("UpdateExpression", expressions.Update());
  }
  if (values_.OneIn(4)) WriteCondition(expressions, legacy, out);
  WriteReturned(out, {"ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW", "NONE"});
  expressions.WritePlaceholders(out);
}

void ItemRequests::DeleteItem(const engine::Table& table, json::Writer& out) {
  RandomExpressions expressions(values_, table);
  out.Key("Key");
  out.Raw(TextOf(values_.Key(table)));
  if (values_.OneIn(4)) WriteCondition(expressions, values_.OneIn(4), out);
  WriteReturned(out, {"ALL_OLD", "NONE"});
  expressions.WritePlaceholders(out);
}

void ItemRequests::WriteProjection(RandomExpressions& expressions, json::Writer& out) {
  if (values_.OneIn(3)) {
    out.Member("ProjectionExpression", expressions.Projection());
  } else if (values_.OneIn(8)) {
    out.Key("AttributesToGet");
    out.Raw(expressions.AttributesToGet());
  }
  expressions.WritePlaceholders(out);
}

void ItemRequests::GetItem(const engine::Table& table, json::Writer& out) {
  RandomExpressions expressions(values_, table);
  out.Key("Key");
  out.Raw(TextOf(values_.Key(table)));
  if (values_.OneIn(3)) out.Member("ConsistentRead", true);
  WriteReturnedCapacity(out);
  WriteProjection(expressions, out);
}

void ItemRequests::BatchGetItem(const engine::CatalogSnapshot& catalog, json::Writer& out) {
  out.Key("RequestItems");
  out.BeginObject();
  for (const auto& [name, table] : catalog.tables) {
    if (values_.OneIn(2) && name != catalog.tables.begin()->first) continue;
    RandomExpressions expressions(values_, *table);
    out.Key(name);
    out.BeginObject();
    out.Key("Keys");
    std::set<std::string> keys;
    for (size_t left = 1 + values_.Below(30); left > 0; --left) keys.insert(TextOf(values_.Key(*table)));
    out.BeginArray();
    for (const std::string& key : keys) out.Raw(key);
    out.EndArray();
    if (values_.OneIn(3)) out.Member("ConsistentRead", true);
    WriteProjection(expressions, out);
    out.EndObject();
  }
  out.EndObject();
  WriteReturnedCapacity(out);
}

void ItemRequests::WriteWrites(const engine::Table& table, size_t count, json::Writer& out) {
  std::set<std::string> written;
  out.BeginArray();
  while (count-- > 0) {
    const AttributeTexts item = values_.NewItem(table);
    const std::string key = KeyTextOf(table, item);
    if (!written.insert(key).second && !values_.OneIn(200)) continue;
    const bool put = !values_.OneIn(3);
    out.BeginObject();
    out.Key(put ? "PutRequest" : "DeleteRequest");
    out.BeginObject();
    out.Key(put ? "Item" : "Key");
    out.Raw(put ? TextOf(item) : key);
    out.EndObject();
    out.EndObject();
  }
  out.EndArray();
}

void ItemRequests::BatchWriteItem(const engine::CatalogSnapshot& catalog, json::Writer& out) {
  size_t left = 1 + values_.Below(20);
  out.Key("RequestItems");
  out.BeginObject();
  for (const auto& [name, table] : catalog.tables) {
    if (left == 0 || (values_.OneIn(2) && name != catalog.tables.rbegin()->first)) continue;
    const size_t count = HasLargeItems(*table) ? 1 : 1 + values_.Below(left);
    left -= count;
    out.Key(name);
    WriteWrites(*table, count, out);
  }
  out.EndObject();
  WriteReturnedCapacity(out);
  if (values_.OneIn(4)) out.Member("ReturnItemCollectionMetrics", "SIZE");
}

void ItemRequests::TransactGetItems(const engine::CatalogSnapshot& catalog, json::Writer& out) {
  std::set<std::string> keys;
  out.Key("TransactItems");
  out.BeginArray();
  for (const auto& [name, table] : catalog.tables) {
    for (size_t left = HasLargeItems(*table) ? 1 : 1 + values_.Below(20); left > 0; --left) {
      const std::string key = TextOf(values_.Key(*table));
      if (!keys.insert(name + key).second && !values_.OneIn(200)) continue;
      RandomExpressions expressions(values_, *table);
      out.BeginObject();
      out.Key("Get");
      out.BeginObject();
      out.Member("TableName", name);
      out.Key("Key");
      out.Raw(key);
      if (values_.OneIn(3)) out.Member("ProjectionExpression", expressions.Projection());
      expressions.WritePlaceholders(out);
      out.EndObject();
      out.EndObject();
    }
  }
  out.EndArray();
  WriteReturnedCapacity(out);
}

void ItemRequests::WriteAction(const engine::Table& table, const AttributeTexts& item, json::Writer& out) {
  RandomExpressions expressions(values_, table);
  const std::string_view kind = values_.Word({"Put", "Put", "Update", "Delete", "ConditionCheck"});
  out.BeginObject();
  out.Key(kind);
  out.BeginObject();
  out.Member("TableName", table.name);
  out.Key(kind == "Put" ? "Item" : "Key");
  out.Raw(kind == "Put" ? TextOf(item) : KeyTextOf(table, item));
  if (kind == "Update") out.Member("UpdateExpression", expressions.Update());
  // Most conditions are true, so that a transaction with many actions can succeed.
  if (values_.OneIn(10)) {
    WriteCondition(expressions, false, out);
  } else if (kind == "ConditionCheck") {
    out.Member("ConditionExpression", "attribute_not_exists(nowhere)");
  }
  expressions.WritePlaceholders(out);
  out.EndObject();
  out.EndObject();
}

void ItemRequests::TransactWriteItems(const engine::CatalogSnapshot& catalog, json::Writer& out) {
  std::set<std::string> written;
  out.Key("TransactItems");
  out.BeginArray();
  for (const auto& [name, table] : catalog.tables) {
    if (values_.OneIn(2) && name != catalog.tables.rbegin()->first) continue;
    // Few, because one failure fails them all.
    for (size_t left = HasLargeItems(*table) ? 1 : 1 + values_.Below(values_.OneIn(5) ? 10 : 2); left > 0; --left) {
      const AttributeTexts item = values_.NewItem(*table);
      if (!written.insert(name + KeyTextOf(*table, item)).second && !values_.OneIn(200)) continue;
      WriteAction(*table, item, out);
    }
  }
  out.EndArray();
  if (values_.OneIn(3)) out.Member("ClientRequestToken", "token" + std::to_string(values_.Below(10'000)));
  WriteReturnedCapacity(out);
  if (values_.OneIn(4)) out.Member("ReturnItemCollectionMetrics", "SIZE");
}

const engine::Index* ItemRequests::PickIndex(const engine::Table& table) {
  if (table.indexes.empty() || values_.OneIn(3)) return nullptr;
  return &values_.OneOf(table.indexes);
}

void ItemRequests::WriteFilter(RandomExpressions& expressions, const KeySchema* spared, std::string_view legacy_name,
                               json::Writer& out) {
  if (legacy_name.empty()) {
    out.Member("FilterExpression", expressions.Condition(2, spared));
    return;
  }
  const size_t count = 1 + values_.Below(2);
  out.Key(legacy_name);
  out.Raw(expressions.LegacyConditions(spared, false, count));
  if (values_.OneIn(count == 1 ? 50 : 2)) out.Member("ConditionalOperator", values_.Word({"AND", "OR"}));
}

void ItemRequests::WriteStart(const engine::Table& table, const engine::Index* index, json::Writer& out) {
  AttributeTexts start = values_.Key(table);
  for (const KeyAttribute& part : table.attributes) {
    if (index && index->key.Names(part.name) && !table.key.Names(part.name)) {
      start.emplace_back(part.name, values_.IndexKeyValue(table, part));
    }
  }
  out.Key("ExclusiveStartKey");
  out.Raw(TextOf(start));
}

void ItemRequests::WritePage(const engine::Table& table, const engine::Index* index, json::Writer& out) {
  if (index) out.Member("IndexName", index->name);
  if (values_.OneIn(2))
    out.Member("Limit", HasLargeItems(table) || values_.OneIn(4) ? 1 + values_.Below(4) : 5 + values_.Below(60));
  const bool consistent_fits = !index || !index->global;
  if (values_.OneIn(consistent_fits ? 3 : 50)) out.Member("ConsistentRead", true);
  if (values_.OneIn(30)) WriteStart(table, index, out);
  WriteReturnedCapacity(out);
}

void ItemRequests::WriteSelection(RandomExpressions& expressions, const engine::Index* index, bool legacy,
                                  json::Writer& out) {
  if (values_.OneIn(4)) {
    if (!legacy) return out.Member("ProjectionExpression", expressions.Projection());
    out.Key("AttributesToGet");
    return out.Raw(expressions.AttributesToGet());
  }
  if (!values_.OneIn(3)) return;
  const bool holds_all = !index || !index->global || index->projection == engine::ProjectionKind::kAll;
  if (index && values_.OneIn(3)) return out.Member("Select", "ALL_PROJECTED_ATTRIBUTES");
  out.Member("Select", values_.OneIn(3) || !holds_all ? "COUNT" : "ALL_ATTRIBUTES");
}

void ItemRequests::Query(const engine::Table& table, json::Writer& out) {
  RandomExpressions expressions(values_, table);
  const engine::Index* index = PickIndex(table);
  const KeySchema& key = index ? index->key : table.key;
  const bool legacy = key.partition.size() == 1 && values_.OneIn(5);
  if (legacy) {
    out.Key("KeyConditions");
    out.Raw(expressions.LegacyKeyConditions(key));
  } else {
    out.Member("KeyConditionExpression", expressions.KeyCondition(key));
  }
  if (values_.OneIn(3)) WriteFilter(expressions, &key, legacy ? "QueryFilter" : "", out);
  if (values_.OneIn(2)) out.Member("ScanIndexForward", values_.OneIn(3));
  WritePage(table, index, out);
  WriteSelection(expressions, index, legacy, out);
  expressions.WritePlaceholders(out);
}

void ItemRequests::Scan(const engine::Table& table, json::Writer& out) {
  RandomExpressions expressions(values_, table);
  const engine::Index* index = PickIndex(table);
  const bool legacy = values_.OneIn(5);
  if (values_.OneIn(3)) WriteFilter(expressions, nullptr, legacy ? "ScanFilter" : "", out);
  if (values_.OneIn(4)) {
    const size_t segments = values_.OneIn(10) ? 100'000 : 1 + values_.Below(5);
    out.Member("TotalSegments", segments);
    out.Member("Segment", values_.Below(segments));
  }
  WritePage(table, index, out);
  WriteSelection(expressions, index, legacy, out);
  expressions.WritePlaceholders(out);
}

}  // namespace keyfold::embedded

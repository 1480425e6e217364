// BatchGetItem.
#include <utility>
#include <vector>

#include "engine/items/item_read.h"
#include "ops/consumed.h"
#include "ops/handlers.h"
#include "ops/item_answer.h"
#include "ops/parameters.h"
#include "value/limits.h"
#include "wire/attribute_value.h"
#include "wire/requests/batches.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"Too many items requested for the BatchGetItem call"> kTooManyKeys{"batch-get-too-many",
                                                                                  Kind::kValidation};

struct TableReads {
  std::string table;
  expr::Projection projection;
  std::vector<ItemView> keys;
  engine::ItemsRead read;
  std::vector<ItemView> unprocessed;
};

Status KeysAreDistinct(const wire::KeysAndAttributes& request) {
  std::vector<std::string_view> keys;
  for (const wire::Supplied<Item>& key : request.keys) {
    RETURN_IF_ERROR(key.Check());
    keys.push_back(key->bytes());
  }
  return NoItemIsNamedTwice(std::move(keys));
}

Result<expr::Projection> CheckKeysOfTable(const wire::KeysAndAttributes& r) {
  RETURN_IF_ERROR(ParametersDoNotMix({{"ProjectionExpression", r.projection_expression.has_value()}},
                                     {{"AttributesToGet", r.attributes_to_get.has_value()}},
                                     r.expression_attribute_names, nullptr));
  RETURN_IF_ERROR(AttributesToGetAreDistinct(r.attributes_to_get));
  ASSIGN_OR_RETURN(expr::Placeholders placeholders, PlaceholdersOf(r.expression_attribute_names, nullptr));
  ASSIGN_OR_RETURN(expr::Projection projection,
                   ProjectionOf(r.projection_expression, r.attributes_to_get, placeholders));
  RETURN_IF_ERROR(placeholders.AllUsed());
  RETURN_IF_ERROR(KeysAreDistinct(r));
  return projection;
}

Result<std::vector<TableReads>> CheckBatchGetItem(const Call& call, const wire::BatchGetItemRequest& r) {
  std::vector<TableReads> reads;
  size_t count = 0;
  for (const auto& [name, request] : r.request_items) {
    TableReads table;
    ASSIGN_OR_RETURN(table.projection, CheckKeysOfTable(request));
    count += request.keys.size();
    if (count > kBatchGetKeysMax) return kTooManyKeys();
    for (const wire::Supplied<Item>& key : request.keys) table.keys.push_back(*key);
    ASSIGN_OR_RETURN(table.table, engine::TableNameOf(call.service.identity, name));
    reads.push_back(std::move(table));
  }
  return reads;
}

void WriteItemsOf(json::Writer& answer, TableReads& reads, size_t& bytes) {
  answer.BeginArray();
  for (size_t i = 0; i < reads.keys.size(); ++i) {
    const store::Row& row = reads.read.rows[i];
    if (!row.exists) continue;
    const ItemView item(row.value);
    const size_t size = ItemSize(item);
    if (bytes + size > kBatchGetBytesMax) {
      reads.unprocessed.push_back(reads.keys[i]);
      continue;
    }
    bytes += size;
    reads.projection.empty() ? wire::Write(answer, item)
                             : wire::Write(answer, expr::Project(reads.projection, item).view());
  }
  answer.EndArray();
}

void WriteStrings(json::Writer& out, std::string_view member, const std::vector<std::string>& strings) {
  out.Key(member);
  out.BeginArray();
  for (const std::string& s : strings) out.String(s);
  out.EndArray();
}

void WriteUnprocessedKeys(json::Writer& out, const wire::KeysAndAttributes& request,
                          const std::vector<ItemView>& keys) {
  out.BeginObject();
  out.Key("Keys");
  out.BeginArray();
  for (const ItemView key : keys) wire::Write(out, key);
  out.EndArray();
  if (request.attributes_to_get) WriteStrings(out, "AttributesToGet", *request.attributes_to_get);
  if (request.consistent_read) out.Member("ConsistentRead", *request.consistent_read);
  if (request.projection_expression) out.Member("ProjectionExpression", *request.projection_expression);
  if (request.expression_attribute_names) {
    out.Key("ExpressionAttributeNames");
    out.BeginObject();
    for (const auto& [placeholder, name] : *request.expression_attribute_names) out.Member(placeholder, name);
    out.EndObject();
  }
  out.EndObject();
}

// Units are rounded up per item; an item left out of the response for its size was still read.
engine::Consumed UnitsRead(const TableReads& reads, bool consistent) {
  engine::Consumed units;
  const engine::ReadKind kind = consistent ? engine::ReadKind::kConsistent : engine::ReadKind::kEventual;
  for (const store::Row& row : reads.read.rows)
    units.table += engine::ReadUnits(row.exists ? ItemSize(ItemView(row.value)) : 0, kind);
  return units;
}

}  // namespace

Status BatchGetItem(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::BatchGetItemRequest r, wire::Decode<wire::BatchGetItemRequest>(request));
  if (r.request_items.empty()) return wire::kNoRequestItems("BatchGetItem");
  ASSIGN_OR_RETURN(std::vector<TableReads> reads, CheckBatchGetItem(call, r));
  for (TableReads& table : reads) {
    ASSIGN_OR_RETURN(table.read,
                     engine::ReadItems(call.service.db, table.table, table.keys, table.projection, call.access));
  }
  answer.BeginObject();
  answer.Key("Responses");
  answer.BeginObject();
  size_t bytes = 0;
  for (size_t i = 0; i < reads.size(); ++i) {
    answer.Key(r.request_items[i].first);
    WriteItemsOf(answer, reads[i], bytes);
  }
  answer.EndObject();
  answer.Key("UnprocessedKeys");
  answer.BeginObject();
  for (size_t i = 0; i < reads.size(); ++i) {
    if (reads[i].unprocessed.empty()) continue;
    answer.Key(r.request_items[i].first);
    WriteUnprocessedKeys(answer, r.request_items[i].second, reads[i].unprocessed);
  }
  answer.EndObject();
  const wire::ReturnConsumedCapacity wanted = r.return_consumed_capacity.value_or(wire::ReturnConsumedCapacity::kNone);
  if (wanted != wire::ReturnConsumedCapacity::kNone) {
    answer.Key("ConsumedCapacity");
    answer.BeginArray();
  }
  for (size_t i = 0; i < reads.size(); ++i) {
    const auto& [name, keys] = r.request_items[i];
    const engine::Consumed units = UnitsRead(reads[i], keys.consistent_read.value_or(false));
    call.account.table = reads[i].table;
    call.account.read_units += units.Total();
    if (wanted != wire::ReturnConsumedCapacity::kNone) WriteConsumed(answer, wanted, name, *reads[i].read.table, units);
  }
  if (wanted != wire::ReturnConsumedCapacity::kNone) answer.EndArray();
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops

// BatchWriteItem: up to 25 puts and deletes, each a separate write.
#include <vector>

#include "engine/items/item_write.h"
#include "ops/consumed.h"
#include "ops/handlers.h"
#include "ops/item_answer.h"
#include "value/limits.h"
#include "wire/attribute_value.h"
#include "wire/requests/batches.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"Too many items requested for the BatchWriteItem call"> kTooManyWrites{"batch-write-too-many",
                                                                                      Kind::kValidation};

// One write and its position in the request.
struct PlannedWrite {
  size_t table = 0;  // index into request_items
  const wire::WriteRequest* request = nullptr;
  engine::ItemWrite write;
  engine::WriteOutcome outcome;
  bool done = false;

  ItemView item() const { return request->put_request ? *request->put_request->item : *request->delete_request->key; }
};

Status WriteIsWellFormed(const wire::WriteRequest& request) {
  if (request.put_request.has_value() == request.delete_request.has_value()) return wire::kSeveralTypes();
  if (request.delete_request) return request.delete_request->key.Check();
  RETURN_IF_ERROR(request.put_request->item.Check());
  return ItemFits(*request.put_request->item);
}

Result<std::vector<PlannedWrite>> PlanBatchWrites(const wire::BatchWriteItemRequest& r,
                                                  const std::vector<std::string>& tables) {
  std::vector<PlannedWrite> planned;
  for (size_t t = 0; t < r.request_items.size(); ++t) {
    for (const wire::WriteRequest& request : r.request_items[t].second) {
      RETURN_IF_ERROR(WriteIsWellFormed(request));
      PlannedWrite one;
      one.table = t;
      one.request = &request;
      one.write.action = request.put_request ? engine::ItemWrite::Action::kPut : engine::ItemWrite::Action::kDelete;
      one.write.table = tables[t];
      one.write.item = one.item();
      planned.push_back(std::move(one));
      if (planned.size() > kBatchWritesMax) return kTooManyWrites();
    }
  }
  return planned;
}

// All checks that need the tables, before the first write.
Status CheckAgainstTables(const engine::Database& db, const std::vector<PlannedWrite>& planned) {
  std::vector<std::string> rows;
  rows.reserve(planned.size());
  for (const PlannedWrite& p : planned) {
    ASSIGN_OR_RETURN(const store::RowKey row, engine::RowOfBatchWrite(db, p.write));
    rows.push_back(row.bytes());
  }
  return NoItemIsNamedTwice({rows.begin(), rows.end()});
}

// A throttled write is left for the client to retry.
Status WriteEach(const engine::Database& db, std::vector<PlannedWrite>& planned, const engine::RequestContext& access) {
  for (PlannedWrite& p : planned) {
    Status status = engine::WriteItems(db, {&p.write, 1}, {&p.outcome, 1}, access);
    if (status.ok()) {
      p.done = true;
    } else if (status.kind() != Kind::kThrottling) {
      return status;
    }
  }
  return Ok();
}

void WriteUnprocessedItems(json::Writer& out, const wire::BatchWriteItemRequest& r,
                           const std::vector<PlannedWrite>& planned) {
  out.Key("UnprocessedItems");
  out.BeginObject();
  for (size_t t = 0; t < r.request_items.size(); ++t) {
    const auto left = [&](const PlannedWrite& p) { return p.table == t && !p.done; };
    if (std::none_of(planned.begin(), planned.end(), left)) continue;
    out.Key(r.request_items[t].first);
    out.BeginArray();
    for (const PlannedWrite& p : planned) {
      if (!left(p)) continue;
      const bool put = p.request->put_request.has_value();
      out.BeginObject();
      out.Key(put ? "PutRequest" : "DeleteRequest");
      out.BeginObject();
      out.Key(put ? "Item" : "Key");
      wire::Write(out, p.item());
      out.EndObject();
      out.EndObject();
    }
    out.EndArray();
  }
  out.EndObject();
}

void WriteBatchCollections(json::Writer& out, const wire::BatchWriteItemRequest& r,
                           const std::vector<PlannedWrite>& planned) {
  if (r.return_item_collection_metrics != wire::ReturnItemCollectionMetrics::kSize) return;
  out.Key("ItemCollectionMetrics");
  out.BeginObject();
  for (size_t t = 0; t < r.request_items.size(); ++t) {
    const auto has = [&](const PlannedWrite& p) {
      return p.table == t && p.done && p.outcome.collection_bytes.has_value();
    };
    if (std::none_of(planned.begin(), planned.end(), has)) continue;
    out.Key(r.request_items[t].first);
    out.BeginArray();
    for (const PlannedWrite& p : planned) {
      if (has(p)) WriteCollectionMetrics(out, p.outcome, p.item());
    }
    out.EndArray();
  }
  out.EndObject();
}

void ReportBatchWriteUnits(Call& call, json::Writer& out, const wire::BatchWriteItemRequest& r,
                           const std::vector<PlannedWrite>& planned) {
  const wire::ReturnConsumedCapacity wanted = r.return_consumed_capacity.value_or(wire::ReturnConsumedCapacity::kNone);
  if (wanted != wire::ReturnConsumedCapacity::kNone) {
    out.Key("ConsumedCapacity");
    out.BeginArray();
  }
  for (size_t t = 0; t < r.request_items.size(); ++t) {
    engine::Consumed units;
    engine::TablePtr table;
    for (const PlannedWrite& p : planned) {
      if (p.table != t || !p.done) continue;
      units.Add(p.outcome.units);
      table = p.outcome.table;
    }
    if (!table) continue;
    call.account.table = table->name;
    call.account.write_units += units.Total();
    if (wanted != wire::ReturnConsumedCapacity::kNone)
      WriteConsumed(out, wanted, r.request_items[t].first, *table, units);
  }
  if (wanted != wire::ReturnConsumedCapacity::kNone) out.EndArray();
}

}  // namespace

Status BatchWriteItem(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::BatchWriteItemRequest r, wire::Decode<wire::BatchWriteItemRequest>(request));
  if (r.request_items.empty()) return wire::kNoRequestItems("BatchWriteItem");
  std::vector<std::string> tables;
  for (const auto& [name, writes] : r.request_items) {
    ASSIGN_OR_RETURN(std::string table, engine::TableNameOf(call.service.identity, name));
    tables.push_back(std::move(table));
  }
  ASSIGN_OR_RETURN(std::vector<PlannedWrite> planned, PlanBatchWrites(r, tables));
  RETURN_IF_ERROR(CheckAgainstTables(call.service.db, planned));
  RETURN_IF_ERROR(WriteEach(call.service.db, planned, call.access));
  answer.BeginObject();
  WriteUnprocessedItems(answer, r, planned);
  WriteBatchCollections(answer, r, planned);
  ReportBatchWriteUnits(call, answer, r, planned);
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops

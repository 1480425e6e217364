// BatchWriteItem: up to 25 puts and deletes, each a write of its own.
#include <vector>

#include "engine/items/item_write.h"
#include "ops/consumed.h"
#include "ops/handlers.h"
#include "ops/item_answer.h"
#include "value/limits.h"
#include "wire/attribute_value.h"
#include "wire/requests/batches.h"

namespace keyfold {
namespace {

constexpr Rule<"Too many items requested for the BatchWriteItem call"> kTooManyWrites{"batch-write-too-many",
                                                                                      Kind::kValidation};

// One write and the place in the request it came from.
struct PlannedWrite {
  size_t table = 0;  // index into request_items
  const WriteRequest* request = nullptr;
  ItemWrite write;
  WriteOutcome outcome;
  bool done = false;

  ItemView item() const { return request->put_request ? *request->put_request->item : *request->delete_request->key; }
};

Status WriteIsWellFormed(const WriteRequest& request) {
  if (request.put_request.has_value() == request.delete_request.has_value()) return kSeveralTypes();
  if (request.delete_request) return request.delete_request->key.Check();
  RETURN_IF_ERROR(request.put_request->item.Check());
  return ItemFits(*request.put_request->item);
}

Result<std::vector<PlannedWrite>> Check(const BatchWriteItemRequest& r, const std::vector<std::string>& tables) {
  std::vector<PlannedWrite> planned;
  for (size_t t = 0; t < r.request_items.size(); ++t) {
    for (const WriteRequest& request : r.request_items[t].second) {
      RETURN_IF_ERROR(WriteIsWellFormed(request));
      PlannedWrite one;
      one.table = t;
      one.request = &request;
      one.write.action = request.put_request ? ItemWrite::Action::kPut : ItemWrite::Action::kDelete;
      one.write.table = tables[t];
      one.write.item = one.item();
      planned.push_back(std::move(one));
      if (planned.size() > kBatchWritesMax) return kTooManyWrites();
    }
  }
  return planned;
}

// Everything that needs the tables, before the first write.
Status CheckAgainstTables(const Database& db, const std::vector<PlannedWrite>& planned) {
  std::vector<std::string> rows;
  for (const PlannedWrite& p : planned) {
    ASSIGN_OR_RETURN(const RowKey row, RowOfBatchWrite(db, p.write));
    rows.push_back(row.bytes());
  }
  return NoItemIsNamedTwice({rows.begin(), rows.end()});
}

// A write that is throttled is left for the client to try again.
Status WriteEach(const Database& db, std::vector<PlannedWrite>& planned, Access access) {
  for (PlannedWrite& p : planned) {
    Status status = WriteItems(db, {&p.write, 1}, {&p.outcome, 1}, access);
    if (status.ok()) {
      p.done = true;
    } else if (status.kind() != Kind::kThrottling) {
      return status;
    }
  }
  return Ok();
}

void WriteUnprocessed(json::Writer& out, const BatchWriteItemRequest& r, const std::vector<PlannedWrite>& planned) {
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
      Write(out, p.item());
      out.EndObject();
      out.EndObject();
    }
    out.EndArray();
  }
  out.EndObject();
}

void WriteCollections(json::Writer& out, const BatchWriteItemRequest& r, const std::vector<PlannedWrite>& planned) {
  if (r.return_item_collection_metrics != ReturnItemCollectionMetrics::kSize) return;
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

void ReportUnits(Call& call, json::Writer& out, const BatchWriteItemRequest& r,
                 const std::vector<PlannedWrite>& planned) {
  const ReturnConsumedCapacity wanted = r.return_consumed_capacity.value_or(ReturnConsumedCapacity::kNone);
  if (wanted != ReturnConsumedCapacity::kNone) {
    out.Key("ConsumedCapacity");
    out.BeginArray();
  }
  for (size_t t = 0; t < r.request_items.size(); ++t) {
    Consumed units;
    TablePtr table;
    for (const PlannedWrite& p : planned) {
      if (p.table != t || !p.done) continue;
      units.Add(p.outcome.units);
      table = p.outcome.table;
    }
    if (!table) continue;
    call.account.table = table->name;
    call.account.write_units += units.Total();
    if (wanted != ReturnConsumedCapacity::kNone) WriteConsumed(out, wanted, r.request_items[t].first, *table, units);
  }
  if (wanted != ReturnConsumedCapacity::kNone) out.EndArray();
}

}  // namespace

Status BatchWriteItem(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const BatchWriteItemRequest r, Decode<BatchWriteItemRequest>(request));
  if (r.request_items.empty()) return kNoRequestItems("BatchWriteItem");
  std::vector<std::string> tables;
  for (const auto& [name, writes] : r.request_items) {
    ASSIGN_OR_RETURN(std::string table, TableNameOf(call.service.identity, name));
    tables.push_back(std::move(table));
  }
  ASSIGN_OR_RETURN(std::vector<PlannedWrite> planned, Check(r, tables));
  RETURN_IF_ERROR(CheckAgainstTables(call.service.db, planned));
  RETURN_IF_ERROR(WriteEach(call.service.db, planned, call.access));
  answer.BeginObject();
  WriteUnprocessed(answer, r, planned);
  WriteCollections(answer, r, planned);
  ReportUnits(call, answer, r, planned);
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold

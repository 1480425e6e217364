#include "ops/consumed.h"

#include <cmath>

#include "wire/attribute_value.h"

namespace keyfold {
namespace {

void WriteUnits(json::Writer& out, double units) {
  out.BeginObject();
  out.Member("CapacityUnits", units);
  out.EndObject();
}

void WriteIndexUnits(json::Writer& out, std::string_view member, bool global, const Table& table,
                     const Consumed& units) {
  bool any = false;
  for (const Index& index : table.indexes) {
    for (const Consumed::OfIndex& of : units.indexes) {
      if (index.global != global || index.id != of.index) continue;
      if (!any) {
        out.Key(member);
        out.BeginObject();
        any = true;
      }
      out.Key(index.name);
      WriteUnits(out, of.units);
    }
  }
  if (any) out.EndObject();
}

void WriteMember(json::Writer& out, std::optional<ReturnConsumedCapacity> wanted, std::string_view table_name,
                 const Table& table, const Consumed& units) {
  if (!wanted || *wanted == ReturnConsumedCapacity::kNone) return;
  out.Key("ConsumedCapacity");
  WriteConsumed(out, *wanted, table_name, table, units);
}

}  // namespace

void WriteConsumed(json::Writer& out, ReturnConsumedCapacity wanted, std::string_view table_name, const Table& table,
                   const Consumed& units) {
  out.BeginObject();
  out.Member("TableName", table_name);
  out.Member("CapacityUnits", units.Total());
  if (wanted == ReturnConsumedCapacity::kIndexes) {
    out.Key("Table");
    WriteUnits(out, units.table);
    WriteIndexUnits(out, "GlobalSecondaryIndexes", true, table, units);
    WriteIndexUnits(out, "LocalSecondaryIndexes", false, table, units);
  }
  out.EndObject();
}

void ReportRead(Call& call, json::Writer& out, std::optional<ReturnConsumedCapacity> wanted,
                std::string_view table_name, const Table& table, const Consumed& units) {
  call.account.table = table.name;
  call.account.read_units += units.Total();
  WriteMember(out, wanted, table_name, table, units);
}

void ReportWrite(Call& call, json::Writer& out, std::optional<ReturnConsumedCapacity> wanted,
                 std::string_view table_name, const Table& table, const Consumed& units) {
  call.account.table = table.name;
  call.account.write_units += units.Total();
  WriteMember(out, wanted, table_name, table, units);
}

void WriteCollectionMetrics(json::Writer& out, const WriteOutcome& outcome, ItemView item) {
  const KeyAttribute& partition = outcome.table->key.partition.front();
  constexpr double kGigabyte = 1024.0 * 1024 * 1024;
  const double lower = std::floor(static_cast<double>(*outcome.collection_bytes) / kGigabyte);
  out.BeginObject();
  out.Key("ItemCollectionKey");
  out.BeginObject();
  out.Key(partition.name);
  Write(out, *item.Find(partition.name));
  out.EndObject();
  out.Key("SizeEstimateRangeGB");
  out.BeginArray();
  out.Double(lower);
  out.Double(lower + 1);
  out.EndArray();
  out.EndObject();
}

}  // namespace keyfold

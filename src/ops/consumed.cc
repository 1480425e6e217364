#include "ops/consumed.h"

#include <algorithm>
#include <cmath>

#include "wire/attribute_value.h"

namespace keyfold::ops {
namespace {

// In a transaction, the units also appear under the name of their kind.
void WriteNumbers(json::Writer& out, double units, std::optional<UnitsAre> kind) {
  out.Member("CapacityUnits", units);
  if (kind) out.Member(*kind == UnitsAre::kReads ? "ReadCapacityUnits" : "WriteCapacityUnits", units);
}

void WriteUnits(json::Writer& out, double units, std::optional<UnitsAre> kind) {
  out.BeginObject();
  WriteNumbers(out, units, kind);
  out.EndObject();
}

void WriteIndexUnits(json::Writer& out, std::string_view member, bool global, const engine::Table& table,
                     const engine::Consumed& units, std::optional<UnitsAre> kind) {
  bool any = false;
  for (const engine::Index& index : table.indexes) {
    for (const engine::Consumed::OfIndex& of : units.indexes) {
      if (index.global != global || index.id != of.index) continue;
      if (!any) {
        out.Key(member);
        out.BeginObject();
        any = true;
      }
      out.Key(index.name);
      WriteUnits(out, of.units, kind);
    }
  }
  if (any) out.EndObject();
}

void WriteMember(json::Writer& out, std::optional<wire::ReturnConsumedCapacity> wanted, std::string_view table_name,
                 const engine::Table& table, const engine::Consumed& units) {
  if (!wanted || *wanted == wire::ReturnConsumedCapacity::kNone) return;
  out.Key("ConsumedCapacity");
  WriteConsumed(out, *wanted, table_name, table, units);
}

void WriteOneTable(json::Writer& out, wire::ReturnConsumedCapacity wanted, std::string_view table_name,
                   const engine::Table& table, const engine::Consumed& units, std::optional<UnitsAre> kind) {
  out.BeginObject();
  out.Member("TableName", table_name);
  WriteNumbers(out, units.Total(), kind);
  if (wanted == wire::ReturnConsumedCapacity::kIndexes) {
    out.Key("Table");
    WriteUnits(out, units.table, kind);
    WriteIndexUnits(out, "GlobalSecondaryIndexes", true, table, units, kind);
    WriteIndexUnits(out, "LocalSecondaryIndexes", false, table, units, kind);
  }
  out.EndObject();
}

// The sum of the units of all actions on the first action's table.
engine::Consumed UnitsOfTable(std::span<const ActionUnits> actions) {
  engine::Consumed units;
  for (const ActionUnits& action : actions) {
    if (action.table->id == actions.front().table->id) units.Add(*action.units);
  }
  return units;
}

}  // namespace

void WriteConsumed(json::Writer& out, wire::ReturnConsumedCapacity wanted, std::string_view table_name,
                   const engine::Table& table, const engine::Consumed& units) {
  WriteOneTable(out, wanted, table_name, table, units, std::nullopt);
}

void ReportTransaction(Call& call, json::Writer& out, std::optional<wire::ReturnConsumedCapacity> wanted,
                       std::span<const ActionUnits> actions, UnitsAre kind) {
  const bool shown = wanted && *wanted != wire::ReturnConsumedCapacity::kNone;
  if (shown) {
    out.Key("ConsumedCapacity");
    out.BeginArray();
  }
  for (size_t i = 0; i < actions.size(); ++i) {
    const auto same_table = [&](const ActionUnits& other) { return other.table->id == actions[i].table->id; };
    if (std::any_of(actions.begin(), actions.begin() + static_cast<std::ptrdiff_t>(i), same_table)) continue;
    const engine::Consumed units = UnitsOfTable(actions.subspan(i));
    call.account.table = actions[i].table->name;
    (kind == UnitsAre::kReads ? call.account.read_units : call.account.write_units) += units.Total();
    if (shown) WriteOneTable(out, *wanted, actions[i].table_name, *actions[i].table, units, kind);
  }
  if (shown) out.EndArray();
}

void ReportRead(Call& call, json::Writer& out, std::optional<wire::ReturnConsumedCapacity> wanted,
                std::string_view table_name, const engine::Table& table, const engine::Consumed& units) {
  call.account.table = table.name;
  call.account.read_units += units.Total();
  WriteMember(out, wanted, table_name, table, units);
}

void ReportWrite(Call& call, json::Writer& out, std::optional<wire::ReturnConsumedCapacity> wanted,
                 std::string_view table_name, const engine::Table& table, const engine::Consumed& units) {
  call.account.table = table.name;
  call.account.write_units += units.Total();
  WriteMember(out, wanted, table_name, table, units);
}

void WriteCollectionMetrics(json::Writer& out, const engine::WriteOutcome& outcome, ItemView item) {
  const KeyAttribute& partition = outcome.table->key.partition.front();
  constexpr double kGigabyte = 1024.0 * 1024 * 1024;
  const double lower = std::floor(static_cast<double>(*outcome.collection_bytes) / kGigabyte);
  out.BeginObject();
  out.Key("ItemCollectionKey");
  out.BeginObject();
  out.Key(partition.name);
  wire::Write(out, *item.Find(partition.name));
  out.EndObject();
  out.Key("SizeEstimateRangeGB");
  out.BeginArray();
  out.Double(lower);
  out.Double(lower + 1);
  out.EndArray();
  out.EndObject();
}

}  // namespace keyfold::ops

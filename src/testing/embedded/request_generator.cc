#include "testing/embedded/request_generator.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "base/check.h"

namespace keyfold::embedded {
namespace {

constexpr size_t kTablesWanted = 3;
constexpr uint64_t kRequestsPerSpoilt = 20;

// Replaces `found`; if that is empty, inserts `replacement` before the closing brace.
struct Fault {
  std::string_view found, replacement;
};
constexpr Fault kFaults[] = {
    {"\"TableName\":\"", "\"TableName\":\"no"},
    {"\"TableName\":\"", "\"TableName\":\""},
    {"\"TableName\":", "\"Table\":"},
    {"{\"S\":\"", "{\"N\":\"x"},
    {"{\"N\":\"", "{\"S\":\""},
    {"{\"N\":\"", "{\"N\":\"1e999"},
    {"{\"B\":\"", "{\"B\":\"="},
    {"{\"S\":\"k", "{\"S\":\""},
    {"\"pk\":", "\"pk2\":"},
    {"\"sk\":", "\"Sk\":"},
    {"\"SS\":[", "\"SS\":[\"zz\",\"zz\","},
    {"\"Key\":", "\"Keys\":"},
    {"\"Item\":{", "\"Item\":{\"\":{\"S\":\"a\"},"},
    {"SET ", "SET SET "},
    {"attribute_exists(", "exists("},
    {" = :v0", " = :w0"},
    {"\"IndexName\":\"", "\"IndexName\":\"no"},
    {"\"Limit\":", "\"Limit\":-"},
    {"\"HASH\"", "\"RANGE\""},
    {"\"ALL\"", "\"SOME\""},
    {"", ",\"ReturnConsumedCapacity\":\"MUCH\""},
    {"", ",\"ReturnValues\":\"UPDATED_NEW\""},
    {"", ",\"ExpressionAttributeValues\":{\":unused\":{\"S\":\"a\"}}"},
    {"", ",\"ExpressionAttributeNames\":{\"#unused\":\"a\"}"},
    {"", ",\"AttributesToGet\":[\"a\",\"a\"]"},
    {"", ",\"Expected\":{\"a\":{\"Exists\":true}}"},
    {"", ",\"Segment\":3"},
    {"", ",\"ExclusiveStartKey\":{\"pk\":{\"S\":\"a\"}}"},
    {"", ",\"Select\":\"SPECIFIC_ATTRIBUTES\""},
    {"", ",\"Limit\":\"1\""},
};

}  // namespace

struct RequestGenerator::Choice {
  std::string_view operation;
  size_t weight;
  bool names_table;
  bool on_item;
  void (*write)(RequestGenerator&, const engine::CatalogSnapshot&, const engine::Table&, json::Writer&);
};

const RequestGenerator::Choice RequestGenerator::kChoices[] = {
    {"PutItem", 230, true, true, [](auto& g, auto&, auto& table, auto& out) { g.items_.PutItem(table, out); }},
    {"UpdateItem", 200, true, true, [](auto& g, auto&, auto& table, auto& out) { g.items_.UpdateItem(table, out); }},
    {"DeleteItem", 80, true, true, [](auto& g, auto&, auto& table, auto& out) { g.items_.DeleteItem(table, out); }},
    {"GetItem", 90, true, true, [](auto& g, auto&, auto& table, auto& out) { g.items_.GetItem(table, out); }},
    {"BatchGetItem", 30, false, false, [](auto& g, auto& all, auto&, auto& out) { g.items_.BatchGetItem(all, out); }},
    {"BatchWriteItem", 40, false, false,
     [](auto& g, auto& all, auto&, auto& out) { g.items_.BatchWriteItem(all, out); }},
    {"TransactGetItems", 30, false, false,
     [](auto& g, auto& all, auto&, auto& out) { g.items_.TransactGetItems(all, out); }},
    {"TransactWriteItems", 60, false, false,
     [](auto& g, auto& all, auto&, auto& out) { g.items_.TransactWriteItems(all, out); }},
    {"Query", 150, true, false, [](auto& g, auto&, auto& table, auto& out) { g.items_.Query(table, out); }},
    {"Scan", 40, true, false, [](auto& g, auto&, auto& table, auto& out) { g.items_.Scan(table, out); }},
    {"CreateTable", 5, false, false, [](auto& g, auto&, auto&, auto& out) { g.tables_.CreateTable(out); }},
    {"UpdateTable", 8, true, false, [](auto& g, auto&, auto& table, auto& out) { g.tables_.UpdateTable(table, out); }},
    {"DeleteTable", 3, true, false, [](auto&, auto&, auto&, auto&) {}},
    {"DescribeTable", 20, true, false, [](auto&, auto&, auto&, auto&) {}},
    {"DescribeTimeToLive", 2, true, false, [](auto&, auto&, auto&, auto&) {}},
    {"UpdateTimeToLive", 6, true, false,
     [](auto& g, auto&, auto& table, auto& out) { g.tables_.UpdateTimeToLive(table, out); }},
    {"DescribeContinuousBackups", 2, true, false, [](auto&, auto&, auto&, auto&) {}},
    {"DescribeLimits", 1, false, false, [](auto&, auto&, auto&, auto&) {}},
    {"DescribeEndpoints", 1, false, false, [](auto&, auto&, auto&, auto&) {}},
    {"ListTables", 5, false, false,
     [](auto& g, auto&, auto&, auto& out) { out.Member("Limit", 1 + g.values_.Below(5)); }},
    {"TagResource", 2, false, false, [](auto& g, auto&, auto& table, auto& out) { g.tables_.TagResource(table, out); }},
    {"UntagResource", 2, false, false,
     [](auto& g, auto&, auto& table, auto& out) { g.tables_.UntagResource(table, out); }},
    {"ListTagsOfResource", 4, false, false,
     [](auto& g, auto&, auto& table, auto& out) { g.tables_.ListTagsOfResource(table, out); }},
};

GeneratedRequest RequestGenerator::Make(const Choice& choice, const engine::CatalogSnapshot& catalog,
                                        const engine::Table& table) {
  GeneratedRequest request;
  request.operation = ops::FindOperation(choice.operation);
  CHECK(request.operation != nullptr);
  json::Writer out(request.body);
  out.BeginObject();
  if (choice.names_table) out.Member("TableName", table.name);
  choice.write(*this, catalog, table, out);
  out.EndObject();
  if (values_.OneIn(kRequestsPerSpoilt)) Spoil(request.body);
  return request;
}

void RequestGenerator::Spoil(std::string& body) {
  const Fault& fault = kFaults[values_.Below(std::size(kFaults))];
  const size_t at = fault.found.empty() ? body.size() - 1 : body.find(fault.found);
  if (at == std::string::npos || body.size() == 2) return;
  body.replace(at, fault.found.size(), fault.replacement);
}

GeneratedRequest RequestGenerator::Next(const engine::CatalogSnapshot& catalog) {
  const size_t tables = catalog.tables.size();
  if (tables == 0 || (tables < kTablesWanted && values_.OneIn(20))) return NewTable();
  auto table = catalog.tables.begin();
  std::advance(table, values_.Below(catalog.tables.size()));
  const size_t total = std::accumulate(std::begin(kChoices), std::end(kChoices), size_t{0},
                                       [](size_t sum, const Choice& c) { return sum + c.weight; });
  size_t drawn = values_.Below(total);
  const Choice* choice = std::begin(kChoices);
  while (drawn >= choice->weight) drawn -= (choice++)->weight;
  return Make(*choice, catalog, *table->second);
}

GeneratedRequest RequestGenerator::NewTable() {
  const auto creates = [](const Choice& choice) { return choice.operation == "CreateTable"; };
  return Make(*std::find_if(std::begin(kChoices), std::end(kChoices), creates), {}, {});
}

GeneratedRequest RequestGenerator::NextOnItem(const engine::Table& table) {
  const Choice* choice = nullptr;
  do {
    choice = &kChoices[values_.Below(std::size(kChoices))];
  } while (!choice->on_item);
  return Make(*choice, {}, table);
}

}  // namespace keyfold::embedded

// Random requests on items: writes, reads, batches, transactions, pages.
#pragma once

#include <initializer_list>
#include <string_view>

#include "engine/catalog/catalog.h"
#include "json/writer.h"
#include "testing/server/random_expressions.h"
#include "testing/server/random_values.h"

namespace keyfold {

// Each function writes the members of one request; the caller writes the object around them. Used by one thread at a
// time.
class ItemRequests {
 public:
  explicit ItemRequests(RandomValues& values) : values_(values) {}

  void PutItem(const Table& table, json::Writer& out);
  void UpdateItem(const Table& table, json::Writer& out);
  void DeleteItem(const Table& table, json::Writer& out);
  void GetItem(const Table& table, json::Writer& out);
  // For one table or several.
  void BatchGetItem(const CatalogSnapshot& catalog, json::Writer& out);
  void BatchWriteItem(const CatalogSnapshot& catalog, json::Writer& out);
  void TransactGetItems(const CatalogSnapshot& catalog, json::Writer& out);
  void TransactWriteItems(const CatalogSnapshot& catalog, json::Writer& out);
  void Query(const Table& table, json::Writer& out);
  void Scan(const Table& table, json::Writer& out);

 private:
  void WriteReturned(json::Writer& out, std::initializer_list<std::string_view> return_values);
  void WriteReturnedCapacity(json::Writer& out);
  void WriteCondition(RandomExpressions& expressions, bool legacy, json::Writer& out);
  void WriteProjection(RandomExpressions& expressions, json::Writer& out);
  void WriteFilter(RandomExpressions& expressions, const KeySchema* spared, std::string_view legacy_name,
                   json::Writer& out);
  void WritePage(const Table& table, const Index* index, json::Writer& out);
  void WriteSelection(RandomExpressions& expressions, const Index* index, bool legacy, json::Writer& out);
  void WriteStart(const Table& table, const Index* index, json::Writer& out);
  void WriteWrites(const Table& table, size_t count, json::Writer& out);
  void WriteAction(const Table& table, const AttributeTexts& item, json::Writer& out);
  const Index* PickIndex(const Table& table);

  RandomValues& values_;
};

}  // namespace keyfold

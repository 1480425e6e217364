// Random requests on items: writes, reads, batches, transactions, pages.
#pragma once

#include <initializer_list>
#include <string_view>

#include "engine/catalog/catalog.h"
#include "json/writer.h"
#include "testing/embedded/random_expressions.h"
#include "testing/embedded/random_values.h"

namespace keyfold::embedded {

// Each function writes the members of one request; the caller writes the object around them. Used by one thread at a
// time.
class ItemRequests {
 public:
  explicit ItemRequests(RandomValues& values) : values_(values) {}

  void PutItem(const engine::Table& table, json::Writer& out);
  void UpdateItem(const engine::Table& table, json::Writer& out);
  void DeleteItem(const engine::Table& table, json::Writer& out);
  void GetItem(const engine::Table& table, json::Writer& out);
  // For one table or several.
  void BatchGetItem(const engine::CatalogSnapshot& catalog, json::Writer& out);
  void BatchWriteItem(const engine::CatalogSnapshot& catalog, json::Writer& out);
  void TransactGetItems(const engine::CatalogSnapshot& catalog, json::Writer& out);
  void TransactWriteItems(const engine::CatalogSnapshot& catalog, json::Writer& out);
  void Query(const engine::Table& table, json::Writer& out);
  void Scan(const engine::Table& table, json::Writer& out);

 private:
  void WriteReturned(json::Writer& out, std::initializer_list<std::string_view> return_values);
  void WriteReturnedCapacity(json::Writer& out);
  void WriteCondition(RandomExpressions& expressions, bool legacy, json::Writer& out);
  void WriteProjection(RandomExpressions& expressions, json::Writer& out);
  void WriteFilter(RandomExpressions& expressions, const KeySchema* spared, std::string_view legacy_name,
                   json::Writer& out);
  void WritePage(const engine::Table& table, const engine::Index* index, json::Writer& out);
  void WriteSelection(RandomExpressions& expressions, const engine::Index* index, bool legacy, json::Writer& out);
  void WriteStart(const engine::Table& table, const engine::Index* index, json::Writer& out);
  void WriteWrites(const engine::Table& table, size_t count, json::Writer& out);
  void WriteAction(const engine::Table& table, const AttributeTexts& item, json::Writer& out);
  const engine::Index* PickIndex(const engine::Table& table);

  RandomValues& values_;
};

}  // namespace keyfold::embedded

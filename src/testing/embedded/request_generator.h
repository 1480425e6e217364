// Random API requests on the existing tables, most of them valid: a test sends them to two engines and compares the
// responses.
#pragma once

#include <string>

#include "engine/catalog/catalog.h"
#include "ops/operation.h"
#include "testing/embedded/item_requests.h"
#include "testing/embedded/random_values.h"
#include "testing/embedded/table_requests.h"

namespace keyfold::embedded {

struct GeneratedRequest {
  const ops::Operation* operation = nullptr;
  std::string body;
};

// Used by one thread at a time.
class RequestGenerator {
 public:
  // Borrows `random`.
  explicit RequestGenerator(Random& random) : values_(random), items_(values_), tables_(values_) {}

  GeneratedRequest Next(const engine::CatalogSnapshot& catalog);
  // A request that reads or writes single items of this table, so that its response is the same whether or not an index
  // of the table is complete.
  GeneratedRequest NextOnItem(const engine::Table& table);

 private:
  struct Choice;
  static const Choice kChoices[];

  GeneratedRequest Make(const Choice& choice, const engine::CatalogSnapshot& catalog, const engine::Table& table);
  GeneratedRequest NewTable();
  // Breaks a rule, if the request allows it.
  void Spoil(std::string& body);

  RandomValues values_;
  ItemRequests items_;
  TableRequests tables_;
};

}  // namespace keyfold::embedded

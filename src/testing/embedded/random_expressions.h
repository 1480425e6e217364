// Random expressions and their legacy forms over a table's attributes, with the placeholders they need.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/table.h"
#include "json/writer.h"
#include "testing/embedded/random_values.h"

namespace keyfold::embedded {

// The expressions of one request, which share its placeholders. Used by one thread at a time.
class RandomExpressions {
 public:
  // Borrows both.
  RandomExpressions(RandomValues& values, const engine::Table& table) : values_(values), table_(table) {}

  // At most `depth` AND, OR and NOT deep. `spared` names the key that a filter must not read; null: no restriction.
  std::string Condition(int depth, const KeySchema* spared);
  std::string Update();
  std::string Projection();
  // A condition on the key of the table or index: the whole partition key, and some of the sort key.
  std::string KeyCondition(const KeySchema& key);

  // Writes ExpressionAttributeNames and -Values, if there are any.
  void WritePlaceholders(json::Writer& out) const;

  // {"a":{"ComparisonOperator":…},…}, for Expected, QueryFilter and ScanFilter.
  std::string LegacyConditions(const KeySchema* spared, bool expected, size_t count);
  std::string LegacyUpdates();
  std::string LegacyKeyConditions(const KeySchema& key);
  std::string AttributesToGet();

 private:
  struct Attribute {
    std::string name;
    Type type;
    bool is_index_key = false;
  };
  // Picks any attribute that items of the table may have, except those of `spared`.
  Attribute PickAttribute(const KeySchema* spared);
  // Distinct, and mostly not part of the table's key.
  std::vector<Attribute> PickChanged(size_t count);
  std::string ValueFor(const Attribute& attribute);

  std::string Name(std::string_view attribute);  // the name itself, or a placeholder for it
  std::string Value(std::string json);
  std::string Path(const Attribute& attribute);
  std::string Comparison(const KeySchema* spared);
  std::string Function(const Attribute& attribute);
  std::string SetAction(const Attribute& attribute);
  std::string SortCondition(const KeyAttribute& part);
  std::string Operands(std::string_view op, const Attribute& attribute);
  std::string KeyPartValue(const KeyAttribute& part);

  RandomValues& values_;
  const engine::Table& table_;
  std::vector<std::pair<std::string, std::string>> names_, texts_;
};

}  // namespace keyfold::embedded

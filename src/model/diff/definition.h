// TableDefinition: what the API knows about a table, read from a model, DescribeTable, a CreateTable request or a
// CloudFormation resource. apply and diff compare two of them; import starts from one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "json/document.h"
#include "model/core/model.h"

namespace keyfold::model {

struct KeyAttribute {
  std::string name;
  StoredType type = StoredType::kS;

  friend bool operator==(const KeyAttribute&, const KeyAttribute&) = default;
};

// Partition and sort attributes of a table or an index.
struct KeyDefinition {
  std::vector<KeyAttribute> pk;
  std::vector<KeyAttribute> sk;

  friend bool operator==(const KeyDefinition&, const KeyDefinition&) = default;
};

struct IndexDefinition {
  std::string name;
  KeyDefinition key;
  Project project = Project::kAll;
  std::vector<std::string> included;  // kInclude, sorted
  bool local = false;
  bool active = true;  // false while it is being created or deleted
  bool deleting = false;

  bool ProjectsAs(const IndexDefinition& other) const { return project == other.project && included == other.included; }
};

struct TableDefinition {
  std::string name;
  KeyDefinition key;
  std::vector<IndexDefinition> indexes;
  std::string ttl;  // empty if there is none
  Stream stream = Stream::kOff;
  BillingMode billing = BillingMode::kOnDemand;
  TableClass table_class = TableClass::kStandard;
  bool pitr = false;
  // Only for a table that exists.
  bool active = true;
  uint64_t items = 0;
  uint64_t bytes = 0;

  const IndexDefinition* Find(std::string_view index) const;
};

TableDefinition DefinitionOf(const Model&);

// Reads a table's description (`Table` of DescribeTable), a CreateTable request or the Properties of an
// AWS::DynamoDB::Table.
Result<TableDefinition> ReadDefinition(json::Value object);

// "PK (S), SK (S)"
std::string NameOf(const KeyDefinition&);

// The request that creates the table with its indexes and stream. A provisioned table starts with `units`.
struct ProvisionedUnits {
  int64_t read = 5;
  int64_t write = 5;
};
std::string CreateTableBody(const TableDefinition&, ProvisionedUnits units);

// The GlobalSecondaryIndexes entry of a request, and the AttributeDefinitions of the keys. Each is one complete JSON
// value.
std::string IndexBody(const IndexDefinition&, const ProvisionedUnits* units);
std::string AttributeDefinitionsBody(const std::vector<const KeyDefinition*>& keys);

std::string_view ViewTypeOf(Stream);  // "NEW_AND_OLD_IMAGES"

}  // namespace keyfold::model

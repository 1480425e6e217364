// Compares every request's table with the facts of AWS's API description in tests/api/members.txt: no member is missing
// or invented, and types, enums, bounds and required members agree, except for the differences listed here with their
// reasons.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "testing/base/repository.h"
#include "wire/requests/backups.h"
#include "wire/requests/batches.h"
#include "wire/requests/exports.h"
#include "wire/requests/imports.h"
#include "wire/requests/items.h"
#include "wire/requests/partiql.h"
#include "wire/requests/reads.h"
#include "wire/requests/streams.h"
#include "wire/requests/tables.h"
#include "wire/requests/tags.h"
#include "wire/requests/time_to_live.h"
#include "wire/requests/transactions.h"

namespace keyfold::wire {
namespace {

struct ApiMember {
  std::string type;
  bool required = false;
  std::string min, max;
};
using ApiStructure = std::map<std::string, ApiMember>;

struct Api {
  std::map<std::string, std::string> requests;  // by operation
  std::map<std::string, ApiStructure> structures;
};

ApiMember ReadMember(std::istringstream& words) {
  ApiMember member;
  words >> member.type;
  for (std::string word; words >> word;) {
    if (word == "required") member.required = true;
    if (word.starts_with("min=")) member.min = word.substr(4);
    if (word.starts_with("max=")) member.max = word.substr(4);
  }
  return member;
}

Api ReadApi() {
  std::ifstream file(RepositoryPath("tests/api/members.txt"));
  CHECK(file.is_open());
  Api api;
  ApiStructure* structure = nullptr;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first, second;
    words >> first;
    if (first == "operation") {
      words >> second >> api.requests[second];
    } else if (first == "structure") {
      words >> second;
      structure = &api.structures[second];
    } else if (first != "#") {
      (*structure)[first] = ReadMember(words);
    }
  }
  return api;
}

// A table's type, named as in the facts.
std::string NameOfType(const TypeInfo& type) {
  switch (type.type) {
    case JsonType::kString:
      return "string";
    case JsonType::kEnum: {
      std::vector<std::string_view> values(type.values.begin(), type.values.end());
      std::sort(values.begin(), values.end());
      std::string text = "enum:";
      for (size_t i = 0; i < values.size(); ++i) text.append(i == 0 ? "" : ",").append(values[i]);
      return text;
    }
    case JsonType::kBoolean:
      return "boolean";
    case JsonType::kInteger:
      return "integer";
    case JsonType::kLong:
      return "long";
    case JsonType::kTimestamp:
      return "timestamp";
    case JsonType::kList:
      return "list<" + NameOfType(*type.element) + ">";
    case JsonType::kMap:
      return "map<" + NameOfType(*type.element) + ">";
    case JsonType::kItem:
      return "map<AttributeValue>";
    case JsonType::kStructure:
      return "structure:" + std::string(type.name);
    case JsonType::kAttributeValue:
      return "AttributeValue";
  }
  return "?";
}

// Intended differences from the description, as "structure.member what".
const std::set<std::string> kMeant = {
    // AWS requires them unless another table is copied, and copying a table is refused here.
    "CreateTableInput.AttributeDefinitions required",
    "CreateTableInput.KeySchema required",
    // A table and a local index have at most two key attributes.
    "CreateTableInput.KeySchema max",
    "LocalSecondaryIndex.KeySchema max",
    "TableCreationParameters.KeySchema max",
    // AWS has a separate message for an empty one.
    "BatchGetItemInput.RequestItems min",
    "BatchWriteItemInput.RequestItems min",
    // AWS refuses a request without one, although SDKs generate it.
    "ImportTableInput.ClientToken required",
    // AWS enforces these bounds, as its errors show, but does not describe them.
    "GetItemInput.AttributesToGet max",
    "KeysAndAttributes.AttributesToGet max",
    "QueryInput.AttributesToGet max",
    "ScanInput.AttributesToGet max",
    "SSESpecification.KMSMasterKeyId min",
    // AWS documents these bounds in words.
    "ListStreamsInput.Limit max",
    "DescribeStreamInput.Limit max",
    "GetRecordsInput.Limit max",
    // A filter is meaningless without both.
    "ShardFilter.Type required",
    "ShardFilter.ShardId required",
    // AWS has its own messages for ARNs and tags, not those for faults of shape.
    "Tag.Key required",
    "Tag.Key min",
    "Tag.Key max",
    "Tag.Value required",
    "Tag.Value min",
    "Tag.Value max",
    "TagResourceInput.ResourceArn required",
    "TagResourceInput.ResourceArn min",
    "TagResourceInput.ResourceArn max",
    "TagResourceInput.Tags required",
    "UntagResourceInput.ResourceArn required",
    "UntagResourceInput.ResourceArn min",
    "UntagResourceInput.ResourceArn max",
    "UntagResourceInput.TagKeys required",
    "ListTagsOfResourceInput.ResourceArn required",
    "ListTagsOfResourceInput.ResourceArn min",
    "ListTagsOfResourceInput.ResourceArn max",
};

// Collects differences. Used by one thread at a time.
class Comparison {
 public:
  explicit Comparison(const Api& api) : api_(api) {}

  void Compare(const TypeInfo& type) {
    const std::string name(type.name);
    if (!compared_.insert(name).second) return;
    ASSERT_TRUE(api_.structures.contains(name)) << name;
    ApiStructure rest = api_.structures.at(name);
    for (const Field& field : type.fields) {
      const std::string member = name + "." + std::string(field.name);
      const auto described = rest.find(std::string(field.name));
      if (described == rest.end()) {
        ADD_FAILURE() << member << " is not in the API";
        continue;
      }
      if (!field.refused) CompareMember(member, field, described->second);
      rest.erase(described);
    }
    for (const auto& [missing, unused] : rest) ADD_FAILURE() << name << "." << missing << " is missing";
  }

  const std::set<std::string>& met() const { return met_; }

 private:
  void CompareMember(const std::string& member, const Field& field, const ApiMember& described) {
    const Constraints& c = field.constraints;
    const SizeBounds none;
    EXPECT_EQ(NameOfType(*field.type), described.type) << member;
    Expect(member + " required", c.required == described.required);
    Expect(member + " min", (c.min == none.min ? "" : std::to_string(c.min)) == described.min);
    Expect(member + " max", (c.max == none.max ? "" : std::to_string(c.max)) == described.max);
    for (const TypeInfo* type = field.type; type != nullptr; type = type->element) {
      if (type->type == JsonType::kStructure) Compare(*type);
    }
  }
  void Expect(const std::string& what, bool same) {
    if (same) return;
    met_.insert(what);
    EXPECT_TRUE(kMeant.contains(what)) << what << " differs";
  }

  const Api& api_;
  std::set<std::string> compared_;
  std::set<std::string> met_;
};

TEST(ApiMembers, EveryRequestHasThemAll) {
  const std::map<std::string, const TypeInfo*> requests = {
      {"CreateTable", &kJsonTypeOf<CreateTableRequest>},
      {"DescribeTable", &kJsonTypeOf<DescribeTableRequest>},
      {"UpdateTable", &kJsonTypeOf<UpdateTableRequest>},
      {"DeleteTable", &kJsonTypeOf<DeleteTableRequest>},
      {"ListTables", &kJsonTypeOf<ListTablesRequest>},
      {"PutItem", &kJsonTypeOf<PutItemRequest>},
      {"GetItem", &kJsonTypeOf<GetItemRequest>},
      {"UpdateItem", &kJsonTypeOf<UpdateItemRequest>},
      {"DeleteItem", &kJsonTypeOf<DeleteItemRequest>},
      {"Query", &kJsonTypeOf<QueryRequest>},
      {"Scan", &kJsonTypeOf<ScanRequest>},
      {"BatchGetItem", &kJsonTypeOf<BatchGetItemRequest>},
      {"BatchWriteItem", &kJsonTypeOf<BatchWriteItemRequest>},
      {"ListStreams", &kJsonTypeOf<ListStreamsRequest>},
      {"DescribeStream", &kJsonTypeOf<DescribeStreamRequest>},
      {"GetShardIterator", &kJsonTypeOf<GetShardIteratorRequest>},
      {"GetRecords", &kJsonTypeOf<GetRecordsRequest>},
      {"TransactWriteItems", &kJsonTypeOf<TransactWriteItemsRequest>},
      {"TransactGetItems", &kJsonTypeOf<TransactGetItemsRequest>},
      {"ExecuteStatement", &kJsonTypeOf<ExecuteStatementRequest>},
      {"BatchExecuteStatement", &kJsonTypeOf<BatchExecuteStatementRequest>},
      {"ExecuteTransaction", &kJsonTypeOf<ExecuteTransactionRequest>},
      {"TagResource", &kJsonTypeOf<TagResourceRequest>},
      {"UntagResource", &kJsonTypeOf<UntagResourceRequest>},
      {"ListTagsOfResource", &kJsonTypeOf<ListTagsOfResourceRequest>},
      {"DescribeLimits", &kJsonTypeOf<DescribeLimitsRequest>},
      {"DescribeEndpoints", &kJsonTypeOf<DescribeEndpointsRequest>},
      {"DescribeTimeToLive", &kJsonTypeOf<DescribeTimeToLiveRequest>},
      {"UpdateTimeToLive", &kJsonTypeOf<UpdateTimeToLiveRequest>},
      {"CreateBackup", &kJsonTypeOf<CreateBackupRequest>},
      {"DescribeBackup", &kJsonTypeOf<DescribeBackupRequest>},
      {"ListBackups", &kJsonTypeOf<ListBackupsRequest>},
      {"DeleteBackup", &kJsonTypeOf<DeleteBackupRequest>},
      {"RestoreTableFromBackup", &kJsonTypeOf<RestoreTableFromBackupRequest>},
      {"RestoreTableToPointInTime", &kJsonTypeOf<RestoreTableToPointInTimeRequest>},
      {"UpdateContinuousBackups", &kJsonTypeOf<UpdateContinuousBackupsRequest>},
      {"DescribeContinuousBackups", &kJsonTypeOf<DescribeContinuousBackupsRequest>},
      {"ExportTableToPointInTime", &kJsonTypeOf<ExportTableToPointInTimeRequest>},
      {"DescribeExport", &kJsonTypeOf<DescribeExportRequest>},
      {"ListExports", &kJsonTypeOf<ListExportsRequest>},
      {"ImportTable", &kJsonTypeOf<ImportTableRequest>},
      {"DescribeImport", &kJsonTypeOf<DescribeImportRequest>},
      {"ListImports", &kJsonTypeOf<ListImportsRequest>},
  };
  const Api api = ReadApi();
  EXPECT_EQ(api.requests.size(), requests.size());
  Comparison comparison(api);
  for (const auto& [operation, name] : api.requests) {
    const auto found = requests.find(operation);
    ASSERT_NE(found, requests.end()) << operation;
    EXPECT_EQ(found->second->name, name);
    comparison.Compare(*found->second);
  }
  // Each listed difference must still exist.
  EXPECT_EQ(comparison.met(), kMeant);
}

}  // namespace
}  // namespace keyfold::wire

#include "model/diff/change.h"

#include <gtest/gtest.h>

#include "testing/model/model.h"

namespace keyfold::model {
namespace {

constexpr std::string_view kChangedEntities =
    "{U: {keys: {PK: \"U#{id}\", SK: P, GSI1PK: \"E#{e}\", GSI1SK: P}, attributes: {id: string, e: string, n: "
    "number}}}";

TableDefinition Defined(const std::string& indexes, const std::string& more = "") {
  return DefinitionOf(LoadForTest(ModelText(std::string(kChangedEntities), "{}", indexes, more)));
}

// "UpdateTable create index …" for each call, then the refused and the remaining differences.
std::string DescribeChange(const TableDefinition* current, const TableDefinition& wanted, bool delete_indexes = false) {
  ChangeOptions options;
  options.delete_indexes = delete_indexes;
  const Change change = ChangeFrom(current, wanted, options);
  std::string out;
  for (const Call& call : change.calls) out += call.operation + " " + call.title + "\n";
  for (const std::string& why : change.refused) out += "refused: " + why.substr(0, why.find(';')) + "\n";
  for (const std::string& left : change.left) out += "left: " + left + "\n";
  return out;
}

constexpr const char* kOne = "{GSI1: {pk: GSI1PK, sk: GSI1SK}}";

TEST(ChangeTest, Rows) {
  const TableDefinition plain = Defined(kOne);
  struct Row {
    std::string_view what;
    TableDefinition current;
    TableDefinition wanted;
    bool delete_indexes;
    std::string reported;
  };
  const std::string two = "{GSI1: {pk: GSI1PK, sk: GSI1SK}, ByN: {pk: n, project: keys}}";
  const Row rows[] = {
      {"nothing", plain, plain, true, ""},
      {"an index", plain, Defined(two), false, "UpdateTable create index ByN on n (N)\n"},
      {"an index less", Defined(two), plain, false,
       "left: index ByN is not in the model; --delete-indexes deletes it\n"},
      {"deleted", Defined(two), plain, true, "UpdateTable delete index ByN\n"},
      {"a stream", plain, Defined(kOne, ", stream: new_image"), false, "UpdateTable enable a stream of NEW_IMAGE\n"},
      {"another stream", Defined(kOne, ", stream: old_image"), Defined(kOne, ", stream: new_image"), false,
       "UpdateTable disable the stream of OLD_IMAGE\nUpdateTable enable a stream of NEW_IMAGE\n"},
      {"expiry", plain, Defined(kOne, ", ttl: n"), false, "UpdateTimeToLive enable expiry by n\n"},
      {"no expiry", Defined(kOne, ", ttl: n"), plain, false, "UpdateTimeToLive disable expiry by n\n"},
      {"recovery", plain, Defined(kOne, ", billing: {pitr: true}"), false,
       "UpdateContinuousBackups enable point-in-time recovery\n"},
      {"billing", plain, Defined(kOne, ", billing: {mode: provisioned}"), false,
       "UpdateTable change billing to provisioned\n"},
      {"class", plain, Defined(kOne, ", billing: {class: standard_ia}"), false,
       "UpdateTable change the table class to standard_ia\n"},
      {"one at a time, deletions last", Defined("{GSI1: {pk: GSI1PK, sk: GSI1SK}, A: {pk: e}}"),
       Defined("{GSI1: {pk: GSI1PK, sk: GSI1SK}, B: {pk: e}, C: {pk: n}}"), true,
       "UpdateTable create index B on e (S)\nUpdateTable create index C on n (N)\nUpdateTable delete index A\n"},
      {"a projection", plain, Defined("{GSI1: {pk: GSI1PK, sk: GSI1SK, project: keys}}"), false,
       "refused: GSI1 projects everything, but should project its keys\n"},
      {"a key", plain, Defined("{GSI1: {pk: GSI1SK, sk: GSI1PK}}"), false,
       "refused: the key of GSI1 is GSI1PK (S), GSI1SK (S), but the model's is GSI1SK (S), GSI1PK (S)\n"},
      {"a local index", plain, Defined("{GSI1: {pk: GSI1PK, sk: GSI1SK}, L: {pk: PK, sk: e, local: true}}"), false,
       "refused: L is a local index, which can only be created with its table\n"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(DescribeChange(&row.current, row.wanted, row.delete_indexes), row.reported) << row.what;
}

TEST(ChangeTest, AMissingTableIsCreatedWithEverything) {
  const Model shop = LoadForTest(ExampleText("shop.yaml"));
  const TableDefinition wanted = DefinitionOf(shop);
  const Change change = ChangeFrom(nullptr, wanted, {});
  ASSERT_EQ(change.calls.size(), 3u);
  EXPECT_EQ(change.calls[0].operation, "CreateTable");
  EXPECT_EQ(change.calls[1].operation, "UpdateTimeToLive");
  EXPECT_EQ(change.calls[2].operation, "UpdateContinuousBackups");
  EXPECT_TRUE(change.calls[2].optional);
  // The request body reads back as the definition.
  json::Parser parser;
  const Result<TableDefinition> read = ReadDefinition(*parser.Parse(change.calls[0].body));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->key, wanted.key);
  EXPECT_EQ(read->stream, Stream::kNewAndOldImages);
  ASSERT_EQ(read->indexes.size(), 3u);
  for (const IndexDefinition& index : wanted.indexes) {
    const IndexDefinition* same = read->Find(index.name);
    ASSERT_NE(same, nullptr);
    EXPECT_EQ(same->key, index.key) << index.name;
    EXPECT_TRUE(same->ProjectsAs(index)) << index.name;
  }
  // The type attribute is projected; key attributes are not listed again.
  EXPECT_EQ(wanted.Find("GSI2")->included, (std::vector<std::string>{"_et", "total"}));
  EXPECT_EQ(wanted.Find("ByRegion")->key.sk[1].type, StoredType::kN);
}

TEST(ChangeTest, AnotherKeyIsRefused) {
  const TableDefinition plain = Defined(kOne);
  TableDefinition other = plain;
  other.key.sk.clear();
  EXPECT_EQ(DescribeChange(&other, plain), "refused: the table's key is PK (S), but the model's is PK (S), SK (S)\n");
}

}  // namespace
}  // namespace keyfold::model

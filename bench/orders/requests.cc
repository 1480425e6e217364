#include "bench/orders/requests.h"

#include <utility>

namespace keyfold::bench {

OrderRequests::OrderRequests(std::string table, size_t comment_bytes)
    : table_(std::move(table)), open_(R"({"TableName":")" + table_ + R"(",)"), comment_bytes_(comment_bytes) {}

void OrderRequests::CreateTable(std::string& out, uint64_t indexes) const {
  out += open_;
  out +=
      R"("BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},)"
      R"({"AttributeName":"sk","KeyType":"RANGE"}],"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},)"
      R"({"AttributeName":"sk","AttributeType":"S"})";
  if (indexes > 0) out += R"(,{"AttributeName":"product","AttributeType":"S"}],"GlobalSecondaryIndexes":[)";
  for (uint64_t i = 0; i < indexes; ++i) {
    out.append(i > 0 ? "," : "").append(R"({"IndexName":")").append(kIndex);
    if (i > 0) AppendDecimal(out, i + 1);
    out += R"(","KeySchema":[{"AttributeName":"product","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],)"
           R"("Projection":{"ProjectionType":"ALL"}})";
  }
  out += "]}";
}

void OrderRequests::Get(std::string& out, uint64_t n) const {
  out.append(open_).append(R"("Key":)");
  AppendOrderKey(out, n);
  out += '}';
}

void OrderRequests::Put(std::string& out, uint64_t n, uint64_t cents) const {
  out.append(open_).append(R"("Item":)");
  AppendOrder(out, n, cents, comment_bytes_);
  out += '}';
}

void OrderRequests::PutIfThere(std::string& out, uint64_t n, uint64_t cents) const {
  Put(out, n, cents);
  out.pop_back();
  out +=
      R"(,"ConditionExpression":"attribute_exists(pk) AND #s <> :cancelled","ExpressionAttributeNames":{"#s":"status"},)"
      R"("ExpressionAttributeValues":{":cancelled":{"S":"CANCELLED"}}})";
}

void OrderRequests::Update(std::string& out, uint64_t n) const {
  out.append(open_).append(R"("Key":)");
  AppendOrderKey(out, n);
  out += R"-(,"UpdateExpression":"SET revision = revision + :one","ConditionExpression":"attribute_exists(pk)",)-"
         R"("ExpressionAttributeValues":{":one":{"N":"1"}}})";
}

void OrderRequests::Delete(std::string& out, uint64_t n) const { Get(out, n); }

void OrderRequests::QueryYear(std::string& out, uint64_t n) const {
  out += open_;
  out += R"-("KeyConditionExpression":"pk = :customer AND begins_with(sk, :year)","ExpressionAttributeValues":{)-"
         R"(":customer":{"S":")";
  AppendCustomer(out, n);
  out += R"("},":year":{"S":"ORDER#2025"}}})";
}

void OrderRequests::QueryProduct(std::string& out, uint64_t n) const {
  out.append(open_).append(R"("IndexName":")").append(kIndex);
  out += R"(","Limit":10,"KeyConditionExpression":"product = :product","ExpressionAttributeValues":{":product":{"S":")";
  AppendProduct(out, n);
  out += R"("}}})";
}

void OrderRequests::RunScan(std::string& out, uint64_t n) const {
  out.append(open_).append(R"("Limit":50,"ExclusiveStartKey":)");
  AppendOrderKey(out, n);
  out += '}';
}

void OrderRequests::Transact(std::string& out, uint64_t updated, uint64_t put, uint64_t cents) const {
  out += R"({"TransactItems":[{"Update":)";
  Update(out, updated);
  out += R"(},{"Put":)";
  Put(out, put, cents);
  out += "}]}";
}

void OrderRequests::PutBatch(std::string& out, uint64_t first, uint64_t count, uint64_t cents) const {
  out.append(R"({"RequestItems":{")").append(table_).append(R"(":[)");
  for (uint64_t n = first; n < first + count; ++n) {
    out += n > first ? R"(,{"PutRequest":{"Item":)" : R"({"PutRequest":{"Item":)";
    AppendOrder(out, n, cents + n - first, comment_bytes_);
    out += "}}";
  }
  out += "]}}";
}

}  // namespace keyfold::bench
